package edgelist

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/lines"
)

// batch is what a block holds: its edges, by id, up to the first fault.
type batch struct {
	lines int // all lines, data or not
	first int // of the first edge
	edges int
	// Ids of src and dst in turn: as numbers where all ids of the block are
	// plain integers, else as names, which lie in the text of the block.
	numbers []int64
	names   [][]byte
	weights []float64 // nil while all are 1
	lineOf  []int32   // the line of each edge, if the parser counts
	err     error     // at a line that counts from the start of the block
}

// reset empties a batch and keeps its memory.
func (b *batch) reset() {
	*b = batch{numbers: b.numbers[:0], names: b.names[:0], weights: b.weights[:0], lineOf: b.lineOf[:0]}
}

// parser parses blocks. Most lines are two or three plain numbers, and are
// read digit by digit, or eight at a time; every other line goes through
// lines.Scanner, which knows all that a line may be.
type parser struct {
	scan     *lines.Scanner
	skip     bool // the next data line is a header
	first    bool // the next edge is the first of the file and may be a header
	worded   bool // the last block had ids that are no plain integers
	count    bool // note the line of each edge
	out      *batch
	weighted bool
	edge     edge
}

// parse reads the lines of a block.
func (p *parser) parse(text []byte, out *batch) {
	p.out = out
	if !p.worded && p.parseAs(text, true) {
		return
	}
	p.worded = true
	p.parseAs(text, false)
}

