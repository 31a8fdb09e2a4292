package store

import (
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"unsafe"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
)

// Output is a new, empty file that is written at several places: an *os.File.
type Output interface {
	io.WriterAt
	io.ReaderAt
	Truncate(size int64) error
}

// Build writes the file of the matrix of b, row by row as rows are finished. The bytes are those
// that [Write] makes of the matrix in memory, but nothing of the size of the matrix is held. The
// names are nil or a sequence for rows named by their number; one that does not fit is an
// [ErrName]. It returns the number of entries.
//
// The columns and the values follow each other in the file, and the number of entries is known at
// the end. If edges were given more than once, the values are moved to their place then.
func Build(ctx context.Context, f Output, b *csr.Builder, names *ids.Table) (entries int64, stats csr.BuildStats, err error) {
	n := b.Nodes()
	if names != nil && names.Len() != n || int64(n) > csr.MaxDim {
		panic("store: not a name a row")
	}
	if err := checkNames(names); err != nil {
		return 0, stats, err
	}
	most := header{rows: uint64(n), nnz: uint64(b.Entries())}
	at := most.offsets()
	indptr, indices, data := newPart(f, at[indptrSection]), newPart(f, at[indicesSection]), newPart(f, at[dataSection])
	indptr.put64(0)
	stats, err = b.Rows(ctx, func(lengths []int, cols []uint32, vals []float32) error {
		for _, length := range lengths {
			entries += int64(length)
			indptr.put64(uint64(entries))
		}
		indices.emit(image(cols))
		data.emit(image(vals))
		return errors.Join(indptr.err, indices.err, data.err)
	})
	if err != nil {
		return 0, stats, err
	}
	h := header{rows: uint64(n), cols: uint64(n), nnz: uint64(entries)}
	for k, part := range []*part{indptr, indices, data} {
		h.sums[k] = part.end()
	}
	if err := errors.Join(indptr.err, indices.err, data.err); err != nil {
		return 0, stats, err
	}
	if err := moveDown(f, at[dataSection], h.offsets()[dataSection], 4*entries); err != nil {
		return 0, stats, err
	}
	return entries, stats, finish(f, &h, names)
}

// finish writes the names, the header and the gaps between the sections of a file whose first three
// sections are in place.
func finish(f Output, h *header, names *ids.Table) error {
	if names != nil && !names.IsSequence() {
		h.flags |= flagNames
		for k := endsSection; k < sections; k++ {
			part := newPart(f, h.offsets()[k])
			err := contents(nil, names)[k](part)
			h.sums[k] = part.end()
			if err := errors.Join(err, part.err); err != nil {
				return err
			}
			if k == textSection {
				h.text = uint64(part.written)
			}
		}
	}
	// The rest behind the values, after merging, is removed, and the gaps are 0.
	offsets, lengths := h.offsets(), h.lengths()
	for k, n := range lengths {
		if _, err := f.WriteAt(make([]byte, padded(n)-n), offsets[k]+n); err != nil {
			return err
		}
	}
	if _, err := f.WriteAt(h.encode(), 0); err != nil {
		return err
	}
	return f.Truncate(h.size())
}

// moveDown moves n bytes of a file to a smaller offset.
func moveDown(f Output, from, to, n int64) error {
	if from == to {
		return nil
	}
	buffer := make([]byte, 1<<20)
	for at := int64(0); at < n; at += int64(len(buffer)) {
		buffer = buffer[:min(int64(len(buffer)), n-at)]
		if _, err := f.ReadAt(buffer, from+at); err != nil {
			return err
		}
		if _, err := f.WriteAt(buffer, to+at); err != nil {
			return err
		}
	}
	return nil
}

// part writes a section from its offset on, and computes its checksum. After the first error it
// does nothing.
type part struct {
	f       io.WriterAt
	at      int64 // where the buffer belongs
	buffer  []byte
	crc     uint32
	written int64
	err     error
}

func newPart(f io.WriterAt, at int64) *part {
	return &part{f: f, at: at, buffer: make([]byte, 0, 1<<18)}
}

// image returns the bytes of values in a file: on little-endian machines the memory of the values
// itself.
func image[T uint32 | float32](values []T) []byte {
	if littleEndian() {
		return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), 4*len(values))
	}
	b, _ := binary.Append(nil, binary.LittleEndian, values) // never fails for numbers
	return b
}

func (p *part) put64(v uint64) {
	if len(p.buffer)+8 > cap(p.buffer) {
		p.flush()
	}
	p.buffer = binary.LittleEndian.AppendUint64(p.buffer, v)
}

// Write is for large pieces.
func (p *part) Write(b []byte) (int, error) {
	p.flush()
	p.emit(b)
	return len(b), p.err
}

func (p *part) flush() {
	p.emit(p.buffer)
	p.buffer = p.buffer[:0]
}

func (p *part) emit(b []byte) {
	if p.err != nil || len(b) == 0 {
		return
	}
	p.crc = crc32.Update(p.crc, castagnoli, b)
	_, p.err = p.f.WriteAt(b, p.at)
	p.at += int64(len(b))
	p.written += int64(len(b))
}

// end writes the buffered bytes and returns the checksum.
func (p *part) end() uint32 {
	p.flush()
	return p.crc
}
