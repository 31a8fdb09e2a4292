package knn

import (
	"context"

	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// exact offers every point to every other. Blocks stand in a circle; block b
// meets itself and the blocks up to half a circle ahead, so that every pair
// of blocks meets once and serves both sides: n²d/2 multiply-adds.
func (f *frontier) exact(ctx context.Context, threads int, progress func(done, total int)) error {
	blocks := cut(f.query)
	var pairs []pair
	for step := range len(blocks)/2 + 1 {
		for b := range blocks {
			other := (b + step) % len(blocks)
			if 2*step == len(blocks) && other < b { // met from the other side
				continue
			}
			pairs = append(pairs, pair{blocks[b], blocks[other]})
		}
	}
	return f.meetAll(ctx, pairs, threads, progress)
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

// pair is two blocks that meet.
type pair struct{ a, b *block }

// meetAll works through pairs of blocks on several workers.
func (f *frontier) meetAll(ctx context.Context, pairs []pair, threads int, progress func(done, total int)) error {
	scanners := make([]*scanner, rows.Workers(threads))
	count := newCounter(len(pairs), progress)
	return each(ctx, len(pairs), threads, func(worker, k int) error {
		if scanners[worker] == nil {
			scanners[worker] = newScanner(f)
		}
		scanners[worker].meet(pairs[k].a, pairs[k].b)
		count.add()
		return nil
	})
}
