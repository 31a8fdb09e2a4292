// Package lines splits text files into the fields of their data lines: the
// syntax that edge lists and label files share.
//
// Blank lines are skipped, and so are comments, which start with '#' or '%' unless
// the reader or its user says otherwise ([Comments]); both are counted ([Skips]). A byte
// order mark and CR before LF are stripped. The separator is fixed by the
// first data line: a tab if it has one, else a comma if it has one, else
// runs of spaces; in a file separated by spaces a tab is then an error, for
// it would join two fields. Semicolons are letters like others, unless a reader takes them: then
// the first comma or semicolon decides, or semicolons where there is no other separator. Blanks around a field do not belong to it. Between
// commas or semicolons a field that begins with a quote ends with one, as in RFC 4180, on the
// same line; separators may be in it, and quotes that are doubled.
package lines

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// MaxLine is the longest line that is read, in bytes with its end, so that a
// file without line ends cannot fill the memory.
const MaxLine = 1 << 20

// ErrSyntax is wrapped by every [Error].
var ErrSyntax = errors.New("bad input")

// Error is a fault in the content of a file. Line counts from 1 and is 0
// when the fault is not on one line.
type Error struct {
	File string
	Line int
	Msg  string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Msg)
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Msg)
}

func (e *Error) Unwrap() error { return ErrSyntax }

// Scanner reads the data lines of a file one by one.
type Scanner struct {
	file      string
	in        *bufio.Reader
	line      int
	separator byte // 0 until the first data line
	columns   int  // fields of the first data line, 0 before it
	semicolon bool // a separator
	lone      bool // a separator where there is no other
	column    bool // a first data line of one field is one of quotes
	quotes    bool // are read, whatever the separator
	blanks    bool // tabs and spaces separate alike
	comments  Comments
	opens     [256]bool            // first bytes of lines that are looked at for comments
	knows     func(id []byte) bool // nil: no id
	skips     Skips
	pass      bool // the next comment is not counted
	odd       bool // the current line is data that starts like a comment
	fields    [][]byte
	err       error
}

// NewScanner returns a scanner of r. The file name is for messages.
func NewScanner(r io.Reader, file string) *Scanner {
	s := NewLineScanner(file)
	s.in = bufio.NewReaderSize(r, MaxLine)
	return s
}

// TakeSemicolons makes semicolons a separator, where the first data line has no tab and
// no comma before the first of them.
func (s *Scanner) TakeSemicolons() { s.semicolon = true }

// TakeLoneSemicolons makes semicolons a separator where the first data line has no other: names may
// have semicolons.
func (s *Scanner) TakeLoneSemicolons() { s.lone = true }

// TakeColumn makes quotes those of RFC 4180 between blanks, too, where the first data line is one field, in
// quotes or without blanks.
func (s *Scanner) TakeColumn() { s.column = true }

// Scan advances to the next data line. It returns false at the end and at an
// error, which Err returns.
func (s *Scanner) Scan() bool {
	for s.err == nil {
		text, err := s.in.ReadSlice('\n')
		if len(text) == 0 && err == io.EOF {
			return false
		}
		s.line++
		switch {
		case err == bufio.ErrBufferFull:
			s.err = s.Errorf("line longer than %d bytes", MaxLine)
			return false
		case err != nil && err != io.EOF:
			s.err = &ReadError{File: s.file, Line: s.line, Err: err}
			return false
		}
		if s.line == 1 {
			text = TrimMark(text)
		}
		if s.take(text) {
			return true
		}
	}
	return false
}

// take makes text the current line and reports whether it is a data line
// without fault.
func (s *Scanner) take(text []byte) bool {
	s.odd = false
	text = trimBlanks(text)
	if len(text) == 0 {
		s.skips.blank.add(s.line, nil)
		return false
	}
	if s.opens[text[0]] {
		if prefix := s.prefix(text); prefix != "" {
			s.skip(text, prefix)
			return false
		}
		if s.isOdd(text) {
			s.odd = true
			s.skips.odd.add(s.line, text)
		}
	}
	if s.columns == 0 {
		if other := Other(text); other != "" {
			s.err = s.Errorf("%s", other)
			return false
		}
	}
	s.split(text)
	if s.err == nil && s.columns == 0 {
		s.begin()
	}
	return s.err == nil
}

// NewLineScanner returns a scanner without a reader, for lines that are found
// elsewhere, with ScanLine.
func NewLineScanner(file string) *Scanner {
	s := &Scanner{file: file}
	s.SetComments(Usual())
	return s
}

