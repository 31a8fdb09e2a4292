package diffuse

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/gen"
)

// TestSizesAtBlocks: sizes at the ends of blocks of rows, with fewer blocks than threads and
// numbers of classes at the ends of vectors: the bits of one thread, for all that goes over
// blocks of rows.
func TestSizesAtBlocks(t *testing.T) {
	for k, n := range []int{1, 2, 511, 512, 513, 1024, 2049} {
		c := []int{1, 2, 3, 8, 9, 16, 17, 33}[(3*k+1)%8]
		src, dst, weight := gen.RandomGraph(n, min(0.5, 6/float64(n)), uint64(n), gen.Options{WeightSpread: 2})
		for j := range n / 2 { // a hub, for rows that are made in groups
			src, dst, weight = append(src, 0), append(dst, uint32(n-1-j)), append(weight, 0.5)
		}
		w, _, err := csr.FromEdges(n, &csr.Edges{Src: src, Dst: dst, Weight: weight}, csr.BuildOptions{Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		y, _ := randomSeeds(t, n, c, 7)
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatalf("%d nodes: %v", n, err)
			}
		}
		all := func(threads int) (results []any) {
			ctx := context.Background()
			g := Normalize(w, threads)
			opt := Options{Threads: threads, Tolerance: 1e-4, Underflow: UnderflowAll}
			f, stats, err := LGC(ctx, g, y, opt)
			must(err)
			results = append(results, g.Components(), slices.Clone(f.Data), stats)
			sliced := csr.NewDense(n, c)
			stats, err = NewSlicedWorkspace(n, c, 2, threads).LGC(ctx, sliced, g, g.Degrees, y, opt)
			must(err)
			results = append(results, sliced, stats)
			harmonic, stats, err := Harmonic(ctx, g, y, opt)
			must(err)
			results = append(results, harmonic, stats)
			h := NewFactor(f, Soft)
			star, err := AStar(ctx, g.S, h, 0.5, 0.5, 1e-3, f, threads)
			must(err)
			results = append(results, star, ExactStep(g.S, g.S, h, 0.5, 0.9, f, threads), Extend(f, g.Degrees, w, 0, threads))
			for _, step := range []AffinityOptions{
				{TopK: 3, Anchor: 0.5},
				{TopK: 3, Hubs: HubRows{Above: 1, Work: 100, Links: 4, Terms: 50}},
				{TopK: 2, Space: csr.NewSpace(t.TempDir())},
			} {
				step.Alpha, step.Zeta, step.Threads = 0.9, 0.3, threads
				a, err := AStep(ctx, g.S, g.S, NewFactor(f, SqrtMargin), step)
				must(err)
				indptr, cols, vals := a.Arrays()
				results = append(results, slices.Clone(indptr), slices.Clone(cols), slices.Clone(vals))
				must(step.Space.Close())
			}
			must(NewWorkspace(n, c, threads).Combine(f, g, g.Degrees, y, opt))
			return append(results, f)
		}
		want := all(1)
		for _, threads := range []int{3, 16} {
			for at, got := range all(threads) {
				if !reflect.DeepEqual(got, want[at]) {
					t.Errorf("%d nodes, %d classes: result %d of %d threads is another one than of one", n, c, at, threads)
				}
			}
		}
	}
}
