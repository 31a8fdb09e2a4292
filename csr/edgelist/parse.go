package edgelist

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/lines"
)

// batch holds the edges of a block, by id, up to the first fault. All ids have the smallest form
// that holds them.
type batch struct {
	lines int // all lines, data or not
	first int // of the first edge
	edges int
	form  form
	// Integers below 2^32, in memory of the parser; then the first numbers of all ids.
	src, dst []uint32
	// Ids of src and of dst: plain integers, or names, which lie in the text of the block.
	numbers [2][]int64
	names   [2][][]byte
	known   known
	weights []float64 // nil while all are 1
	least   float64   // the smallest weight
	most    float64   // the largest weight
	wide    bool      // a weight is past 2^±64
	given   int       // weights that are written
	lineOf  []int32   // the line of each edge, if the parser counts
	skips   lines.Skips
	err     error // at a line that counts from the start of the block
}

// form is the form of a batch's ids.
type form int

const (
	small form = iota // integers below 2^32
	plain             // integers as ids.Plain takes them
	named
)

// reset empties a batch and keeps its memory.
func (b *batch) reset(f form) {
	*b = batch{
		form: f, src: b.src[:0], dst: b.dst[:0], known: b.known, lineOf: b.lineOf[:0],
		numbers: [2][]int64{b.numbers[0][:0], b.numbers[1][:0]}, names: [2][][]byte{b.names[0][:0], b.names[1][:0]},
	}
}

// ends returns the slices for the first numbers of the ids.
func (b *batch) ends() [2][]uint32 {
	if b.form != small {
		b.src, b.dst = slices.Grow(b.src[:0], b.edges)[:b.edges], slices.Grow(b.dst[:0], b.edges)[:b.edges]
	}
	return [2][]uint32{b.src, b.dst}
}

// integer returns an id that is no name: of src for side 0, else of dst.
func (b *batch) integer(side, k int) int64 {
	switch {
	case b.form == plain:
		return b.numbers[side][k]
	case side == 0:
		return int64(b.src[k])
	}
	return int64(b.dst[k])
}

// survey finds the smallest and the largest weight, and whether one is wide.
func (b *batch) survey() {
	ones := true
	b.least, b.most = math.Inf(1), 0
	for _, v := range b.weights {
		ones = ones && v == 1
		b.least, b.most = min(b.least, v), max(b.most, v)
		b.wide = b.wide || v > 0x1p64 || v < 0x1p-64 && v != 0
	}
	if ones {
		b.weights, b.most = nil, min(1, float64(b.edges))
		if b.edges > 0 {
			b.least = 1
		}
	}
}

// weighing returns the bytes of a stored weight of the batch.
func (b *batch) weighing() int {
	switch {
	case b.weights == nil:
		return 0
	case b.wide:
		return 8
	}
	return 4
}

// parser parses blocks. Most lines are two or three plain numbers, and are read eight digits at a
// time. Every other line goes through lines.Scanner, which handles all that a line may contain.
type parser struct {
	scan     *lines.Scanner
	opt      *Options
	opening  opening
	opened   bool // the first data line has been looked at
	below    bool // the next edge is the first below a header
	first    bool // the next edge is the first of the file and may be a header
	columns  columns
	sided    bool      // ends are of two kinds, which names tell apart
	head     []string  // the fields of the first edge, if it may be a header
	numbered bool      // that edge has the numbers of its columns, from 0
	words    [2]string // of that edge, where both are no integers and nothing is beside them
	form     form      // of the last block
	count    bool      // note the line of each edge
	rest     []byte    // of the block, below the current line
	out      *batch
	weighted bool // a line of the block has a weight
	src, dst []uint32
	weights  []float64
	names    []byte // of ends of two kinds
	marks    marks
}

// parse reads the lines of a block.
func (p *parser) parse(text []byte, out *batch) {
	p.out = out
	first, opened, skips := p.first, p.opened, *p.scan.Skips()
	for !p.parseAs(text, p.form) {
		p.form++
		*p.scan.Skips() = skips
		if p.first = first; !opened {
			p.reopen()
		}
	}
	p.takeSkips()
	if out.form == small {
		out.src, out.dst = p.src[:out.edges], p.dst[:out.edges]
	}
	if p.weighted {
		out.weights = p.weights[:out.edges]
	}
	out.survey()
}

