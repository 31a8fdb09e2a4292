package diffuse

import (
	"context"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
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
	w, _, err := csr.FromEdges(n+200, edges, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range uint32(200) {
		edges.Src, edges.Dst, edges.Weight = append(edges.Src, n-1+i), append(edges.Dst, n+i), append(edges.Weight, 1)
	}
	if w, _, err = csr.FromEdges(n+200, edges, csr.BuildOptions{}); err != nil {
		t.Fatal(err)
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
					if _, err := work.LGC(ctx, f, s, s.Degrees, y, opt); err != nil {
						t.Fatal(err)
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
