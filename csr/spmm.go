package csr

import (
	"fmt"

	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// MulDense computes dst ← A·X for a sparse A (n×m) and a dense X (m×c); dst
// is n×c and must not overlap X. Row i is Σ_j a_ij X_j, added in the order of
// the columns, in float32 over runs of 512 entries and in float64 over these,
// whatever the number of threads. Cost: nnz·c
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

// longRow is the number of entries that are added in float32 before the sum
// goes to float64: the rows of hubs would lose digits otherwise.
const longRow = 512

// mulRow computes dst ← Σ_j a_ij X_j. Four class columns at a time stay in
// registers over the row of A.
func mulRow(dst []float32, a *Matrix, i int, x *Dense) {
	cols, vals := a.Row(i)
	at := 0
	for ; at+4 <= x.Cols; at += 4 {
		d := dst[at : at+4 : at+4]
		if len(cols) <= longRow {
			d[0], d[1], d[2], d[3] = sumFour(cols, vals, x, at)
			continue
		}
		var sum [4]float64
		for k := 0; k < len(cols); k += longRow {
			end := min(k+longRow, len(cols))
			s0, s1, s2, s3 := sumFour(cols[k:end], vals[k:end], x, at)
			sum[0] += float64(s0)
			sum[1] += float64(s1)
			sum[2] += float64(s2)
			sum[3] += float64(s3)
		}
		for m := range d {
			d[m] = float32(sum[m])
		}
	}
	for ; at < x.Cols; at++ {
		sum := 0.0
		for k := 0; k < len(cols); k += longRow {
			end := min(k+longRow, len(cols))
			sum += float64(sumOne(cols[k:end], vals[k:end], x, at))
		}
		dst[at] = float32(sum)
	}
}

// sumFour returns Σ_k vals_k X_jk for the columns at to at+3 of X.
func sumFour(cols []uint32, vals []float32, x *Dense, at int) (s0, s1, s2, s3 float32) {
	vals = vals[:len(cols)]
	for k, j := range cols {
		v := vals[k]
		o := int(j)*x.Cols + at
		r := x.Data[o : o+4 : o+4]
		s0 += v * r[0]
		s1 += v * r[1]
		s2 += v * r[2]
		s3 += v * r[3]
	}
	return s0, s1, s2, s3
}

func sumOne(cols []uint32, vals []float32, x *Dense, at int) (s float32) {
	for k, j := range cols {
		s += vals[k] * x.Data[int(j)*x.Cols+at]
	}
	return s
}
