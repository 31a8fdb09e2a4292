package fit

import (
	"context"
	"math"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/exact"
	"github.com/adp-sparse/adp-sparse/internal/kernel"
	"github.com/adp-sparse/adp-sparse/internal/rows"
	"github.com/adp-sparse/adp-sparse/knn"
)

// kernelLambda is λ of the kernel ridge (docs/decisions/0032-tables.md).
const kernelLambda = 0.1

// decay is the exponential kernel of the distances between rows of X and m nodes L,
//
//	k(x_i, x_l) = exp(−δ(x_i, x_l)/s).
//
// Of dense rows of up to 100 columns δ is Σ_j √M_jj |x_ij − x_lj|, as in Gower's coefficient: in tables a few columns differ much, whose
// squares would drown the others. Then s is the mean of δ over all pairs of 10,000 rows or more ([meanDifference]). Else δ = ‖x_i − x_l‖_M, and s² the mean of δ²
// over all pairs. Rows of nodes without features are 0.
//
// It is a [diffuse.Map] whose columns are the nodes of L: X̃ = K_nL, and X̃ᵀR are the rows of R in L, so that a ridge from
// seeds in L is that by the kernel.
type decay struct {
	*distances
	n     int
	nodes []uint32   // L, increasing
	scale float64    // s
	rows  *csr.Dense // XM^½ where differences are added up; else nil
}

// newDecay returns the kernel for some seeds. Cost: d sorts of [meanRows] numbers, or one pass over X. Memory: 4·n·d where differences
// are added up.
func newDecay(d *distances, y *diffuse.Seeds) *decay {
	k := &decay{distances: d, n: y.Nodes, nodes: slices.Compact(nodesOf(y.List()))}
	if dense := d.x.x.Dense; dense != nil && dense.Cols <= knn.MaxManhattan {
		k.rows = d.rowsOfGraph()
		k.scale = meanDifference(k.rows, d.threads)
	} else {
		k.scale = math.Sqrt(d.meanSquare())
	}
	return k
}

// rowsOfGraph returns XM^½ of dense features, n×d: the columns of the graph over √d, in the unit of the distances.
func (d *distances) rowsOfGraph() *csr.Dense {
	out := d.x.x.Dense.Clone()
	rows.Each(out.Rows, d.threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			for j, sd := range d.sd {
				out.Row(i)[j] = float32(float64(out.Row(i)[j]) * sd)
			}
		}
	})
	return out
}

// meanRows is the least number of rows, evenly spaced, that [meanDifference] reads where there are more; fewer than twice as many are read.
const meanRows = 10_000

// meanDifference returns the mean of Σ_j |x_ij − x_lj| over all pairs of [meanRows] rows or more: a column whose values in increasing
// order are v_1 … v_n has 2/n² Σ_i (2i − n − 1) v_i.
func meanDifference(x *csr.Dense, threads int) float64 {
	step := max(1, x.Rows/meanRows)
	means := make([]float64, x.Cols)
	rows.Each(x.Cols, threads, func(lo, hi int) {
		var column []float32
		for j := lo; j < hi; j++ {
			column = column[:0]
			for i := 0; i < x.Rows; i += step {
				column = append(column, x.At(i, j))
			}
			slices.Sort(column)
			n := len(column)
			for i, v := range column {
				means[j] += float64(float64(2*i+1-n) * float64(v))
			}
			means[j] *= 2 / (float64(n) * float64(n))
		}
	})
	mean := 0.0
	for _, m := range means {
		mean += m
	}
	return mean
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

// of returns the kernel of two nodes at a distance.
func (k *decay) of(i int, node uint32, distance float64) float64 {
	if k.square[i] == 0 || k.square[node] == 0 || k.scale == 0 {
		return 0
	}
	return exact.Exp(-distance / k.scale)
}

// Apply implements [diffuse.Map]. Cost: n·m·(d + c).
func (k *decay) Apply(ctx context.Context, dst, v *csr.Dense) error {
	clear(dst.Data)
	return k.add(ctx, v, []*csr.Dense{dst})
}

// add adds X̃V to some blocks of n rows, side by side: V has the columns of all.
func (k *decay) add(ctx context.Context, v *csr.Dense, to []*csr.Dense) error {
	return k.blocks(ctx, func(first int, values *csr.Dense) error {
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

// blocks calls take with the kernel of all rows and of s nodes of L, n×s, of which the first is nodes[first]: one block after the other.
func (k *decay) blocks(ctx context.Context, take func(first int, values *csr.Dense) error) error {
	if k.rows == nil {
		return k.from(ctx, k.nodes, func(first int, values *csr.Dense) error {
			k.each(first, values, func(i, l int) float64 { return math.Sqrt(max(float64(values.Row(i)[l]), 0)) })
			return take(first, values)
		})
	}
	for first := 0; first < len(k.nodes) && ctx.Err() == nil; first += seedBlock {
		values := csr.NewDense(k.n, min(seedBlock, len(k.nodes)-first))
		k.each(first, values, func(i, l int) float64 { return kernel.SumDifferences(k.rows.Row(i), k.rows.Row(int(k.nodes[first+l]))) })
		if err := take(first, values); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// each sets values, n×s, to the kernel of the distances at(i, l) from the nodes of L from first on.
func (k *decay) each(first int, values *csr.Dense, at func(i, l int) float64) {
	rows.Each(k.n, k.threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			for l := range values.Row(i) {
				values.Row(i)[l] = float32(k.of(i, k.nodes[first+l], at(i, l)))
			}
		}
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
	for l, distance := range k.deltas(i, nodes) {
		dst[l] = k.of(i, nodes[l], distance)
	}
}

// deltas returns δ of row i and some nodes, in float64.
func (k *decay) deltas(i int, nodes []uint32) []float64 {
	if k.rows == nil {
		out := k.squares(i, nodes)
		for l, square := range out {
			out[l] = math.Sqrt(square)
		}
		return out
	}
	out := make([]float64, len(nodes))
	for l, node := range nodes {
		out[l] = kernel.SumDifferences(k.rows.Row(i), k.rows.Row(int(node)))
	}
	return out
}

// byKernel returns the scores of the ridge regression of the seeds by the kernel. Those of the trainers that come next are
// made in the same passes over X. Cost: n·d for a seed, for all trainers together, and for each m³/6,
// or m²c an iteration with more than [diffuse.MostDual] seeds.
func (t *trainer) byKernel(ctx context.Context, k *diffuse.Kernel) (*csr.Dense, error) {
	if t.similar == nil {
		group := t.after(func(other *trainer) bool { return other.similar != nil })
		_, m := t.decay.Dims()
		c := t.y.Classes
		all, blocks := csr.NewDense(m, c*len(group)), make([]*csr.Dense, len(group))
		for at, other := range group {
			v, err := k.Solve(ctx, other.y, kernelLambda)
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
