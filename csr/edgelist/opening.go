package edgelist

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/notes"
	"github.com/adp-sparse/adp-sparse/internal/stream"
)

// opening is what the first lines of a file say about all others.
type opening struct {
	file   string
	konect *konect // nil of another file
	lists  bool    // of neighbours
	titles []string
	line   int    // of the titles
	judged bool   // a line of two fields is taken for titles, see [parser.judge]
	third  string // title that is not that of weights
	ends   string // what leaves the third column out: options
	arrows bool   // the second line has a field "Directed", as Gephi writes it
	notes  notes.List
}

// konect is the first line of a file of KONECT: % FORMAT WEIGHTS.
type konect struct {
	text, form, weights string
}

var (
	konectForms   = []string{"sym", "asym", "bip"}
	konectWeights = []string{"unweighted", "positive", "posweighted", "signed", "multisigned", "weighted", "multiweighted", "dynamic", "multiposweighted"}
)

// konectOf returns the first line of a file as KONECT's, nil of another file.
func konectOf(text []byte) *konect {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	words := strings.Fields(string(line[:min(len(line), 200)]))
	switch {
	case len(words) < 2 || words[0] != "%" || !slices.Contains(konectForms, words[1]):
		return nil
	case len(words) == 2:
		return &konect{text: strings.Join(words, " "), form: words[1]}
	case slices.Contains(konectWeights, words[2]):
		return &konect{text: strings.Join(words[:3], " "), form: words[1], weights: words[2]}
	}
	return nil
}

// isNeighbours reports whether a file starts as networkx starts lists of neighbours: with a comment
// of the command, then one of the time.
func isNeighbours(text []byte) bool {
	first, rest, _ := bytes.Cut(text, []byte("\n"))
	return bytes.HasPrefix(first, []byte("#")) && bytes.HasPrefix(rest, []byte("# GMT "))
}

// begin looks at the first bytes of a file, before its lines are read.
func (p *parser) begin(file string, text []byte) {
	comments := lines.CommentsOf(file, p.opt.Comments)
	p.scan.TakeLoneSemicolons()
	p.scan.SetComments(comments)
	o := &p.opening
	ending := strings.ToLower(filepath.Ext(stream.TrimEnding(file)))
	o.file, o.lists = file, isNeighbours(text) || ending == ".adjlist" || ending == ".multiline_adjlist"
	_, below, _ := bytes.Cut(text, []byte("\n"))
	row, _, _ := bytes.Cut(below, []byte("\n"))
	o.arrows = slices.ContainsFunc(bytes.FieldsFunc(row, func(r rune) bool { return strings.ContainsRune(",;\t\r\" ", r) }), func(f []byte) bool {
		return strings.EqualFold(string(f), "directed")
	})
	if slices.Contains(comments.Prefixes, "%") {
		o.konect = konectOf(text)
	}
	p.sided = p.opt.Bipartite
	if o.konect != nil {
		p.scan.JoinBlanks()
		p.scan.PassComment()
		p.sided = p.sided || o.konect.form == "bip"
	}
	p.first = p.opt.Header == HeaderCheck && o.konect == nil
}

// follow makes p read later lines of the file that another parser opened.
func (p *parser) follow(first *parser) {
	p.scan.Follow(first.scan)
	p.opened, p.sided = true, first.sided
	p.columns = first.columns
	p.columns.picked = nil // memory of the other parser
}

// directed takes the directions that a header of KONECT says.
func (l *List) directed(k *konect) { l.opt.Directed = l.opt.Directed || k != nil && k.form == "asym" }

// reopen forgets the first data line, for the lines of a block are read again.
func (p *parser) reopen() {
	p.opened, p.below, p.columns = false, false, columns{}
	p.opening.titles, p.opening.judged, p.opening.third, p.opening.ends, p.opening.notes, p.words = nil, false, "", "", nil, [2]string{}
	p.scan.SetComments(lines.CommentsOf(p.opening.file, p.opt.Comments))
	p.scan.Reopen()
	if p.opening.konect != nil {
		p.scan.PassComment()
	}
}

// isQuick reports whether a line of two or three plain fields needs no more than them.
func (p *parser) isQuick() bool {
	return p.opened && !p.below && !p.sided && p.columns.chosen == nil
}

