package lines

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/adp-sparse/adp-sparse/internal/notes"
	"github.com/adp-sparse/adp-sparse/internal/stream"
)

// Comments says which lines of a text are comments.
type Comments struct {
	Prefixes []string // a line that starts with one of them is a comment
	Guessed  bool     // by the format: the user has not said it
}

// snap are the prefixes of comments in the edge lists of SNAP and KONECT.
var snap = []string{"#", "%"}

// Usual are the comments that a new scanner skips.
func Usual() Comments { return Comments{Prefixes: snap, Guessed: true} }

// CommentsOf returns the comments of a file: those that start as said; where that is nil none of a
// csv file, and lines that start with # or % of other text.
func CommentsOf(file string, said []string) Comments {
	switch {
	case said != nil:
		return Comments{Prefixes: said}
	case IsCSV(file):
		return Comments{Guessed: true}
	}
	return Usual()
}

// IsCSV reports whether a name has the ending of a csv file, before that of a compression.
func IsCSV(file string) bool {
	return strings.EqualFold(filepath.Ext(stream.TrimEnding(file)), ".csv")
}

// CheckComments returns an error for prefixes that data could start with: letters, digits, signs of
// numbers, blanks, quotes and separators.
func CheckComments(prefixes []string) error {
	for _, p := range prefixes {
		if p == "" || !strings.ContainsAny(p[:1], "!#$%&'()*/:<=>?@[\\]^`{|}~") || strings.ContainsFunc(p, func(r rune) bool { return r <= ' ' || r > '~' }) {
			return fmt.Errorf("comments that start with %s, expected # or %% or another sign that no data start with", Quote([]byte(p)))
		}
	}
	return nil
}

// IsComment reports whether a line that starts with text is a comment in an edge list.
func IsComment(text []byte) bool {
	return len(text) > 0 && (text[0] == '#' || text[0] == '%')
}

// SetComments sets which lines are comments. A new scanner skips those that start with # or %.
func (s *Scanner) SetComments(c Comments) {
	s.comments = c
	s.opens = [256]bool{}
	for _, p := range c.Prefixes {
		s.opens[p[0]] = true
	}
	if c.Guessed { // looked at even where they are data
		s.opens['#'], s.opens['%'] = true, true
	}
}

// KeepComments makes all lines data, without a doubt: the format has no comments.
func (s *Scanner) KeepComments() { s.SetComments(Comments{}) }

// EndComments makes the lines from here on data, unless the user said what comments start with: the
// file has turned out to be a table.
func (s *Scanner) EndComments() {
	if s.comments.Guessed {
		s.SetComments(Comments{Guessed: true})
	}
}

// Opens reports whether a line that starts with b may be a comment, or look like one.
func (s *Scanner) Opens(b byte) bool { return s.opens[b] }

// prefix returns the prefix that makes a line a comment, empty for data.
func (s *Scanner) prefix(text []byte) string {
	for _, p := range s.comments.Prefixes {
		if len(text) >= len(p) && string(text[:len(p)]) == p {
			return p
		}
	}
	return ""
}

// isOdd reports whether a line of data starts as comments of other formats do: "# ".
func (s *Scanner) isOdd(text []byte) bool {
	return s.comments.Guessed && IsComment(text) && (len(text) == 1 || text[1] == ' ' || text[1] == text[0])
}

// Know tells the scanner of a test for ids that are known to be data, such as nodes of the graph:
// a comment whose first field is one reads like data.
func (s *Scanner) Know(id func(id []byte) bool) { s.knows = id }

// Skips returns the counts of what was skipped so far. They may be set, to count anew.
func (s *Scanner) Skips() *Skips { return &s.skips }

// Skips counts the lines that a scanner skipped, or took with a doubt.
type Skips struct {
	blank, comments tally
	named, sure     tally  // comments that read like data: if ids are names; whatever they are
	odd             tally  // data that start like comments
	leading         []held // comments above the first data line, which are not counted yet
}

