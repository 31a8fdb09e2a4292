package knn

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
)

// approximate compares the points of each k-means cell with those of its nearest cells. Cell c
// meets cell o if either is among the probes nearest of the other, so every product serves both
// sides. The number of probes is the smallest for which a sample of points has the wanted share of
// its true neighbours in such cells and, if points of many coordinates are compared on a
// [projection], among the nearest there.
func (f *candidateLists) approximate(ctx context.Context, opt Options, report *Report) error {
	rng := rand.New(rand.NewPCG(opt.Seed, 0x6365_6c6c))
	sample := draw(rng, f.pts.count(), min(opt.RecallSample, f.pts.count()))
	truth, err := f.truth(ctx, sample, opt.Threads)
	if err != nil {
		return err
	}
	on, err := f.findProjection(ctx, sample, truth, opt, rng)
	if err != nil {
		return err
	}
	by := f
	if on != nil {
		by = f.estimates(on.pts, f.query, on.depth)
		report.Axes, report.Depth = on.pts.x.Cols, on.depth
	}
	part, err := newCells(ctx, by.pts, cellCount(f.pts.count()), rng)
	if err != nil {
		return err
	}
	blocks := part.blocks()
	order := part.nearest()
	position := positions(order)
	needs := make([][]int, len(sample))
	for q, u := range sample {
		own := part.of[u]
		for k, id := range truth[q] {
			other := part.of[id]
			need := 1 + int(min(position[own][other], position[other][own]))
			if on != nil && on.places[q][k] > on.depth {
				need = math.MaxInt
			}
			needs[q] = append(needs[q], need)
		}
	}
	probes := min(enough(needs, opt.Recall, 1), part.count())
	report.Method, report.Cells, report.Probes = Approx, part.count(), probes
	var meetings []meeting
	for c, near := range order {
		for at := range blocks[c] {
			m := meeting{blocks: blocks[c][at : at+1], others: slices.Clone(blocks[c][at:])}
			for _, o := range near[1:] {
				if apart := min(position[c][o], position[o][c]); int(apart) < probes && c < int(o) {
					m.others = append(m.others, blocks[o]...)
				}
			}
			meetings = append(meetings, m)
		}
	}
	err = scanAll(ctx, by, newScanner, len(meetings), opt.Threads, opt.Progress, (*scanner).meet, func(k int) meeting { return meetings[k] })
	if err == nil && by != f {
		f.settle(by, part.member, opt.Threads)
	}
	return err
}

// positions inverts the orders: position[c][o] is the place of o in order[c].
func positions(order [][]uint32) [][]uint32 {
	position := make([][]uint32, len(order))
	for c, near := range order {
		position[c] = make([]uint32, len(near))
		for p, o := range near {
			position[c][o] = uint32(p)
		}
	}
	return position
}

// truth returns the k nearest of each point of the sample.
func (f *candidateLists) truth(ctx context.Context, sample []uint32, threads int) ([][]uint32, error) {
	all := newCandidateLists(f.pts, sample, f.k)
	if err := all.askAll(ctx, blocksOf(allPoints(f.pts.count())), threads); err != nil {
		return nil, err
	}
	near := make([][]uint32, len(sample))
	var d rowScratch
	for q := range sample {
		for _, c := range all.nearest(uint32(q), &d) {
			near[q] = append(near[q], c.id)
		}
	}
	return near, nil
}
