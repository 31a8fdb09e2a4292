package diffuse

import (
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// least is the smallest top entry that a filled row gets, far above the
// smallest float32.
const least = 0x1p-100

// fillReached gives a row to each node that a seed reaches and whose row of F is
// 0 all the same, because its entries are below the accuracy of the solver: the
// exact solution has none such. Starting from the rows that are not 0, layer by
// layer,
//
//	F_i ← α Σ_j S_ij F_j,
//
// scaled up where all of it would leave float32, which keeps the shares of the
// classes. Rows that no seed reaches stay 0.
//
// Cost: the entries of the rows that are 0.
func fillReached(f *csr.Dense, s *csr.Matrix, alpha float64, threads int) {
	n := f.Rows
	empty := make([]bool, n)
	border := make([]bool, n) // empty, with a neighbour that is not
	rows.Each(n, threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			empty[i] = isZero(f.Row(i))
		}
	})
	rows.Each(n, threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if empty[i] {
				cols, _ := s.Row(i)
				border[i] = slices.ContainsFunc(cols, func(j uint32) bool { return !empty[j] })
			}
		}
	})
	var layer, next []uint32
	for i, is := range border {
		if is {
			layer = append(layer, uint32(i))
		}
	}
	sum := make([]float64, f.Cols)
	for ; len(layer) > 0; layer, next = next, layer[:0] {
		for _, i := range layer { // from rows of earlier layers alone: those of this one are still empty
			fillRow(f, s, int(i), alpha, sum, empty)
		}
		for _, i := range layer {
			empty[i] = false
		}
		for _, i := range layer {
			cols, _ := s.Row(int(i))
			for _, j := range cols {
				if empty[j] && !border[j] {
					border[j] = true
					next = append(next, j)
				}
			}
		}
	}
}

// fillRow computes row i from the rows that are not empty.
func fillRow(f *csr.Dense, s *csr.Matrix, i int, alpha float64, sum []float64, empty []bool) {
	clear(sum)
	cols, vals := s.Row(i)
	for k, j := range cols {
		if !empty[j] {
			for class, v := range f.Row(int(j)) {
				sum[class] += alpha * float64(vals[k]) * float64(v)
			}
		}
	}
	top := slices.Max(sum)
	if top == 0 {
		return
	}
	scale := max(1, least/top)
	row := f.Row(i)
	for class, v := range sum {
		row[class] = float32(scale * v)
	}
}

func isZero(row []float32) bool {
	for _, v := range row {
		if v != 0 {
			return false
		}
	}
	return true
}
