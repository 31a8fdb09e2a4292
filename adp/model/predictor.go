package model

import (
	"context"
	"fmt"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/knn"
)

// Predictor labels new points by a model. It keeps the vectors of the run ready for searches, and the trees that have a part in the
// answer. It may be used by several goroutines at a time.
type Predictor struct {
	model   *Model
	dense   *knn.Index // of the vectors, as the graph has them; nil where there are none, or sparse ones
	sparse  *knn.SparseIndex
	trees   *adp.Surrogate // nil for none
	threads int
}

// NewPredictor returns the predictor of a model and the vectors x of its run, n×d, as they were before columns were scaled. They are needed
// for points with features where the model has Joins; else x may be zero.
//
// Cost: that of the index of [knn.Attachment], and of [Model.Surrogate]. The error is ctx.Err(), or a [knn.ErrFeatures] about vectors that
// are not those of the run.
func (m *Model) NewPredictor(ctx context.Context, x diffuse.Features, threads int) (*Predictor, error) {
	p := &Predictor{model: m, threads: threads}
	if m.Joins == nil || x == (diffuse.Features{}) {
		return p, nil
	}
	err := m.Features.Check(x, m.F.Rows)
	if err == nil {
		p.trees, err = m.Surrogate(ctx, x, threads)
	}
	switch {
	case err != nil:
	case x.Sparse != nil:
		p.sparse, err = m.Joins.SparseIndex(ctx, x.Sparse, threads)
	default:
		p.dense, err = m.Joins.Index(m.Features.Points(x.Dense, threads), threads)
	}
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Predict labels m points by their features, m×d like those of the run, zero for none, and the weights of their edges to the nodes of the run,
// m×n of at least 0, nil for none. Points with features are joined to their nearest vectors where the model has Joins. Dense points may be
// among sparse vectors. See [Model.Predict].
//
// Cost: that of the search and of [Model.Predict]. Errors: those of Model.Predict, and [knn.ErrFeatures] about the features.
func (p *Predictor) Predict(ctx context.Context, x diffuse.Features, edges *csr.Matrix, minConfidence float64) (*adp.Result, error) {
	of := Points{Edges: edges, Features: x}
	if p.model.Joins != nil && x != (diffuse.Features{}) {
		found, err := p.nearest(ctx, x)
		if err != nil {
			return nil, err
		}
		if of.Nearest, err = p.model.Joins.Weights(found, p.threads); err != nil {
			return nil, err
		}
	}
	return p.model.Predict(ctx, of, p.trees, minConfidence, p.threads)
}

// nearest returns the vectors of the run that are nearest to points.
func (p *Predictor) nearest(ctx context.Context, x diffuse.Features) (*knn.Neighbors, error) {
	k := p.model.Joins.Search
	switch {
	case p.sparse == nil && p.dense == nil:
		return nil, fmt.Errorf("%w: the predictor has none of the vectors of the run, to which the model joins points", knn.ErrFeatures)
	case p.sparse != nil && x.Sparse != nil:
		return p.sparse.Nearest(ctx, x.Sparse, k)
	case p.sparse != nil:
		entries, err := csr.FromDense(x.Dense)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", knn.ErrFeatures, err)
		}
		return p.sparse.Nearest(ctx, entries, k)
	case x.Dense == nil:
		return nil, fmt.Errorf("%w: sparse vectors, expected dense ones like those of the run", knn.ErrFeatures)
	}
	near := x.Dense
	if near.Cols == p.model.Features.Dims { // else Nearest gives the error
		near = p.model.Features.Points(near, p.threads)
	}
	return p.dense.Nearest(ctx, near, k)
}
