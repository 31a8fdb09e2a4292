package diffuse

import (
	"context"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/cache"
	"github.com/adp-sparse/adp-sparse/internal/gen"
)

// TestApart: conjugate gradients on a P with rows apart have the bits of those without, with rows that are solved again, rows of
// hubs, more rows than a block of sums, and any number of columns and threads.
func TestApart(t *testing.T) {
	ctx := context.Background()
	const n = 1500
	src, dst, weight := gen.RandomGraph(n, 0.004, 5, gen.Options{})
	edges := &csr.Edges{Src: src, Dst: dst, Weight: weight}
	for i := range uint32(n - 1) { // a hub, and a path that makes far rows faint
		if i%2 == 0 {
			edges.Src, edges.Dst, edges.Weight = append(edges.Src, 7), append(edges.Dst, i), append(edges.Weight, 0.01)
		}
	}
	for i := range uint32(200) {
		edges.Src, edges.Dst, edges.Weight = append(edges.Src, n-1+i), append(edges.Dst, n+i), append(edges.Weight, 1)
	}
	w, _, err := csr.FromEdges(n+200, edges, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if w.NNZ() < 5000 {
		t.Fatalf("%d entries, expected a graph with a hub and a path", w.NNZ())
	}
	for _, test := range []struct{ c, stride int }{{1, 8}, {7, 8}, {10, 16}, {13, 16}, {20, 32}, {33, 48}, {64, 80}} {
		var seeds []Seed
		for k := range 2 * test.c {
			seeds = append(seeds, Seed{Node: uint32(11 * k), Class: uint32(k % test.c), Weight: 1})
		}
		y, err := NewSeeds(n+200, test.c, seeds)
		if err != nil {
			t.Fatal(err)
		}
		for _, opt := range []Options{{}, {Underflow: UnderflowAll}} {
			var want *csr.Dense
			for _, threads := range []int{1, 3} {
				s := Normalize(w, threads)
				opt.Threads = threads
				for _, stride := range []int{test.c, test.stride} {
					work, f := newWorkspace(n+200, test.c, stride, threads), csr.NewDense(n+200, test.c)
					if (work.apart != nil) != (stride > test.c) {
						t.Fatalf("%d columns, %d apart: %v", test.c, stride, work.apart != nil)
					}
					stats, err := work.LGC(ctx, f, s, s.Degrees, y, opt)
					if err != nil {
						t.Fatal(err)
					}
					if stats.Iterations < 20 {
						t.Fatalf("%d columns: %d iterations tell nothing", test.c, stats.Iterations)
					}
					if want == nil {
						want = f
					}
					if !slices.Equal(f.Data, want.Data) {
						t.Errorf("%d columns, rows %d apart, %d threads: other bits", test.c, stride, threads)
					}
				}
			}
		}
	}
}

// TestApartVotes: votes, and a workspace of a partition, have the same bits where every block is larger than the cache. A workspace
// of a partition has no rows apart.
func TestApartVotes(t *testing.T) {
	ctx := context.Background()
	const n, c = 700, 10
	src, dst, weight := gen.RandomGraph(n, 0.02, 3, gen.Options{})
	w, _, err := csr.FromEdges(n, &csr.Edges{Src: src, Dst: dst, Weight: weight}, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s, h := Normalize(w, 2), csr.NewDense(n, c)
	for i := range n {
		h.Set(i, i%c, 1)
	}
	want, err := Votes(ctx, s, NewFactor(h, Hard), nil, 2)
	if err != nil {
		t.Fatal(err)
	}
	last := cache.Last
	t.Cleanup(func() { cache.Last = last })
	cache.Last = func() int64 { return 1 }
	got, err := Votes(ctx, s, NewFactor(h, Hard), nil, 2)
	if err != nil {
		t.Fatal(err)
	}
	if csr.Stride(n, c) != 16 || !slices.Equal(got.Data, want.Data) {
		t.Errorf("rows %d apart: other votes", csr.Stride(n, c))
	}
	work := NewWorkspace(n, c, 2)
	if work.apart == nil || ApartBytes(n, c) != 4*n*6 || ApartBytes(n, 65) != 0 {
		t.Errorf("no rows apart, %d bytes", ApartBytes(n, c))
	}
	if work.Across(whole{n}); work.apart != nil || len(work.p.Data) != n*c {
		t.Errorf("a partition has rows apart")
	}
}

// whole is a partition of one process.
type whole struct{ n int }

func (w whole) Rows() (lo, hi, n int)                       { return 0, w.n, w.n }
func (w whole) Fold(sum []float64, add func(sum []float64)) { add(sum) }