// parseAs reads ids as numbers, or as names. It returns false at the first id
// that is not as expected.
func (p *parser) parseAs(text []byte, plain bool) bool {
	out := p.out
	skip, first := p.skip, p.first
	out.reset()
	p.weighted = false
	all := text[: len(text)+slack : cap(text)]
	separator := p.scan.Separator()
	for at := 0; at < len(text); {
		if plain && separator != 0 && !p.skip {
			if at = p.quickLines(all, len(text), at, separator); at == len(text) {
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
		if ok := p.line(text[at:end], plain); !ok {
			p.skip, p.first = skip, first
			return false
		}
		if out.err != nil {
			return true
		}
		separator = p.scan.Separator()
		at = end
	}
	return true
}

// quickLines reads lines of two plain numbers, and others that quick reads, up
// to the first that is none, and returns where that starts.
func (p *parser) quickLines(all []byte, end, at int, separator byte) int {
	out := p.out
	for at < end {
		if !p.weighted && !p.count && !p.first {
			begin := len(out.numbers)
			out.numbers, at = pairs(out.numbers, all, at, end, separator)
			count := (len(out.numbers) - begin) / 2
			if out.edges == 0 && count > 0 {
				out.first = out.lines + 1
			}
			out.edges += count
			out.lines += count
			if at >= end {
				break
			}
		}
		next := p.quick(all, at, separator)
		if next == 0 || next > end {
			break
		}
		p.take()
		at = next
	}
	return at
}

// pairs appends the numbers of lines of two plain numbers and nothing else, up
// to the first line that is none, and returns where that starts. Numbers of up
// to 7 digits, which are one word with what ends them, are read in place.
func pairs(numbers []int64, all []byte, at, end int, separator byte) ([]int64, int) {
	const shortest = 4 // bytes of a line
	numbers = slices.Grow(numbers, 2*((end-at)/shortest+1))
	room := numbers[len(numbers):cap(numbers)]
	k := 0
	for at < end && k+1 < len(room) {
		text := binary.LittleEndian.Uint64(all[at : at+8])
		n := length(text)
		src, next := value(text, n), at+int(n)
		if !isShort(text, n) || all[next] != separator {
			if src, next = number(all, at); next == 0 || all[next] != separator {
				break
			}
		}
		begin := next + 1
		text = binary.LittleEndian.Uint64(all[begin : begin+8])
		n = length(text)
		dst, next := value(text, n), begin+int(n)
		if !isShort(text, n) || all[next] != '\n' {
			if dst, next = number(all, begin); next == 0 || all[next] != '\n' {
				break
			}
		}
		if next >= end {
			break
		}
		room[k], room[k+1] = src, dst
		k += 2
		at = next + 1
	}
	return numbers[:len(numbers)+k], at
}

// edge is a line of plain numbers.
type edge struct {
	src, dst int64
	weight   float64
}

// quick reads a line of two or three plain numbers and returns where the next
// one starts, 0 if it is not such a line. What lies after the text is read too
// where the text does not end with a line.
func (p *parser) quick(all []byte, at int, separator byte) int {
	e := &p.edge
	e.src, at = number(all, at)
	if at == 0 || all[at] != separator {
		return 0
	}
	e.dst, at = number(all, at+1)
	if at == 0 {
		return 0
	}
	e.weight = 1
	if all[at] == separator {
		if e.weight, at = decimal(all, at+1); at == 0 {
			return 0
		}
	}
	if all[at] == '\r' {
		at++
	}
	if all[at] != '\n' {
		return 0
	}
	return at + 1
}

// take appends the edge that quick has read.
func (p *parser) take() {
	p.out.lines++
	p.out.numbers = append(p.out.numbers, p.edge.src, p.edge.dst)
	p.weigh(p.edge.weight)
}

// weigh ends an edge whose ids have been appended.
func (p *parser) weigh(weight float64) {
	out := p.out
	if out.edges == 0 {
		out.first = out.lines
		p.first = false
	}
	if weight != 1 && !p.weighted {
		p.weighted = true
		for range out.edges {
			out.weights = append(out.weights, 1)
		}
	}
	out.edges++
	if p.weighted {
		out.weights = append(out.weights, weight)
	}
	if p.count {
		out.lineOf = append(out.lineOf, int32(out.lines))
	}
}

// line reads any line. It returns false if plain and an id is no plain
// integer.
func (p *parser) line(text []byte, plain bool) bool {
	s, out := p.scan, p.out
	if !s.ScanLine(text, out.lines) {
		out.err = s.Err()
		return true
	}
	if p.skip {
		p.skip = false
		return true
	}
	ends, weight, err := p.fields()
	if err != nil {
		out.err = err
		return true
	}
	if !plain {
		out.names = append(out.names, ends[0], ends[1])
		p.weigh(weight)
		return true
	}
	src, isSrc := ids.Plain(ends[0])
	dst, isDst := ids.Plain(ends[1])
	if !isSrc || !isDst {
		return false
	}
	out.numbers = append(out.numbers, src, dst)
	p.weigh(weight)
	return true
}

// fields returns the ids and the weight of the current line.
func (p *parser) fields() (ends [2][]byte, weight float64, err error) {
	s := p.scan
	fields := s.Fields()
	if len(fields) < 2 || len(fields) > 3 {
		return ends, 0, s.Errorf("%d columns, expected 2 or 3: src dst [weight]", len(fields))
	}
	for k, what := range [2]string{"source id", "destination id"} {
		if ends[k], err = s.ID(k, what); err != nil {
			return ends, 0, err
		}
	}
	if len(fields) == 2 {
		return ends, 1, nil
	}
	weight, err = s.Weight(2)
	if err != nil && p.first {
		err = s.Errorf("weight %s is not a number; if this line is a header, say --header yes", lines.Quote(fields[2]))
	}
	return ends, weight, err
}

// number reads a whole number of at most 16 digits, without leading zeros,
// and returns where it ends, 0 if there is none. The memory of b goes on for
// 8 bytes after at least.
func number(b []byte, at int) (int64, int) {
	v, n := digits(b, at)
	if n == 8 {
		low, more := digits(b, at+8)
		if more == 8 {
			return 0, 0
		}
		v, n = v*powers[more]+low, 8+more
	}
	if n == 0 || n > 1 && b[at] == '0' {
		return 0, 0
	}
	return int64(v), at + n
}

// decimal reads digits, with a point and digits after it or not, at most 15
// in all, so that both the digits and the power of ten are exact in float64
// and their quotient is rounded once.
func decimal(b []byte, at int) (float64, int) {
	v, n := digits(b, at)
	if n == 0 || n == 8 {
		return 0, 0
	}
	at += n
	if b[at] != '.' {
		return float64(v), at
	}
	part, more := digits(b, at+1)
	switch {
	case more == 0:
		return 0, 0
	case more == 8:
		low, rest := digits(b, at+9)
		if n+8+rest > 15 {
			return 0, 0
		}
		part, more = part*powers[rest]+low, 8+rest
	}
	return float64(v*powers[more]+part) / float64(powers[more]), at + 1 + more
}

var powers = [16]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// digits reads up to 8 digits and returns how many there are.
func digits(b []byte, at int) (uint64, int) {
	text := binary.LittleEndian.Uint64(b[at : at+8])
	n := length(text)
	if n == 0 {
		return 0, 0
	}
	return uint64(value(text, n)), int(n)
}

// length returns how many digits a word of text begins with.
//
// All eight bytes are looked at at once: a byte b is a digit if b^'0' is below
// 10, which adding 0x76 shows in its top bit.
func length(text uint64) uint {
	text ^= 0x3030303030303030
	return uint(bits.TrailingZeros64((text+0x7676767676767676|text)&0x8080808080808080)) >> 3
}

// isShort reports whether the n digits are a number of 1 to 7 digits without
// leading zeros.
func isShort(text uint64, n uint) bool { return n-1 < 7 && (byte(text) != '0' || n == 1) }

// value returns the number that the first n digits of a word of text are, for n
// of 1 to 8. Tens are added to ones in pairs, hundreds to them in fours, and so
// on.
func value(text uint64, n uint) int64 {
	text = (text ^ 0x3030303030303030) << (-(8 * n) & 63)
	text = text*10 + text>>8
	return int64(((text&0x000000ff000000ff)*0x000f424000000064 + (text>>16&0x000000ff000000ff)*0x0000271000000001) >> 32)
}
