package knn

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
)

// approximate compares the points of each k-means cell with those of its
// nearest cells: cell c meets cell o where either is among the probes nearest
// of the other, so that every product serves both sides. The number of
// probes is the smallest for which a sample of points has the wanted share
// of its true neighbours in such cells.
func (f *frontier) approximate(ctx context.Context, opt Options, report *Report) error {
	rng := rand.New(rand.NewPCG(opt.Seed, 0x6365_6c6c))
	part, err := newCells(ctx, f.pts, cellCount(f.pts.len()), rng)
	if err != nil {
		return err
	}
	blocks := part.blocks()
	order := part.nearest()
	position := positions(order)
	sample := draw(rng, f.pts.len(), min(opt.RecallSample, f.pts.len()))
	probes, err := f.tune(ctx, sample, part, blocks, position, opt)
	if err != nil {
		return err
	}
	report.Method, report.Cells, report.Probes = Approx, part.count(), probes
	var meetings []meeting
	for c, near := range order {
		for at, b := range blocks[c] {
			m := meeting{block: b, others: slices.Clone(blocks[c][at:])}
			for _, o := range near[1:] {
				if apart := min(position[c][o], position[o][c]); int(apart) < probes && c < int(o) {
					m.others = append(m.others, blocks[o]...)
				}
			}
			meetings = append(meetings, m)
		}
	}
	return f.scanAll(ctx, len(meetings), opt.Threads, opt.Progress, (*scanner).meet, func(k int) meeting { return meetings[k] })
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

// tune returns the number of probes that finds the wanted share of the true
// neighbours of the sample.
func (f *frontier) tune(ctx context.Context, sample []uint32, part *cells, blocks [][]*block, position [][]uint32, opt Options) (int, error) {
	truth := newFrontier(f.pts, sample, f.k)
	if err := truth.askAll(ctx, slices.Concat(blocks...), opt.Threads); err != nil {
		return 0, err
	}
	needed := make([]int, 0, len(sample)*f.k)
	var d desk
	for q, u := range sample {
		own := part.of[u]
		for _, near := range truth.nearest(uint32(q), &d) {
			other := part.of[near.id]
			needed = append(needed, 1+int(min(position[own][other], position[other][own])))
		}
	}
	slices.Sort(needed)
	wanted := int(math.Ceil(opt.Recall * float64(len(needed))))
	return needed[wanted-1], nil
}