// Follow makes s read a later part of the file that another scanner began.
func (s *Scanner) Follow(first *Scanner) {
	s.separator, s.columns, s.blanks = first.separator, first.columns, first.blanks
	s.comments, s.opens, s.knows = first.comments, first.opens, first.knows
}

// Reopen makes the next data line the first again.
func (s *Scanner) Reopen() { s.columns = 0 }

// JoinBlanks makes any run of tabs and spaces a separator.
func (s *Scanner) JoinBlanks() { s.blanks = true }

// ScanLine makes text, with or without its line end, the current line, of
// which it says the number. It returns false for lines that hold no data and
// at an error, which Err returns.
func (s *Scanner) ScanLine(text []byte, line int) bool {
	s.line = line
	if s.err == nil && len(text) > MaxLine {
		s.err = s.Errorf("line longer than %d bytes", MaxLine)
	}
	return s.err == nil && s.take(text)
}

// QuotesAreLetters says what to do where fields between tabs or blanks are in quotes, as R's write.table has them.
const QuotesAreLetters = "between tabs and blanks quotes are letters; write the file without (R: quote=FALSE), or with commas"

// Transposed says what to do where ids fit the columns of features, and not their rows.
func Transposed(columns int) string {
	return fmt.Sprintf("; the features have %d columns: if these are the points, save the transpose (numpy: X.T)", columns)
}

// IsQuoted reports whether a field is in such quotes.
func IsQuoted(field []byte) bool {
	return len(field) > 2 && field[0] == '"' && field[len(field)-1] == '"'
}

// Separator returns the separator, 0 before the first data line.
func (s *Scanner) Separator() byte { return s.separator }

// Columns returns the number of fields of the first data line, 0 before it.
func (s *Scanner) Columns() int { return s.columns }

// SetSeparator sets the separator, for a scanner of a later part of a file.
func (s *Scanner) SetSeparator(b byte) { s.separator = b }

