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
// with M = I, or the variances of the columns of the graph where X is standardised: the distances are those of the
// graph, over √d, in units that float32 holds the squares of.
type distances struct {
	x       *prepared
	product *diffuse.Diffused
	unit    float64   // of the distances, a power of 2: 1 but for columns in numbers far from 1
	sd      []float64 // M^½; nil for I
	weight  []float64 // the diagonal of M
	square  []float64 // q
	threads int
}

// newDistances prepares the distances of the features. Cost: one pass over X. Memory: 8·n bytes.
func newDistances(x *prepared, threads int) (*distances, error) {
	product, err := diffuse.NewDiffused(x.x, nil, diffuse.Hops{}, threads)
	if err != nil {
		return nil, err
	}
	n, _ := x.x.Dims()
	d := &distances{x: x, product: product, unit: 1, square: make([]float64, n), threads: threads}
	if x.standard != nil {
		largest := 0.0
		for _, sd := range x.standard.SD {
			largest = max(largest, sd)
		}
		d.unit = unitOf(largest)
		for _, sd := range x.standard.SD {
			sd /= d.unit
			d.sd, d.weight = append(d.sd, sd), append(d.weight, float64(sd*sd))
		}
	}
	rows.Each(n, threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			d.weighted(i, func(_ int, v, w float64) { d.square[i] += float64(v * w) })
		}
	})
	return d, nil
}

// farFrom1 is the binary exponent from which numbers are far from 1: below it float32 holds the squares of millions of deviations.
const farFrom1 = 40

// unitOf returns the power of 2 by which a deviation that is far from 1 comes near it, else 1.
func unitOf(sd float64) float64 {
	if _, exponent := math.Frexp(sd); exponent > farFrom1 || exponent < -farFrom1 {
		return math.Ldexp(1, exponent)
	}
	return 1
}

// weighted calls take with the entries v of a row of X, and w of XM.
func (d *distances) weighted(i int, take func(column int, v, w float64)) {
	d.x.each(i, func(j int, v float32) {
		w := float64(v)
		if d.weight != nil {
			w *= d.weight[j]
		}
		take(j, float64(v), w)
	})
}

// seedBlock is how many seeds rows are compared with at a time.
const seedBlock = 48

// leastOf returns the least squared distances, n×c, of each node from the seeds of each class of
// some sets; +∞ for a class without any. All seeds are of the last set.
func (d *distances) leastOf(ctx context.Context, sets []*diffuse.Seeds) ([]*csr.Dense, error) {
	n, _ := d.x.x.Dims()
	out := make([]*csr.Dense, len(sets))
	for k, y := range sets {
		out[k] = csr.NewDense(n, y.Classes)
		for i := range out[k].Data {
			out[k].Data[i] = float32(math.Inf(1))
		}
	}
	all := sets[len(sets)-1].List()
	in := membership(sets)
	err := d.from(ctx, nodesOf(all), func(first int, squares *csr.Dense) error {
		rows.Each(n, d.threads, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				for k, square := range squares.Row(i) {
					for set, has := range in[first+k] {
						if has {
							at := &out[set].Row(i)[all[first+k].Class]
							*at = min(*at, square)
						}
					}
				}
			}
		})
		return nil
	})
	return out, err
}

// from calls take with the squared distances of all rows, n×s, from s of some nodes, of which the first is nodes[first]: one block
// of nodes after the other. The block is take's.
func (d *distances) from(ctx context.Context, nodes []uint32, take func(first int, squares *csr.Dense) error) error {
	n, dims := d.x.x.Dims()
	for first := 0; first < len(nodes); first += seedBlock {
		some := nodes[first:min(first+seedBlock, len(nodes))]
		v, products := csr.NewDense(dims, len(some)), csr.NewDense(n, len(some))
		for k, node := range some {
			d.weighted(int(node), func(j int, _, w float64) { v.Set(j, k, float32(w)) })
		}
		if err := d.product.Apply(ctx, products, v); err != nil {
			return err
		}
		rows.Each(n, d.threads, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				for k, p := range products.Row(i) {
					products.Row(i)[k] = float32(d.square[i] + d.square[some[k]] - 2*float64(p))
				}
			}
		})
		if err := take(first, products); err != nil {
			return err
		}
	}
	return nil
}

// nodesOf returns the nodes of some seeds, one for each.
func nodesOf(seeds []diffuse.Seed) []uint32 {
	nodes := make([]uint32, len(seeds))
	for k, s := range seeds {
		nodes[k] = s.Node
	}
	return nodes
}

// squares returns the squared distances of row i from some nodes, in float64. Cost: d each.
func (d *distances) squares(i int, nodes []uint32) []float64 {
	_, dims := d.x.x.Dims()
	row, out := make([]float64, dims), make([]float64, len(nodes))
	d.weighted(i, func(j int, _, w float64) { row[j] = w })
	for k, node := range nodes {
		if int(node) == i {
			continue
		}
		square := d.square[i] + d.square[node]
		d.weighted(int(node), func(j int, v, _ float64) { square -= float64(2 * v * row[j]) })
		out[k] = max(square, 0)
	}
	return out
}

// meanSquare returns the mean of the squared distances of all pairs of rows, 2(mean q − x̄Mx̄ᵀ).
func (d *distances) meanSquare() float64 {
	n, dims := d.x.x.Dims()
	sums := rows.NewReducer(n, dims+1).Sum(d.threads, func(lo, hi int, sum []float64) {
		for i := lo; i < hi; i++ {
			sum[dims] += d.square[i]
			d.weighted(i, func(j int, v, _ float64) { sum[j] += v })
		}
	})
	mean := sums[dims] / float64(n)
	for j, sum := range sums[:dims] {
		centre, weight := sum/float64(n), 1.0
		if d.weight != nil {
			weight = d.weight[j]
		}
		mean -= float64(float64(centre*centre) * weight)
	}
	return 2 * max(mean, 0)
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
		least, err := t.far.leastOf(ctx, sets)
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