type held struct {
	line int
	text []byte
}

// mostLeading bounds the comments that are kept until the first data line.
const mostLeading = 64

// tally counts lines, and keeps the first of them, and the ids that some would begin with if they
// were no comments.
type tally struct {
	count, line int
	text        string
	ids         []string
}

// mostIDs bounds the ids that are kept.
const mostIDs = 32

func (t *tally) add(line int, text []byte) {
	if t.count == 0 {
		t.line, t.text = line, strings.ToValidUTF8(string(text[:min(len(text), 80)]), "�")
	}
	t.count++
}

// join adds the lines of a later part of the file, or of the same part.
func (t *tally) join(other tally, before int) {
	if line := other.line + before; other.count > 0 && (t.count == 0 || line < t.line) {
		t.line, t.text = line, other.text
	}
	t.count += other.count
	t.ids = append(t.ids, other.ids[:min(len(other.ids), mostIDs-min(len(t.ids), mostIDs))]...)
}

// isCut reports whether the lines are data that somebody made comments of: without the sign they
// begin with ids of others.
func (t *tally) isCut(known func(id []byte) bool) bool {
	for _, id := range t.ids {
		if !known([]byte(id)) {
			return false
		}
	}
	return len(t.ids) > 0
}

// Join adds the counts of a later part of the file; before is the number of lines above it.
func (k *Skips) Join(other *Skips, before int) {
	k.blank.join(other.blank, before)
	k.comments.join(other.comments, before)
	k.named.join(other.named, before)
	k.sure.join(other.sure, before)
	k.odd.join(other.odd, before)
	for _, h := range other.leading {
		k.comments.add(h.line+before, h.text)
	}
}

// Carry moves the comments that wait for the first data line to the counts of the next part of the
// file; after is the number of lines above it.
func (k *Skips) Carry(after int) (next Skips) {
	for _, h := range k.leading {
		next.leading = append(next.leading, held{h.line - after, h.text})
	}
	k.leading = nil
	return next
}

// Comments returns the number of comments, also of those that read like data.
func (k *Skips) Comments() int {
	return k.comments.count + k.named.count + k.sure.count + len(k.leading)
}

// Blank returns the number of blank lines.
func (k *Skips) Blank() int { return k.blank.count }

// Advice returns what a message about a file without data should add where lines were skipped as
// comments.
func (k *Skips) Advice() string {
	n := k.Comments()
	if n == 0 {
		return ""
	}
	if n == 1 {
		return "; 1 line was skipped as a comment: if it is data, say Options.Comments none"
	}
	return fmt.Sprintf("; %d lines were skipped as comments: if they are data, say Options.Comments none", n)
}

// Trust takes lines of data that start like comments for data: they have what comments lack.
func (k *Skips) Trust() { k.odd = tally{} }

// Notes returns the counts as notes. Names says that ids are not all whole numbers: words may be
// ids too. Known is a test for ids of other lines.
func (k *Skips) Notes(names bool, known func(id []byte) bool) (list notes.List) {
	comments, like := k.comments, tally{}
	for _, h := range k.leading {
		comments.add(h.line, h.text)
	}
	for _, t := range []struct {
		tally
		like bool
	}{{k.sure, true}, {k.named, names}} {
		if t.like && !t.isCut(known) {
			like.join(t.tally, 0)
		} else {
			comments.join(t.tally, 0)
		}
	}
	list.Add(notes.Comments, comments.count, comments.line, comments.text)
	list.Doubt(notes.CommentData, like.count, like.line, like.text, "if it is data, say Options.Comments none")
	list.Add(notes.BlankLines, k.blank.count, k.blank.line, "")
	list.Doubt(notes.DataLikeComment, k.odd.count, k.odd.line, k.odd.text, "if it is a comment, say Options.Comments "+quotedSign(k.odd.text))
	return list
}

