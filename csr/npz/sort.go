package npz

import (
	"errors"
	"fmt"

	"github.com/adp-sparse/adp-sparse/csr"
)

var errTwice = errors.New("given twice, expected once")

// sortRows sorts the entries of each row by column. Two entries in one place
// are an error: scipy would add them, but only when asked to.
func sortRows(indptr []int64, indices []uint32, data []float32) error {
	for i := range len(indptr) - 1 {
		lo, hi := indptr[i], indptr[i+1]
		if lo < 0 || hi < lo || hi > int64(len(indices)) {
			return fmt.Errorf("row %d: offsets %d to %d, expected them not to decrease and to stay within %d entries", i, lo, hi, len(indices))
		}
		csr.SortRow(indices[lo:hi], data[lo:hi])
		for k := lo + 1; k < hi; k++ {
			if indices[k-1] == indices[k] {
				return fmt.Errorf("row %d: column %d is %w", i, indices[k], errTwice)
			}
		}
	}
	return nil
}
