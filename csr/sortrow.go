package csr

import (
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
