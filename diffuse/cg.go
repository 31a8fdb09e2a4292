package diffuse

import (
	"context"
	"math"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// Workspace holds the blocks that the solvers work in: three of 4·n·c bytes
// beside the solution. Reusing it across rounds allocates nothing.
type Workspace struct {
	r, p, q *csr.Dense
	reduce  *rows.Reducer
	threads int
}

// NewWorkspace returns a workspace for n nodes and c classes.
func NewWorkspace(n, c, threads int) *Workspace {
	return &Workspace{
		r: csr.NewDense(n, c), p: csr.NewDense(n, c), q: csr.NewDense(n, c),
		reduce: rows.NewReducer(n, c), threads: threads,
	}
}

// conjugateGradients solves M X = B for a symmetric positive definite M from
// the start X, all columns at once (Hestenes and Stiefel, 1952):
//
//	R ← B − M X, P ← R
//	Q ← M P, a_j = (r_j·r_j)/(p_j·q_j)
//	X ← X + P a, R ← R − Q a
//	P ← R + P b, b_j = new (r_j·r_j) / old (r_j·r_j)
//
// A column whose residual is below tolerance·‖b_j‖ is left alone. The
// residual in the recursion drifts from the true one in float32, so the true
// one is computed at the end and, where it is still too large, the recursion
// starts again from it. A column has also converged when its true residual
// is at the rounding of x_j itself, roundoff·‖x_j‖: with α near 1, ‖x_j‖ can
// be ‖b_j‖/(1−α), and no float32 block comes closer. Sums over the rows of hubs
// round more: where starting again does not halve the residual, it is
// rounding too, up to hubRoundoff·‖x_j‖.
//
// apply computes Q ← M P; residual computes w.r ← B − M X; norms are ‖b_j‖.
func (w *Workspace) conjugateGradients(ctx context.Context, x *csr.Dense, norms []float64, opt Options, apply func(q, p *csr.Dense), residual func()) (Stats, error) {
	const restarts = 3
	var stats Stats
	last := math.Inf(1)
	for start := 0; ; start++ {
		residual()
		if start > 0 {
			stats.Iterations++
		}
		rr := slices.Clone(w.dot(w.r, w.r))
		stats.Residual = worst(rr, norms)
		xx := w.dot(x, x)
		stats.Converged = converged(rr, xx, norms, opt.Tolerance, roundoff)
		if start > 1 && stats.Residual > last/2 {
			stats.Converged = converged(rr, xx, norms, opt.Tolerance, hubRoundoff)
			return stats, nil
		}
		if stats.Converged || start > restarts || stats.Iterations >= opt.MaxIterations {
			return stats, nil
		}
		last = stats.Residual
		w.p.CopyFrom(w.r)
		for stats.Iterations < opt.MaxIterations && worst(rr, norms) > opt.Tolerance {
			if err := ctx.Err(); err != nil {
				return stats, err
			}
			apply(w.q, w.p)
			stats.Iterations++
			a := ratios(rr, w.dot(w.p, w.q), norms, opt.Tolerance)
			after := w.step(x, a)
			b := make([]float64, len(rr))
			for j := range b {
				if a[j] != 0 {
					b[j] = after[j] / rr[j]
					rr[j] = after[j]
				}
			}
			w.direction(b)
		}
	}
}

// roundoff is the relative size of a residual that comes from storing x in
// float32 and adding rows in it, hubRoundoff where rows have many thousand
// entries.
const (
	roundoff    = 0x1p-21
	hubRoundoff = 0x1p-18
)

// converged reports whether every column's residual, given its square, is
// within tolerance·‖b_j‖ or rounding·‖x_j‖.
func converged(rr, xx, norms []float64, tolerance, rounding float64) bool {
	for j, v := range rr {
		if norms[j] > 0 && math.Sqrt(v) > max(tolerance*norms[j], rounding*math.Sqrt(xx[j])) {
			return false
		}
	}
	return true
}

// ratios returns a_j = rr_j/pq_j for the columns that are still to be
// improved, else 0.
func ratios(rr, pq, norms []float64, tolerance float64) []float64 {
	a := make([]float64, len(rr))
	for j := range a {
		if math.Sqrt(rr[j]) > tolerance*norms[j] && pq[j] > 0 {
			a[j] = rr[j] / pq[j]
		}
	}
	return a
}

// worst returns the largest relative residual. A column with b_j = 0 has the
// solution 0 from the start.
func worst(rr, norms []float64) float64 {
	top := 0.0
	for j, v := range rr {
		if norms[j] > 0 {
			top = max(top, math.Sqrt(v)/norms[j])
		}
	}
	return top
}

// dot returns the products of the columns of two blocks, valid until the
// next call of a method of w.
func (w *Workspace) dot(x, y *csr.Dense) []float64 {
	return w.reduce.Sum(w.threads, func(lo, hi int, sum []float64) {
		for i := lo; i < hi; i++ {
			xr, yr := x.Row(i), y.Row(i)[:len(sum)]
			for j, v := range xr[:len(sum)] {
				sum[j] += float64(v) * float64(yr[j])
			}
		}
	})
}

// step computes X ← X + P a, R ← R − Q a and returns the new r_j·r_j.
func (w *Workspace) step(x *csr.Dense, a []float64) []float64 {
	return w.reduce.Sum(w.threads, func(lo, hi int, sum []float64) {
		for i := lo; i < hi; i++ {
			xr, pr, rr, qr := x.Row(i), w.p.Row(i), w.r.Row(i), w.q.Row(i)
			for j, aj := range a {
				xr[j] += float32(aj * float64(pr[j]))
				r := rr[j] - float32(aj*float64(qr[j]))
				rr[j] = r
				sum[j] += float64(r) * float64(r)
			}
		}
	})
}

// direction computes P ← R + P b.
func (w *Workspace) direction(b []float64) {
	rows.Each(w.p.Rows, w.threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			pr, rr := w.p.Row(i), w.r.Row(i)
			for j, bj := range b {
				pr[j] = rr[j] + float32(bj*float64(pr[j]))
			}
		}
	})
}
