package adp

import (
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// Predict labels m nodes that were not in the graph of a run, without running
// again: one step of LGC's equation from the run's F, see [diffuse.Extend]. w
// (m×n, at least 0) are the weights of their edges to the n nodes of the run,
// degrees and f are [Result.Degrees] and F of its result, alpha in (0,1) is that of
// the round that it chose, r.Rounds[r.Chosen].Alpha: the trial may have taken another
// one than the options have. Zero means 0.99; others panic.
//
// The result has Labels, F, Confidence, Margin and Status; a node without an
// edge to a labelled one is [Unreached]. Confidence is raw, as of a run without
// calibration. The F of a run's own node is what [diffuse.LGC] would give; that
// of a new one lacks what it would change in its neighbours.
func Predict(f *csr.Dense, degrees []float64, w *csr.Matrix, alpha, minConfidence float64, threads int) *Result {
	r := &Result{F: diffuse.Extend(f, degrees, w, alpha, threads), Converged: true}
	r.judgeRows(minConfidence)
	return r
}

// Degrees returns what rows of r.F are scaled by, for [Predict]: the degrees of
// the graph that F was solved on, r.Graph, or nil where the rows of F are shares: of a
// mean over rounds, and of harmonic functions. w and method are the run's.
func (r *Result) Degrees(w *csr.Matrix, method Method, threads int) []float64 {
	mixed := slices.ContainsFunc(r.Rounds, func(round Round) bool { return round.Weight > 0 })
	switch {
	case mixed || method.Has(Averages):
		return nil
	case method.Has(KeepsSparse) && r.Rounds[r.Chosen].TopK == 0:
		return csr.Degrees(w, threads)
	}
	return csr.Degrees(r.Graph, threads)
}

// Diffusion returns the options with which [diffuse.LGC] on r.Graph spreads labels as
// the chosen round did, for package adp/explain: w and opt are those of the run, whose
// method is ADP or LGC. Where rounds have a Weight, F is a mean over them, and that
// of the chosen one alone can give a node on which they disagree another label.
//
// Cost: the components of w, O(n + nnz), where r.Graph is another one.
func (r *Result) Diffusion(w *csr.Matrix, opt Options) diffuse.Options {
	opt, _ = opt.WithDefaults(r.F.Rows) // the run had them without an error
	solver := opt.solver()
	solver.Alpha = r.Rounds[r.Chosen].Alpha
	if onW := r.Rounds[r.Chosen].TopK == 0; onW && opt.Underflow != LeaveUnderflow {
		solver.Underflow = diffuse.UnderflowAll
	}
	if r.Graph != w {
		solver.Within = diffuse.PartsOf(w, opt.Threads)
	}
	return solver
}