// open looks at the first data line, and reports whether it is a header.
func (p *parser) open() (header bool, err error) {
	s, fields, o := p.scan, p.scan.Fields(), &p.opening
	switch {
	case len(p.opt.Columns) > 0:
		header, err = p.choose(fields)
	case p.isNamedMatrix():
		return false, p.namedMatrixFault()
	case o.lists && p.opt.Header == HeaderCheck:
		return false, s.Errorf("this looks like lists of neighbours, as networkx writes them, expected lines of the form: src dst [weight]; in Python: nx.write_edgelist(nx.read_adjlist(%s), \"edges.tsv\", data=False); say edgelist.HeaderNo if these are edges", lines.Quote([]byte(o.file)))
	case o.konect != nil:
		return false, p.openKonect(fields)
	case p.opt.Header == HeaderNo:
	case p.columns.pickArrow(fields):
	case p.plain(fields):
		header = true
	case p.opt.Header == HeaderCheck && p.judge(fields):
		header, o.judged = true, true
	case p.opt.Header == HeaderYes:
		if header = true; lines.IsIndex(fields[0]) {
			err = indexFault(s)
		}
	}
	if err != nil {
		return false, err
	}
	if header {
		p.takeTitles(fields)
	}
	p.noteColumns(fields, header)
	return header, nil
}

// openKonect chooses the columns of KONECT: the ends, the weight or multiplicity, and the time.
func (p *parser) openKonect(fields [][]byte) error {
	if p.opening.konect.weights == "dynamic" {
		return p.scan.Errorf("%q says that edges appear and disappear, expected the edges of one time", p.opening.konect.text)
	}
	if len(fields) == 4 {
		p.columns.width, p.columns.chosen = 4, []int{0, 1, 2}
		p.opening.notes.Add(notes.Columns, 1, 0, "time")
	}
	return nil
}

// takeTitles keeps the titles of a header. The lines below are data of a table, which has no
// comments.
func (p *parser) takeTitles(fields [][]byte) {
	o := &p.opening
	o.line = p.scan.Line()
	p.first, p.below, p.columns.titles = false, true, len(fields)
	p.scan.EndComments()
	shown, _ := p.columns.pick(p.scan, fields) // it has as many as itself
	for _, title := range shown[:min(len(shown), 3)] {
		o.titles = append(o.titles, string(title))
	}
	o.ends = fmt.Sprintf("edgelist.Options.Columns %d,%d", p.columns.number(0), p.columns.number(1))
	if p.opt.Header == HeaderCheck { // numbers of columns do not say that there is a header
		o.ends = "edgelist.HeaderYes and " + o.ends
	}
	if len(shown) == 3 && lines.NoWeight(shown[2]) && len(p.opt.Columns) == 0 {
		o.third = string(shown[2])
	}
	if p.opt.Header == HeaderCheck {
		o.notes.Add(notes.Header, 1, p.scan.Line(), string(bytes.Join(fields, []byte(" "))))
	}
}

// judge reports whether two fields are titles: common ones of the ends of edges, or words above integers alone. [List.checkTitles]
// looks at all ids.
func (p *parser) judge(fields [][]byte) bool {
	if len(fields) != 2 || lines.IsIndex(fields[0]) || lines.IsOldIndex(fields[0]) {
		return false
	}
	if lines.AreEdgeTitles(fields[0], fields[1]) {
		return true
	}
	below := p.ahead()
	return !ids.IsInteger(fields[0]) && !ids.IsInteger(fields[1]) && len(below) > 0 && !slices.ContainsFunc(below, func(row [][]byte) bool {
		return len(row) < 2 || !ids.IsInteger(row[0]) || !ids.IsInteger(row[1])
	})
}

// checkTitles refuses a line that was taken for titles where one of them is a node, and where words stand above ids that are not all
// integers: it may be an edge.
func (l *List) checkTitles() error {
	o := &l.opening
	if !o.judged {
		return nil
	}
	refuse := func(why string) error {
		return &lines.Error{File: l.file, Line: o.line, Msg: fmt.Sprintf("%q and %q %s; say edgelist.HeaderYes if this line is a header, edgelist.HeaderNo if it is an edge", o.titles[0], o.titles[1], why)}
	}
	for _, title := range o.titles {
		if _, ok := l.IDs.Lookup([]byte(title)); ok {
			return refuse(fmt.Sprintf("read like titles of columns, and %q is a node further down", title))
		}
	}
	if last := []byte(l.IDs.Name(l.IDs.Len() - 1)); !ids.IsInteger(last) && !lines.AreEdgeTitles([]byte(o.titles[0]), []byte(o.titles[1])) { // numbers come first
		return refuse(fmt.Sprintf("read like titles of columns above integers, and %s is a node", lines.Quote(last)))
	}
	return nil
}

// mostAhead bounds the lines that are looked at before they are read.
const mostAhead = 1000

// ahead returns the fields of the data lines of the block below the current line, not checked.
func (p *parser) ahead() (rows [][][]byte) {
	for line := range bytes.SplitSeq(p.rest, []byte("\n")) {
		line = bytes.TrimRight(line, lines.Blanks)
		if len(rows) == mostAhead {
			break
		}
		if len(line) > 0 && !p.scan.Opens(line[0]) {
			rows = append(rows, p.scan.Cut(line))
		}
	}
	return rows
}

