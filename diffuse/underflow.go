package diffuse

import (
	"context"
	"math"
	"slices"
	"sync/atomic"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// solvedAbove is the multiple of the mean error of an entry that the largest entry of a row must
// reach for the row to count as solved.
const solvedAbove = 100

// underflowEnd is below the numbers that sums of a row in float32 hold with all digits.
const underflowEnd = 0x1p-110

// solveUnderflow solves again for the rows that conjugate gradients leave below their accuracy. A
// residual r with ‖r_j‖ = tolerance·‖b_j‖ is an error of about tolerance·‖b_j‖/((1−α)√n) in each
// entry. Most rows are far larger. But rows far from all seeds, where F falls by a factor with
// every edge, consist of it. With U the rows whose largest entry is below solvedAbove times the
// error, and B all others,
//
//	(I − αS_UU) F_U = αS_UB F_B + (1−α)Ỹ_U
//
// is solved to the tolerance of its own right side. This resolves rows that are smaller by the same
// factor again, and is repeated while there are any and opt.Underflow returns true. If no row is
// far, the cost is one pass over F. It returns the limit below which rows are left as they are.
func (w *Workspace) solveUnderflow(ctx context.Context, f *csr.Dense, norms []float64, opt Options, m system, residual func(*csr.Dense, int), stats *Stats) (limit float64, err error) {
	_, _, n := w.rows()
	size, last := float64(n), math.Inf(1)
	for {
		limit = solvedAbove * opt.Tolerance / (1 - m.alpha) * slices.Max(norms) / math.Sqrt(size)
		if opt.Underflow == nil || limit < underflowEnd || !opt.Underflow(f, limit) {
			return limit, nil
		}
		size = float64(w.countBelow(f, float32(limit)))
		if size == 0 || size >= last {
			return limit, nil
		}
		if stats.Iterations >= opt.MaxIterations {
			stats.Converged = false
			return limit, nil
		}
		last = size
		w.markUnderflow(f, float32(limit))
		m.free = w.underflow
		rows.Each(f.Rows, w.threads, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				if w.underflow.has[i] {
					clear(f.Row(i))
				}
			}
		})
		within := func(f *csr.Dense, lo int) {
			residual(f, lo)
			w.underflow.restrict(w.r, w.threads)
		}
		norms = make([]float64, len(norms))
		w.eachSlice(f, func(lo, hi int) {
			within(w.x, lo)
			for j, v := range w.dot(w.r, w.r) {
				norms[lo+j] = math.Sqrt(v)
			}
		})
		if slices.Max(norms) == 0 { // no seed reaches them
			return limit, nil
		}
		left := opt
		left.MaxIterations -= stats.Iterations
		solved, err := w.conjugateGradients(ctx, f, norms, left, m, within)
		clampNegative(f, w.threads)
		stats.Iterations += solved.Iterations
		stats.Converged = stats.Converged && solved.Converged
		stats.Residual = max(stats.Residual, solved.Residual)
		if err != nil {
			return limit, err
		}
	}
}

// countBelow counts the rows of f, in all processes, whose entries are all below limit.
func (w *Workspace) countBelow(f *csr.Dense, limit float32) int {
	var here atomic.Int64
	rows.Each(f.Rows, w.threads, func(lo, hi int) {
		count := 0
		for i := lo; i < hi; i++ {
			if allBelow(f.Row(i), limit) {
				count++
			}
		}
		here.Add(int64(count))
	})
	count := []float64{0}
	w.foldHere(count, func(count []float64) { count[0] += float64(here.Load()) })
	return int(count[0])
}

// allBelow reports whether all entries of a row are below limit.
func allBelow(row []float32, limit float32) bool {
	for _, v := range row {
		if v >= limit {
			return false
		}
	}
	return true
}

// foldHere calls add for the rows of this process, and of all others in turn.
func (w *Workspace) foldHere(sum []float64, add func(sum []float64)) {
	if w.partition == nil {
		add(sum)
		return
	}
	w.partition.Fold(sum, add)
}

// markUnderflow marks the rows of f whose entries are all below limit.
func (w *Workspace) markUnderflow(f *csr.Dense, limit float32) {
	if w.underflow == nil {
		w.underflow = newSubset(make([]bool, f.Rows))
	}
	rows.Each(f.Rows, w.threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			w.underflow.has[i] = allBelow(f.Row(i), limit)
		}
		w.underflow.mark(lo, hi)
	})
}
