package adp

import (
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// Predict labels m nodes that were not in the graph of a run, without running again. It takes one
// step of LGC's equation from the run's F, see [diffuse.Extend]. w (m×n, at least 0) holds the
// weights of their edges to the n nodes of the run; degrees and f are [Result.Degrees] and F of its
// result. alpha in (0,1) is that of the chosen round, r.Rounds[r.Chosen].Alpha: the trial may have
// chosen another than the options have. Zero means 0.99; other values panic.
//
// The result has Labels, F, Confidence, Margin and Status. A node without an edge to a labelled one
// is [Unreached]. Confidence is raw, as in a run without calibration. For a node of the run F would
// be that of [diffuse.LGC]; for a new node it lacks the change that the node would make to its
// neighbours.
func Predict(f *csr.Dense, degrees []float64, w *csr.Matrix, alpha, minConfidence float64, threads int) *Result {
	r := &Result{F: diffuse.Extend(f, degrees, w, alpha, threads), Converged: true}
	r.judgeRows(minConfidence, threads)
	return r
}

// Degrees returns the degrees by which rows of r.F are scaled, for [Predict]: those of r.Graph, on
// which F was solved. It is nil where the rows of F are shares: for a mean over rounds, and for
// harmonic functions. w and method are the run's.
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

// Diffusion returns the options with which [diffuse.LGC] on r.Graph repeats the F-step of the
// chosen round, for package adp/explain. w and opt are those of the run, whose method is ADP or
// LGC. Where rounds have a Weight, F is a mean over them: the chosen round alone can then give
// another label to a node on which the rounds disagree.
//
// Cost: the components of w, O(n + nnz), unless r.Graph is w.
func (r *Result) Diffusion(w *csr.Matrix, opt Options) diffuse.Options {
	opt, _ = opt.WithDefaults(r.F.Rows) // the run found no error in them
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
