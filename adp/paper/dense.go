// Package paper is the paper's Algorithm 1 to the letter, with dense matrices: the reference for the
// sparse process of package adp, whose method DenseADP runs it.
package paper

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// Dense holds the matrices of the paper's Algorithm 1 to the letter: dense, float64, without
// truncation, scaling, hardening or choice of rounds. It takes up to eight n×n matrices.
//
// On a connected graph it is expected to collapse: with α near 1, A tends to the rank-one matrix of
// S's top eigenvector, on which all classes look alike.
type Dense struct {
	S     *csr.Matrix // D^-1/2 W D^-1/2
	Y     *mat.Dense  // n×c
	F     *mat.Dense  // n×c
	A     *mat.Dense  // n×n
	Alpha float64
	// Tolerance ends the inner iterations, at ‖change‖_F < Tolerance·‖X‖_F: 1e-6.
	Tolerance float64
	// MaxIterations bounds each of them: 5000.
	MaxIterations int
	Threads       int

	half, turned *mat.Dense // of sandwich: SX and its transpose
}

// New returns the start of Algorithm 1: F = Y, A = S.
func New(s *csr.Matrix, y *diffuse.Seeds, alpha float64, threads int) *Dense {
	d := &Dense{
		S: s, Alpha: alpha, Tolerance: 1e-6, MaxIterations: 5000, Threads: threads,
		Y: mat.NewDense(y.Nodes, y.Classes, nil), A: mat.NewDense(y.Nodes, y.Nodes, nil),
	}
	for _, seed := range y.List() {
		d.Y.Set(int(seed.Node), int(seed.Class), float64(seed.Weight))
	}
	for i := range y.Nodes {
		cols, vals := s.Row(i)
		for k, j := range cols {
			d.A.Set(i, int(j), float64(vals[k]))
		}
	}
	d.F = mat.DenseCopyOf(d.Y)
	return d
}

// LabelStep iterates F ← α S_A F + (1−α) Y to its fixed point (Eq.
// lgc_iteration), with S_A = D_A^-1/2 A D_A^-1/2. It returns the number of
// iterations and the last relative change. O(n²c) an iteration.
func (d *Dense) LabelStep(ctx context.Context) (diffuse.Stats, error) {
	n, c := d.Y.Dims()
	sa := normalizeDense(d.A, d.Threads)
	next := mat.NewDense(n, c, nil)
	return d.iterate(ctx, func() float64 {
		rows.Each(n, d.Threads, func(lo, hi int) {
			part := next.Slice(lo, hi, 0, c).(*mat.Dense)
			part.Mul(sa.Slice(lo, hi, 0, n), d.F)
		})
		next.Apply(func(i, j int, v float64) float64 {
			return d.Alpha*v + (1-d.Alpha)*d.Y.At(i, j)
		}, next)
		d.F, next = next, d.F
		return relativeChange(d.F, next)
	})
}

// GraphStep iterates A ← α S (A + FFᵀ) Sᵀ + (1−α) I to its fixed point (Eq.
// iteration). O(n·nnz) an iteration, five n×n matrices beside A.
func (d *Dense) GraphStep(ctx context.Context) (diffuse.Stats, error) {
	n, _ := d.A.Dims()
	// The label part α S FFᵀ Sᵀ is the same in every iteration.
	z := mat.NewDense(n, n, nil)
	z.Mul(d.F, d.F.T())
	constant := mat.NewDense(n, n, nil)
	d.sandwich(constant, z)
	for i := range n {
		constant.Set(i, i, constant.At(i, i)+1-d.Alpha)
	}
	return d.iterate(ctx, func() float64 {
		d.sandwich(z, d.A)
		z.Add(z, constant)
		d.A, z = z, d.A
		return relativeChange(d.A, z)
	})
}

// iterate calls step, which returns its relative change, until the change is below the tolerance.
func (d *Dense) iterate(ctx context.Context, step func() float64) (diffuse.Stats, error) {
	var stats diffuse.Stats
	for stats.Iterations < d.MaxIterations && !stats.Converged {
		if err := ctx.Err(); err != nil {
			return stats, err
		}
		stats.Residual = step()
		stats.Iterations++
		stats.Converged = stats.Residual < d.Tolerance
	}
	return stats, nil
}

// sandwich computes dst ← α S X Sᵀ for a symmetric X: each row of S X by
// sparse row sums, then each row of the result as S times a column of it.
func (d *Dense) sandwich(dst, x *mat.Dense) {
	if d.half == nil {
		n, _ := x.Dims()
		d.half, d.turned = mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)
	}
	d.mulSparse(d.half, x)
	d.turned.Copy(d.half.T())
	d.mulSparse(dst, d.turned)
	dst.Scale(d.Alpha, dst)
}

// mulSparse computes dst ← S X.
func (d *Dense) mulSparse(dst, x *mat.Dense) {
	n, _ := d.S.Dims()
	rows.Each(n, d.Threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row := dst.RawRowView(i)
			clear(row)
			cols, vals := d.S.Row(i)
			for k, j := range cols {
				v := float64(vals[k])
				for m, xv := range x.RawRowView(int(j)) {
					row[m] += v * xv
				}
			}
		}
	})
}

// normalizeDense returns D^-1/2 A D^-1/2 of a symmetric A.
func normalizeDense(a *mat.Dense, threads int) *mat.Dense {
	n, _ := a.Dims()
	inv := make([]float64, n)
	for i := range inv {
		if sum := mat.Sum(a.RowView(i)); sum > 0 {
			inv[i] = 1 / math.Sqrt(sum)
		}
	}
	s := mat.NewDense(n, n, nil)
	rows.Each(n, threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row := s.RawRowView(i)
			for j, v := range a.RawRowView(i) {
				row[j] = v * inv[i] * inv[j]
			}
		}
	})
	return s
}

func relativeChange(now, before *mat.Dense) float64 {
	change, norm := 0.0, 0.0
	n, _ := now.Dims()
	for i := range n {
		old := before.RawRowView(i)
		for j, v := range now.RawRowView(i) {
			change += (v - old[j]) * (v - old[j])
			norm += v * v
		}
	}
	if norm == 0 {
		return math.Sqrt(change)
	}
	return math.Sqrt(change / norm)
}

// Sparse returns A as a sparse matrix, without the entries that are 0.
func (d *Dense) Sparse() *csr.Matrix {
	n, _ := d.A.Dims()
	buffer := csr.NewRowBuffer(n, n, n)
	cols := make([]uint32, 0, n)
	vals := make([]float32, 0, n)
	for i := range n {
		cols, vals = cols[:0], vals[:0]
		for j := range n {
			// The mean is symmetric to the bit, as A is but for rounding.
			if v := float32((d.A.At(i, j) + d.A.At(j, i)) / 2); v != 0 {
				cols, vals = append(cols, uint32(j)), append(vals, v)
			}
		}
		buffer.Set(i, cols, vals)
	}
	return buffer.Matrix(d.Threads)
}
