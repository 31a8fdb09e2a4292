package knn

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/kernel"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// projection is a set of points on a few axes. Most of the variation between points of many
// coordinates lies along few axes. With the norms of the points themselves, ‖x‖² + ‖y‖² − 2⟨Px, Py⟩
// estimates ‖x − y‖²; the error is twice the product of the components that the axes leave out. The
// depth nearest by estimate are then measured.
type projection struct {
	pts    *points // on the axes; low is the same as for the points themselves
	depth  int
	places [][]int // for each point of the sample, the places of its neighbours
}

const (
	projectionDims   = 192 // coordinates below which no projection is tried
	projectionDepth  = 8   // most candidates, as a multiple of k
	projectionRounds = 3   // iterations of the subspace
	projectionSample = 2048
)

// findProjection returns a projection whose estimates find the neighbours of the sample, truth,
// often enough for the wanted recall; nil if none is worth it. A search on a projection takes less
// memory than one with all coordinates: 8·axes and 16·depth bytes a point instead of 4·d.
func (f *candidateLists) findProjection(ctx context.Context, sample []uint32, truth [][]uint32, opt Options, rng *rand.Rand) (*projection, error) {
	d := f.pts.x.Cols
	if d < projectionDims || f.pts.metric == Manhattan || opt.Recall >= 1 {
		return nil, nil
	}
	axes := 32
	if d >= 384 {
		axes = 64
	}
	for range 2 {
		most := min(projectionDepth*f.k, (4*d-8*axes-128)/16, f.pts.count()-1)
		if most < f.k {
			return nil, nil
		}
		p := &projection{pts: f.pts.project(axes, rng)}
		asked := f.estimates(p.pts, sample, most)
		if err := asked.askAll(ctx, blocksOf(allPoints(f.pts.count())), opt.Threads); err != nil {
			return nil, err
		}
		var desk rowScratch
		p.places = make([][]int, len(sample))
		for q := range sample {
			asked.trim(uint32(q), &desk)
			row := asked.row(uint32(q))
			slices.SortFunc(row, bounded.compare)
			for _, id := range truth[q] {
				at := slices.IndexFunc(row, func(c bounded) bool { return c.id == id })
				if at < 0 {
					at = math.MaxInt - 1
				}
				p.places[q] = append(p.places[q], at+1)
			}
		}
		// The projection may miss a quarter of the allowed share.
		if p.depth = enough(p.places, 1-(1-opt.Recall)/4, 0); p.depth <= most {
			p.depth = max(p.depth, f.k)
			return p, nil
		}
		axes *= 2
	}
	return nil, nil
}

// enough returns the least v for which the share of needs up to v is the wanted one, with a margin
// in standard errors of its mean over points. It is above all places if there is no such v.
func enough(needs [][]int, wanted, margin float64) int {
	var values []int
	for _, needed := range needs {
		values = append(values, needed...)
	}
	slices.Sort(values)
	values = slices.Compact(values)
	at, _ := slices.BinarySearchFunc(values, true, func(v int, _ bool) int {
		var sum, squares float64
		for _, needed := range needs {
			found := 0
			for _, n := range needed {
				if n <= v {
					found++
				}
			}
			share := float64(found) / float64(len(needed))
			sum += share
			squares += share * share
		}
		m := float64(len(needs))
		mean := sum / m
		if mean-margin*math.Sqrt(max(squares/m-mean*mean, 0)/m) >= wanted {
			return 0
		}
		return -1
	})
	if at == len(values) {
		return math.MaxInt
	}
	return values[at]
}

// estimates returns candidate lists that keep, for each query, the most candidates nearest by
// estimate.
func (f *candidateLists) estimates(pts *points, query []uint32, most int) *candidateLists {
	g := newCandidateLists(pts, query, most)
	g.class, g.estimated = f.class, true
	return g
}

// project returns the points with their x̃ on the leading axes: the right singular
// vectors of a sample, by subspace iteration from random vectors.
func (p *points) project(axes int, rng *rand.Rand) *points {
	d := p.x.Cols
	ids := draw(rng, p.count(), min(p.count(), projectionSample, max(1<<24/d, 2*axes)))
	sample, x := mat.NewDense(len(ids), d, nil), make([]float32, d)
	for r, u := range ids {
		p.transform(x, u)
		for q, v := range x {
			sample.Set(r, q, float64(v))
		}
	}
	basis := mat.NewDense(d, axes, nil)
	for q := range d {
		for k := range axes {
			basis.Set(q, k, rng.NormFloat64())
		}
	}
	var scores, next mat.Dense
	for range projectionRounds {
		orthonormalize(basis)
		scores.Mul(sample, basis)
		next.Mul(sample.T(), &scores)
		basis.Copy(&next)
	}
	orthonormalize(basis)
	on := *p
	on.x, on.row, on.asked, on.norm = p.coordinates(basis), allPoints(p.count()), nil, nil
	on.scale, on.centre, on.slack = 1, make([]float32, axes), make([]float32, p.count())
	if p.metric.IsCosine() {
		on.metric = L2 // the points are unit vectors already
	}
	return &on
}

// orthonormalize makes the columns orthonormal, by Gram and Schmidt, twice. A column that depends
// on others becomes 0.
func orthonormalize(b *mat.Dense) {
	d, n := b.Dims()
	columns := make([][]float64, n)
	for k := range columns {
		columns[k] = mat.Col(nil, k, b)
		size := norm64(columns[k])
		for range 2 {
			for _, other := range columns[:k] {
				product := 0.0
				for q, v := range columns[k] {
					product += v * other[q]
				}
				for q := range d {
					columns[k][q] -= product * other[q]
				}
			}
		}
		left := norm64(columns[k])
		for q := range d {
			if left > 1e-10*size {
				columns[k][q] /= left
			} else {
				columns[k][q] = 0
			}
		}
		b.SetCol(k, columns[k])
	}
}

func norm64(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v * v
	}
	return math.Sqrt(sum)
}

// coordinates returns x̃·basis, n×axes.
func (p *points) coordinates(basis *mat.Dense) *csr.Dense {
	d, axes := basis.Dims()
	packed := make([]float32, panels(axes)*kernel.Rows*d)
	packRows(packed, axes, d, make([]float32, 8*d), func(to []float32, k int) {
		for q := range to {
			to[q] = float32(basis.At(q, k))
		}
	})
	out := csr.NewDense(p.count(), axes)
	rows.Each(p.count(), p.threads, func(lo, hi int) {
		own, scratch := make([]float32, panels(hi-lo)*kernel.Rows*d), make([]float32, 8*d)
		products := make([]float32, panels(hi-lo)*kernel.Rows*panels(axes)*kernel.Rows)
		ids := make([]uint32, hi-lo)
		for r := range ids {
			ids[r] = uint32(lo + r)
		}
		p.pack(own, ids, scratch)
		stride := multiply(products, own, len(ids), packed, axes, d)
		for r := range ids {
			copy(out.Row(lo+r), products[r*stride:])
		}
	})
	return out
}
