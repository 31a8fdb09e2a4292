package npz

import (
	"fmt"

	"github.com/adp-sparse/adp-sparse/csr"
)

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
				return fmt.Errorf("row %d: column %d is given twice, expected once; in Python: import scipy.sparse; A = scipy.sparse.load_npz(FILE).tocsr(); A.sum_duplicates(); scipy.sparse.save_npz(\"matrix.npz\", A)", i, indices[k])
			}
		}
	}
	return nil
}
