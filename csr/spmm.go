package csr

import (
	"fmt"

	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// MulDense computes dst ← A·X for a sparse A (n×m) and a dense X (m×c); dst
// is n×c and must not overlap X. Row i is Σ_j a_ij X_j, added in float32 in
// the order of the columns, whatever the number of threads. Cost: nnz·c
// multiply-adds and as many floats gathered; nothing is allocated.
func MulDense(dst *Dense, a *Matrix, x *Dense, threads int) {
	if dst.Rows != a.rows || x.Rows != a.cols || dst.Cols != x.Cols {
		panic(fmt.Sprintf("csr: %d×%d ← %d×%d · %d×%d", dst.Rows, dst.Cols, a.rows, a.cols, x.Rows, x.Cols))
	}
	rows.Each(a.rows, threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			mulRow(dst.Row(i), a, i, x)
		}
	})
}

// mulRow computes dst ← Σ_j a_ij X_j. Four class columns at a time stay in
// registers over the whole row of A.
func mulRow(dst []float32, a *Matrix, i int, x *Dense) {
	cols, vals := a.Row(i)
	vals = vals[:len(cols)]
	c := x.Cols
	at := 0
	for ; at+4 <= c; at += 4 {
		var s0, s1, s2, s3 float32
		for k, j := range cols {
			v := vals[k]
			o := int(j)*c + at
			r := x.Data[o : o+4 : o+4]
			s0 += v * r[0]
			s1 += v * r[1]
			s2 += v * r[2]
			s3 += v * r[3]
		}
		d := dst[at : at+4 : at+4]
		d[0], d[1], d[2], d[3] = s0, s1, s2, s3
	}
	for ; at < c; at++ {
		var s float32
		for k, j := range cols {
			s += vals[k] * x.Data[int(j)*c+at]
		}
		dst[at] = s
	}
}
