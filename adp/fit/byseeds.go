package fit

import (
	"context"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// bySeeds is the part of a [diffuse.Map] that kernels of the nodes and m nodes L have in common: X̃ = K_nL, and X̃ᵀR are the rows
// of R in L. A ridge from seeds in L is then that by the kernel, and its scores are sums over L.
type bySeeds struct {
	n     int
	nodes []uint32                   // L, increasing
	of    func(dst []float64, i int) // row i of K_nL
}

func newBySeeds(y *diffuse.Seeds, of func(dst []float64, i int)) bySeeds {
	return bySeeds{y.Nodes, slices.Compact(nodesOf(y.List())), of}
}

// Dims implements [diffuse.Map].
func (k *bySeeds) Dims() (n, m int) { return k.n, len(k.nodes) }

// ApplyT implements [diffuse.Map].
func (k *bySeeds) ApplyT(_ context.Context, dst, r *csr.Dense) error {
	for l, node := range k.nodes {
		copy(dst.Row(l), r.Row(int(node)))
	}
	return nil
}

// Parts implements [diffuse.Map]: all is due to nodes of L.
func (k *bySeeds) Parts(_ context.Context, r, v *csr.Dense) (columns, nodes []float64, err error) {
	nodes = make([]float64, k.n)
	row := make([]float64, len(k.nodes))
	for i, weight := range r.Data {
		if weight == 0 {
			continue
		}
		k.of(row, i)
		for l, node := range k.nodes {
			nodes[node] += float64(row[l] * float64(float64(weight)*float64(v.Data[l])))
		}
	}
	return nil, nodes, nil
}
