package store

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"

	"github.com/adp-sparse/adp-sparse/csr"
)

// The format, version 1; see docs/format-csr.md. All numbers are
// little-endian.
const (
	magic      = "\x89CSR\r\n\x1a\n" // changed by any transfer as text
	version    = 1
	headerSize = 128
	alignment  = 64
)

// flagNames is set when the file has the names of the nodes.
const flagNames = 1

// The sections, in the order of the file.
const (
	indptrSection  = iota // (rows+1) × int64
	indicesSection        // nnz × uint32
	dataSection           // nnz × float32
	endsSection           // (rows+1) × uint64, with flagNames
	textSection           // text bytes, with flagNames
	sections
)

var sectionNames = [sections]string{"indptr", "indices", "data", "name offsets", "names"}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// header is the fixed part of a file. The places of the sections follow from the counts and are not
// stored.
type header struct {
	flags           uint32
	rows, cols, nnz uint64
	text            uint64 // bytes of all names
	sums            [sections]uint32
}

// encode returns the header as it stands in the file.
func (h *header) encode() []byte {
	b := make([]byte, headerSize)
	copy(b, magic)
	put32, put64 := binary.LittleEndian.PutUint32, binary.LittleEndian.PutUint64
	put32(b[8:], version)
	put32(b[12:], h.flags)
	put64(b[16:], h.rows)
	put64(b[24:], h.cols)
	put64(b[32:], h.nnz)
	put64(b[40:], h.text)
	for k, sum := range h.sums {
		put32(b[48+4*k:], sum)
	}
	put32(b[headerSize-4:], crc32.Checksum(b[:headerSize-4], castagnoli))
	return b
}

// decodeHeader reads a header and checks it as far as possible without the rest of the file.
func decodeHeader(b []byte) (*header, error) {
	get32, get64 := binary.LittleEndian.Uint32, binary.LittleEndian.Uint64
	switch {
	case len(b) < headerSize:
		return nil, fmt.Errorf("%d bytes, expected a header of %d", len(b), headerSize)
	case string(b[:len(magic)]) != magic:
		return nil, fmt.Errorf("starts with %q, expected the magic %q of a .csr file", b[:len(magic)], magic)
	case get32(b[8:]) != version:
		return nil, fmt.Errorf("format version %d, expected %d", get32(b[8:]), version)
	case get32(b[headerSize-4:]) != crc32.Checksum(b[:headerSize-4], castagnoli):
		return nil, fmt.Errorf("the checksum of the header is wrong: the file is damaged")
	}
	h := &header{flags: get32(b[12:]), rows: get64(b[16:]), cols: get64(b[24:]), nnz: get64(b[32:]), text: get64(b[40:])}
	for k := range h.sums {
		h.sums[k] = get32(b[48+4*k:])
	}
	switch {
	case h.flags&^flagNames != 0:
		return nil, fmt.Errorf("flags %#x, expected 0 or 1", h.flags)
	case max(h.rows, h.cols) > csr.MaxDim:
		return nil, fmt.Errorf("shape %d×%d, expected at most %d rows and columns", h.rows, h.cols, uint64(csr.MaxDim))
	case h.nnz > maxCount || h.text > maxCount:
		return nil, fmt.Errorf("%d entries and %d bytes of names, expected at most %d", h.nnz, h.text, uint64(maxCount))
	case h.flags == 0 && h.text != 0:
		return nil, fmt.Errorf("%d bytes of names in a file without names", h.text)
	}
	for _, v := range b[48+4*sections : headerSize-4] {
		if v != 0 {
			return nil, fmt.Errorf("byte %#x in the unused part of the header, expected 0", v)
		}
	}
	return h, nil
}

// maxCount keeps all sizes within an int: the five sections have at most 8
// bytes a count.
const maxCount = math.MaxInt / 128

// lengths returns the bytes of each section. They cannot overflow, see
// decodeHeader.
func (h *header) lengths() (n [sections]int64) {
	rows, nnz := int64(h.rows), int64(h.nnz)
	n[indptrSection] = 8 * (rows + 1)
	n[indicesSection] = 4 * nnz
	n[dataSection] = 4 * nnz
	if h.flags&flagNames != 0 {
		n[endsSection] = 8 * (rows + 1)
		n[textSection] = int64(h.text)
	}
	return n
}

// offsets returns the offset of each section.
func (h *header) offsets() (at [sections]int64) {
	end := int64(headerSize)
	for k, n := range h.lengths() {
		at[k] = end
		end += padded(n)
	}
	return at
}

// size returns the bytes of the whole file.
func (h *header) size() int64 {
	last := sections - 1
	return h.offsets()[last] + padded(h.lengths()[last])
}

// padded returns n rounded up to the alignment of sections.
func padded(n int64) int64 { return (n + alignment - 1) / alignment * alignment }