// shortest is the least number of bytes of a line with an edge.
const shortest = 4

// parseAs reads ids in a form. It returns false at the first id of another form.
func (p *parser) parseAs(text []byte, f form) bool {
	out := p.out
	out.reset(f)
	p.weighted, p.names = false, p.names[:0]
	if most := len(text)/shortest + 1; f == small && len(p.src) < most {
		p.src, p.dst = make([]uint32, most), make([]uint32, most)
	}
	all := text[: len(text)+slack : cap(text)]
	for at := 0; at < len(text); {
		if separator := p.scan.Separator(); separator != 0 && p.isQuick() {
			if f == named {
				at = p.quickNames(all, len(text), at, separator)
			} else {
				at = p.quickLines(all, len(text), at, separator)
			}
			if at >= len(text) {
				break
			}
		}
		end := bytes.IndexByte(text[at:], '\n')
		if end < 0 {
			end = len(text)
		} else {
			end += at + 1
		}
		out.lines++
		p.rest = text[end:]
		if ok := p.line(text[at:end]); !ok {
			return false
		}
		if out.err != nil {
			return true
		}
		at = end
	}
	return true
}

// quickLines reads lines of two or three plain numbers, up to the first other line, and returns
// where that starts.
func (p *parser) quickLines(all []byte, end, at int, separator byte) int {
	for p.out.form == small && !p.count && !p.first {
		k, edges := p.out.edges, 0
		if !p.weighted {
			edges, at = p.marks.pairs(p.src[k:], p.dst[k:], all, at, end, separator)
		} else {
			given := 0
			edges, given, at = triples(p.src[k:], p.dst[k:], p.weights[k:], all, at, end, separator)
			p.out.given += given
		}
		p.took(edges)
		if p.weighted || at >= end {
			return at
		}
		if _, _, next := quick(all, at, separator); next == 0 || all[next] != separator {
			return at // not for lack of a weight
		}
		p.weigh()
	}
	for at < end {
		src, dst, next := quick(all, at, separator)
		if next == 0 {
			return at
		}
		weight, given := 1.0, 0
		if all[next] == separator {
			if weight, next = decimal(all, next+1); next == 0 {
				return at
			}
			given = 1
		}
		if all[next] == '\r' {
			next++
		}
		if all[next] != '\n' || next >= end || !p.numbers(src, dst) {
			return at
		}
		p.out.lines++
		p.out.given += given
		p.add(weight)
		at = next + 1
	}
	return at
}

// quickNames reads lines of two plain names and perhaps a weight, up to the first other line, and
// returns where that starts.
func (p *parser) quickNames(all []byte, end, at int, separator byte) int {
	out := p.out
	if p.count || p.first {
		return at
	}
	for at < end && !p.scan.Opens(all[at]) {
		middle := name(all, at, end, separator)
		if middle == at || all[middle] != separator || (separator == ',' || separator == ';') && (all[at] == '"' || all[middle+1] == '"') {
			return at
		}
		next := name(all, middle+1, end, separator)
		if next == middle+1 || next >= end {
			return at
		}
		weight, after, given := 1.0, next, 0
		if all[next] == separator {
			if weight, after = decimal(all, next+1); after == 0 {
				return at
			}
			given = 1
		}
		if all[after] == '\r' {
			after++
		}
		if all[after] != '\n' || after >= end || after-at >= lines.MaxLine {
			return at
		}
		out.names[0], out.names[1] = append(out.names[0], all[at:middle]), append(out.names[1], all[middle+1:next])
		out.lines++
		out.given += given
		p.add(weight)
		at = after + 1
	}
	return at
}

// quick reads the two plain numbers at the start of a line and returns where they end, 0 if there
// are none. If the text does not end with a line, it also reads bytes after the text.
func quick(all []byte, at int, separator byte) (src, dst int64, next int) {
	src, next = number(all, at)
	if next == 0 || all[next] != separator {
		return 0, 0, 0
	}
	dst, next = number(all, next+1)
	return src, dst, next
}

