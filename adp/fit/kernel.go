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

// mostDifferences is the number of columns up to which the kernel ridge takes part. In wider rows, as of pictures, one difference tells
// little, and the ridge loses to label spreading on their neighbours (docs/decisions/0057-fewer-methods.md).
const mostDifferences = knn.MaxManhattan

// decay is the exponential kernel of the rows of X and m nodes L,
//
//	k(x_i, x_l) = exp(−δ(x_i, x_l)/s),   δ = Σ_j √M_jj |x_ij − x_lj|,
//
// with s the mean of δ over all pairs of 10,000 rows or more ([meanDifference]), and M = I, or the variances of the columns of the graph
// where X is standardised: δ is that of the graph. As in Gower's coefficient differences are added up: in tables a few columns differ
// much, whose squares would drown the others. Rows of nodes without features are 0.
//
// It is a [diffuse.Map] whose columns are the nodes of L: X̃ = K_nL, and X̃ᵀR are the rows of R in L, so that a ridge from
// seeds in L is that by the kernel.
type decay struct {
	nodes   []uint32   // L, increasing
	scale   float64    // s
	rows    *csr.Dense // XM^½
	without []bool     // the rows of nodes without features
	threads int
}

// newDecay returns the kernel for some seeds. Cost: d sorts of [meanRows] numbers. Memory: 4·n·d bytes.
func newDecay(x *prepared, y *diffuse.Seeds, threads int) *decay {
	n, dims := x.x.Dims()
	k := &decay{nodes: slices.Compact(nodesOf(y.List())), rows: csr.NewDense(n, dims), without: make([]bool, n), threads: threads}
	sd := x.deviations()
	rows.Each(n, threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row := k.rows.Row(i)
			x.each(i, func(j int, v float32) { row[j] = float32(float64(v) * sd[j]) })
			k.without[i] = !slices.ContainsFunc(row, func(v float32) bool { return v != 0 })
		}
	})
	k.scale = meanDifference(k.rows, threads)
	return k
}

// deviations returns M^½ in a unit in which float32 holds the sums of the differences: 1 but for columns in numbers far from 1.
func (p *prepared) deviations() []float64 {
	_, dims := p.x.Dims()
	out := slices.Repeat([]float64{1}, dims)
	if p.standard != nil {
		copy(out, p.standard.SD)
		largest := 0.0
		for _, sd := range out {
			largest = max(largest, sd)
		}
		unit := unitOf(largest)
		for j := range out {
			out[j] /= unit
		}
	}
	return out
}

// farFrom1 is the binary exponent from which numbers are far from 1.
const farFrom1 = 40

// unitOf returns the power of 2 by which a deviation that is far from 1 comes near it, else 1.
func unitOf(sd float64) float64 {
	if _, exponent := math.Frexp(sd); exponent > farFrom1 || exponent < -farFrom1 {
		return math.Ldexp(1, exponent)
	}
	return 1
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
func (k *decay) Dims() (n, m int) { return k.rows.Rows, len(k.nodes) }

// ApplyT implements [diffuse.Map].
func (k *decay) ApplyT(_ context.Context, dst, r *csr.Dense) error {
	for l, node := range k.nodes {
		copy(dst.Row(l), r.Row(int(node)))
	}
	return nil
}

// Parts implements [diffuse.Map]: all is due to nodes of L.
func (k *decay) Parts(_ context.Context, r, v *csr.Dense) (columns, nodes []float64, err error) {
	nodes = make([]float64, k.rows.Rows)
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

// of returns the kernel of two nodes.
func (k *decay) of(i, l uint32) float64 {
	if k.without[i] || k.without[l] || k.scale == 0 {
		return 0
	}
	return exact.Exp(-kernel.SumDifferences(k.rows.Row(int(i)), k.rows.Row(int(l))) / k.scale)
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

// nodesOf returns the nodes of some seeds, one for each.
func nodesOf(seeds []diffuse.Seed) []uint32 {
	nodes := make([]uint32, len(seeds))
	for k, s := range seeds {
		nodes[k] = s.Node
	}
	return nodes
}

// seedBlock is how many seeds rows are compared with at a time.
const seedBlock = 48

// blocks calls take with the kernel of all rows and of s nodes of L, n×s, of which the first is nodes[first]: one block after the other.
func (k *decay) blocks(ctx context.Context, take func(first int, values *csr.Dense) error) error {
	for first := 0; first < len(k.nodes) && ctx.Err() == nil; first += seedBlock {
		some := k.nodes[first:min(first+seedBlock, len(k.nodes))]
		values := csr.NewDense(k.rows.Rows, len(some))
		rows.Each(values.Rows, k.threads, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				for l, node := range some {
					values.Row(i)[l] = float32(k.of(uint32(i), node))
				}
			}
		})
		if err := take(first, values); err != nil {
			return err
		}
	}
	return ctx.Err()
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
	for l, node := range nodes {
		dst[l] = k.of(uint32(i), node)
	}
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
