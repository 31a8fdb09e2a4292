package store

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/grow"
)

// Read reads the file in r into memory: the matrix, and the names of its rows or, if the file has
// none, the sequence. size is that of the whole file, or -1 if it is not known (the caller
// decompresses: Read does not); memory then grows with the bytes that arrive. The name is for
// messages.
func Read(r io.Reader, name string, size int64) (*csr.Matrix, *ids.Table, error) {
	h, err := readHeader(r, name, size)
	if err != nil {
		return nil, nil, err
	}
	f := &file{name: name, in: r, known: size >= 0}
	n := h.lengths()
	a := arrays{
		indptr:  readSection(f, h, indptrSection, n[indptrSection]/8, 8, func(b []byte) int64 { return int64(binary.LittleEndian.Uint64(b)) }),
		indices: readSection(f, h, indicesSection, n[indicesSection]/4, 4, binary.LittleEndian.Uint32),
		data: readSection(f, h, dataSection, n[dataSection]/4, 4, func(b []byte) float32 {
			return math.Float32frombits(binary.LittleEndian.Uint32(b))
		}),
		ends: readSection(f, h, endsSection, n[endsSection]/8, 8, binary.LittleEndian.Uint64),
		text: readSection(f, h, textSection, n[textSection], 1, func(b []byte) byte { return b[0] }),
	}
	f.end()
	if f.err != nil {
		return nil, nil, f.err
	}
	return a.build(name, h)
}

// Entries returns the number of entries in the header of a file.
func Entries(path string) (int64, error) {
	in, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return 0, err
	}
	h, err := readHeader(in, path, info.Size())
	if err != nil {
		return 0, err
	}
	return int64(h.nnz), nil
}

func readHeader(r io.Reader, name string, size int64) (*header, error) {
	b := make([]byte, headerSize)
	got, err := io.ReadFull(r, b)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	h, err := decodeHeader(b[:got])
	if err != nil {
		return nil, faultf(name, "%v", err)
	}
	if size >= 0 && h.size() != size {
		return nil, faultf(name, "%d bytes, expected %d for %d rows and %d entries", size, h.size(), h.rows, h.nnz)
	}
	return h, nil
}

// file reads sections one after the other. After the first fault it does
// nothing.
type file struct {
	name  string
	in    io.Reader
	known bool // the size of the file confirms the header
	err   error
}

// readSection reads n items of the given width and the zeros after them.
func readSection[T any](f *file, h *header, section int, n, width int64, item func([]byte) T) []T {
	const most = 1 << 14 // items in the buffer
	if f.err != nil {
		return nil
	}
	var out []T
	if f.known {
		out = make([]T, 0, n)
	}
	buffer := make([]byte, min(n, most)*width)
	crc := uint32(0)
	for int64(len(out)) < n && f.err == nil {
		part := buffer[:min(n-int64(len(out)), most)*width]
		f.full(part, section)
		crc = crc32.Update(crc, castagnoli, part)
		for at := int64(0); at < int64(len(part)); at += width {
			if len(out) == cap(out) {
				out = grow.Slice(out, n)
			}
			out = append(out, item(part[at:]))
		}
	}
	padding := make([]byte, padded(n*width)-n*width)
	f.full(padding, section)
	if f.err == nil {
		f.err = checkSection(f.name, h, section, crc, padding)
	}
	return out
}

func checkSection(name string, h *header, section int, crc uint32, padding []byte) error {
	if crc != h.sums[section] {
		return faultf(name, "the checksum of the %s is wrong: the file is damaged", sectionNames[section])
	}
	for _, b := range padding {
		if b != 0 {
			return faultf(name, "byte %#x after the %s, expected 0: the file is damaged", b, sectionNames[section])
		}
	}
	return nil
}

// full fills b.
func (f *file) full(b []byte, section int) {
	if f.err != nil {
		return
	}
	_, err := io.ReadFull(f.in, b)
	switch {
	case err == io.EOF || err == io.ErrUnexpectedEOF:
		f.err = faultf(f.name, "ends within the %s", sectionNames[section])
	case err != nil:
		f.err = fmt.Errorf("%s: %w", f.name, err)
	}
}

// end checks that the content ends here.
func (f *file) end() {
	if f.err != nil {
		return
	}
	switch n, err := io.ReadFull(f.in, make([]byte, 1)); {
	case n > 0:
		f.err = faultf(f.name, "bytes follow the last section")
	case err != io.EOF:
		f.err = fmt.Errorf("%s: %w", f.name, err)
	}
}

// arrays are the sections of a file as numbers.
type arrays struct {
	indptr  []int64
	indices []uint32
	data    []float32
	ends    []uint64
	text    []byte
}

// build checks the structure and returns the matrix and the names.
func (a *arrays) build(name string, h *header) (*csr.Matrix, *ids.Table, error) {
	m, err := csr.New(int(h.rows), int(h.cols), a.indptr, a.indices, a.data)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", faultf(name, "damaged matrix"), err)
	}
	if h.flags&flagNames == 0 {
		return m, ids.Sequence(int(h.rows)), nil
	}
	table, err := ids.FromText(a.text, a.ends)
	if err != nil {
		return nil, nil, faultf(name, "%v", err)
	}
	return m, table, nil
}