// textBelow reports whether a column has text, and no weight, in the lines below a line of as many columns.
func (p *parser) textBelow(column int) bool {
	found := false
	for _, row := range p.ahead() {
		if column >= len(row) || len(row) != len(p.scan.Fields()) || isNumber(row[column]) {
			return false
		}
		found = found || !lines.IsMissing(row[column])
	}
	return found
}

// areTriples reports whether the lines are triples: subject, predicate, object. Some object is the
// subject of another line, and no predicate is one.
func (p *parser) areTriples() bool {
	rows, subjects, found := append(p.ahead(), p.scan.Fields()), map[string]bool{}, false
	for _, row := range rows {
		subjects[string(row[0])] = true
	}
	for _, row := range rows {
		if len(row) != 3 || subjects[string(row[1])] {
			return false
		}
		found = found || subjects[string(row[2])] && !bytes.Equal(row[0], row[2])
	}
	return found
}

// takeSkips passes on what was skipped in a block. Comments above the first data line wait for it.
func (p *parser) takeSkips() {
	out, skips := p.out, p.scan.Skips()
	out.skips = *skips
	*skips = lines.Skips{}
	if p.scan.Columns() == 0 {
		*skips = out.skips.Carry(out.lines)
	}
}

// note adds the notes of the whole file, and refuses edges that its header does not allow.
func (l *List) note() error {
	o := &l.opening
	if k := o.konect; k != nil {
		if k.weights == "unweighted" && l.weighted {
			return &lines.Error{File: l.file, Msg: fmt.Sprintf("weights other than 1 below the header %q, expected none; edgelist.Options.Columns 1,2 leaves them out", k.text)}
		}
		o.notes.Add(notes.Konect, 1, 1, k.text)
	}
	if l.given > 0 {
		o.notes.Add(notes.DefaultWeights, l.Stats.Edges-l.given, 0, "")
	}
	if l.ended {
		o.notes.Add(notes.EndedLines, l.Stats.Edges, l.first, "")
	}
	l.Notes.Join(o.notes)
	if len(o.titles) > 1 && l.nodes.table == nil && lines.AreTwoKinds(o.titles[0], o.titles[1]) {
		l.Notes.Doubt(notes.TwoKinds, 1, 0, o.titles[0]+" "+o.titles[1], "if 1 is not the same in both columns, say edgelist.Options.Bipartite")
	}
	l.Notes.Join(l.skips.Notes(l.nodes.table != nil, func(id []byte) bool {
		_, ok := l.IDs.Lookup(id)
		return ok
	}))
	l.Stats.WeightTitle = o.third
	l.IDs.NoteSpelling(&l.Notes)
	return errors.Join(l.noteNeighbors(), l.noteIndex(), l.noteTimes(), l.noteDistances(), l.noteNumbered(), l.noteJoined(), l.noteRelations())
}

// checkCounts refuses a first line of counts, "nodes edges" or "nodes nodes edges", that was taken
// for an edge: so many lines follow, or twice as many, and no id is above the first.
func (l *List) checkCounts() error {
	if l.opt.Header != HeaderCheck || !l.counts(l.head, l.Stats.Edges-1) {
		return nil
	}
	return &lines.Error{File: l.file, Line: l.first, Msg: fmt.Sprintf(
		"%q reads like counts of nodes and edges, not like an edge: %d lines follow, and no id is above %s; say edgelist.HeaderYes if they are counts, edgelist.HeaderNo if it is an edge",
		strings.Join(l.head, " "), l.Stats.Edges-1, l.head[0])}
}

// counts reports whether the fields of a first line are counts above so many lines.
func (l *List) counts(head []string, follow int) bool {
	if len(head) < 2 || follow < 1 || l.nodes.table != nil || len(head) == 3 && head[0] != head[1] {
		return false
	}
	n, isCount := ids.Plain([]byte(head[0]))
	m, isToo := ids.Plain([]byte(head[len(head)-1]))
	if !isCount || !isToo || n < 3 || n > 4*int64(follow)+16 || follow < 2 || m != int64(follow) && 2*m != int64(follow) {
		return false
	}
	above := 0 // ids above n; the second count may be one, as an end of the edge
	for i := l.IDs.Len() - 1; i >= 0; i-- {
		id, ok := ids.Plain([]byte(l.IDs.Name(i)))
		if ok && id <= n {
			break
		}
		if above++; !ok || id != m || len(head) == 3 {
			return false
		}
	}
	return true
}
