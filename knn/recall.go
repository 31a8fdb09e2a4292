package knn

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/adp-sparse/adp-sparse/csr"
)

// Recall returns recall@k of nb against exact neighbours: over m points of x drawn by seed, the
// share of their k nearest that nb has among its first k. A neighbour counts if its distance,
// measured from x, is at most that of the true k-th, so any choice among equally distant points is
// right. With fewer than m points it takes all.
//
// Cost: m·n·d multiply-adds; memory: that of [Search] for m points.
func Recall(ctx context.Context, x *csr.Dense, nb *Neighbors, k, m int, seed uint64, threads int) (float64, error) {
	if nb.N != x.Rows {
		panic(fmt.Sprintf("knn: neighbours of %d points, features of %d", nb.N, x.Rows))
	}
	largest, err := checkFeatures(x, threads)
	if err != nil {
		return 0, err
	}
	if k < 1 || k >= x.Rows || m < 1 {
		return 0, fmt.Errorf("%w: recall of %d neighbours on %d points of %d", ErrOptions, k, m, x.Rows)
	}
	return newPoints(x, allPoints(x.Rows), nb.Metric, largest, threads).recall(ctx, nb, k, m, seed, threads)
}

// recall is [Recall] for all points.
func (p *points) recall(ctx context.Context, nb *Neighbors, k, m int, seed uint64, threads int) (float64, error) {
	n := p.count()
	rng := rand.New(rand.NewPCG(seed, 0x7265_6361_6c6c))
	truth := newCandidateLists(p, draw(rng, n, min(m, n)), k)
	if err := truth.askAll(ctx, blocksOf(allPoints(n)), threads); err != nil {
		return 0, err
	}
	hits := 0
	var d rowScratch
	for q, u := range truth.query {
		nearest := truth.nearest(uint32(q), &d)
		farthest := nearest[len(nearest)-1].rank
		ids, _ := nb.Row(int(u))
		for _, id := range ids[:min(k, len(ids))] {
			if p.rank(u, id) <= farthest {
				hits++
			}
		}
	}
	return float64(hits) / float64(k*len(truth.query)), nil
}
