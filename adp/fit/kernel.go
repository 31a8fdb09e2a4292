package fit

import (
	"context"
	"math"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/exact"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// kernelLambda is λ of the kernel ridge (docs/decisions/0032-tables.md).
const kernelLambda = 0.1

// decay is the exponential kernel of the distances between rows of X and m nodes L,
//
//	k(x_i, x_l) = exp(−‖x_i − x_l‖_M / s),   s² the mean of ‖x_i − x_j‖²_M over all pairs,
//
// as a [diffuse.Map] whose columns are the nodes of L: X̃ = K_nL, and X̃ᵀR are the rows of R in L, so that a ridge from
// seeds in L is that by the kernel. Rows of nodes without features are 0.
type decay struct {
	*distances
	n     int
	nodes []uint32 // L, increasing
	scale float64  // s
}

// newDecay returns the kernel for some seeds.
func newDecay(d *distances, y *diffuse.Seeds) *decay {
	return &decay{d, y.Nodes, slices.Compact(nodesOf(y.List())), math.Sqrt(d.meanSquare())}
}

// Dims implements [diffuse.Map].
func (k *decay) Dims() (n, m int) { return k.n, len(k.nodes) }

// ApplyT implements [diffuse.Map].
func (k *decay) ApplyT(_ context.Context, dst, r *csr.Dense) error {
	for l, node := range k.nodes {
		copy(dst.Row(l), r.Row(int(node)))
	}
	return nil
}

// Parts implements [diffuse.Map]: all is due to nodes of L.
func (k *decay) Parts(_ context.Context, r, v *csr.Dense) (columns, nodes []float64, err error) {
	nodes = make([]float64, k.n)
	row := make([]float64, len(k.nodes))
	for i, weight := range r.Data {
		if weight == 0 {
			continue
		}
		k.row(row, i, k.nodes)
		for l, node := range k.nodes {
			nodes[node] += float64(row[l] * float64(float64(weight)*float64(v.Data[l])))
		}
	}
	return nil, nodes, nil
}

// of returns the kernel of a squared distance of two nodes.
func (k *decay) of(i int, node uint32, square float64) float64 {
	if k.square[i] == 0 || k.square[node] == 0 || k.scale == 0 {
		return 0
	}
	return exact.Exp(-math.Sqrt(max(square, 0)) / k.scale)
}

// Apply implements [diffuse.Map]. Cost: n·m·(d + c).
func (k *decay) Apply(ctx context.Context, dst, v *csr.Dense) error {
	clear(dst.Data)
	return k.add(ctx, v, []*csr.Dense{dst})
}

// add adds X̃V to some blocks of n rows, side by side: V has the columns of all.
func (k *decay) add(ctx context.Context, v *csr.Dense, to []*csr.Dense) error {
	return k.from(ctx, k.nodes, func(first int, values *csr.Dense) error {
		rows.Each(k.n, k.threads, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				for l, square := range values.Row(i) {
					values.Row(i)[l] = float32(k.of(i, k.nodes[first+l], float64(square)))
				}
			}
		})
		part := &csr.Dense{Rows: values.Cols, Cols: v.Cols, Data: v.Data[first*v.Cols : (first+values.Cols)*v.Cols]}
		return diffuse.TimesDense(ctx, values, part, k.threads, func(i int, row []float64) {
			for _, block := range to {
				for j, sum := range row[:block.Cols] {
					block.Row(i)[j] += float32(sum)
				}
				row = row[block.Cols:]
			}
		})
	})
}

// Gram implements [diffuse.Map] for nodes of L.
func (k *decay) Gram(ctx context.Context, nodes []uint32) ([]float64, error) {
	m := len(nodes)
	gram := make([]float64, m*m)
	rows.Each(m, k.threads, func(lo, hi int) {
		for i := lo; i < hi && ctx.Err() == nil; i++ {
			k.row(gram[i*m:(i+1)*m], int(nodes[i]), nodes)
		}
	})
	return gram, ctx.Err()
}

// row sets dst to the kernel of row i and some nodes.
func (k *decay) row(dst []float64, i int, nodes []uint32) {
	for l, square := range k.squares(i, nodes) {
		dst[l] = k.of(i, nodes[l], square)
	}
}

// byKernel returns the scores of the ridge regression of the seeds by the kernel. Those of the trainers that come next are
// made in the same passes over X. Cost: n·d for a seed, for all trainers together, and for each 4m³/3,
// or m²c an iteration with more than [diffuse.MostDual] seeds.
func (t *trainer) byKernel(ctx context.Context) (*csr.Dense, error) {
	if t.similar == nil {
		group := t.after(func(other *trainer) bool { return other.similar != nil })
		_, m := t.decay.Dims()
		c := t.y.Classes
		all, blocks := csr.NewDense(m, c*len(group)), make([]*csr.Dense, len(group))
		for at, other := range group {
			v, err := t.kernels[kernelRidge].Solve(ctx, other.y, kernelLambda)
			if err != nil {
				return nil, err
			}
			for l := range m {
				copy(all.Row(l)[at*c:], v.Row(l))
			}
			other.similar = csr.NewDense(t.y.Nodes, c)
			blocks[at] = other.similar
		}
		if err := t.decay.add(ctx, all, blocks); err != nil {
			return nil, err
		}
	}
	out := t.similar
	t.similar = nil
	t.addPrior(out)
	return out, nil
}
