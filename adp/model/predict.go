package model

import (
	"context"
	"errors"
	"fmt"
	"slices"

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

// Points are m new points: how they are joined to the n nodes of a run, and their features.
type Points struct {
	Edges    *csr.Matrix      // m×n, at least 0: the weights of their edges; nil for none
	Nearest  *csr.Matrix      // m×n: of their nearest vectors ([knn.Attachment.Weights]); nil for none
	Features diffuse.Features // m×d, unscaled; neither field of points without features
}

// ErrPoints is wrapped by errors of [Model.Predict] about how new points are joined to the nodes of the run.
var ErrPoints = errors.New("model: invalid points")

// checkPoints checks that there are points, as many in all parts, and weights of at least 0 to the nodes of the run.
func (m *Model) checkPoints(p Points, threads int) error {
	count := -1
	if p.Features.Dense != nil || p.Features.Sparse != nil {
		count, _ = p.Features.Dims()
	}
	names := [...]string{"edges", "nearest"}
	for k, w := range [...]*csr.Matrix{p.Edges, p.Nearest} {
		if w == nil {
			continue
		}
		name := names[k]
		points, nodes := w.Dims()
		if count < 0 {
			count = points
		}
		if points != count || nodes != m.F.Rows {
			return fmt.Errorf("%w: %s of %d points to %d nodes, expected %d points and the %d nodes of the run", ErrPoints, name, points, nodes, count, m.F.Rows)
		}
		if err := csr.CheckFinite(w, threads); err != nil {
			return fmt.Errorf("%w: %s: %w", ErrPoints, name, err)
		}
		_, _, weights := w.Arrays()
		if k := slices.IndexFunc(weights, func(v float32) bool { return v < 0 }); k >= 0 {
			return fmt.Errorf("%w: %s: a weight of %v, expected at least 0", ErrPoints, name, weights[k])
		}
	}
	if count < 0 {
		return fmt.Errorf("%w: no edges, nearest vectors or features, expected one of them at least", ErrPoints)
	}
	return nil
}

// joined returns the weights W_e + βW_f by which points are joined to nodes of the run.
func (m *Model) joined(p Points, threads int) (*csr.Matrix, error) {
	switch {
	case p.Edges != nil && p.Nearest != nil:
		return csr.Blended(p.Edges, p.Nearest, m.Edges.Beta, threads), nil
	case p.Edges != nil:
		return p.Edges, nil
	case p.Nearest != nil:
		return p.Nearest, nil
	}
	count, _ := p.Features.Dims()
	return csr.New(count, m.F.Rows, make([]int64, count+1), nil, nil)
}

// Predict labels new points, without a run, as the run would have it. Each gets the labels of the nodes that it is joined to by W_e + βW_f,
// one step from F, and has a part of the answer by itself where the run found that this helps:
//
//   - a regression on its features and, where it has edges, on the mean of its neighbours' features, or after a run on edges alone on its
//     edges: [adp.Guess.Predict];
//   - or trees on its features, of [Model.Surrogate]: [adp.Surrogate.Predict].
//
// The trees may be nil; without features or any of these the step is all ([adp.Predict]). Rows do not depend on
// each other. Confidence is raw, and below minConfidence a label is uncertain. Of several labels a point, m.Labels.Of(F) of the
// result has all.
//
// Cost: that of the part, and a product with the weights. The error is ctx.Err(), or a [diffuse.ErrFeatures] about the features or an [ErrPoints]
// about what the points are joined by.
func (m *Model) Predict(ctx context.Context, p Points, trees *adp.Surrogate, minConfidence float64, threads int) (*adp.Result, error) {
	if err := m.checkPoints(p, threads); err != nil {
		return nil, err
	}
	w, err := m.joined(p, threads)
	if err != nil {
		return nil, err
	}
	x := p.Features
	if m.Guess != nil && m.Features == nil {
		x = diffuse.Features{Sparse: w} // the features of a point are its edges
	}
	switch {
	case m.Guess != nil && (x.Dense != nil || x.Sparse != nil || m.Guess.Near != nil && p.Edges != nil):
		if x.Dense != nil && m.Features.Limited() && x.Dense.Cols == m.Features.Dims { // the guess is of the columns of the graph
			x.Dense = m.Features.Points(x.Dense, threads)
		}
		return m.Guess.Predict(ctx, m.F, m.Degrees, w, p.Edges, x, m.Alpha, minConfidence, threads)
	case trees != nil && x.Dense != nil:
		return trees.Predict(ctx, m.F, m.Degrees, w, x.Dense, m.Alpha, minConfidence, threads)
	}
	return adp.Predict(m.F, m.Degrees, w, m.Alpha, minConfidence, threads), nil
}
