package diffuse

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// LGC returns the classification F, n×c, of learning with local and global consistency: the
// solution of
//
//	(I − αS) F = (1−α) Ỹ,
//
// where Ỹ is Y with its seeds scaled by Options.Balance, see [Graph.Scale]. A row is 0 if and only
// if no seed reaches its node; no entry is negative. The rows of nodes very far from all seeds are
// accurate to the tolerance of F as a whole, not to their own size, unless Options.Underflow asks
// for it. Those of small graphs, and of others whose F float32 does not hold, are accurate to their
// own size, by elimination. The W of s is not checked, see [Normalize].
//
// The error is of the options, or ctx.Err(). Seeds of another number of nodes than s panic.
//
// Cost: about 4(1−α)^-1/2 products of S with an n×c block to a tolerance of 1e-6. Memory: four
// blocks of 4·n·c bytes.
//
// D. Zhou, O. Bousquet, T. Lal, J. Weston, B. Schölkopf: Learning with Local and Global
// Consistency, NIPS 2004; in the ADP paper, Eq. lgc_iteration.
func LGC(ctx context.Context, s *Graph, y *Seeds, opt Options) (*csr.Dense, Stats, error) {
	f := csr.NewDense(y.Nodes, y.Classes)
	stats, err := NewWorkspace(y.Nodes, y.Classes, opt.Threads).LGC(ctx, f, s, s.Degrees, y, opt)
	return f, stats, err
}

// LGC is the function [LGC] for any operator, in this workspace. The solve starts from f, and
// writes the result there. Rows of reached nodes whose entries are below the accuracy of the solver
// may be 0 unless s is a [Filler]. In a workspace [Workspace.Across] processes f, s and degrees
// have the own rows, and y has all seeds.
func (w *Workspace) LGC(ctx context.Context, f *csr.Dense, s Operator, degrees []float64, y *Seeds, opt Options) (Stats, error) {
	opt, err := opt.WithDefaults(y.Classes)
	if err != nil {
		return Stats{}, err
	}
	first, end, n := w.rows()
	if s.Dim() != end-first || f.Rows != end-first || n != y.Nodes || f.Cols != y.Classes {
		panic(fmt.Sprintf("diffuse: %d of %d nodes, seeds for %d, F %d×%d", s.Dim(), n, y.Nodes, f.Rows, f.Cols))
	}
	scale := scaleOn(s, degrees, y, opt, w.partition)
	norms, residual := w.system(s, y, scale, opt.Alpha)
	var stats Stats
	var limit float64
	if opt.Solver == Power {
		stats, err = w.power(ctx, f, norms, opt, residual)
	} else {
		m := system{s: s, alpha: opt.Alpha}
		stats, err = w.conjugateGradients(ctx, f, norms, opt, m, residual)
		clampNegative(f, w.threads)
		if err == nil {
			right := func(b []float64) { y.addScaled(b, 1-opt.Alpha, scale) }
			limit, err = w.refine(ctx, f, norms, opt, m, residual, right, &stats)
		}
	}
	if err != nil {
		return stats, err
	}
	stats.Underflow = w.countBelow(f, float32(limit))
	if s, ok := s.(Filler); ok {
		y.fillSeeds(f, first, 1-opt.Alpha, scale)
		s.FillReached(f, opt.Alpha)
	}
	if stats.Underflow > 0 { // without those that no seed reaches
		stats.Underflow -= w.countBelow(f, math.SmallestNonzeroFloat32)
	}
	return stats, nil
}

// system returns the norms of the columns of (1−α)Ỹ, Y with a scale for each seed, and a function
// that computes R ← (1−α)Ỹ − (I − αS) F, for columns from lo on.
func (w *Workspace) system(s Operator, y *Seeds, scale []float64, alpha float64) (norms []float64, residual func(f *csr.Dense, lo int)) {
	norms = make([]float64, y.Classes)
	for k, seed := range y.list {
		v := seed.scaled((1 - alpha) * scale[k])
		norms[seed.Class] += float64(v * v)
	}
	for j := range norms {
		norms[j] = math.Sqrt(norms[j])
	}
	first, _, _ := w.rows()
	return norms, func(f *csr.Dense, lo int) {
		w.image(s, f)
		axpby(w.r, alpha, f, -1, w.threads)
		y.addTo(w.r, first, lo, 1-alpha, scale)
	}
}

// refine solves again for what conjugate gradients leave: by elimination if the system is small, or
// if they failed or float32 does not hold the rows far from all seeds; else as solveUnderflow does.
// It returns the limit below which rows are left as they are.
func (w *Workspace) refine(ctx context.Context, f *csr.Dense, norms []float64, opt Options, m system, residual func(*csr.Dense, int), right func(b []float64), stats *Stats) (limit float64, err error) {
	done, err := w.eliminate(ctx, f, m, right, !stats.Converged, stats, opt)
	if err != nil || done {
		return math.SmallestNonzeroFloat32, err
	}
	hard := stats.Converged
	limit, err = w.solveUnderflow(ctx, f, norms, opt, m, residual, stats)
	if hard = hard && (!stats.Converged || limit < underflowEnd && w.countBelow(f, float32(limit)) > 0); err != nil || !hard {
		return limit, err
	}
	if done, err = w.eliminate(ctx, f, m, right, true, stats, opt); done {
		limit = math.SmallestNonzeroFloat32
	}
	return limit, err
}

