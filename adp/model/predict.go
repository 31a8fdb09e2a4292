package model

import (
	"context"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// Surrogate grows the trees of the model on the vectors of its run, n×d, for [Model.Predict]: nil where they have no part in the
// answer, and for sparse ones. Cost and errors: [adp.NewSurrogate].
func (m *Model) Surrogate(ctx context.Context, x diffuse.Features, threads int) (*adp.Surrogate, error) {
	if !(m.Trees > 0) || x.Dense == nil {
		return nil, nil
	}
	return adp.NewSurrogate(ctx, x.Dense, m.F, m.Trees, threads)
}

// Predict labels new points, without a run, as the run would have it. Each gets the labels of the nodes that it is joined to by w (m×n, at
// least 0), one step from F, and has a part of the answer by itself where the run found that this helps:
//
//   - a regression on its features x (m×d, unscaled), or after a run on edges alone on its edges: [adp.Guess.Predict];
//   - or trees on x, of [Model.Surrogate]: [adp.Surrogate.Predict].
//
// x has neither field where points have no features, and trees may be nil: the step is then all ([adp.Predict]). Rows do not depend on
// each other. Confidence is raw, and below minConfidence a label is uncertain. Of several labels a point, m.Labels.Of(F) of the
// result has all.
//
// Cost: that of the part, and a product with w. The error is ctx.Err() or a [diffuse.ErrFeatures] about x.
func (m *Model) Predict(ctx context.Context, w *csr.Matrix, x diffuse.Features, trees *adp.Surrogate, minConfidence float64, threads int) (*adp.Result, error) {
	if m.Guess != nil && m.Features == nil {
		x = diffuse.Features{Sparse: w} // the features of a point are its edges
	}
	switch {
	case m.Guess != nil && (x.Dense != nil || x.Sparse != nil):
		if x.Dense != nil && m.Features.Limited() && x.Dense.Cols == m.Features.Dims { // the guess is of the columns of the graph
			x.Dense = m.Features.Points(x.Dense, threads)
		}
		return m.Guess.Predict(ctx, m.F, m.Degrees, w, x, m.Alpha, minConfidence, threads)
	case trees != nil && x.Dense != nil:
		return trees.Predict(ctx, m.F, m.Degrees, w, x.Dense, m.Alpha, minConfidence, threads)
	}
	return adp.Predict(m.F, m.Degrees, w, m.Alpha, minConfidence, threads), nil
}
