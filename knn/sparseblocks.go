package knn

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// The prices of the parts of a search among sparse rows, in multiply-adds of dense blocks. They
// were measured on one processor and are fixed, so that results do not depend on the processor.
const (
	entryPrice = 350 // a product of two entries, added to a sum somewhere in memory
	rarePrice  = 100 // the same, added to the products of two blocks
	mergePrice = 100 // a step in the columns of a block
)

// commonWidths are the numbers of common columns that are tried.
var commonWidths = []int{16, 32, 48, 64, 96, 128, 192, 256}

// sparseCosts are the prices of exact searches among sparse rows, and what they depend on.
type sparseCosts struct {
	order   []uint32 // the columns that have entries, the most frequent first
	common  int      // the first of order that are dense coordinates of blocks
	blocks  float64  // price of [sparsePoints.byBlocks]
	columns float64  // price of [sparsePoints.byColumns]

	rare, steps int64 // entries in blocks outside the common columns, about, and columns of all blocks
}

// sparseCostsOf returns the prices for the rows of x. The frequencies of words have a heavy tail: most pairs
// of entries in one column are in a few columns, which cost least as dense coordinates.
func sparseCostsOf(x *csr.Matrix) *sparseCosts {
	n, _ := x.Dims()
	used := csr.UsedColumns(x)
	_, d := used.Dims()
	_, indices, _ := used.Arrays()
	count := make([]int64, d)
	for _, j := range indices {
		count[j]++
	}
	c := &sparseCosts{blocks: math.Inf(1)}
	for j, entries := range count {
		c.columns += float64(entries) * float64(entries) * entryPrice
		if entries > 0 {
			c.order = append(c.order, uint32(j))
		}
	}
	slices.SortFunc(c.order, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b))
	})
	number := float64(n+blockRows-1) / blockRows
	for _, width := range commonWidths {
		common := min(width, len(c.order))
		price, rare, steps := exactCost(n, width), 0.0, 0.0
		for _, j := range c.order[common:] {
			entries := float64(count[j])
			price += entries * entries / 2 * rarePrice
			rare += entries
			steps += number * min(1, entries*blockRows/float64(n))
		}
		price += number * steps * mergePrice
		if price < c.blocks {
			c.blocks, c.common, c.rare, c.steps = price, common, int64(rare), int64(steps)
		}
	}
	return c
}

// byBlocks compares all pairs of points in blocks.
func (s *sparsePoints) byBlocks(ctx context.Context, nb *Neighbors, equal *groups, costs *sparseCosts, opt Options) error {
	f := s.candidates(equal.first, costs, opt)
	if f.k > 0 {
		if err := f.exactBy(ctx, nil, opt.Threads, opt.Progress); err != nil {
			return err
		}
	}
	return f.write(ctx, nb, equal, opt.Threads)
}

// candidates returns empty lists for the rows ids.
func (s *sparsePoints) candidates(ids []uint32, costs *sparseCosts, opt Options) *candidateLists {
	pts := s.blockPoints(ids, costs, opt.Threads)
	return newCandidateLists(pts, allPoints(pts.count()), max(0, min(opt.K, pts.count()-1)))
}

// blockPoints returns some points of s for searches in blocks: the common columns are dense
// coordinates, all others are lists of entries, see [rareColumns].
func (s *sparsePoints) blockPoints(ids []uint32, costs *sparseCosts, threads int) *points {
	s.bound(costs.common)
	_, d := s.scaled.Dims()
	common := costs.order[:costs.common]
	place := slices.Repeat([]int32{-1}, d)
	for at, j := range common {
		place[j] = int32(at)
	}
	width := max(1, len(common))
	p := &points{
		x: csr.NewDense(len(ids), width), row: allPoints(len(ids)), rowOf: ids, scale: 1, weight: s.weight, units: s.units, threads: threads,
		centre: make([]float32, width), low: make([]float32, len(ids)), slack: make([]float32, len(ids)), sparse: s,
	}
	if s.metric == InnerProduct {
		p.metric = InnerProduct
	}
	rows.Each(len(ids), threads, func(lo, hi int) {
		for u := lo; u < hi; u++ {
			p.low[u], p.slack[u] = s.low[ids[u]], s.slack[ids[u]]
		}
	})
	p.common = place
	p.fillCommon(p.x, ids)
	return p
}

// fillCommon writes the common columns of some rows of the sparse points.
func (p *points) fillCommon(to *csr.Dense, ids []uint32) {
	s := p.sparse
	rows.Each(len(ids), p.threads, func(lo, hi int) {
		for u := lo; u < hi; u++ {
			cols, vals := rowOfBoth(ids[u], s.scaled, s.askedScaled)
			row := to.Row(u)
			for k, j := range cols {
				if at := p.common[j]; at >= 0 {
					row[at] = vals[k]
				}
			}
		}
	})
}

// rareColumns are the entries of the rows of a block outside the common columns, by column.
type rareColumns struct {
	column []uint32
	first  []uint32 // entries of column[c]: first[c] to first[c+1]-1
	row    []uint16 // in the block
	value  []float32
}

// rareOf lists the rare entries of some points.
func (p *points) rareOf(ids []uint32) *rareColumns {
	type entry struct {
		key   uint64
		value float32
	}
	var all []entry
	for r, u := range ids {
		cols, vals := rowOfBoth(p.rowOf[u], p.sparse.scaled, p.sparse.askedScaled)
		for k, j := range cols {
			if p.common[j] < 0 {
				all = append(all, entry{uint64(j)<<16 | uint64(r), vals[k]})
			}
		}
	}
	slices.SortFunc(all, func(a, b entry) int { return cmp.Compare(a.key, b.key) })
	c := &rareColumns{row: make([]uint16, len(all)), value: make([]float32, len(all))}
	for k, e := range all {
		c.row[k], c.value[k] = uint16(e.key), e.value
		if j := uint32(e.key >> 16); k == 0 || j != c.column[len(c.column)-1] {
			c.column, c.first = append(c.column, j), append(c.first, uint32(k))
		}
	}
	c.column, c.first = append(c.column, math.MaxUint32), append(c.first, uint32(len(all)))
	c.column, c.first = slices.Clip(c.column), slices.Clip(c.first)
	return c
}

// listRare lists the rare entries of the blocks, if the points are sparse.
func (p *points) listRare(ctx context.Context, blocks []*block) error {
	if p.sparse == nil {
		return nil
	}
	return rows.Tasks(ctx, len(blocks), p.threads, func(_, k int) error {
		blocks[k].rare = p.rareOf(blocks[k].ids)
		return nil
	})
}

// addProducts adds the products of the rare entries of a and b to those of their blocks.
func addProducts(products []float32, stride int, a, b *rareColumns) {
	p, q := 0, 0
	for {
		x, y := a.column[p], b.column[q]
		if x == y {
			if x == math.MaxUint32 {
				return
			}
			rs, vs := b.row[b.first[q]:b.first[q+1]], b.value[b.first[q]:b.first[q+1]]
			for k := a.first[p]; k < a.first[p+1]; k++ {
				v, row := a.value[k], products[int(a.row[k])*stride:][:stride]
				for at, r := range rs {
					row[r] += float32(v * vs[at])
				}
			}
			p, q = p+1, q+1
			continue
		}
		less := 0
		if x < y {
			less = 1
		}
		p, q = p+less, q+1-less
	}
}
