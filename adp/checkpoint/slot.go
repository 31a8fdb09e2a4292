package checkpoint

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
)

// The format, version 2; see docs/format-checkpoint.md. All numbers are
// little-endian.
const (
	magic    = "\x89ADP\r\n\x1a\n" // changed by any transfer as text
	version  = 2
	slotSize = 4096
	slots    = 2
	// bodies is the first offset that a state can have.
	bodies = slots * slotSize
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// slot locates a state. Its sections follow each other without gaps.
type slot struct {
	sequence uint64 // number of the state in the run, from 1
	from     int64  // where its first section starts
	sections [sections]extent
}

type extent struct {
	length int64 // 0: the section is absent
	sum    uint32
}

// errEmpty means that a slot was never written.
var errEmpty = errors.New("empty")

// to returns the end of the state.
func (s *slot) to() int64 {
	end := s.from
	for _, section := range s.sections {
		end += section.length
	}
	return end
}

func (s *slot) encode() []byte {
	b := make([]byte, slotSize)
	copy(b, magic)
	put32, put64 := binary.LittleEndian.PutUint32, binary.LittleEndian.PutUint64
	put32(b[8:], version)
	put64(b[16:], s.sequence)
	put64(b[24:], uint64(s.from))
	for k, section := range s.sections {
		put64(b[32+16*k:], uint64(section.length))
		put32(b[40+16*k:], section.sum)
	}
	put32(b[slotSize-4:], crc32.Checksum(b[:slotSize-4], castagnoli))
	return b
}

// decodeSlot reads a slot of a file of the given size. The state that it returns lies within the
// file.
func decodeSlot(b []byte, size int64) (*slot, error) {
	get32, get64 := binary.LittleEndian.Uint32, binary.LittleEndian.Uint64
	switch {
	case allZero(b):
		return nil, errEmpty
	case len(b) < slotSize:
		return nil, fmt.Errorf("%d bytes, expected %d", len(b), slotSize)
	case string(b[:len(magic)]) != magic:
		return nil, fmt.Errorf("starts with %q, expected the magic %q of a checkpoint", b[:len(magic)], magic)
	case get32(b[8:]) != version:
		return nil, fmt.Errorf("format version %d, expected %d", get32(b[8:]), version)
	case get32(b[slotSize-4:]) != crc32.Checksum(b[:slotSize-4], castagnoli):
		return nil, errors.New("its checksum is wrong: the file is damaged")
	case !allZero(b[12:16]) || !allZero(b[32+16*sections:slotSize-4]):
		return nil, errors.New("bytes in its unused part are not 0")
	}
	s := &slot{sequence: get64(b[16:])}
	end := get64(b[24:])
	if s.sequence == 0 || s.sequence == math.MaxUint64 || end < bodies || end > uint64(size) {
		return nil, fmt.Errorf("state %d at byte %d of %d", s.sequence, end, size)
	}
	s.from = int64(end)
	for k := range s.sections {
		length := get64(b[32+16*k:])
		if get32(b[44+16*k:]) != 0 {
			return nil, errors.New("bytes in its unused part are not 0")
		}
		if length > uint64(size)-end { // end is at most the size
			return nil, fmt.Errorf("the file has %d bytes and ends within %s", size, parts[k])
		}
		end += length
		s.sections[k] = extent{length: int64(length), sum: get32(b[40+16*k:])}
	}
	return s, nil
}

func allZero(b []byte) bool {
	for _, v := range b {
		if v != 0 {
			return false
		}
	}
	return true
}
