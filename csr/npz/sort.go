package npz

import (
	"cmp"
	"fmt"
	"slices"
)

// sortRows sorts the entries of each row by column. Two entries in one place
// are an error: scipy would add them, but only when asked to.
func sortRows(indptr []int64, indices []uint32, data []float32) error {
	type entry struct {
		column uint32
		value  float32
	}
	var row []entry
	for i := range len(indptr) - 1 {
		lo, hi := indptr[i], indptr[i+1]
		if lo < 0 || hi < lo || hi > int64(len(indices)) {
			return fmt.Errorf("row %d: offsets %d to %d, expected them not to decrease and to stay within %d entries", i, lo, hi, len(indices))
		}
		if !slices.IsSorted(indices[lo:hi]) {
			row = row[:0]
			for k := lo; k < hi; k++ {
				row = append(row, entry{indices[k], data[k]})
			}
			slices.SortFunc(row, func(a, b entry) int { return cmp.Compare(a.column, b.column) })
			for k, e := range row {
				indices[lo+int64(k)], data[lo+int64(k)] = e.column, e.value
			}
		}
		for k := lo + 1; k < hi; k++ {
			if indices[k-1] == indices[k] {
				return fmt.Errorf("row %d: column %d is given twice, expected once: save it after .sum_duplicates()", i, indices[k])
			}
		}
	}
	return nil
}
