package knn

import (
	"context"

	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// packedOnce is the number of blocks that a block meets while it is packed.
const packedOnce = 4

// exact offers every point to every other. Blocks stand in a circle; block b
// meets itself and the blocks up to half a circle ahead, so that every pair
// of blocks meets once and serves both sides: n²d/2 multiply-adds.
func (f *frontier) exact(ctx context.Context, threads int, progress func(done, total int)) error {
	blocks := cut(f.query)
	rounds := len(blocks)/2/packedOnce + 1
	return f.scanAll(ctx, rounds*len(blocks), threads, progress, (*scanner).meet, func(k int) meeting {
		return aheadOf(blocks, k%len(blocks), k/len(blocks)*packedOnce)
	})
}

// aheadOf returns block b and those that it meets from step from on.
func aheadOf(blocks []*block, b, from int) meeting {
	m := meeting{block: blocks[b]}
	for step := from; step < from+packedOnce && 2*step <= len(blocks); step++ {
		other := (b + step) % len(blocks)
		if 2*step == len(blocks) && other < b { // met from the other side
			continue
		}
		m.others = append(m.others, blocks[other])
	}
	return m
}

// cut makes blocks of points that are queries 0, 1, 2, … in this order.
func cut(ids []uint32) []*block {
	var blocks []*block
	for lo := 0; lo < len(ids); lo += blockRows {
		hi := min(lo+blockRows, len(ids))
		b := &block{ids: ids[lo:hi], queries: make([]uint32, hi-lo)}
		for r := range b.queries {
			b.queries[r] = uint32(lo + r)
		}
		blocks = append(blocks, b)
	}
	return blocks
}

// meeting is a block and others that it meets.
type meeting struct {
	block  *block
	others []*block
}

// askAll offers the points of blocks to the queries of f, which may be others.
func (f *frontier) askAll(ctx context.Context, blocks []*block, threads int) error {
	queries := cut(f.query)
	return f.scanAll(ctx, len(queries)*len(blocks), threads, nil, (*scanner).ask, func(k int) meeting {
		at := k % len(blocks)
		return meeting{queries[k/len(blocks)], blocks[at : at+1]}
	})
}

// scanAll works through n meetings on several workers.
func (f *frontier) scanAll(ctx context.Context, n, threads int, progress func(done, total int), compare func(s *scanner, a, b *block), meeting func(k int) meeting) error {
	scanners := make([]*scanner, rows.Workers(threads))
	count := newCounter(n, progress)
	return rows.Tasks(ctx, n, threads, func(worker, k int) error {
		if scanners[worker] == nil {
			scanners[worker] = newScanner(f)
		}
		m := meeting(k)
		for _, other := range m.others {
			compare(scanners[worker], m.block, other)
		}
		count.add()
		return nil
	})
}
