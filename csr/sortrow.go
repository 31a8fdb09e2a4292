package csr

import (
	"cmp"
	"math"
	"slices"
)

// SortRow sorts the entries of a row by column. cols and vals have the same
// length.
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

// sortNearly sorts a row that is expected to be nearly sorted: by insertion,
// until that proves wrong. It returns how many entries were moved meanwhile.
func sortNearly[T cmp.Ordered](row []T) (moves int) {
	for k := 1; k < len(row); k++ {
		v, at := row[k], k
		for at > 0 && v < row[at-1] {
			row[at] = row[at-1]
			at--
		}
		row[at] = v
		if moves += k - at; moves > 8*len(row) {
			slices.Sort(row)
			break
		}
	}
	return moves
}
