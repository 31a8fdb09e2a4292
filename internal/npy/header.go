package npy

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

const magic = "\x93NUMPY"

// maxHeader is the longest header that is read. Numeric arrays need some
// 120 bytes; numpy itself refuses more than 10,000.
const maxHeader = 1 << 16

// header is what stands before the elements of an array.
type header struct {
	descr   string
	fortran bool
	shape   []int64
}

// readHeader reads the header of versions 1 to 3 and returns its length.
func readHeader(r io.Reader) (h header, length int64, err error) {
	start := make([]byte, 12)
	if err := readFull(r, start[:10]); err != nil {
		return h, 0, err
	}
	if string(start[:6]) != magic {
		return h, 0, errors.New("not a .npy array: its first bytes are not \\x93NUMPY")
	}
	text, prefix := int64(binary.LittleEndian.Uint16(start[8:])), int64(10)
	switch start[6] {
	case 1:
	case 2, 3:
		if err := readFull(r, start[10:]); err != nil {
			return h, 0, err
		}
		text, prefix = int64(binary.LittleEndian.Uint32(start[8:])), 12
	default:
		return h, 0, fmt.Errorf(".npy version %d.%d, expected 1.0, 2.0 or 3.0", start[6], start[7])
	}
	if text > maxHeader {
		return h, 0, fmt.Errorf(".npy header of %d bytes, expected at most %d", text, maxHeader)
	}
	dict := make([]byte, text)
	if err := readFull(r, dict); err != nil {
		return h, 0, err
	}
	h, err = parseHeader(string(dict))
	return h, prefix + text, err
}

func readFull(r io.Reader, b []byte) error {
	_, err := io.ReadFull(r, b)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return errors.New("ends inside the .npy header")
	}
	if err != nil {
		return &readError{err}
	}
	return nil
}

// parseHeader reads the Python dictionary of a header, which has exactly the
// keys descr, fortran_order and shape.
func parseHeader(dict string) (header, error) {
	p := parser{rest: dict}
	var h header
	seen := map[string]bool{}
	p.expect("{")
	for p.err == nil && !p.accept("}") {
		key := p.quoted()
		p.expect(":")
		switch {
		case p.err != nil:
		case seen[key]:
			p.fail("a second %.20q", key)
		case key == "descr":
			h.descr = p.descr()
		case key == "fortran_order":
			h.fortran = p.boolean()
		case key == "shape":
			h.shape = p.tuple()
		default:
			p.fail("key %.20q", key)
		}
		seen[key] = true
		if !p.accept(",") {
			p.expect("}")
			break
		}
	}
	switch {
	case p.err != nil:
		return h, p.err
	case strings.Trim(p.rest, " \n") != "":
		p.fail("%.20q after the dictionary", p.rest)
	case len(seen) != 3:
		p.fail("%d keys", len(seen))
	}
	return h, p.err
}

// parser reads the few Python literals that a header is made of. After the
// first fault it does nothing.
type parser struct {
	rest string
	err  error
}

func (p *parser) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf("bad .npy header: %s, expected a dictionary of descr, fortran_order and shape", fmt.Sprintf(format, args...))
	}
}

func (p *parser) accept(token string) bool {
	rest, ok := strings.CutPrefix(strings.TrimLeft(p.rest, " "), token)
	if ok && p.err == nil {
		p.rest = rest
	}
	return ok && p.err == nil
}

func (p *parser) expect(token string) {
	if !p.accept(token) {
		p.fail("%.20q instead of %q", p.rest, token)
	}
}

func (p *parser) quoted() string {
	quote := "'"
	if p.accept(`"`) {
		quote = `"`
	} else {
		p.expect(quote)
	}
	text, rest, ok := strings.Cut(p.rest, quote)
	if !ok {
		p.fail("text without an end")
		return ""
	}
	p.rest = rest
	return text
}

func (p *parser) descr() string {
	if p.accept("[") {
		p.err = errors.New("structured dtype, expected " + numericTypes + ": save one plain 2-D array")
		return ""
	}
	return p.quoted()
}

func (p *parser) boolean() bool {
	if p.accept("True") {
		return true
	}
	p.expect("False")
	return false
}

func (p *parser) tuple() []int64 {
	shape := []int64{}
	p.expect("(")
	for p.err == nil && !p.accept(")") {
		shape = append(shape, p.integer())
		if !p.accept(",") {
			p.expect(")")
			break
		}
	}
	return shape
}

func (p *parser) integer() int64 {
	text := strings.TrimLeft(p.rest, " ")
	end := 0
	for end < len(text) && text[end] >= '0' && text[end] <= '9' {
		end++
	}
	v, err := strconv.ParseInt(text[:end], 10, 64)
	if err != nil {
		p.fail("%.20q in the shape", text)
	}
	p.rest = strings.TrimPrefix(text[end:], "L") // written by Python 2
	return v
}

// elements returns the product of the shape, checked so that the bytes of
// the file, and of 8 an element, can be counted in an int.
func elements(shape []int64, size int) (int64, error) {
	most := int64(math.MaxInt) / 2 / int64(max(size, 8))
	n := int64(1)
	for _, d := range shape {
		if d == 0 {
			return 0, nil
		}
	}
	for _, d := range shape {
		if n > most/d {
			return 0, fmt.Errorf("shape %s is past what memory can hold", shapeText(shape))
		}
		n *= d
	}
	return n, nil
}

// shapeText writes a shape as numpy does.
func shapeText(shape []int64) string {
	text := []string{}
	for _, d := range shape {
		text = append(text, strconv.FormatInt(d, 10))
	}
	if len(text) == 1 {
		return "(" + text[0] + ",)"
	}
	return "(" + strings.Join(text, ", ") + ")"
}