// took counts edges on their own lines whose ids are stored.
func (p *parser) took(edges int) {
	out := p.out
	if out.edges == 0 && edges > 0 {
		out.first = out.lines + 1
	}
	out.edges += edges
	out.lines += edges
}

// numbers stores the ids of the next edge. It returns false if they do not have the form of the
// batch.
func (p *parser) numbers(src, dst int64) bool {
	out := p.out
	if out.form == plain {
		out.numbers[0], out.numbers[1] = append(out.numbers[0], src), append(out.numbers[1], dst)
		return true
	}
	if uint64(src) > math.MaxUint32 || uint64(dst) > math.MaxUint32 {
		return false
	}
	p.src[out.edges], p.dst[out.edges] = uint32(src), uint32(dst)
	return true
}

// weigh allocates weights, 1 for the edges so far.
func (p *parser) weigh() {
	p.weighted = true
	if most := max(len(p.src), 2*p.out.edges, 1<<12); len(p.weights) < most {
		p.weights = make([]float64, most)
	}
	for k := range p.out.edges {
		p.weights[k] = 1
	}
}

// add ends an edge whose ids are stored.
func (p *parser) add(weight float64) {
	out := p.out
	if out.edges == 0 {
		out.first = out.lines
		p.first = false
	}
	if weight != 1 && !p.weighted {
		p.weigh()
	}
	if p.weighted {
		if out.edges == len(p.weights) {
			p.weights = append(p.weights, make([]float64, out.edges)...)
		}
		p.weights[out.edges] = weight
	}
	out.edges++
	if p.count {
		out.lineOf = append(out.lineOf, int32(out.lines))
	}
}

// line reads any line. It returns false if an id does not have the form of the batch.
func (p *parser) line(text []byte) bool {
	s, out := p.scan, p.out
	if !s.ScanLine(text, out.lines) {
		out.err = s.Err()
		return true
	}
	if !p.opened {
		p.opened = true
		header, err := p.open()
		if header || err != nil {
			out.err = err
			return true
		}
	}
	ends, weight, err := p.fields()
	if err != nil {
		out.err = err
		return true
	}
	if p.sided {
		ends[0], ends[1] = p.side('L', ends[0]), p.side('R', ends[1])
	}
	if out.form == named {
		out.names[0], out.names[1] = append(out.names[0], ends[0]), append(out.names[1], ends[1])
		p.add(weight)
		return true
	}
	src, isSrc := ids.Plain(ends[0])
	dst, isDst := ids.Plain(ends[1])
	if !isSrc || !isDst || !p.numbers(src, dst) {
		return false
	}
	p.add(weight)
	return true
}

// side returns the name of an end of a kind, which the names of the other kind differ from.
func (p *parser) side(kind byte, end []byte) []byte {
	at := len(p.names)
	p.names = append(append(p.names, kind), end...)
	return p.names[at:len(p.names):len(p.names)]
}

// indexFault refuses a first column of row numbers, which would count as ids.
func indexFault(s *lines.Scanner) error {
	advice := ""
	if len(s.Fields()) > 3 {
		advice = "; if this is a matrix, write a line for each entry: the names of its row and column, and its weight"
	}
	return s.Errorf("column 1 has the title %s, as an index of rows that pandas or R wrote: write the file with index=False (R: row.names=FALSE)%s", lines.Quote(s.Fields()[0]), advice)
}

// headerFault refuses a header of fewer titles than the line below has fields.
func headerFault(s *lines.Scanner, titles int) error {
	advice := ""
	if len(s.Fields()) == titles+1 {
		advice = "; R writes names of rows so: write the file with row.names=FALSE"
	}
	return s.Errorf("%s below a header of %d, expected as many%s", lines.Columns(len(s.Fields())), titles, advice)
}

// isDict reports whether fields end with a Python dictionary, which may be split into several
// fields.
func isDict(fields [][]byte) bool {
	return bytes.HasSuffix(fields[len(fields)-1], []byte("}")) && slices.ContainsFunc(fields, func(f []byte) bool {
		return bytes.HasPrefix(f, []byte("{")) || bytes.Contains(f, []byte(" {"))
	})
}

