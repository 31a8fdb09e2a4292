package knn

import (
	"context"
	"fmt"
	"math"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// Attachment holds the parameters of a graph of neighbours that new points need to join it: the
// weighting, and the scales of its n points. Joining points does not change it: each is weighed as
// if it were the only new one, and the scales of the stored points stay.
type Attachment struct {
	Metric    Metric       `json:"metric"`
	Weighting Weighting    `json:"weights"`
	Symmetry  csr.Symmetry `json:"symmetry"`
	K         int          `json:"k"`      // neighbours that become edges
	Search    int          `json:"search"` // neighbours that bandwidths depend on, at least K
	// Least is the smallest bandwidth, see [Weights]; a new point's may be its own
	// smallest positive distance.
	Least float64 `json:"least"`

	// Sigma holds the bandwidths of the points, nil if the weighting has none. Radius[j] is the
	// distance of j's K-th neighbour, the largest float32 if it has fewer.
	Sigma  []float32 `json:"-"`
	Radius []float32 `json:"-"`
}

// NewAttachment returns the attachment of the graph that [GraphOf] makes of the first k of nb (zero
// means all) by the same options: Found and Neighbors of a [GraphReport]. Memory: 8 bytes a point.
func NewAttachment(nb *Neighbors, k int, opt GraphOptions) (*Attachment, error) {
	f, err := newWeigher(nb, WeightOptions{K: k, Weighting: opt.Weighting, Threads: opt.Search.Threads})
	if err != nil {
		return nil, err
	}
	a := &Attachment{
		Metric: nb.Metric, Weighting: f.weighting, Symmetry: opt.Symmetry, K: f.k,
		Search: min(nb.K, max(f.k, f.weighting.bandwidthNeighbors())),
		Least:  f.metric.length(smallestPositive(nb.Dist)), Radius: make([]float32, nb.N),
	}
	for i := range a.Radius {
		a.Radius[i] = math.MaxFloat32
		if _, dist := nb.Row(i); len(dist) >= f.k {
			a.Radius[i] = dist[f.k-1]
		}
	}
	if f.sigma != nil {
		a.Sigma = make([]float32, nb.N)
		for i, s := range f.sigma {
			a.Sigma[i] = float32(s)
		}
	}
	return a, nil
}

// RankedBy returns the metric by which the neighbours of a new point are ranked: that of the graph, and [Cosine] in the
// place of [InnerProduct]. The points of the largest norm have the largest products with nearly all others. In a
// graph their many edges count for less, as their degrees are large; a new point would be joined to them alone.
func (a *Attachment) RankedBy() Metric {
	if a.Metric == InnerProduct {
		return Cosine
	}
	return a.Metric
}

// Index is [NewIndex] of the n points of the graph, for [Attachment.Weights]. Its neighbours are ordered by RankedBy, and
// their distances are by a.Metric.
func (a *Attachment) Index(x *csr.Dense, threads int) (*Index, error) {
	return newIndex(x, a.RankedBy(), a.Metric, threads)
}

// SparseIndex is Index for the rows of a sparse matrix.
func (a *Attachment) SparseIndex(ctx context.Context, x *csr.Matrix, threads int) (*SparseIndex, error) {
	return newSparseIndex(ctx, x, a.RankedBy(), a.Metric, threads)
}

// Weights returns the m×n matrix of the weights w_xj between m new points x and the n points of the
// graph, given the Search nearest points of each new one ([Attachment.Index]). The first K become
// edges, with the weight that csr.Symmetrize would give them: w_xj in the direction of x, and in
// that of j the weight if x is nearer to j than j's K-th neighbour, else 0. Edges from points that
// would have x as a neighbour, but are none of x's, are left out: finding them takes a search
// through all points.
//
// With csr.Min, a new point that is nobody's neighbour has no edges.
func (a *Attachment) Weights(nb *Neighbors, threads int) (*csr.Matrix, error) {
	n := len(a.Radius)
	if nb.Metric != a.Metric || nb.K < min(a.Search, n) {
		return nil, fmt.Errorf("%w: %d neighbours by %v, expected %d by %v", ErrNeighbors, nb.K, nb.Metric, min(a.Search, n), a.Metric)
	}
	buffer := csr.NewRowBuffer(nb.N, n, a.K)
	f := weigher{weighting: a.Weighting, metric: a.Metric, k: a.K}
	rows.Each(nb.N, threads, func(lo, hi int) {
		w := make([]float32, a.K)
		for x := lo; x < hi; x++ {
			ids, dist := nb.Row(x)
			own := a.bandwidth(&f, dist[:min(a.Search, len(dist))])
			kept := ids[:0:0]
			for p, j := range ids[:min(a.K, len(ids))] {
				if v := a.weight(j, dist[p], own); v > 0 {
					w[len(kept)] = v
					kept = append(kept, j)
				}
			}
			buffer.Set(x, kept, w[:len(kept)])
		}
	})
	return buffer.Matrix(threads), nil
}

// bandwidth returns σ of a new point with the given distances.
func (a *Attachment) bandwidth(f *weigher, dist []float32) float64 {
	switch {
	case a.Sigma == nil:
		return 0
	case a.Weighting == AdaptiveGlobal:
		return float64(a.Sigma[0])
	}
	return max(f.bandwidth(dist), min(a.Least, a.Metric.length(smallestPositive(dist))))
}

// weight returns the weight between a new point of bandwidth own and point j at distance d from it,
// 0 for none.
func (a *Attachment) weight(j uint32, d float32, own float64) float32 {
	other := 0.0
	if a.Sigma != nil {
		other = float64(a.Sigma[j])
	}
	forward := a.Weighting.weight(a.Metric, float64(d), own, other)
	backward := float32(0)
	if d < a.Radius[j] {
		backward = a.Weighting.weight(a.Metric, float64(d), other, own)
	}
	switch a.Symmetry {
	case csr.Max:
		return max(forward, backward)
	case csr.Min:
		return min(forward, backward)
	}
	return forward/2 + backward/2
}
