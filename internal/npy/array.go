// Package npy reads and writes the .npy form of numpy arrays and reads
// archives (.npz) of them.
//
// It is written here because the library for it, sbinet/npyio (v0.6.0, 2022),
// allocates what a header claims, returns an array cut short without an error,
// and does not read version 3 headers.
//
// Nothing in a file is trusted: memory grows with the bytes that have
// arrived, or is allocated at once when the size of the file confirms the
// header; pickled objects are refused. All faults of content are
// [*lines.Error] values that name the file and, for an element, its place
// (counted from 0).
package npy

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"unicode/utf8"

	"github.com/adp-sparse/adp-sparse/internal/grow"
	"github.com/adp-sparse/adp-sparse/internal/lines"
)

// Array is an array whose elements have not been read yet. Shape entries are
// at least 0 and their product can be held in memory, as far as an int goes.
type Array struct {
	Shape   []int64
	Fortran bool // column-major: see ByRows

	file    string
	dtype   dtype
	n       int64 // elements
	first   int64 // the number of the first of them in the file
	more    bool  // others follow
	offset  int64 // of the first element
	trusted bool  // the size of the file confirms n
	body    io.Reader
}

// Open reads the header of the array in r. The size is that of the whole of
// r, which must match the header, or -1 when it is not known. The file name
// is for messages.
func Open(r io.Reader, file string, size int64) (*Array, error) {
	h, offset, err := readHeader(r)
	a := &Array{Shape: h.shape, Fortran: h.fortran, file: file, offset: offset, trusted: size >= 0, body: r}
	if err != nil {
		return nil, a.fault(err)
	}
	if a.dtype, err = parseType(h.descr); err != nil {
		return nil, a.fault(err)
	}
	if a.n, err = elements(a.Shape, a.dtype.size); err != nil {
		return nil, a.fault(err)
	}
	if size >= 0 && a.bytes() != size {
		return nil, a.Errorf("%d bytes, expected %d for shape %s of dtype %q", size, a.bytes(), shapeText(a.Shape), h.descr)
	}
	return a, nil
}

// bytes returns the size of the array with its header.
func (a *Array) bytes() int64 { return a.offset + a.n*int64(a.dtype.size) }

// Elements returns the product of the shape.
func (a *Array) Elements() int64 { return a.n }

// Next returns the next rows of a 2-D array in C order, at most as many as are
// left, as an array that must be read before the next ones; nil at the end. The
// rest must not be read in another way.
func (a *Array) Next(rows int64) *Array {
	part := *a
	part.Shape = []int64{min(rows, a.Shape[0]), a.Shape[1]}
	part.n = part.Shape[0] * part.Shape[1]
	if part.n == 0 {
		return nil
	}
	a.Shape = []int64{a.Shape[0] - part.Shape[0], a.Shape[1]}
	a.n -= part.n
	a.first += part.n
	part.more = a.n > 0
	return &part
}

// Integer reports whether the elements are integers.
func (a *Array) Integer() bool { return a.dtype.integer() }

// Wrapped returns the number that -1 becomes in the dtype where that is unsigned, and int64 holds it;
// else 0.
func (a *Array) Wrapped() int64 {
	if a.dtype.kind != 'u' || a.dtype.size > 4 {
		return 0
	}
	return 1<<(8*a.dtype.size) - 1
}

// Truth reports whether the elements are truth values.
func (a *Array) Truth() bool { return a.dtype.kind == 'b' }

// IsText reports whether the elements are texts.
func (a *Array) IsText() bool { return !a.dtype.numeric() }

// ShapeText returns the shape as numpy prints it.
func (a *Array) ShapeText() string { return shapeText(a.Shape) }

// Errorf returns a fault of the array.
func (a *Array) Errorf(format string, args ...any) error {
	return &lines.Error{File: a.file, Msg: fmt.Sprintf(format, args...)}
}

// readError is a failure of the reader, not of what was read.
type readError struct{ err error }

func (e *readError) Error() string { return e.err.Error() }
func (e *readError) Unwrap() error { return e.err }

func (a *Array) fault(err error) error {
	var failed *readError
	if errors.As(err, &failed) && !isCorrupt(failed.err) {
		return fmt.Errorf("%s: %w", a.file, failed.err)
	}
	return a.Errorf("%v", err)
}

