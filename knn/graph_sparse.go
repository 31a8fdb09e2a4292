package knn

import (
	"context"

	"github.com/adp-sparse/adp-sparse/csr"
)

// GraphSparse is [Graph] for sparse features: the n points are the rows of x
// (n×d), see [SearchSparse]. Their components cannot be connected.
func GraphSparse(ctx context.Context, x *csr.Matrix, opt GraphOptions) (*csr.Matrix, *GraphReport, error) {
	n, _ := x.Dims()
	k := opt.searchWidth(n)
	opt.Search.Distinct = true
	nb, found, zeros, err := searchSparse(ctx, x, opt.Search, true)
	if err != nil {
		return nil, nil, err
	}
	return foundGraph(ctx, nil, nb, found, zeros, k, opt)
}

// searchWidth sets Search.K to the number that the weighting needs, and returns the number of
// neighbours that become edges.
func (opt *GraphOptions) searchWidth(n int) (k int) {
	k = opt.Search.K
	if k == 0 {
		k = defaultK(n)
	}
	if k > 0 && k < n { // else Search reports the fault
		opt.Search.K = min(max(k, opt.Weighting.bandwidthNeighbors()), n-1)
	}
	return k
}
