// Package bounded keeps decoders that hold a whole element of a file in memory
// from holding more than a few.
package bounded

import (
	"bufio"
	"io"
)

// Reader is a buffered reader that fails when more than Most bytes are read
// between two calls of Next: when an element is longer than that.
type Reader struct {
	in   *bufio.Reader
	most int
	used int
	err  error // of elements that are too long
}

// NewReader returns a reader that gives err after most bytes.
func NewReader(r io.Reader, most int, err error) *Reader {
	return &Reader{in: bufio.NewReaderSize(r, 64<<10), most: most, err: err}
}

// Next says that an element begins.
func (r *Reader) Next() { r.used = 0 }

// ReadByte makes the decoders of encoding/xml do without a buffer of their own.
func (r *Reader) ReadByte() (byte, error) {
	if r.used++; r.used > r.most {
		return 0, r.err
	}
	return r.in.ReadByte()
}

func (r *Reader) Read(b []byte) (int, error) {
	if r.used > r.most {
		return 0, r.err
	}
	n, err := r.in.Read(b)
	r.used += n
	return n, err
}

// Peek returns what comes next, at most 64 KiB of it, without reading it.
func (r *Reader) Peek() string {
	head, _ := r.in.Peek(r.in.Size()) // what fails fails again
	return string(head)
}