// Floats reads all elements as finite float32 values, rounded to nearest:
// 4 bytes an element.
func (a *Array) Floats() ([]float32, error) {
	if !a.dtype.numeric() {
		return nil, a.Errorf("text, expected numbers of dtype %s", numericTypes)
	}
	plain := a.dtype.plain()
	return decode(a, func(to []float32, b []byte) (int, error) {
		if plain != nil && plain(to, b) {
			return len(to), nil
		}
		return oneByOne(a, a.single)(to, b)
	})
}

// Singles reads all elements as float32 values, rounded to nearest, also those that are not finite
// or become infinite: 4 bytes an element.
func (a *Array) Singles() ([]float32, error) {
	if !a.dtype.numeric() {
		return nil, a.Errorf("text, expected numbers of dtype %s", numericTypes)
	}
	return decode(a, oneByOne(a, func(b []byte) (float32, error) { return float32(a.dtype.float(b)), nil }))
}

// single returns the element at the start of b as a finite float32.
func (a *Array) single(b []byte) (float32, error) {
	v := a.dtype.float(b)
	switch f := float32(v); {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return 0, fmt.Errorf("value %v, expected a finite number", v)
	case math.IsInf(float64(f), 0):
		return 0, fmt.Errorf("value %g, expected a number within float32, ±%g", v, math.MaxFloat32)
	default:
		return f, nil
	}
}

// Ints reads all elements of an integer array: 8 bytes an element.
func (a *Array) Ints() ([]int64, error) {
	if !a.dtype.integer() {
		return nil, a.Errorf("elements are not integers, expected dtype i4 or i8")
	}
	return decode(a, oneByOne(a, a.integer))
}

// Wholes reads all elements of an array of numbers that are whole; of floating-point
// ones NaN becomes none: 8 bytes an element.
func (a *Array) Wholes(none int64) ([]int64, error) {
	if a.dtype.kind != 'f' {
		return a.Ints()
	}
	return decode(a, oneByOne(a, func(b []byte) (int64, error) {
		const most = 1 << 53
		v := a.dtype.float(b)
		if math.IsNaN(v) {
			return none, nil
		}
		if v != math.Trunc(v) || math.Abs(v) > most {
			return 0, fmt.Errorf("value %v, expected whole numbers (or text: y.astype(str))", v)
		}
		return int64(v), nil
	}))
}

// Doubles reads all elements of an array of f8 numbers as they are, of finite
// ones: 8 bytes an element.
func (a *Array) Doubles() ([]float64, error) {
	if a.dtype.kind != 'f' || a.dtype.size != 8 {
		return nil, a.Errorf("elements are not of dtype f8")
	}
	return decode(a, oneByOne(a, func(b []byte) (float64, error) {
		v := a.dtype.float(b)
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return 0, fmt.Errorf("value %v, expected a finite number", v)
		}
		return v, nil
	}))
}

// Bytes reads all elements of an array of u1 numbers: one byte an element.
func (a *Array) Bytes() ([]byte, error) {
	if a.dtype.kind != 'u' || a.dtype.size != 1 {
		return nil, a.Errorf("elements are not of dtype u1")
	}
	return decode(a, func(to, b []byte) (int, error) { return copy(to, b), nil })
}

func (a *Array) integer(b []byte) (int64, error) {
	u := a.dtype.bits(b)
	if a.dtype.kind == 'i' {
		return a.dtype.extend(u), nil
	}
	if u > math.MaxInt64 {
		return 0, fmt.Errorf("value %d, expected at most %d", u, int64(math.MaxInt64))
	}
	return int64(u), nil
}

// Columns reads all elements of an integer array as column numbers, which
// must be below cols: 4 bytes an element.
func (a *Array) Columns(cols int64) ([]uint32, error) {
	if !a.dtype.integer() {
		return nil, a.Errorf("elements are not integers, expected dtype i4 or i8")
	}
	return decode(a, oneByOne(a, func(b []byte) (uint32, error) {
		v, err := a.integer(b)
		if err == nil && (v < 0 || v >= cols) {
			err = fmt.Errorf("column %d, expected 0 to %d", v, cols-1)
		}
		return uint32(v), err
	}))
}

// Text reads an array of one text, in bytes (S) or Unicode (U).
func (a *Array) Text() (string, error) {
	if a.n != 1 {
		return "", a.Errorf("%d elements, expected one text", a.n)
	}
	all, err := a.Texts()
	if err != nil {
		return "", err
	}
	return all[0], nil
}

// mostText is the most bytes of an element of text.
const mostText = 1024

