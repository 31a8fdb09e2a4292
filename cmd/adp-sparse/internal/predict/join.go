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
	predictor     *model.Predictor
	ranges        *model.Ranges // of the vectors of the run; nil where points have no neighbours
	edges         *newEdges     // nil for none
	minConfidence float64
}

// predict labels count points of the features x, if they have any, with the names from first on.
func (j *joiner) predict(ctx context.Context, x diffuse.Features, names *ids.Table, first, count int, r *EdgeReport) (*adp.Result, error) {
	var w *csr.Matrix
	if j.edges != nil {
		var err error
		if w, err = j.edges.rows(j.m, names, first, count, r); err != nil {
			return nil, err
		}
	}
	return j.predictor.Predict(ctx, x, w, j.minConfidence)
}