// eliminate solves (I − αS) F = B again by elimination, if the effort is allowed, as (D − αW) X =
// D^1/2 B with F = D^1/2 X, whose rows have the excess (1−α) D. Rows of isolated nodes stay as they
// are. right adds B to an n×c block of zeros.
func (w *Workspace) eliminate(ctx context.Context, f *csr.Dense, m system, right func(b []float64), hard bool, stats *Stats, opt Options) (bool, error) {
	first, _, n := w.rows()
	s, ok := m.s.(Gatherer)
	entries, _ := effort(hard, 0, 0, opt)
	if !ok || n*f.Cols > entries {
		return false, nil
	}
	all, degrees := s.Whole(entries)
	if all == nil {
		return false, nil
	}
	has := make([]bool, n)
	for i, d := range degrees {
		has[i] = d > 0
	}
	g := newGrounded(all, degrees, m.alpha, has)
	x := make([]float64, n*f.Cols)
	right(x)
	for i, d := range degrees {
		g.excess[i] = (1 - m.alpha) * d
		for j := range f.Cols {
			x[i*f.Cols+j] *= g.roots[i]
		}
	}
	_, work := effort(hard, all.NNZ(), f.Cols, opt)
	if done, err := g.eliminate(ctx, x, f.Cols, work); !done {
		return false, err
	}
	_, fills := m.s.(Filler)
	count := []float64{0}
	w.foldHere(count, func(count []float64) {
		for i := range f.Rows {
			if k := first + i; has[k] && storeRow(f.Row(i), x[k*f.Cols:(k+1)*f.Cols], g.roots[k], fills) {
				count[0]++
			}
		}
	})
	stats.Scaled = int(count[0])
	stats.eliminated(opt.Tolerance)
	return true, nil
}

// power iterates F ← F + R, with R = (1−α)Ỹ − (I − αS)F: the paper's F ← αSF + (1−α)Ỹ. It stops at
// the tolerance, or when the residual has not fallen for a while: float32 then allows no smaller
// one.
func (w *Workspace) power(ctx context.Context, f *csr.Dense, norms []float64, opt Options, residual func(*csr.Dense, int)) (Stats, error) {
	const patience = 50
	w.checkWhole()
	var stats Stats
	least, since := math.Inf(1), 0
	for {
		residual(f, 0)
		rr := slices.Clone(w.dot(w.r, w.r))
		stats.Residual = worst(rr, norms)
		since++
		if stats.Residual < least {
			least, since = stats.Residual, 0
		}
		if stats.Residual <= opt.Tolerance || since > patience || stats.Iterations >= opt.MaxIterations {
			stats.Converged = converged(rr, w.dot(f, f), norms, opt.Tolerance, roundoff)
			return stats, nil
		}
		if err := ctx.Err(); err != nil {
			return stats, err
		}
		axpby(f, 1, w.r, 1, w.threads)
		stats.Iterations++
	}
}

// Joint computes one step F ← αSF + (1−α)Ỹ of the paper's joint variant, ADP1.
func (w *Workspace) Joint(f *csr.Dense, s Operator, degrees []float64, y *Seeds, opt Options) error {
	opt, err := opt.WithDefaults(y.Classes)
	if err != nil {
		return err
	}
	w.checkWhole()
	w.image(s, f)
	axpby(w.r, opt.Alpha, f, 0, w.threads)
	first, _, _ := w.rows()
	y.addTo(w.r, first, 0, 1-opt.Alpha, scaleOn(s, degrees, y, opt, w.partition))
	f.CopyFrom(w.r)
	return nil
}

// axpby computes dst ← a·dst + b·x.
func axpby(dst *csr.Dense, a float64, x *csr.Dense, b float64, threads int) {
	fa, fb := float32(a), float32(b)
	rows.Each(dst.Rows, threads, func(lo, hi int) {
		d := dst.Data[lo*dst.Cols : hi*dst.Cols]
		for k, v := range x.Data[lo*dst.Cols : hi*dst.Cols] {
			d[k] = float32(fa*d[k]) + float32(fb*v)
		}
	})
}

// clampNegative sets to 0 the entries that rounding left below 0: the exact solution has none.
func clampNegative(x *csr.Dense, threads int) {
	rows.Each(x.Rows, threads, func(lo, hi int) {
		d := x.Data[lo*x.Cols : hi*x.Cols]
		for k, v := range d {
			if v < 0 {
				d[k] = 0
			}
		}
	})
}