// advice says how to correct a line without the fields of an edge.
func advice(s *lines.Scanner, fields [][]byte, first bool, titles int) string {
	switch count := len(fields); {
	case isDict(fields):
		return "; this looks like the data of an edge, as networkx writes it: write the file with nx.write_weighted_edgelist, or data=False"
	case s.Semicolons() != "":
		return s.Semicolons()
	case first && count == 1 && ids.IsInteger(fields[0]):
		return "; if the line is a count, say edgelist.HeaderYes"
	case count == 1 && (first || s.Separator() != ' ' || bytes.ContainsAny(fields[0], ",;|")):
		return s.Lone()
	case count != s.Columns() && s.Separator() == ' ':
		return fmt.Sprintf("; the first line has %d: lists of neighbours are not read, write pairs (networkx: nx.write_edgelist, with data=False)", s.Columns())
	case count > 3 && titles > 0:
		return "; edgelist.Options.Columns says which these are, by their titles"
	case count > 3:
		return "; edgelist.Options.Columns says which these are, such as 1,2 or 1,2,3"
	}
	return ""
}

func isNumber(text []byte) bool {
	_, err := strconv.ParseFloat(string(text), 64) // takes nan and inf
	return err == nil
}

// isTitle reports whether text in the place of a weight can be the title of a column.
func isTitle(text []byte) bool {
	first, _ := utf8.DecodeRune(text)
	return unicode.IsLetter(first) && !isNumber(text)
}

// fields returns the ids and the weight of the current line.
func (p *parser) fields() (ends [2][]byte, weight float64, err error) {
	s := p.scan
	fields := s.Fields()
	if p.first && lines.IsIndex(fields[0]) && isTitle(fields[len(fields)-1]) {
		return ends, 0, indexFault(s)
	}
	if p.below && len(fields) > p.columns.titles && !isDict(fields) {
		return ends, 0, headerFault(s, p.columns.titles)
	}
	top := p.first || p.below
	p.below = false
	if fields, err = p.columns.pick(s, fields); err != nil {
		return ends, 0, err
	}
	if len(fields) < 2 || len(fields) > 3 {
		say := advice(s, fields, p.first, p.columns.titles)
		if p.first && p.isMatrix() {
			say = fmt.Sprintf(`; a square table of numbers is an adjacency matrix: in Python: import numpy, scipy.sparse; scipy.sparse.save_npz("graph.npz", scipy.sparse.csr_matrix(numpy.loadtxt(%s))), with delimiter="," if there are commas; give graph.npz to npz.Read`, lines.Quote([]byte(p.opening.file))) + say
		}
		return ends, 0, s.Errorf("%s, expected 2 or 3: src dst [weight]%s", lines.Columns(len(fields)), say)
	}
	if p.first && isPair(fields) {
		return ends, 0, s.Errorf("%s and %s are a pair as Python prints it, expected lines of the form: src dst [weight]; write the file with nx.write_edgelist, or numpy.savetxt with fmt=\"%%s\"; say edgelist.HeaderNo if these are ids", lines.Quote(fields[0]), lines.Quote(fields[len(fields)-1]))
	}
	if p.first && beforeList(fields[0]) {
		return ends, 0, s.Errorf("id %s, as before a list of neighbours, expected lines of the form: src dst [weight]; write a line for each edge; say edgelist.HeaderNo if this is an id", lines.Quote(fields[0]))
	}
	if p.first && len(fields) == 2 && isDict(fields) {
		return ends, 0, s.Errorf("ids %s and %s%s; say edgelist.HeaderNo if these are ids", lines.Quote(fields[0]), lines.Quote(fields[1]), advice(s, fields, p.first, p.columns.titles))
	}
	for k, what := range [2]string{"source id", "destination id"} {
		if len(fields[k]) == 0 {
			return ends, 0, s.Errorf("empty %s in column %d", what, p.columns.number(k))
		}
		ends[k] = fields[k]
	}
	if p.first {
		p.keepFirst(fields)
	}
	if len(fields) == 2 {
		return ends, 1, nil
	}
	p.out.given++
	weight, err = lines.ParseWeight(fields[2])
	switch {
	case err == nil:
	case isDict(fields):
		err = s.Errorf("weight %s is not a number%s", lines.Quote(fields[2]), advice(s, fields, p.first, p.columns.titles))
	case top && !isNumber(fields[2]) && p.columns.chosen == nil && p.areTriples():
		err = s.Errorf("weight %s is not a number; column 3 has ids of column 1, as in triples: say edgelist.Options.Columns 1,3, with edgelist.HeaderYes if line %d is a header", lines.Quote(fields[2]), s.Line())
	case lines.IsQuoted(fields[2]):
		err = s.Errorf("weight %s is not a number; %s", lines.Quote(fields[2]), lines.QuotesAreLetters)
	case p.first && p.columns.chosen == nil && otherEnds(fields) != "":
		err = s.Errorf("weight %s is not a number; this line has the titles of ends in other columns: say edgelist.Options.Columns %s", lines.Quote(fields[2]), otherEnds(fields))
	case p.first && lines.AreEdgeTitles(fields[0], fields[1]):
		err = s.Errorf("weight %s is not a number; if this line is a header, say edgelist.HeaderYes, with edgelist.Options.Columns %d,%d if column %d holds no weights", lines.Quote(fields[2]), p.columns.number(0), p.columns.number(1), p.columns.number(2))
	case p.first && isTitle(fields[2]):
		err = s.Errorf("weight %s is not a number; if this line is a header, say edgelist.HeaderYes; %s", lines.Quote(fields[2]), noWeights)
	case isDecimalComma(fields[2]):
		err = s.Errorf("%v; if this is a decimal comma, write a point", err)
	case top && !isNumber(fields[2]) && s.Semicolons() == "":
		err = s.Errorf("%v; %s", err, noWeights)
	default:
		err = s.Errorf("%v%s", err, s.Semicolons())
	}
	return ends, weight, err
}

