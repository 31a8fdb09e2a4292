package csr

import "github.com/adp-sparse/adp-sparse/internal/rows"

// Permute returns P·M·Pᵀ for a square M: row and column i of the result are
// row and column order[i] of M. order is a permutation of 0 to n−1.
func Permute(m *Matrix, order []uint32, threads int) *Matrix {
	if m.rows != m.cols || len(order) != m.rows {
		panic("csr: Permute of a matrix that is not square, or by an order of another length")
	}
	p, _ := (*Space)(nil).matrix(m.rows, m.cols, int64(len(m.indices)))
	permute(p, m, order, threads)
	return p
}

// permute computes the permutation of m into p, which has its room.
func permute(p, m *Matrix, order []uint32, threads int) {
	at := make([]uint32, m.rows) // where each row of M goes
	for i, from := range order {
		at[from] = uint32(i)
		p.indptr[i+1] = p.indptr[i] + m.indptr[from+1] - m.indptr[from]
	}
	rows.Each(m.rows, threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			cols, vals := m.Row(int(order[i]))
			newCols, newVals := p.indices[p.indptr[i]:p.indptr[i+1]], p.data[p.indptr[i]:p.indptr[i+1]]
			for k, j := range cols {
				newCols[k] = at[j]
			}
			copy(newVals, vals)
			SortRow(newCols, newVals)
		}
	})
}
