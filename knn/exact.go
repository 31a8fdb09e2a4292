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
	var meetings []meeting
	for from := 0; from <= len(blocks)/2; from += packedOnce {
		for b := range blocks {
			m := meeting{block: blocks[b]}
			for step := from; step <= min(from+packedOnce-1, len(blocks)/2); step++ {
				other := (b + step) % len(blocks)
				if 2*step == len(blocks) && other < b { // met from the other side
					continue
				}
				m.others = append(m.others, blocks[other])
			}
			meetings = append(meetings, m)
		}
	}
	return f.meetAll(ctx, meetings, threads, progress)
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

// meetAll works through meetings on several workers.
func (f *frontier) meetAll(ctx context.Context, meetings []meeting, threads int, progress func(done, total int)) error {
	return f.scanAll(ctx, meetings, threads, progress, (*scanner).meet)
}

// askAll offers the points of blocks to the queries of f, which may be others.
func (f *frontier) askAll(ctx context.Context, blocks []*block, threads int) error {
	var meetings []meeting
	for _, b := range cut(f.query) {
		for at := range blocks {
			meetings = append(meetings, meeting{b, blocks[at : at+1]})
		}
	}
	return f.scanAll(ctx, meetings, threads, nil, (*scanner).ask)
}

func (f *frontier) scanAll(ctx context.Context, meetings []meeting, threads int, progress func(done, total int), compare func(s *scanner, a, b *block)) error {
	scanners := make([]*scanner, rows.Workers(threads))
	count := newCounter(len(meetings), progress)
	return each(ctx, len(meetings), threads, func(worker, k int) error {
		if scanners[worker] == nil {
			scanners[worker] = newScanner(f)
		}
		for _, other := range meetings[k].others {
			compare(scanners[worker], meetings[k].block, other)
		}
		count.add()
		return nil
	})
}