// noWeights says what to do where the third column of the first line is no weight.
const noWeights = "if the third column holds no weights, edgelist.Options.Columns 1,2 leaves it out"

// otherEnds returns the titles of the ends, as an option names them, where these are not the first two columns.
func otherEnds(fields [][]byte) string {
	titles := make([]string, len(fields))
	for k, f := range fields {
		titles[k] = string(f)
	}
	src, dst, ok := lines.FindEnds(titles)
	if !ok || src+dst == 1 {
		return ""
	}
	return titles[src] + "," + titles[dst]
}

// beforeList reports whether a field is a node and a colon, as before a list of neighbours, or two whole
// numbers with a colon and blanks between.
func beforeList(field []byte) bool {
	node, first, found := bytes.Cut(field, []byte(":"))
	if found && len(first) == 0 {
		return len(node) > 0
	}
	bare := bytes.TrimLeft(first, lines.Blanks)
	return found && len(bare) < len(first) && ids.IsInteger(node) && ids.IsInteger(bare)
}

// isPair reports whether fields are a pair as Python prints it, such as (0, 1) and [0, 1]: a bracket
// is open in the first field, and is closed in the last.
func isPair(fields [][]byte) bool {
	first, last := fields[0], fields[len(fields)-1]
	for _, b := range []string{"()", "[]"} {
		if bytes.HasPrefix(first, []byte(b[:1])) && bytes.IndexByte(first, b[1]) < 0 && bytes.HasSuffix(last, []byte(b[1:])) && bytes.IndexByte(last, b[0]) < 0 {
			return true
		}
	}
	return false
}

// isDecimalComma reports whether a field is a number but for a comma in it.
func isDecimalComma(field []byte) bool {
	at := bytes.IndexByte(field, ',')
	return at > 0 && at+1 < len(field) && len(bytes.Trim(field, "0123456789,")) == 0
}

// keepFirst keeps the first edge, which may be a header, or counts.
func (p *parser) keepFirst(fields [][]byte) {
	p.head, p.numbered = nil, true
	for k, f := range fields {
		p.head = append(p.head, string(f))
		p.numbered = p.numbered && p.head[k] == strconv.Itoa(p.columns.number(k)-1)
	}
	if len(fields) == 2 && !ids.IsInteger(fields[0]) && !ids.IsInteger(fields[1]) {
		p.words = [2]string{p.head[0], p.head[1]}
	}
}
