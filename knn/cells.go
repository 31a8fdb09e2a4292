package knn

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/adp-sparse/adp-sparse/internal/kernel"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

const (
	// trainingPoints is the number of points a cell in the sample of k-means.
	trainingPoints = 32
	trainingRounds = 5
)

// cells is a k-means partition of points.
type cells struct {
	pts    *points
	mean   []float32 // one row of d a cell
	of     []uint32  // cell of each point
	indptr []int     // points of cell c: member[indptr[c]:indptr[c+1]]
	member []uint32
}

// cellCount returns the number of cells for n points. Comparing n points with the means then costs
// about as much as comparing them with the points of some nearby cells.
func cellCount(n int) int {
	return max(1, min(int(2*math.Sqrt(float64(n))), n/32))
}

// newCells learns the means on a sample drawn by rng, by Lloyd's iterations from random points, and
// assigns all points to their nearest mean, the first of equal ones. A cell that loses all its
// points keeps its mean.
func newCells(ctx context.Context, pts *points, count int, rng *rand.Rand) (*cells, error) {
	d := pts.x.Cols
	sample := draw(rng, pts.count(), min(pts.count(), count*trainingPoints))
	c := &cells{pts: pts, mean: make([]float32, count*d)}
	for k, at := range draw(rng, len(sample), count) {
		pts.transform(c.mean[k*d:(k+1)*d], sample[at])
	}
	slices.Sort(sample)
	for range trainingRounds {
		if err := c.assign(ctx, sample); err != nil {
			return nil, err
		}
		c.gather(sample)
		c.average()
	}
	all := allPoints(pts.count())
	if err := c.assign(ctx, all); err != nil {
		return nil, err
	}
	c.gather(all)
	return c, nil
}

// draw returns m different numbers below n, in random order, by the first m
// steps of a Fisher–Yates shuffle.
func draw(rng *rand.Rand, n, m int) []uint32 {
	all := allPoints(n)
	for i := range m {
		j := i + rng.IntN(n-i)
		all[i], all[j] = all[j], all[i]
	}
	return slices.Clone(all[:m])
}

func (c *cells) count() int { return len(c.mean) / c.pts.x.Cols }

// points returns the points of cell k, ascending.
func (c *cells) points(k int) []uint32 { return c.member[c.indptr[k]:c.indptr[k+1]] }

// assign sets of[p] to the cell of point ids[p].
func (c *cells) assign(ctx context.Context, ids []uint32) error {
	means := c.pack()
	c.of = make([]uint32, len(ids))
	scratch := make([]*assigner, rows.Workers(c.pts.threads))
	return rows.Do(ctx, len(ids), c.pts.threads, func(worker, lo, hi int) error {
		if scratch[worker] == nil {
			scratch[worker] = newAssigner(c.pts)
		}
		scratch[worker].assign(c.of[lo:hi], ids[lo:hi], means)
		return nil
	})
}

// packedMeans holds the means as blocks for the kernel, with their squared norms.
type packedMeans struct {
	panels []float32
	norm   []float32
}

func (c *cells) pack() *packedMeans {
	d := c.pts.x.Cols
	m := &packedMeans{panels: make([]float32, panels(c.count())*kernel.Rows*d), norm: make([]float32, c.count())}
	packRows(m.panels, c.count(), d, make([]float32, 8*d), func(to []float32, r int) {
		copy(to, c.mean[r*d:(r+1)*d])
		m.norm[r] = float32(kernel.SumProducts(to, to))
	})
	return m
}

// assigner is the scratch memory of one worker.
type assigner struct {
	pts      *points
	panels   []float32
	rows     []float32
	products []float32
	least    []float32
}

func newAssigner(pts *points) *assigner {
	d := pts.x.Cols
	return &assigner{
		pts: pts, panels: make([]float32, blockRows*d), rows: make([]float32, 8*d),
		products: make([]float32, blockRows*blockRows), least: make([]float32, blockRows),
	}
}

// assign finds the nearest mean of at most blockRows points.
func (a *assigner) assign(of, ids []uint32, means *packedMeans) {
	d := a.pts.x.Cols
	a.pts.pack(a.panels, ids, a.rows)
	for r := range ids {
		a.least[r] = float32(math.Inf(1))
	}
	for lo := 0; lo < len(means.norm); lo += blockRows {
		norm := means.norm[lo:min(lo+blockRows, len(means.norm))]
		stride := multiply(a.products, a.panels, len(ids), means.panels[lo*d:], len(norm), d)
		for r := range ids {
			product := a.products[r*stride:][:len(norm)]
			for k, v := range product {
				if away := norm[k] - 2*v; away < a.least[r] {
					a.least[r], of[r] = away, uint32(lo+k)
				}
			}
		}
	}
}

// gather lists the points of each cell, after assign.
func (c *cells) gather(ids []uint32) {
	c.indptr = make([]int, c.count()+1)
	for _, k := range c.of {
		c.indptr[k+1]++
	}
	for k := range c.count() {
		c.indptr[k+1] += c.indptr[k]
	}
	next := slices.Clone(c.indptr)
	c.member = make([]uint32, len(ids))
	for p, k := range c.of {
		c.member[next[k]] = ids[p]
		next[k]++
	}
}

// average moves each mean to the mean of the cell's points.
func (c *cells) average() {
	d := c.pts.x.Cols
	rows.Each(c.count(), c.pts.threads, func(lo, hi int) {
		x, sum := make([]float32, d), make([]float64, d)
		for k := lo; k < hi; k++ {
			members := c.points(k)
			if len(members) == 0 {
				continue
			}
			clear(sum)
			for _, u := range members {
				c.pts.transform(x, u)
				for q, v := range x {
					sum[q] += float64(v)
				}
			}
			for q, s := range sum {
				c.mean[k*d+q] = float32(s / float64(len(members)))
			}
		}
	})
}

// nearest returns, for each cell, all cells from the nearest to the farthest by the metric's rank
// of their means; the cell itself comes first. C² numbers and C²d multiply-adds for C cells.
func (c *cells) nearest() [][]uint32 {
	d, n := c.pts.x.Cols, c.count()
	order := make([][]uint32, n)
	metric := L2
	if c.pts.metric == InnerProduct {
		metric = InnerProduct
	}
	rows.Each(n, c.pts.threads, func(lo, hi int) {
		away := make([]float64, n)
		for k := lo; k < hi; k++ {
			for o := range n {
				away[o] = metric.rank(c.mean[k*d:(k+1)*d], c.mean[o*d:(o+1)*d], 0, 0)
			}
			away[k] = math.Inf(-1)
			order[k] = allPoints(n)
			slices.SortFunc(order[k], func(a, b uint32) int {
				return cmp.Or(cmp.Compare(away[a], away[b]), cmp.Compare(a, b))
			})
		}
	})
	return order
}

// blocks splits each cell into blocks of packed points.
func (c *cells) blocks() [][]*block {
	d := c.pts.x.Cols
	blocks := make([][]*block, c.count())
	rows.Each(c.count(), c.pts.threads, func(lo, hi int) {
		scratch := make([]float32, 8*d)
		for k := lo; k < hi; k++ {
			ids := c.points(k)
			for at := 0; at < len(ids); at += blockRows {
				part := ids[at:min(at+blockRows, len(ids))]
				b := &block{ids: part, queries: part, panels: make([]float32, panels(len(part))*kernel.Rows*d)}
				c.pts.pack(b.panels, part, scratch)
				blocks[k] = append(blocks[k], b)
			}
		}
	})
	return blocks
}
