package fit

import (
	"context"

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

// walked is the kernel K = ẐẐᵀ of where walks end ([diffuse.Walks]), by seeds.
type walked struct {
	bySeeds
	z, own *diffuse.Diffused // Ẑ, n×ℓ, and its rows of L
}

// newWalked returns the kernel for some seeds.
func newWalked(ctx context.Context, g *diffuse.Graph, y *diffuse.Seeds, threads int) (*diffuse.Kernel, error) {
	z, err := diffuse.Walks(ctx, g, walkCells(g.Dim()), walkSteps, threads)
	if err != nil {
		return nil, err
	}
	k := &walked{}
	k.bySeeds = newBySeeds(y, func(dst []float64, i int) {
		for l, node := range k.nodes {
			dst[l] = 0
			for j, v := range z.Row(int(node)) {
				dst[l] += float64(float64(v) * float64(z.At(i, j)))
			}
		}
	})
	if k.z, err = denseMap(z, threads); err != nil {
		return nil, err
	}
	own, err := k.z.Rows(ctx, k.nodes)
	if err != nil {
		return nil, err
	}
	if k.own, err = denseMap(own, threads); err != nil {
		return nil, err
	}
	return diffuse.NewKernel(ctx, k, y, threads)
}

// Apply implements [diffuse.Map]: Ẑ(Ẑ_LᵀV).
func (k *walked) Apply(ctx context.Context, dst, v *csr.Dense) error {
	_, cells := k.own.Dims()
	u := csr.NewDense(cells, v.Cols)
	if err := k.own.ApplyT(ctx, u, v); err != nil {
		return err
	}
	return k.z.Apply(ctx, dst, u)
}

// Gram implements [diffuse.Map].
func (k *walked) Gram(ctx context.Context, nodes []uint32) ([]float64, error) {
	return k.z.Gram(ctx, nodes)
}
