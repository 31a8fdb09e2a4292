package diffuse

import (
	"context"
	"math"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// Rank is the number of columns that [LowRank] leaves of features that are wider. With 64 the
// feature step has the accuracy of all columns, and more at one label a class; with 128 the
// same (docs/decisions/0014-feature-step.md).
const Rank = 64

// rangeSteps is the number of hops by which the range is found.
const rangeSteps = 2

// LowRank returns Z, n×k dense, with ZZᵀ near X̃X̃ᵀ, and Q: X̃ itself and nil where X has at most k
// columns, else X̃Q. The columns of Q, d×k, are orthonormal and span the range of A ᵀAΩ, where
// A is PX of two hops and Ω, d×k, random signs by a fixed rule:
//
//	Y = orth(AΩ),  Q = orth(AᵀY),  Z = PXQ.
//
// Cost: (T+4)·nnz(U)·k and 4·nnz(X)·k multiply-adds, and 4nk². Memory: three blocks of
// 32 columns beside Z, two of d×k.
//
// N. Halko, P.-G. Martinsson, J. Tropp: Finding Structure with Randomness, SIAM Review 53,
// 2011, Algorithm 4.4.
func (d *Diffused) LowRank(ctx context.Context, k int) (z, q *csr.Dense, err error) {
	n, cols := d.Dims()
	if cols <= k {
		formed, err := d.Form(ctx)
		if err != nil {
			return nil, nil, err
		}
		return formed.x.Dense, nil, nil
	}
	a := *d
	a.hops.Steps = min(a.hops.Steps, rangeSteps)
	y, q := csr.NewDense(n, k), signs(cols, k)
	if err := a.applyColumns(ctx, y, q); err != nil {
		return nil, nil, err
	}
	if err := orthonormal(ctx, y, d.threads); err != nil {
		return nil, nil, err
	}
	if err := a.acrossColumns(ctx, q, y); err != nil {
		return nil, nil, err
	}
	if err := orthonormal(ctx, q, d.threads); err != nil {
		return nil, nil, err
	}
	d.blocks = a.blocks
	err = d.applyColumns(ctx, y, q)
	d.letGo()
	return y, q, err
}

// applyColumns is apply, [formedColumns] at a time.
func (d *Diffused) applyColumns(ctx context.Context, dst, v *csr.Dense) error {
	for lo := 0; lo < v.Cols; lo += formedColumns {
		part := d.block(2, min(formedColumns, v.Cols-lo))
		if err := d.apply(ctx, part, columnsFrom(csr.NewDense(v.Rows, part.Cols), v, lo, d.threads)); err != nil {
			return err
		}
		columnsInto(dst, part, lo, d.threads)
	}
	return nil
}

// acrossColumns is applyT, [formedColumns] at a time.
func (d *Diffused) acrossColumns(ctx context.Context, dst, r *csr.Dense) error {
	for lo := 0; lo < r.Cols; lo += formedColumns {
		part := columnsFrom(d.block(2, min(formedColumns, r.Cols-lo)), r, lo, d.threads)
		sum := csr.NewDense(dst.Rows, part.Cols)
		if err := d.consume(ctx, sum, part); err != nil {
			return err
		}
		columnsInto(dst, sum, lo, d.threads)
	}
	return nil
}

// columnsFrom copies the columns of x from lo on to dst, and returns it.
func columnsFrom(dst, x *csr.Dense, lo, threads int) *csr.Dense {
	rows.Each(x.Rows, threads, func(first, end int) {
		for i := first; i < end; i++ {
			copy(dst.Row(i), x.Row(i)[lo:])
		}
	})
	return dst
}

// columnsInto copies x to the columns of dst from lo on.
func columnsInto(dst, x *csr.Dense, lo, threads int) {
	rows.Each(x.Rows, threads, func(first, end int) {
		for i := first; i < end; i++ {
			copy(dst.Row(i)[lo:], x.Row(i))
		}
	})
}

// orthonormal makes the columns of x orthonormal, in place: twice X ← X L^-ᵀ with LLᵀ = XᵀX
// (Cholesky QR). Columns that the ones before span become 0.
func orthonormal(ctx context.Context, x *csr.Dense, threads int) error {
	k := x.Cols
	for range 2 {
		gram, err := cross(ctx, x, x, nil, threads)
		if err != nil {
			return err
		}
		mirror(gram, k)
		inverse := csr.NewDense(k, k)
		narrow(inverse.Data, inverseFactor(gram, k))
		if err := TimesDense(ctx, x, inverse, threads, func(i int, row []float64) { narrow(x.Row(i), row) }); err != nil {
			return err
		}
	}
	return nil
}

// inverseFactor returns L^-ᵀ, k×k upper triangular, of the Cholesky factor of a; columns whose
// pivot is rounding are 0.
func inverseFactor(a []float64, k int) []float64 {
	l, out := make([]float64, k*k), make([]float64, k*k)
	for j := range k {
		pivot := a[j*k+j]
		for t := range j {
			pivot -= float64(l[j*k+t] * l[j*k+t])
		}
		const rounding = 1e-10 // of squares of float32 numbers
		if !(pivot > rounding*a[j*k+j]) {
			continue
		}
		root := math.Sqrt(pivot)
		l[j*k+j] = root
		for i := j + 1; i < k; i++ {
			sum := a[i*k+j]
			for t := range j {
				sum -= float64(l[i*k+t] * l[j*k+t])
			}
			l[i*k+j] = sum / root
		}
	}
	for j := range k { // row j of L^-1 is column j of L^-ᵀ
		if l[j*k+j] == 0 {
			continue
		}
		for i := range j + 1 {
			sum := 0.0
			if i == j {
				sum = 1
			}
			for t := i; t < j; t++ {
				sum -= float64(l[j*k+t] * out[i*k+t])
			}
			out[i*k+j] = sum / l[j*k+j]
		}
	}
	return out
}