// quotedSign returns the sign that a line starts with, as a shell takes it.
func quotedSign(text string) string {
	if text == "" {
		return ""
	}
	return "'" + text[:1] + "'"
}

// PassComment leaves the next comment out of the counts: it says something, and the reader took it.
func (s *Scanner) PassComment() { s.pass = true }

// skip counts a comment.
func (s *Scanner) skip(text []byte, prefix string) {
	k := &s.skips
	switch {
	case s.pass:
		s.pass = false
	case s.columns == 0 && len(k.leading) < mostLeading:
		k.leading = append(k.leading, held{s.line, bytes.Clone(text[:min(len(text), 1<<10)])})
	case s.columns == 0:
		k.comments.add(s.line, text)
	default:
		s.count(text, prefix, s.line)
	}
}

// begin counts the comments above the first data line: it is known now what data look like.
func (s *Scanner) begin() {
	s.columns = len(s.fields)
	for _, h := range s.skips.leading {
		s.count(h.text, s.prefix(h.text), h.line)
	}
	s.skips.leading = nil
}

// count counts a comment as what it looks like.
func (s *Scanner) count(text []byte, prefix string, line int) {
	to := &s.skips.comments
	named, sure := false, false
	if s.comments.Guessed { // else the user knows
		named, sure = s.likeness(text, prefix)
	}
	if sure {
		to = &s.skips.sure
	} else if named {
		to = &s.skips.named
	}
	if to.add(line, text); named && len(to.ids) < mostIDs {
		to.ids = append(to.ids, string(s.Cut(text)[0][len(prefix):]))
	}
}

// likeness reports whether a comment reads like data: as many fields as the first data line, the
// prefix followed at once by more, and no words that titles or counts have. It is sure where the
// second field is a number or has the prefix too; else it is data only where words are ids.
func (s *Scanner) likeness(text []byte, prefix string) (named, sure bool) {
	fields := s.Cut(text)
	if len(fields) != s.columns || len(fields) < 2 || slices.ContainsFunc(fields, func(f []byte) bool { return len(f) == 0 }) {
		return false, false
	}
	if len(fields[0]) < len(prefix) {
		return false, false
	}
	if s.knows != nil && s.knows(fields[0]) {
		return true, true
	}
	first, second := fields[0][len(prefix):], fields[1]
	if len(first) == 0 && s.separator == ' ' || len(first) > 0 && (isBlank(first[0]) || first[0] == prefix[0] || first[0] == '!') {
		return false, false
	}
	if len(fields) == 3 {
		if _, err := ParseWeight(fields[2]); err != nil {
			return false, false
		}
	}
	marked := bytes.HasPrefix(second, []byte(prefix))
	switch {
	case isTitleWord(first) && isTitleWord(second):
		return false, false
	case isNumber(first) && !marked, isNumber(second) && isCountWord(first):
		return false, false
	}
	return true, marked || isNumber(second)
}

// Cut returns the fields of a line that is not checked, and may be another than the current one.
func (s *Scanner) Cut(text []byte) [][]byte {
	if s.separator == ' ' || s.blanks {
		return bytes.Fields(text)
	}
	fields := bytes.Split(text, []byte{s.separator})
	for k, f := range fields {
		fields[k] = trimField(f)
	}
	return fields
}

func isNumber(text []byte) bool {
	_, err := strconv.ParseInt(string(text), 10, 64)
	return err == nil
}

// isCountWord reports whether a word stands before the number of something in a comment: Nodes: 5.
func isCountWord(word []byte) bool {
	switch strings.ToLower(strings.TrimRight(string(word), ":=")) {
	case "n", "m", "node", "nodes", "vertex", "vertices", "edge", "edges", "arc", "arcs", "link", "links", "lines", "rows", "columns", "size", "count", "total", "version", "seed", "k", "classes", "labels":
		return true
	}
	return false
}
