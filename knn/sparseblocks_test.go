package knn

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// words are n rows of about eight of d columns, whose frequencies fall as 1/rank. Half of the
// words of a row are of its topic. Every 50th row is empty, every 40th copies another.
func words(n, d, topics int) *csr.Matrix {
	rng := rand.New(rand.NewPCG(4, uint64(n)))
	indptr, cols, vals := []int64{0}, []uint32(nil), []float32(nil)
	for i := range n {
		counts := map[uint32]float32{}
		topic := rng.IntN(topics)
		for range 4 + rng.IntN(9) {
			j := int(math.Pow(float64(d), rng.Float64())) - 1 // log-uniform
			if rng.IntN(2) == 0 {
				j = (j*7919 + topic*104_729) % d
			}
			counts[uint32(j)]++
		}
		switch {
		case i%50 == 7:
			clear(counts)
		case i%40 == 9:
			from := indptr[i/2]
			cols, vals = append(cols, cols[from:indptr[i/2+1]]...), append(vals, vals[from:indptr[i/2+1]]...)
			clear(counts)
		}
		for j := range uint32(d) {
			if v, ok := counts[j]; ok {
				cols, vals = append(cols, j), append(vals, v)
			}
		}
		indptr = append(indptr, int64(len(cols)))
	}
	x, err := csr.New(n, d, indptr, cols, vals)
	if err != nil {
		panic(err)
	}
	return x
}

// sparseSearch is the start of searchSparse for one of its ways.
func sparseSearch(t *testing.T, x *csr.Matrix, opt Options, leaveOut bool) (*sparsePoints, *groups, *Neighbors, *sparseCosts, Options) {
	t.Helper()
	n, _ := x.Dims()
	opt, err := opt.withDefaults(n)
	if err != nil {
		t.Fatal(err)
	}
	equal := findSparseGroups(x, opt.Threads)
	if leaveOut {
		equal.leaveOut(opt.Metric, func(i int) bool {
			_, values := x.Row(i)
			return isZero(values)
		})
	}
	nb := newNeighbors(n, opt.K, opt.Metric)
	if opt.Distinct {
		nb.Of = equal.firsts(n)
	}
	s := newSparsePoints(x, opt)
	return s, equal, nb, sparseCostsOf(s.scaled), opt
}

// TestSparseBlocks: products of blocks find what products of rows find, whatever columns are common.
func TestSparseBlocks(t *testing.T) {
	ctx, x := context.Background(), words(1300, 500, 6)
	for _, metric := range sparseMetrics() {
		for _, distinct := range []bool{false, true} {
			opt := Options{K: 7, Metric: metric, Distinct: distinct, Threads: 2}
			s, equal, want, _, o := sparseSearch(t, x, opt, distinct)
			if err := s.byColumns(ctx, want, equal, o); err != nil {
				t.Fatal(err)
			}
			for _, common := range []int{0, 16, 200} {
				for _, threads := range []int{1, 3} {
					if racing.On && threads == 1 {
						continue
					}
					opt.Threads = threads
					s, equal, got, costs, o := sparseSearch(t, x, opt, distinct)
					costs.common = common
					if err := s.byBlocks(ctx, got, equal, costs, o); err != nil {
						t.Fatal(err)
					}
					if !slices.Equal(got.IDs, want.IDs) || !slices.Equal(got.Dist, want.Dist) {
						t.Errorf("%v, distinct %t, %d common columns, %d threads: other neighbours", metric, distinct, common, threads)
					}
				}
			}
		}
	}
}

// TestSparseCosts: heavy tails are for blocks, columns of few rows are not.
func TestSparseCosts(t *testing.T) {
	if c := sparseCostsOf(words(2000, 500, 3)); c.blocks > c.columns || c.common < 16 || c.order[0] != 0 {
		t.Errorf("words: %d common columns, blocks %v, columns %v", c.common, c.blocks, c.columns)
	}
	if c := sparseCostsOf(csr.Identity(2000)); c.blocks < c.columns {
		t.Errorf("rows that share nothing: blocks %v, columns %v", c.blocks, c.columns)
	}
}
