package diffuse

import (
	"context"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// Links is X̃ = P on a graph, n×n: the features that a graph gives its nodes where they have no others, each node the
// column of its own (X = I). Row i of T says to whom node i is joined, row i of T² to whom its neighbours are. It is a
// [Diffused] without X, whose lengths and Gram matrices are those of sparse rows where these are short.
func Links(g *Graph, hops Hops, threads int) (*Diffused, error) {
	d, err := NewDiffused(Features{Sparse: csr.Identity(g.Dim())}, g, hops, threads)
	if err == nil {
		d.oneHot = true
	}
	return d, err
}

// NewLinkKernel returns the kernel of the maps T and CT² ([Links], [Diffused.Centred]) side by side, rows of unit length
// in each. Two nodes are near where they have neighbours in common, whether or not they are joined; rows of nodes without edges are 0.
//
// Cost: m rows of T² for m seeds, and the lengths of all; these are estimated where the graph has more than 2²⁴ paths of two
// edges. Memory: 32·n bytes, 8·n a worker, and as for [NewKernel].
func NewLinkKernel(ctx context.Context, g *Graph, y *Seeds, threads int) (*Kernel, error) {
	one, err := Links(g, Hops{Weight: 1, Steps: 1}, threads)
	if err != nil {
		return nil, err
	}
	two := *one
	two.hops.Steps = 2
	maps := Joined{one, two.Centred()}
	for k, d := range maps {
		if maps[k], err = d.Unit(ctx); err != nil {
			return nil, err
		}
	}
	return NewKernel(ctx, maps, y, threads)
}

// LinkBytes returns about the most memory that [NewLinkKernel] takes for the edges W beside the graph and K.
func LinkBytes(w *csr.Matrix, y *Seeds, threads int) int64 {
	n, _ := w.Dims()
	size := int64(n)
	entries, ok := int64(0), false
	if nodes := kernelOn(nil, y, threads).Nodes; len(nodes) <= MostDual { // else there is no Gram matrix
		entries, ok = held(w, 2, nodes, nil)
	}
	making := 24*entries + 8*size
	if !ok {
		making = 5 * 4 * formedColumns * size
	}
	if short(w, 2, threads) {
		making = max(making, 9*size*int64(rows.Workers(threads)))
	} else {
		making = max(making, 5*4*probes*size)
	}
	return 32*size + making
}

// nobody reports whether a node of links is joined to none: its row says nothing, and becomes 0 where rows get unit length.
func (d *Diffused) nobody(i int) bool { return d.oneHot && d.g != nil && d.g.Degrees[i] == 0 }

// unitWalks writes the lengths of the rows to norm.
func (d *Diffused) unitWalks(ctx context.Context, norm []float64) error {
	square, err := d.walkSquares(ctx)
	if err != nil {
		return err
	}
	all, product := 0.0, csr.NewDense(len(norm), 1)
	if d.centred {
		if _, product, all, err = d.mean(ctx); err != nil {
			return err
		}
	}
	for i, v := range square {
		rest := max(0, v-float64(2*float64(product.Data[i]))+all)
		if norm[i] = lengthOf(d.rest(rest, v)); d.nobody(i) {
			norm[i] = 0
		}
	}
	return nil
}
