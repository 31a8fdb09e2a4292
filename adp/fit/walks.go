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
	z *diffuse.Diffused
	l *csr.Dense // Ẑ_L, m×ℓ
}

// newWalked returns the kernel for some seeds.
func newWalked(ctx context.Context, g *diffuse.Graph, y *diffuse.Seeds, threads int) (*diffuse.Kernel, error) {
	z, err := diffuse.Walks(ctx, g, walkCells(g.Dim()), walkSteps, threads)
	if err != nil {
		return nil, err
	}
	k := &walked{}
	k.bySeeds = newBySeeds(y, func(dst []float64, i int) {
		for l := range dst {
			dst[l] = 0
			for j, v := range k.l.Row(l) {
				dst[l] += float64(float64(v) * float64(z.At(i, j)))
			}
		}
	})
	if k.z, err = diffuse.NewDiffused(diffuse.Features{Dense: z}, nil, diffuse.Hops{}, threads); err != nil {
		return nil, err
	}
	if k.l, err = k.z.Rows(ctx, k.nodes); err != nil {
		return nil, err
	}
	return diffuse.NewKernel(ctx, k, y, threads)
}

// Apply implements [diffuse.Map]: Ẑ(Ẑ_LᵀV).
func (k *walked) Apply(ctx context.Context, dst, v *csr.Dense) error {
	u := csr.NewDense(k.l.Cols, v.Cols)
	for j := range v.Cols {
		sums := make([]float64, k.l.Cols)
		for l := range k.l.Rows {
			for a, z := range k.l.Row(l) {
				sums[a] += float64(float64(z) * float64(v.At(l, j)))
			}
		}
		for a, sum := range sums {
			u.Set(a, j, float32(sum))
		}
	}
	return k.z.Apply(ctx, dst, u)
}

// Gram implements [diffuse.Map].
func (k *walked) Gram(ctx context.Context, nodes []uint32) ([]float64, error) {
	return k.z.Gram(ctx, nodes)
}
