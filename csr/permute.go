package csr

import (
	"math"

	"github.com/adp-sparse/adp-sparse/internal/rows"
)

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

// Embed returns the n×n matrix that contains a square M: row and column i of M become row and
// column at[i], distinct numbers below n. All others are empty.
func Embed(m *Matrix, at []uint32, n, threads int) *Matrix {
	if m.rows != m.cols || len(at) != m.rows || n < m.rows {
		panic("csr: Embed of a matrix that is not square, or in places of another number")
	}
	order := make([]uint32, n)
	for i := range order {
		order[i] = none
	}
	for i, to := range at {
		order[to] = uint32(i)
	}
	p, _ := (*Space)(nil).matrix(n, n, int64(len(m.indices)))
	permute(p, m, order, threads)
	return p
}

// none marks an empty row.
const none = math.MaxUint32

// permute writes the permutation of m into p, which has the same number of entries. Rows of p whose
// order is none are empty.
func permute(p, m *Matrix, order []uint32, threads int) {
	at := make([]uint32, m.rows) // where each row of M goes
	for i, from := range order {
		p.indptr[i+1] = p.indptr[i]
		if from != none {
			at[from] = uint32(i)
			p.indptr[i+1] += m.indptr[from+1] - m.indptr[from]
		}
	}
	rows.Each(p.rows, threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if order[i] == none {
				continue
			}
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
