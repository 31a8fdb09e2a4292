package kernel

import "fmt"

// SortRows makes rows of columns strictly ascending, in place, until the first
// that it cannot: one with a column twice, or one longer than the version sorts,
// 64 columns (portable and neon: none, they only look). It returns how many rows are done.
// Row r is cols[ends_r−counts_r : ends_r]; that these lie within cols is not
// checked. The first row that is not done is sorted, or as it was.
func SortRows(cols []uint32, ends, counts []int) int {
	if len(ends) != len(counts) {
		panic(fmt.Sprintf("kernel: %d ends of %d rows", len(ends), len(counts)))
	}
	if len(cols) == 0 || len(ends) == 0 {
		return len(ends)
	}
	return active.sortRows(cols, ends, counts)
}

func sortRowsPortable(cols []uint32, ends, counts []int) int {
	for r, end := range ends {
		row := cols[end-counts[r] : end]
		for k := 1; k < len(row); k++ {
			if row[k] <= row[k-1] {
				return r
			}
		}
	}
	return len(ends)
}
