package fit

import (
	"context"
	"slices"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// walkSteps is the number of edges that walks have (docs/decisions/0034-where-walks-end.md).
const walkSteps = 20

// walkCells returns the number of cells that walks end in: fewer on a large graph, where they cost more than the rest.
func walkCells(n int) int {
	if n > adp.FullNodes {
		return 64
	}
	return 128
}

// newWalks returns the kernel of where walks end, and Ẑ, n×ℓ ([diffuse.Walks]).
func newWalks(ctx context.Context, g *diffuse.Graph, y *diffuse.Seeds, threads int) (*diffuse.Kernel, *csr.Dense, error) {
	z, err := diffuse.Walks(ctx, g, walkCells(g.Dim()), walkSteps, threads)
	if err != nil {
		return nil, nil, err
	}
	x, err := denseMap(z, threads)
	if err != nil {
		return nil, nil, err
	}
	k, err := diffuse.NewKernel(ctx, x, y, threads)
	return k, z, err
}

// walkReasons are those of the ridge on where walks end: by the known nodes. Its scores are sums over them, ẐV = ẐẐ_LᵀB for
// B = W(Y − Ẑ_LV)/λ.
func (t *trainer) walkReasons(ctx context.Context, m member) (reason, error) {
	ends := t.ends[m.graph]
	v, err := t.kernels[m.key()].Solve(ctx, t.y, seedRidge)
	if err != nil {
		return nil, err
	}
	targets, weights := diffuse.SeedTargets(t.y)
	nodes := slices.Compact(nodesOf(t.y.List()))
	b := csr.NewDense(len(nodes), t.y.Classes)
	for l, node := range nodes {
		for j := range b.Cols {
			fitted := 0.0
			for cell, share := range ends.Row(int(node)) {
				fitted += float64(float64(share) * float64(v.At(cell, j)))
			}
			b.Set(l, j, float32(float64(weights[node])*(float64(targets.At(int(node), j))-fitted)/seedRidge))
		}
	}
	return func(_ context.Context, why *Why, to *Voice) error {
		to.Prior = t.priorLead(why)
		lead := difference(b, why)
		amounts := make([]float64, t.y.Nodes)
		own := ends.Row(why.Node)
		for l, node := range nodes {
			alike := 0.0
			for cell, share := range ends.Row(int(node)) {
				alike += float64(float64(share) * float64(own[cell]))
			}
			amounts[node] = alike * float64(lead.Data[l])
		}
		to.Nodes = sumOf(amounts)
		return nil
	}, nil
}
