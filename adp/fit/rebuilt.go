package fit

import (
	"context"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/knn"
)

// The constants of the rebuilt graph (docs/decisions/0027-rebuilt-graph.md).
const (
	rebuiltShare   = 0.75 // of the neighbours by diffused features, of all weight
	rebuiltColumns = 32   // of the diffused features, by which neighbours are searched for
)

// rebuild returns the graph of edges and features u, n×n, with the neighbours by the diffused features z, n×k,
//
//	V = U + β W_z,  β such that W_z has 3/4 of all weight.
//
// W_z joins each node to the 10 whose rows of z, of its first 32 columns, are nearest: by cosine with the
// cosine as weight where the features are rows of unit length, and by distance with Gaussian weights where they are
// measurements, whose lengths tell. Two nodes have alike rows of z where their neighbourhoods have alike features, even if no
// edge joins them. U stays in the sum for its hubs, which carry labels far.
//
// Cost: [knn.Graph] of n points in 32 dimensions.
func rebuild(ctx context.Context, u *csr.Matrix, z *csr.Dense, metric knn.Metric, threads int) (*diffuse.Graph, error) {
	w, _, err := knn.Graph(ctx, firstColumns(z, rebuiltColumns), rebuiltOptions(z.Rows, metric, threads))
	if err != nil {
		return nil, err
	}
	v, _ := csr.Blend(u, w, rebuiltShare, threads)
	return diffuse.Normalize(v, threads), nil
}

func rebuiltOptions(n int, metric knn.Metric, threads int) knn.GraphOptions {
	opt := knn.GraphOptions{Search: knn.Options{K: max(1, min(knn.DefaultK, n-1)), Metric: metric, Threads: threads}}
	if metric == knn.Cosine {
		opt.Weighting = knn.CosineWeight
	}
	return opt
}

// firstColumns returns the first k columns of x, or x itself where it has no more.
func firstColumns(x *csr.Dense, k int) *csr.Dense {
	if x.Cols <= k {
		return x
	}
	out := csr.NewDense(x.Rows, k)
	for i := range x.Rows {
		copy(out.Row(i), x.Row(i))
	}
	return out
}
