package fit

import (
	"context"
	"math"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/exact"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// distances are the squared distances of the rows of X, n×d, from those of some nodes:
//
//	‖x_i − x_s‖²_M = q_i + q_s − 2 x_i M x_sᵀ,   q_i = x_i M x_iᵀ,
//
// with M = I, or the variances of the columns where X is standardised and the graph has the columns
// as they were.
type distances struct {
	x       *prepared
	product *diffuse.Diffused
	weight  []float64 // the diagonal of M; nil for I
	square  []float64 // q
}

// newDistances prepares the distances of the features, of scaled columns or as they were. Cost: one
// pass over X. Memory: 8·n bytes.
func newDistances(x *prepared, scaled bool, threads int) (*distances, error) {
	product, err := diffuse.NewDiffused(x.x, nil, diffuse.Hops{}, threads)
	if err != nil {
		return nil, err
	}
	n, _ := x.x.Dims()
	d := &distances{x: x, product: product, square: make([]float64, n)}
	if x.standard != nil && !scaled {
		for _, sd := range x.standard.SD {
			d.weight = append(d.weight, sd*sd)
		}
	}
	rows.Each(n, threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			d.weighted(i, func(_ int, v, w float64) { d.square[i] += float64(v * w) })
		}
	})
	return d, nil
}

// weighted calls take with the entries v of a row of X, and w of XM.
func (d *distances) weighted(i int, take func(column int, v, w float64)) {
	one := func(j int, v float32) {
		w := float64(v)
		if d.weight != nil {
			w *= d.weight[j]
		}
		take(j, float64(v), w)
	}
	if m := d.x.x.Sparse; m != nil {
		cols, values := m.Row(i)
		for k, j := range cols {
			one(int(j), values[k])
		}
		return
	}
	for j, v := range d.x.x.Dense.Row(i) {
		one(j, v)
	}
}

// seedBlock is how many seeds rows are compared with at a time.
const seedBlock = 32

// lower lowers a column of squared distances, n×c, to those of the nearest of some nodes.
func (d *distances) lower(ctx context.Context, out *csr.Dense, column int, nodes []uint32, threads int) error {
	n, dims := d.x.x.Dims()
	for len(nodes) > 0 {
		some := nodes[:min(seedBlock, len(nodes))]
		nodes = nodes[len(some):]
		v, products := csr.NewDense(dims, len(some)), csr.NewDense(n, len(some))
		for k, s := range some {
			d.weighted(int(s), func(j int, _, w float64) { v.Set(j, k, float32(w)) })
		}
		if err := d.product.Apply(ctx, products, v); err != nil {
			return err
		}
		rows.Each(n, threads, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				least := out.Row(i)[column]
				for k, p := range products.Row(i) {
					least = min(least, float32(d.square[i]+d.square[some[k]]-2*float64(p)))
				}
				out.Row(i)[column] = least
			}
		})
	}
	return nil
}

// leastDistance is the least squared distance, over the mean of q, that products of float32 tell from 0.
const leastDistance = 1e-6

// nearestSeed returns −ln d_ij, n×c, of the distance d_ij of each node from the nearest seed of each
// class; a class without seeds is as far as the farthest. Rows of nodes without features are 0.
//
// The softmax of τ times it is d_ij^-τ over its sum: where points are sparse, a class counts as near
// by seeds that are farther. Cost: n·d for a seed.
func (t *trainer) nearestSeed(ctx context.Context) (*csr.Dense, error) {
	out := csr.NewDense(t.y.Nodes, t.y.Classes)
	infinite := float32(math.Inf(1))
	for i := range out.Data {
		out.Data[i] = infinite
	}
	byClass := make([][]uint32, t.y.Classes)
	for _, s := range t.y.List() {
		byClass[s.Class] = append(byClass[s.Class], s.Node)
	}
	for class, nodes := range byClass {
		if err := t.far.lower(ctx, out, class, nodes, t.opt.Threads); err != nil {
			return nil, err
		}
	}
	mean := 0.0
	for _, q := range t.far.square {
		mean += q
	}
	mean /= float64(out.Rows)
	rows.Each(out.Rows, t.opt.Threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row, most := out.Row(i), 0.0
			for _, v := range row {
				if v < infinite {
					most = max(most, float64(v))
				}
			}
			for j, v := range row {
				if t.far.square[i] == 0 {
					row[j] = 0
					continue
				}
				row[j] = float32(-0.5 * exact.Log(max(min(float64(v), most), leastDistance*mean)))
			}
		}
	})
	return out, nil
}
