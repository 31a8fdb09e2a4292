package store

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/lines"
)

// Write writes m, and the names of its rows unless names is nil or a sequence. It reads the arrays
// twice, first for the checksums in the header, and needs 64 KiB. A matrix that [Read] would refuse
// is an error before anything is written: a value that is not finite gives a [*csr.StructureError],
// a name that does not fit an [ErrName]. It panics unless there is a name a row.
func Write(w io.Writer, m *csr.Matrix, names *ids.Table) error {
	if err := csr.CheckFinite(m, 1); err != nil {
		return err
	}
	rows, cols := m.Dims()
	h := header{rows: uint64(rows), cols: uint64(cols), nnz: uint64(m.NNZ())}
	if names != nil && names.Len() != rows {
		panic(fmt.Sprintf("store: %d names for %d rows", names.Len(), rows))
	}
	if err := checkNames(names); err != nil {
		return err
	}
	if names != nil && !names.IsSequence() {
		h.flags |= flagNames
	} else {
		names = nil
	}
	count := sum{}
	for k, section := range contents(m, names) {
		count = sum{}
		if err := section(&count); err != nil {
			return err
		}
		h.sums[k] = count.crc
	}
	h.text = uint64(count.n) // the last section is the text
	if _, err := w.Write(h.encode()); err != nil {
		return err
	}
	for _, section := range contents(m, names) {
		if err := writePadded(w, section); err != nil {
			return err
		}
	}
	return nil
}

func checkNames(names *ids.Table) error {
	if names == nil || names.IsSequence() {
		return nil
	}
	var name []byte
	for i := range names.Len() {
		if name = names.AppendName(name[:0], i); !ids.Fits(name) {
			return fmt.Errorf("%w: row %d is %s, expected UTF-8 without control characters, not empty", ErrName, i, lines.Quote(name))
		}
	}
	return nil
}

// Size returns the bytes that [Write] writes for m without names.
func Size(m *csr.Matrix) int64 {
	rows, cols := m.Dims()
	h := header{rows: uint64(rows), cols: uint64(cols), nnz: uint64(m.NNZ())}
	return h.size()
}

// contents returns the function that writes each section.
func contents(m *csr.Matrix, names *ids.Table) [sections]func(io.Writer) error {
	if m == nil { // only the names are needed
		m = &csr.Matrix{}
	}
	indptr, indices, data := m.Arrays()
	if len(indptr) == 0 { // the zero Matrix
		indptr = []int64{0}
	}
	return [sections]func(io.Writer) error{
		func(w io.Writer) error {
			return writeAll(w, len(indptr), func(b []byte, i int) []byte { return binary.LittleEndian.AppendUint64(b, uint64(indptr[i])) })
		},
		func(w io.Writer) error {
			return writeAll(w, len(indices), func(b []byte, i int) []byte { return binary.LittleEndian.AppendUint32(b, indices[i]) })
		},
		func(w io.Writer) error {
			return writeAll(w, len(data), func(b []byte, i int) []byte { return binary.LittleEndian.AppendUint32(b, math.Float32bits(data[i])) })
		},
		func(w io.Writer) error { return writeEnds(w, names) },
		func(w io.Writer) error {
			if names == nil {
				return nil
			}
			return writeAll(w, names.Len(), names.AppendName)
		},
	}
}

func writeEnds(w io.Writer, names *ids.Table) error {
	if names == nil {
		return nil
	}
	end, name := 0, []byte{}
	return writeAll(w, names.Len()+1, func(b []byte, i int) []byte {
		if i > 0 {
			name = names.AppendName(name[:0], i-1)
			end += len(name)
		}
		return binary.LittleEndian.AppendUint64(b, uint64(end))
	})
}

// writeAll writes n items through a buffer.
func writeAll(w io.Writer, n int, item func(b []byte, i int) []byte) error {
	const most = 64 << 10
	buffer := make([]byte, 0, most+8)
	for i := range n {
		if buffer = item(buffer, i); len(buffer) >= most {
			if _, err := w.Write(buffer); err != nil {
				return err
			}
			buffer = buffer[:0]
		}
	}
	_, err := w.Write(buffer)
	return err
}

// writePadded writes a section and the zeros up to the next one.
func writePadded(w io.Writer, section func(io.Writer) error) error {
	counted := &counter{w: w}
	if err := section(counted); err != nil {
		return err
	}
	_, err := w.Write(make([]byte, padded(counted.n)-counted.n))
	return err
}

// sum is a writer that only computes a checksum.
type sum struct {
	crc uint32
	n   int64
}

func (s *sum) Write(b []byte) (int, error) {
	s.crc = crc32.Update(s.crc, castagnoli, b)
	s.n += int64(len(b))
	return len(b), nil
}

// counter counts the bytes written to w.
type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}
