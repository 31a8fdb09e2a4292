package fit

import (
	"context"

	"github.com/adp-sparse/adp-sparse/diffuse"
)

// MostLinked is the most nodes of edges alone for which methods are combined: above it the run is all.
const MostLinked = 10_000_000

// linkMap returns T of the edges with rows of unit length, by which a new point's edges are compared.
func linkMap(ctx context.Context, g *diffuse.Graph, threads int) (*diffuse.Diffused, error) {
	d, err := diffuse.Links(g, diffuse.Hops{Weight: 1, Steps: 1}, threads)
	if err != nil {
		return nil, err
	}
	return d.Unit(ctx)
}

// linkReasons are those of the ridge on neighbours in common: by the nodes that the node is joined to, and those
// that these are joined to.
func (t *trainer) linkReasons(ctx context.Context, k *diffuse.Kernel) (reason, error) {
	v, err := k.Solve(ctx, t.y, seedRidge)
	return t.nodeReasons(k, v), err
}
