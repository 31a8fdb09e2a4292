package csr

import (
	"math"
	"slices"
)

// SortRow sorts the entries of a row by column. cols and vals have the same length.
func SortRow(cols []uint32, vals []float32) {
	if slices.IsSorted(cols) {
		return
	}
	packed := make([]uint64, len(cols))
	for k, j := range cols {
		packed[k] = uint64(j)<<32 | uint64(math.Float32bits(vals[k]))
	}
	slices.Sort(packed)
	for k, word := range packed {
		cols[k] = uint32(word >> 32)
		vals[k] = math.Float32frombits(uint32(word))
	}
}

// rowSorter sorts rows of entries: words with columns below 1<<bits in the bits from shift on.
type rowSorter[T uint32 | uint64] struct {
	shift uint
	bits  int
	most  int // rows of more entries are sorted without extra memory
	other []T // second buffer for a row
	moves int // how many entries of short rows were moved
}

// manyEntries is the number of entries from which on counting digits is cheaper than comparing.
const manyEntries = 65

// sort sorts a row that is often nearly sorted: by insertion, until that takes too many moves, then
// a long row by the digits of its columns.
func (s *rowSorter[T]) sort(row []T) {
	byDigits := len(row) >= manyEntries && len(row) <= s.most
	most, moves := 8*len(row), 0
	if byDigits {
		most = len(row)
	}
	for k := 1; k < len(row); k++ {
		v, at := row[k], k
		for at > 0 && v < row[at-1] {
			row[at] = row[at-1]
			at--
		}
		row[at] = v
		if moves += k - at; moves <= most {
			continue
		}
		if byDigits {
			s.byDigits(row)
			return
		}
		slices.Sort(row)
		break
	}
	s.moves += moves
}

// byDigits sorts a row by the bytes of its columns from the lowest on, and then the entries of each
// column.
func (s *rowSorter[T]) byDigits(row []T) {
	var next [4][256]uint32 // the count of each digit, then its next place
	for _, v := range row {
		col := uint32(v >> s.shift)
		next[0][col&255]++
		next[1][col>>8&255]++
		next[2][col>>16&255]++
		next[3][col>>24]++
	}
	s.other = slices.Grow(s.other[:0], len(row))[:len(row)]
	from, to := row, s.other
	for digit := range (s.bits + 7) / 8 {
		sum := uint32(0)
		places := &next[digit]
		for k, count := range places {
			places[k] = sum
			sum += count
		}
		by := (s.shift + 8*uint(digit)) & 63
		for _, v := range from {
			place := &places[v>>by&255]
			to[*place] = v
			*place++
		}
		from, to = to, from
	}
	if &from[0] != &row[0] {
		copy(row, from)
	}
	if s.shift == 0 {
		return
	}
	for lo := 0; lo < len(row); {
		hi := lo + 1
		for hi < len(row) && row[hi]>>s.shift == row[lo]>>s.shift {
			hi++
		}
		slices.Sort(row[lo:hi])
		lo = hi
	}
}