// Texts reads all elements of an array of texts, in bytes (S), which must be UTF-8, or
// Unicode (U). What pads short ones is left out.
func (a *Array) Texts() ([]string, error) {
	if a.dtype.numeric() {
		return nil, a.Errorf("numbers, expected text")
	}
	if a.dtype.size > mostText {
		return nil, a.Errorf("texts of %d bytes, expected at most %d", a.dtype.size, mostText)
	}
	return decode(a, oneByOne(a, func(b []byte) (string, error) {
		text := b[:a.dtype.size]
		if a.dtype.kind == 'U' {
			var err error
			if text, err = a.dtype.utf8(text); err != nil {
				return "", err
			}
		}
		if text = bytes.TrimRight(text, "\x00"); !utf8.Valid(text) {
			return "", fmt.Errorf("%s is not UTF-8", lines.Quote(text))
		}
		return string(text), nil
	}))
}

// utf8 returns characters of 4 bytes in UTF-8.
func (t dtype) utf8(b []byte) (text []byte, err error) {
	char := dtype{kind: 'u', size: 4, big: t.big}
	for ; len(b) > 0; b = b[char.size:] {
		c := char.bits(b)
		if c > utf8.MaxRune || !utf8.ValidRune(rune(c)) {
			return nil, fmt.Errorf("character 0x%x, expected one of Unicode", c)
		}
		text = utf8.AppendRune(text, rune(c))
	}
	return text, nil
}

// oneByOne returns the elements of some bytes in turn, up to the first fault.
func oneByOne[T any](a *Array, element func([]byte) (T, error)) func(to []T, b []byte) (int, error) {
	size := a.dtype.size
	return func(to []T, b []byte) (int, error) {
		for k := range to {
			v, err := element(b[k*size:])
			if err != nil {
				return k, err
			}
			to[k] = v
		}
		return len(to), nil
	}
}

// decode reads the elements of a, through a buffer of fixed size, and makes
// sure that nothing follows them. Elements sets as many as it is given, or returns
// how many come before the first fault.
func decode[T any](a *Array, elements func(to []T, b []byte) (int, error)) ([]T, error) {
	const most = 1 << 14 // elements in the buffer
	size := a.dtype.size
	buffer := make([]byte, int(min(a.n, most))*size)
	var out []T
	if a.trusted {
		out = make([]T, 0, a.n)
	}
	for left := a.n; left > 0; left -= most {
		got, err := io.ReadFull(a.body, buffer[:int(min(left, most))*size])
		for b := buffer[:got/size*size]; len(b) > 0; {
			if len(out) == cap(out) {
				out = grow.Slice(out, a.n)
			}
			at := len(out)
			n := min(len(b)/size, cap(out)-at)
			out = out[:at+n]
			if good, fault := elements(out[at:], b[:n*size]); fault != nil {
				return nil, a.Errorf("%s: %v", a.place(a.first+int64(at+good)), fault)
			}
			b = b[n*size:]
		}
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return nil, a.Errorf("ends after %d of the %d elements of shape %s", len(out), a.n, a.ShapeText())
		}
		if err != nil {
			return nil, a.fault(&readError{err})
		}
	}
	if a.more {
		return out, nil
	}
	return out, a.end()
}

// end makes sure that the content ends here.
func (a *Array) end() error {
	switch n, err := io.ReadFull(a.body, make([]byte, 1)); {
	case n > 0:
		return a.Errorf("bytes follow the %d elements of shape %s", a.n, a.ShapeText())
	case err != io.EOF:
		return a.fault(&readError{err})
	}
	return nil
}

// ByRows returns the elements of a 2-D array, as they stand in the file, row by
// row: v itself, or a copy where they stand column by column.
func ByRows[T any](a *Array, v []T) []T {
	rows, cols := int(a.Shape[0]), int(a.Shape[1])
	if !a.Fortran || rows == 1 || cols == 1 {
		return v
	}
	const tile = 64 // rows whose cache lines are written together
	out := make([]T, len(v))
	for lo := 0; lo < rows; lo += tile {
		hi := min(lo+tile, rows)
		for j := range cols {
			for i, x := range v[j*rows+lo : j*rows+hi] {
				out[(lo+i)*cols+j] = x
			}
		}
	}
	return out
}

// place names element k.
func (a *Array) place(k int64) string {
	switch {
	case len(a.Shape) != 2:
		return fmt.Sprintf("element %d", k)
	case a.Fortran:
		return fmt.Sprintf("row %d, column %d", k%a.Shape[0], k/a.Shape[0])
	default:
		return fmt.Sprintf("row %d, column %d", k/a.Shape[1], k%a.Shape[1])
	}
}