// TrimMark removes a byte order mark from the start of a file.
func TrimMark(text []byte) []byte { return bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")) }

// split checks the bytes of a line and cuts it into fields.
func (s *Scanner) split(text []byte) {
	for _, b := range text {
		if IsControl(rune(b)) && b != '\t' {
			s.err = s.Errorf("control byte 0x%02x, expected UTF-8 text%s", b, otherwise(text))
			return
		}
	}
	if !utf8.Valid(text) {
		s.err = s.Errorf("%s is not UTF-8: save it as UTF-8, such as by iconv -f latin1 -t utf-8", Quote(text))
		return
	}
	if s.separator == 0 {
		s.separator, s.quotes = s.findSeparator(text), s.column && isOneField(text)
	}
	if s.blanks {
		s.fields = append(s.fields[:0], bytes.Fields(text)...)
		return
	}
	if s.separator == ' ' && bytes.IndexByte(text, '\t') >= 0 {
		s.err = s.Errorf("tab in %s, expected spaces as in the first line", Quote(text))
		return
	}
	s.fields = s.fields[:0]
	for {
		if s.separator == ',' || s.separator == ';' || s.quotes {
			if from := trimStart(text); len(from) > 0 && from[0] == '"' {
				if text = s.quoted(from); text == nil {
					return
				}
				continue
			}
		}
		at := bytes.IndexByte(text, s.separator)
		if at < 0 {
			s.fields = append(s.fields, trimField(text))
			return
		}
		s.fields = append(s.fields, trimField(text[:at]))
		text = text[at+1:]
		if s.separator == ' ' {
			text = trimBlanks(text)
		}
	}
}

// ToUTF8 returns the command that converts a text in another encoding.
func ToUTF8(from string) string { return "iconv -f " + from + " -t UTF-8" }

// Wide returns "UTF-16" or "UTF-32" of a text that begins with their marks, or that has so many zero bytes. Otherwise it
// returns "".
func Wide(text []byte) string {
	zeros := bytes.Count(text, []byte{0})
	switch {
	case bytes.HasPrefix(text, []byte("\xff\xfe\x00\x00")), bytes.HasPrefix(text, []byte("\x00\x00\xfe\xff")), zeros > 0 && 3*zeros >= 2*len(text):
		return "UTF-32"
	case bytes.HasPrefix(text, []byte("\xff\xfe")), bytes.HasPrefix(text, []byte("\xfe\xff")), zeros > 0 && 3*zeros >= len(text):
		return "UTF-16"
	}
	return ""
}

// otherwise guesses, from its first bytes, the kind of a file that is no text, for a
// message.
func otherwise(text []byte) string {
	switch {
	case bytes.HasPrefix(text, []byte("\x93NUMPY")):
		return "; this is an array of numpy, expected with the ending .npy, where vectors or labels are"
	case bytes.HasPrefix(text, []byte("PK\x03\x04")):
		return "; this is a zip archive: unpack it first (unzip)"
	case len(text) > 262 && string(text[257:262]) == "ustar":
		return "; this is a tar archive: unpack it first (tar -x)"
	case Wide(text) != "":
		return "; this looks like " + Wide(text) + ": save it as UTF-8, such as by " + ToUTF8(Wide(text))
	case bytes.IndexByte(text, '\r') >= 0:
		return "; lines end as on old Macs: write them anew (tr '\\r' '\\n')"
	}
	return ""
}

// others are starts of files that stand in the place of the one that was meant, in small letters.
var others = []struct{ start, advice string }{
	{"version https://git-lfs.github.com/", "a pointer of Git LFS, expected the file itself: git lfs pull gets it"},
	{"<!doctype html", "a page of HTML, expected the file itself: download it anew"},
	{"<html", "a page of HTML, expected the file itself: download it anew"},
	{"sep=", "a line for Excel, expected data: remove it"},
}

// Other says what a first line is that no table begins with, and what to do; empty for other lines.
func Other(text []byte) string {
	for _, o := range others {
		if len(text) >= len(o.start) && strings.EqualFold(string(text[:len(o.start)]), o.start) {
			return Quote(text) + " is " + o.advice
		}
	}
	return ""
}

// quoted takes the quoted field that text begins with, and returns what follows the
// separator after it: nil at the end of the line, and at a fault.
func (s *Scanner) quoted(text []byte) []byte {
	end, doubled := 1, false
	for ; end < len(text); end++ {
		if text[end] != '"' {
			continue
		}
		if end+1 == len(text) || text[end+1] != '"' {
			break
		}
		doubled = true
		end++
	}
	if end >= len(text) {
		s.err = s.Errorf("a quote that stays open in %s, expected quotes as in RFC 4180, and no line end between them", Quote(text))
		return nil
	}
	field, rest := trimField(text[1:end]), trimStart(text[end+1:])
	if len(rest) > 0 && rest[0] != s.separator {
		s.err = s.Errorf("%s after a quoted field, expected quotes as in RFC 4180", Quote(rest))
		return nil
	}
	if doubled {
		field = bytes.ReplaceAll(field, []byte(`""`), []byte(`"`))
	}
	s.fields = append(s.fields, field)
	if len(rest) == 0 {
		return nil
	}
	return rest[1:]
}

// IsControl reports whether a character is one of ASCII's controls, which no name has.
func IsControl(r rune) bool { return r < ' ' || r == 0x7f }

// IsTitle reports whether a title of a column is text as a line can hold it: UTF-8 without
// control characters but tabs. It may be empty.
func IsTitle(title string) bool {
	return utf8.ValidString(title) && !strings.ContainsFunc(title, func(r rune) bool { return IsControl(r) && r != '\t' })
}

func (s *Scanner) findSeparator(text []byte) byte {
	if bytes.IndexByte(text, '\t') >= 0 {
		return '\t'
	}
	comma, semicolon := bytes.IndexByte(text, ','), bytes.IndexByte(text, ';')
	switch {
	case semicolon >= 0 && (s.semicolon && (comma < 0 || semicolon < comma) || s.lone && s.isAlone(text)):
		return ';'
	case comma >= 0:
		return ','
	}
	return ' '
}

// isOneField reports whether a line is a text without separators and blanks, or in quotes.
func isOneField(text []byte) bool {
	if text = trimField(text); len(text) > 1 && text[0] == '"' && text[len(text)-1] == '"' {
		return bytes.IndexByte(bytes.ReplaceAll(text[1:len(text)-1], []byte(`""`), nil), '"') < 0
	}
	return !bytes.ContainsAny(text, "\t ,;")
}

// isAlone reports whether semicolons separate the fields of a line, and nothing else may: it has
// commas in the last of three fields alone, and blanks only beside semicolons or in a csv file.
func (s *Scanner) isAlone(text []byte) bool {
	fields := bytes.Split(text, []byte(";"))
	for k, f := range fields {
		f = trimField(f)
		if bytes.IndexByte(f, ',') >= 0 && !(k == 2 && len(bytes.Trim(f, "0123456789,")) == 0) {
			return false
		}
		if bytes.IndexByte(f, ' ') >= 0 && !IsCSV(s.file) {
			return false
		}
	}
	return true
}

// trimBlanks removes spaces, tabs and line ends at the end and spaces at the
// start; a leading tab stays, for it opens an empty field.
func trimBlanks(b []byte) []byte {
	for len(b) > 0 && b[0] == ' ' {
		b = b[1:]
	}
	for len(b) > 0 && (b[len(b)-1] == ' ' || b[len(b)-1] == '\t' || b[len(b)-1] == '\n' || b[len(b)-1] == '\r') {
		b = b[:len(b)-1]
	}
	return b
}

// trimField removes the blanks around a field.
func trimField(b []byte) []byte {
	b = trimStart(b)
	for len(b) > 0 && isBlank(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	return b
}

// trimStart removes the blanks before a field.
func trimStart(b []byte) []byte {
	for len(b) > 0 && isBlank(b[0]) {
		b = b[1:]
	}
	return b
}

func isBlank(b byte) bool { return b == ' ' || b == '\t' }

// Blanks are what readers of other formats trim from ids and labels. No others: a
// no-break space is a letter of an id here, and the id must be the same there.
const Blanks = " \t\r\n"

// Fields returns the fields of the current line, valid until the next Scan.
func (s *Scanner) Fields() [][]byte { return s.fields }

// Line returns the number of the current line.
func (s *Scanner) Line() int { return s.line }

// Err returns the error that ended the scan, nil at the end of the file.
func (s *Scanner) Err() error { return s.err }

// Errorf returns an [*Error] at the current line.
func (s *Scanner) Errorf(format string, args ...any) error {
	msg := fmt.Sprintf(format, args...)
	if s.odd {
		msg += "; if lines that start so are comments, say Options.Comments '#'"
	}
	return &Error{File: s.file, Line: s.line, Msg: msg}
}

// ReadError is a failure to read or to decompress a file.
type ReadError struct {
	File string
	Line int
	Err  error
}

func (e *ReadError) Error() string {
	return fmt.Sprintf("%s: reading after line %d: %v", e.File, e.Line-1, e.Err)
}

func (e *ReadError) Unwrap() error { return e.Err }

// ID returns field k of the current line as an identifier: not empty.
func (s *Scanner) ID(k int, what string) ([]byte, error) {
	if len(s.fields[k]) == 0 {
		return nil, s.Errorf("empty %s in column %d", what, k+1)
	}
	return s.fields[k], nil
}

// Weight returns field k of the current line as a weight: a decimal number,
// finite, at least 0 and within the range of float64.
func (s *Scanner) Weight(k int) (float64, error) {
	text := s.fields[k]
	if len(text) == 1 && text[0]-'0' <= 9 { // most weights, quickly
		return float64(text[0] - '0'), nil
	}
	w, err := ParseWeight(text)
	if err != nil {
		return 0, s.Errorf("%v%s", err, s.Semicolons())
	}
	return w, nil
}

// Lone returns what a message about a line of one column should add, where others are expected.
func (s *Scanner) Lone() string {
	if len(s.fields) != 1 {
		return ""
	}
	names := map[byte]string{'\t': "tabs", ',': "commas", ';': "semicolons"}
	between := "tabs, commas, semicolons or spaces"
	switch {
	case s.blanks:
		between = "tabs or spaces, as below a first line of KONECT"
	case s.columns > 1:
		between = cmp.Or(names[s.separator], "spaces") + ", as in the first line"
	}
	return fmt.Sprintf("; found %s, expected columns between %s", Quote(s.fields[0]), between)
}

// TimeLike reports whether weights from least to most are all years, dates such as 20261126, or
// times of Unix from 1995 to 2036 in seconds, or in thousandths, millionths or billionths of them.
func TimeLike(least, most float64) bool {
	return least < most && slices.ContainsFunc([][2]float64{
		{1900, 2100}, {19000101, 21001231}, {7.9e8, 2.1e9}, {7.9e11, 2.1e12}, {7.9e14, 2.1e15}, {7.9e17, 2.1e18},
	}, func(r [2]float64) bool { return least >= r[0] && most <= r[1] })
}

// IsArrow reports whether a field joins the two ends of an edge: a -> b.
func IsArrow(field []byte) bool { return slices.Contains([]string{"->", "--", "→"}, string(field)) }

// Titles returns the titles of columns for a message that says what there is: at most
// ten of them, and how many more there are.
func Titles[T string | []byte](titles []T) string {
	var has []string
	for _, title := range titles[:min(len(titles), 10)] {
		has = append(has, Quote([]byte(title)))
	}
	text := strings.Join(has, ", ")
	if more := len(titles) - len(has); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// Semicolons returns what a message about the columns of the current line should add
// where they seem to be separated by semicolons, else nothing.
func (s *Scanner) Semicolons() string {
	if !slices.ContainsFunc(s.fields, func(f []byte) bool { return bytes.IndexByte(f, ';') >= 0 }) {
		return ""
	}
	return "; columns seem to be separated by ';', expected the same in all lines"
}

// IsIndex reports whether the title of a first column is that of an index of rows, as
// pandas and R write it, who have none for it, or as pandas calls it afterwards.
func IsIndex(title []byte) bool { return len(title) == 0 || IsOldIndex(title) }

// IsOldIndex reports whether a title is Unnamed: 0 or, of a file that went through pandas more than
// once, Unnamed: 0.1, Unnamed: 0.1.1 and so on.
func IsOldIndex(title []byte) bool {
	rest, found := bytes.CutPrefix(title, []byte("Unnamed: 0"))
	return found && len(bytes.Trim(rest, ".0123456789")) == 0 && (len(rest) == 0 || rest[0] == '.')
}

// NoWeight reports whether the title of a third column says that it holds something else
// than weights.
func NoWeight(title []byte) bool {
	text := strings.ToLower(string(title))
	first, _ := utf8.DecodeRuneInString(text)
	if !unicode.IsLetter(first) || slices.Contains([]string{"w", "wt", "n", "p", "value", "val", "sim", "prob", "freq"}, text) {
		return false
	}
	return !slices.ContainsFunc([]string{"weight", "count", "strength", "similarity", "score", "confidence", "probability", "frequency", "affinity"}, func(part string) bool {
		return strings.Contains(text, part)
	})
}

// ParseWeight returns the value of a weight, as [Scanner.Weight] does.
func ParseWeight(text []byte) (float64, error) {
	w, err := parseDecimal(text)
	switch {
	case err != nil:
		return 0, fmt.Errorf("weight %s is %w, expected a decimal number of at least 0", Quote(text), err)
	case w < 0:
		return 0, fmt.Errorf("weight %s is negative, expected at least 0", Quote(text))
	}
	return w, nil
}

var (
	errMissing    = errors.New("missing")
	errNotDecimal = errors.New("not a decimal number")
	errNotFinite  = errors.New("not finite")
	errRange      = errors.New("out of the range of float64")
)

// ParseNumber returns the value of a finite decimal number, called name in messages.
func ParseNumber(name string, text []byte) (float64, error) {
	v, err := parseDecimal(text)
	if err != nil {
		return 0, fmt.Errorf("%s %s is %w, expected one such as 0.25", name, Quote(text), err)
	}
	return v, nil
}

// parseDecimal is strconv.ParseFloat without hexadecimal, underscores,
// infinities, NaN, and without rounding a number that is not 0 to 0.
func parseDecimal(text []byte) (float64, error) {
	if len(text) == 0 {
		return 0, errMissing
	}
	zero := true // no digit other than 0 before the exponent
	exponent := false
	for _, b := range text {
		switch {
		case b >= '1' && b <= '9':
			zero = zero && exponent
		case b == 'e' || b == 'E':
			exponent = true
		case b == '0' || b == '+' || b == '-' || b == '.':
		default:
			if f, err := strconv.ParseFloat(string(text), 64); err == nil && (math.IsNaN(f) || math.IsInf(f, 0)) {
				return 0, errNotFinite
			}
			return 0, errNotDecimal
		}
	}
	f, err := strconv.ParseFloat(string(text), 64)
	switch {
	case errors.Is(err, strconv.ErrRange) || err == nil && f == 0 && !zero:
		return 0, errRange
	case err != nil:
		return 0, errNotDecimal
	}
	return f, nil
}

// Quote returns untrusted text for a message: quoted, and cut to a length that leaves the message
// readable. Letters of any script stay; where other characters may look like usual ones, or nobody sees
// them, all beyond ASCII are escapes.
func Quote(text []byte) string {
	const most = 60
	quoted, end := strconv.Quote, ""
	if !looksPlain(text) {
		quoted = strconv.QuoteToASCII
	}
	if cut := most; len(text) > most {
		for cut > most-utf8.UTFMax && !utf8.RuneStart(text[cut]) {
			cut--
		}
		text, end = text[:cut], "…"
	}
	return quoted(string(text)) + end
}

// looksPlain reports whether a text is ASCII and letters in the form that Unicode prefers (NFKC): not a long
// s, not a letter whose marks are apart, not a minus sign for a hyphen.
func looksPlain(text []byte) bool {
	return norm.NFKC.IsNormal(text) && bytes.IndexFunc(text, func(r rune) bool {
		return r >= utf8.RuneSelf && !unicode.IsLetter(r) && !unicode.IsMark(r)
	}) < 0
}
