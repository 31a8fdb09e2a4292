package predict

import (
	"context"
	"fmt"

	"github.com/adp-sparse/adp-sparse/adp/model"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/knn"
	"github.com/adp-sparse/adp-sparse/knn/vecs"
)

// vectors are those of the run, prepared for searches: in the one form or in the other.
type vectors struct {
	dense  *knn.Index
	sparse *knn.SparseIndex
}

func newVectors(ctx context.Context, x *vecs.Features, m *model.Model, threads int) (v *vectors, err error) {
	v = &vectors{}
	if x.Sparse != nil {
		v.sparse, err = m.Joins.SparseIndex(ctx, x.Sparse, threads)
	} else {
		v.dense, err = m.Joins.Index(m.Features.Points(x.Dense, threads), threads)
	}
	return v, err
}

// nearest returns the vectors of the run that are nearest to those of new points. Dense points may be
// among sparse vectors.
func (v *vectors) nearest(ctx context.Context, x diffuse.Features, m *model.Model, threads int) (*knn.Neighbors, error) {
	k := m.Joins.Search
	switch {
	case v.sparse != nil && x.Sparse != nil:
		return v.sparse.Nearest(ctx, x.Sparse, k)
	case v.sparse != nil:
		entries, err := csr.FromDense(x.Dense)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", knn.ErrFeatures, err)
		}
		return v.sparse.Nearest(ctx, entries, k)
	case x.Dense == nil:
		return nil, fmt.Errorf("%w: sparse vectors, expected dense ones like those of the run", knn.ErrFeatures)
	}
	near := x.Dense
	if near.Cols == m.Features.Dims { // else Nearest gives the error
		near = m.Features.Points(near, threads)
	}
	return v.dense.Nearest(ctx, near, k)
}
