package predict

import (
	"context"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/model"
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
	p := model.Points{Features: x}
	var err error
	if j.edges != nil {
		if p.Edges, err = j.edges.rows(j.m, names, first, count, r); err != nil {
			return nil, err
		}
	}
	if j.vectors != nil {
		found, err := j.vectors.nearest(ctx, x, j.m, j.threads)
		if err != nil {
			return nil, err
		}
		if p.Nearest, err = j.m.Joins.Weights(found, j.threads); err != nil {
			return nil, err
		}
	}
	return j.m.Predict(ctx, p, j.surrogate, j.minConfidence, j.threads)
}
