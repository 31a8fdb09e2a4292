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
const seedBlock = 48

// leastOf returns the least squared distances, n×c, of each node from the seeds of each class of
// some sets; +∞ for a class without any. All seeds are of the last set.
func (d *distances) leastOf(ctx context.Context, sets []*diffuse.Seeds, threads int) ([]*csr.Dense, error) {
	n, dims := d.x.x.Dims()
	out := make([]*csr.Dense, len(sets))
	for k, y := range sets {
		out[k] = csr.NewDense(n, y.Classes)
		for i := range out[k].Data {
			out[k].Data[i] = float32(math.Inf(1))
		}
	}
	all := sets[len(sets)-1].List()
	in := membership(sets)
	for from := 0; from < len(all); from += seedBlock {
		some := all[from:min(from+seedBlock, len(all))]
		v, products := csr.NewDense(dims, len(some)), csr.NewDense(n, len(some))
		for k, s := range some {
			d.weighted(int(s.Node), func(j int, _, w float64) { v.Set(j, k, float32(w)) })
		}
		if err := d.product.Apply(ctx, products, v); err != nil {
			return nil, err
		}
		rows.Each(n, threads, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				for k, p := range products.Row(i) {
					s, distance := some[k], float32(d.square[i]+d.square[some[k].Node]-2*float64(p))
					for set, has := range in[from+k] {
						if has {
							at := &out[set].Row(i)[s.Class]
							*at = min(*at, distance)
						}
					}
				}
			}
		})
	}
	return out, nil
}

// membership returns, for each seed of the last set, which of the sets it is in.
func membership(sets []*diffuse.Seeds) [][]bool {
	all := sets[len(sets)-1].List()
	in := make([][]bool, len(all))
	for k := range in {
		in[k] = make([]bool, len(sets))
	}
	for set, y := range sets {
		list := y.List() // in the order of all
		for k, s := range all {
			if len(list) > 0 && list[0].Node == s.Node && list[0].Class == s.Class {
				in[k][set], list = true, list[1:]
			}
		}
	}
	return in
}

// leastDistance is the least squared distance, over the mean of q, that products of float32 tell from 0.
const leastDistance = 1e-6

// nearestSeed returns −ln d_ij, n×c, of the distance d_ij of each node from the nearest seed of each
// class; a class without seeds is as far as the farthest. Rows of nodes without features are 0.
//
// The softmax of τ times it is d_ij^-τ over its sum: where points are sparse, a class counts as near
// by seeds that are farther. Cost: n·d for a seed, for all trainers together.
func (t *trainer) nearestSeed(ctx context.Context) (*csr.Dense, error) {
	if t.least == nil {
		group := t.after(func(other *trainer) bool { return other.least != nil })
		var sets []*diffuse.Seeds
		for _, other := range group {
			sets = append(sets, other.y)
		}
		least, err := t.far.leastOf(ctx, sets, t.opt.Threads)
		if err != nil {
			return nil, err
		}
		for k, other := range group {
			other.least = least[k]
		}
	}
	out := t.least
	t.least = nil
	mean := 0.0
	for _, q := range t.far.square {
		mean += q
	}
	mean /= float64(out.Rows)
	rows.Each(out.Rows, t.opt.Threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row, most := out.Row(i), 0.0
			for _, v := range row {
				if !math.IsInf(float64(v), 1) {
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
