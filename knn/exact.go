package knn

import (
	"context"
	"slices"

	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// packedBlocks is the number of blocks that a worker keeps packed while another block meets them.
// With as many others, one packing serves two products.
const packedBlocks = 4

// exact offers every point to every other. Groups of blocks stand in a circle; a group meets itself
// and the groups up to half a circle ahead. So every pair of blocks meets once and serves both
// sides: n²d/2 multiply-adds.
func (f *candidateLists) exact(ctx context.Context, threads int, progress func(done, total int)) error {
	c, err := f.newCodes(ctx)
	if err != nil {
		return err
	}
	return f.exactBy(ctx, c, threads, progress)
}

// exactBy is exact by codes, unless these are nil.
func (f *candidateLists) exactBy(ctx context.Context, c *codes, threads int, progress func(done, total int)) error {
	blocks := blocksOf(f.query)
	if err := f.pts.listRare(ctx, blocks); err != nil {
		return err
	}
	size := groupSize(len(blocks), rows.Workers(threads))
	circle := slices.Collect(slices.Chunk(blocks, size))
	n := (len(circle)/2 + 1) * len(circle)
	pair := func(k int) meeting { return ahead(circle, k%len(circle), k/len(circle)) }
	if c == nil {
		return scanAll(ctx, f, newScanner, n, threads, progress, (*scanner).meet, pair)
	}
	if err := c.packAll(ctx, blocks); err != nil {
		return err
	}
	f.codes = c
	return scanAll(ctx, f, newCodeScanner, n, threads, progress, (*codeScanner).meet, pair)
}

// groupSize is the number of blocks in a group of the circle.
func groupSize(blocks, workers int) int { return min(max(blocks/(2*workers), 1), packedBlocks) }

// ahead returns the meeting of a group of blocks with the group step places ahead.
func ahead(circle [][]*block, at, step int) meeting {
	other := (at + step) % len(circle)
	if 2*step == len(circle) && other < at { // met from the other side
		return meeting{}
	}
	return meeting{circle[at], circle[other]}
}

// blocksOf makes blocks of points that are queries 0, 1, 2, … in this order.
func blocksOf(ids []uint32) []*block {
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

// meeting is a list of blocks and of others that they meet. A block in both lists meets those from
// itself on.
type meeting struct{ blocks, others []*block }

// askAll offers the points of blocks to the queries of f, which may be other points.
func (f *candidateLists) askAll(ctx context.Context, blocks []*block, threads int) error {
	queries := blocksOf(f.query)
	if err := f.pts.listRare(ctx, queries); err != nil {
		return err
	}
	return scanAll(ctx, f, newScanner, len(queries)*len(blocks), threads, nil, (*scanner).ask, func(k int) meeting {
		at := k % len(blocks)
		asks := k / len(blocks)
		return meeting{queries[asks : asks+1], blocks[at : at+1]}
	})
}

// scanAll runs n meetings on several workers, each with a scanner of its own.
func scanAll[S any](ctx context.Context, f *candidateLists, start func(f *candidateLists) *S, n, threads int, progress func(done, total int), compare func(s *S, a, b *block), meeting func(k int) meeting) error {
	scanners := make([]*S, rows.Workers(threads))
	count := newCounter(n, progress)
	return rows.Tasks(ctx, n, threads, func(worker, k int) error {
		if scanners[worker] == nil {
			scanners[worker] = start(f)
		}
		m := meeting(k)
		for _, other := range m.others {
			for _, b := range m.blocks {
				compare(scanners[worker], b, other)
				if b == other {
					break
				}
			}
		}
		count.add()
		return nil
	})
}
