package fit

import (
	"context"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// MostLinked is the most nodes of edges alone for which methods are combined: above it the run is all.
const MostLinked = 10_000_000

// linksAlone is the pool of edges alone (docs/decisions/0031-neighbours-in-common.md, 0034-where-walks-end.md).
var linksAlone = []member{
	{process, onEdges, 3},
	{links, onEdges, 1},
	{walks, onEdges, 0.5},
	{degrees, onEdges, 0.25},
}

// linksUntried is that pool where no seed can be left out: nothing tells then whether degrees do.
var linksUntried = linksAlone[:3]

// linkMap returns T of the edges, or CT² of two steps, with rows of unit length. With the first a new point's edges are
// compared; the second is for more seeds than a kernel takes.
func linkMap(ctx context.Context, g *diffuse.Graph, steps, threads int) (*diffuse.Diffused, error) {
	d, err := diffuse.Links(g, diffuse.Hops{Weight: 1, Steps: steps}, threads)
	if err != nil {
		return nil, err
	}
	if steps > 1 {
		d = d.Centred()
	}
	return d.Unit(ctx)
}

// prepareLinks makes what the ridge on neighbours in common needs.
func (p *pool) prepareLinks(ctx context.Context, g *diffuse.Graph, y *diffuse.Seeds) (err error) {
	if len(y.List()) > diffuse.MostDual {
		p.linked, err = linkMap(ctx, g, 2, p.opt.Threads)
		return err
	}
	p.kernels[links], err = diffuse.NewLinkKernel(ctx, g, y, p.opt.Threads)
	return err
}

// byLinks returns the scores of the ridge on neighbours in common.
func (t *trainer) byLinks(ctx context.Context) (*csr.Dense, error) {
	if t.linked != nil {
		return t.ridgeOf(ctx, t.linked)
	}
	return t.ridgeBy(ctx, t.kernels[links])
}

// linkReasons are those of the ridge on neighbours in common: by the nodes that the node is joined to, and those
// that these are joined to.
func (t *trainer) linkReasons(ctx context.Context) (reason, error) {
	var x summed = t.linked
	var v *csr.Dense
	var err error
	if t.linked != nil {
		v, err = t.bySeeds(ctx, t.linked)
	} else {
		x = t.kernels[links]
		v, err = t.kernels[links].Solve(ctx, t.y, seedRidge)
	}
	return t.nodeReasons(x, v), err
}
