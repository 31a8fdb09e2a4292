package knn

import (
	"context"
	"fmt"

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

// GraphReport says how a graph was made.
type GraphReport struct {
	Report     `json:"search"` // its K may be larger than Neighbors
	Neighbors  int             `json:"neighbors"`       // neighbours a point that became edges
	Weighting  Weighting       `json:"weights"`         // as used
	Components int             `json:"components"`      // before links
	Links      []Link          `json:"links,omitempty"` // added between components

	Found *Neighbors `json:"-"` // all that were searched for
}

// Graph makes an n×n symmetric graph without diagonal of the n points in the
// rows of x (n×d): [Search], [Weights], csr.Symmetrize and, on request,
// [Connect], whose links are weighted like neighbours. Weightings that need
// the distances of more than K neighbours make it search for those (27, or
// all other points if there are fewer), of which the nearest K become edges.
func Graph(ctx context.Context, x *csr.Dense, opt GraphOptions) (*csr.Matrix, *GraphReport, error) {
	k := opt.searchWidth(x.Rows)
	nb, found, err := Search(ctx, x, opt.Search)
	if err != nil {
		return nil, nil, err
	}
	w, report, err := GraphOf(ctx, x, nb, k, opt)
	if err != nil {
		return nil, nil, err
	}
	report.Report = *found
	return w, report, nil
}

// GraphOf makes the graph of the first k of given neighbours, such as those
// of [FromPrecomputed] or [SearchSparse]; more than k may be given for bandwidths, zero means
// all. The features x are read only to connect components and may be nil
// otherwise; opt.Search is read for Seed and Threads only.
func GraphOf(ctx context.Context, x *csr.Dense, nb *Neighbors, k int, opt GraphOptions) (*csr.Matrix, *GraphReport, error) {
	if opt.Symmetry < csr.Mean || opt.Symmetry > csr.Min {
		return nil, nil, fmt.Errorf("%w: symmetry %d", ErrOptions, opt.Symmetry)
	}
	if opt.Connect && x == nil {
		return nil, nil, fmt.Errorf("%w: components cannot be connected without features", ErrOptions)
	}
	threads := opt.Search.Threads
	f, err := newWeigher(nb, WeightOptions{K: k, Weighting: opt.Weighting, Threads: threads})
	if err != nil {
		return nil, nil, err
	}
	w := csr.Symmetrize(f.matrix(nb, threads), opt.Symmetry, threads)
	_, sizes := csr.Components(w)
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

// link weighs an edge between components: the mean of both directions.
func (f *weigher) link(l Link) float32 {
	d := float64(l.Dist)
	return f.weight(l.I, l.J, d)/2 + f.weight(l.J, l.I, d)/2
}
