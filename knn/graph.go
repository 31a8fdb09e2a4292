package knn

import (
	"context"
	"fmt"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
)

// GraphOptions are the options of [Graph]. The zero value makes the mean
// graph of the 10 nearest by Euclidean distance with symmetric Gaussian
// weights.
type GraphOptions struct {
	Search    Options
	Weighting Weighting    // zero means SymmetricGaussian
	Symmetry  csr.Symmetry // zero means csr.Mean; csr.Min keeps mutual neighbours only
	Connect   bool         // join the components by their shortest links
}

// GraphReport describes how a graph was made.
type GraphReport struct {
	Report      `json:"search"` // its K may exceed Neighbors
	Neighbors   int             `json:"neighbors"`       // neighbours a point that became edges
	Weighting   Weighting       `json:"weights"`         // as used
	Components  int             `json:"components"`      // before links
	Links       []Link          `json:"links,omitempty"` // added between components
	ZeroVectors int             `json:"blank,omitempty"` // zero vectors, which Cosine and InnerProduct join to none

	Found *Neighbors `json:"-"` // all neighbours of the search
}

// Graph returns an n×n symmetric graph without diagonal of the n points in the rows of x (n×d):
// [Search] among distinct points, [Weights], csr.Symmetrize and, on request, [Connect], whose links
// are weighted like neighbours.
//
// A point that equals an earlier one has an edge to the first of them only, as heavy as the
// heaviest of that one's edges (1 if it has none). Otherwise points with many copies, as in tables
// of whole numbers, would have no other neighbours, and no label could leave them. Weightings that
// need the distances of more than K neighbours make it search for those (27, or all other points if
// there are fewer); the nearest K become edges. A zero vector has no neighbours by [Cosine] and
// [InnerProduct], which do not rank it, and is nobody's neighbour: the search leaves it out.
func Graph(ctx context.Context, x *csr.Dense, opt GraphOptions) (*csr.Matrix, *GraphReport, error) {
	if err := checkNumbers(x); err != nil {
		return nil, nil, err
	}
	k := opt.searchWidth(x.Rows)
	opt.Search.Distinct = true
	nb, found, zeros, err := search(ctx, x, opt.Search, true)
	if err != nil {
		return nil, nil, err
	}
	return foundGraph(ctx, x, nb, found, zeros, k, opt)
}

// foundGraph makes the graph of a search that left out zero vectors, zeros in number.
func foundGraph(ctx context.Context, x *csr.Dense, nb *Neighbors, found *Report, zeros, k int, opt GraphOptions) (*csr.Matrix, *GraphReport, error) {
	w, report, err := GraphOf(ctx, x, nb, k, opt)
	if err != nil {
		return nil, nil, err
	}
	report.Report, report.ZeroVectors = *found, zeros
	return w, report, nil
}

// GraphOf makes the graph of the first k of given neighbours, such as those of [FromPrecomputed] or
// [SearchSparse]. More than k may be given for bandwidths; zero means all. It reads the features x
// only to connect components, and they may be nil otherwise; it reads opt.Search for Seed and
// Threads only.
func GraphOf(ctx context.Context, x *csr.Dense, nb *Neighbors, k int, opt GraphOptions) (*csr.Matrix, *GraphReport, error) {
	if opt.Symmetry < csr.Mean || opt.Symmetry > csr.Min {
		return nil, nil, fmt.Errorf("%w: symmetry %d", ErrOptions, opt.Symmetry)
	}
	if opt.Connect && x == nil {
		return nil, nil, fmt.Errorf("%w: components cannot be connected without dense features", ErrOptions)
	}
	threads := opt.Search.Threads
	f, err := newWeigher(nb, WeightOptions{K: k, Weighting: opt.Weighting, Threads: threads})
	if err != nil {
		return nil, nil, err
	}
	w := csr.Symmetrize(f.matrix(nb, threads), opt.Symmetry, threads)
	if nb.Of != nil {
		if w, err = joinCopies(w, nb, threads); err != nil {
			return nil, nil, err
		}
	}
	_, sizes := csr.Components(w, threads)
	report := &GraphReport{
		Report:    Report{Points: nb.N, K: nb.K, Metric: nb.Metric},
		Neighbors: f.k, Weighting: f.weighting, Components: len(sizes), Found: nb,
	}
	if opt.Connect && len(sizes) > 1 {
		w, report.Links, err = Connect(ctx, w, x, ConnectOptions{
			Metric: nb.Metric, Weight: f.link, Seed: opt.Search.Seed, Threads: threads,
		})
		if err != nil {
			return nil, nil, err
		}
	}
	return w, report, nil
}

// joinCopies returns w with the edges between copies of a point and the first of them.
func joinCopies(w *csr.Matrix, nb *Neighbors, threads int) (*csr.Matrix, error) {
	var links []Link
	for i, first := range nb.Of {
		if nb.isCopy(i) {
			links = append(links, Link{I: first, J: uint32(i)})
		}
	}
	return addLinks(w, links, ConnectOptions{Threads: threads, Weight: func(l Link) float32 {
		_, weights := w.Row(int(l.I))
		if len(weights) == 0 {
			return 1
		}
		return slices.Max(weights)
	}})
}

// link returns the weight of an edge between components: the mean of both directions.
func (f *weigher) link(l Link) float32 {
	d := float64(l.Dist)
	return f.weight(l.I, l.J, d)/2 + f.weight(l.J, l.I, d)/2
}
