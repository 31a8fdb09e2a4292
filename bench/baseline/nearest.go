package baseline

import (
	"context"
	"math"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/kernel"
	"github.com/adp-sparse/adp-sparse/internal/rows"
	"github.com/adp-sparse/adp-sparse/knn"
)

// NearestSeed gives each node the class of the nearest seed, the first of equally near
// ones: by the cosine for counts, else by the Euclidean distance, of scaled columns where
// these are of unlike units, as package knn has it. nld.
//
// T. Cover, P. Hart: Nearest Neighbor Pattern Classification. IEEE Trans. Information
// Theory 13, 1967.
func NearestSeed(ctx context.Context, p *Problem) ([]int32, error) {
	if p.counts() {
		return p.nearestByCosine(ctx)
	}
	x, err := once(p.Data, "compared", func() (*csr.Dense, error) {
		scaling, err := knn.ScalingOf(p.X, p.Threads)
		if err != nil || !scaling.Unlike() {
			return p.X, err
		}
		return scaling.Apply(p.X, p.Threads), nil
	})
	if err != nil {
		return nil, err
	}
	nodes, class := p.samples()
	y := make([]int32, x.Rows)
	return y, rows.Do(ctx, x.Rows, p.Threads, func(_, lo, hi int) error {
		for i := lo; i < hi; i++ {
			best := math.Inf(1)
			for k, s := range nodes {
				if d := kernel.SumSquares(x.Row(i), x.Row(int(s))); d < best {
					best, y[i] = d, int32(class[k])
				}
			}
		}
		return nil
	})
}

// nearestByCosine is NearestSeed of rows at unit length.
func (p *Problem) nearestByCosine(ctx context.Context) ([]int32, error) {
	x, err := p.points()
	if err != nil {
		return nil, err
	}
	nodes, class := p.samples()
	seeds, err := rowsOf(x, nodes)
	if err != nil {
		return nil, err
	}
	y := make([]int32, p.N())
	return y, csr.MulRows(ctx, x, csr.Transpose(seeds, p.Threads), p.Threads, func(_, i int, row *csr.Accumulator) error {
		best, at := float32(math.Inf(-1)), uint32(0)
		for k := range nodes {
			if v := row.Value(uint32(k)); v > best {
				best, at = v, uint32(k)
			}
		}
		y[i] = int32(class[at])
		return nil
	})
}
