package predict

import (
	"context"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/model"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// joiner joins new points to the graph of a model.
type joiner struct {
	m             *model.Model
	vectors       *vectors       // of the run; nil where points have no neighbours
	ranges        *model.Ranges  // of these vectors
	surrogate     *adp.Surrogate // nil for none
	edges         *newEdges      // nil for none
	minConfidence float64
	threads       int
}

// predict labels count points of the features x, if they have any, with the names from first on.
func (j *joiner) predict(ctx context.Context, x diffuse.Features, names *ids.Table, first, count int, r *EdgeReport) (*adp.Result, error) {
	w, err := j.weights(ctx, x, names, first, count, r)
	if err != nil {
		return nil, err
	}
	return j.m.Predict(ctx, w, x, j.surrogate, j.minConfidence, j.threads)
}

// weights returns the weights W_e + βW_f, count×n, between points and nodes of the run: those of the
// edges, and of the nearest vectors.
func (j *joiner) weights(ctx context.Context, x diffuse.Features, names *ids.Table, first, count int, r *EdgeReport) (*csr.Matrix, error) {
	w, err := csr.New(count, j.m.F.Rows, make([]int64, count+1), nil, nil)
	if err == nil && j.edges != nil {
		w, err = j.edges.rows(j.m, names, first, count, r)
	}
	if err != nil || j.vectors == nil {
		return w, err
	}
	found, err := j.vectors.nearest(ctx, x, j.m, j.threads)
	if err != nil {
		return nil, err
	}
	of, err := j.m.Joins.Weights(found, j.threads)
	if err != nil || j.edges == nil {
		return of, err
	}
	return csr.Blended(w, of, j.m.Edges.Beta, j.threads), nil
}
