package knn

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// TestSizesAtBlocks: sizes at the ends of blocks and panels, with fewer blocks than threads:
// neighbours, graphs and scalings are those of one thread, on the plane and in cells too.
func TestSizesAtBlocks(t *testing.T) {
	for k, n := range []int{2, 3, 33, 64, 511, 512, 513, 2049} {
		if racing.On && n != 33 && n != 513 { // fewer points than a block has, and one more
			continue
		}
		d := []int{1, 3, 8, 17}[k%4]
		if n == 513 {
			d = projectionDims + 8
		}
		rng := rand.New(rand.NewPCG(uint64(n), 16))
		x := csr.NewDense(n, d)
		for at := range x.Data {
			x.Data[at] = float32(rng.IntN(6)) + float32(40*(at/d%5)) // ties, in groups
			if n%2 == 1 {
				x.Data[at] += float32(rng.NormFloat64())
			}
		}
		clear(x.Row(n / 2))
		copy(x.Row(n-1), x.Row(0))
		all := func(threads int) (results []any) {
			ctx := t.Context()
			keep := func(result, report any, err error) {
				t.Helper()
				if err != nil {
					t.Fatalf("%d points, %d threads: %v", n, threads, err)
				}
				results = append(results, result, report)
			}
			for _, metric := range []Metric{L2, Cosine} {
				search := Options{K: min(4, n-1), Metric: metric, Method: Exact, Threads: threads}
				found, report, err := Search(ctx, x, search)
				keep(found, report, err)
				search.Method, search.Recall, search.RecallSample = Approx, 0.8, 50
				near, report, err := Search(ctx, x, search)
				keep(near, report, err)
				search.Method = Exact
				w, made, err := Graph(ctx, x, GraphOptions{Search: search, Connect: true})
				keep(w, made, err)
				ix, err := NewIndex(x, metric, threads)
				if err != nil {
					t.Fatal(err)
				}
				asked, err := ix.Nearest(ctx, x, min(3, n))
				keep(asked, nil, err)
				w, err = LLE(ctx, x, found, LLEOptions{Threads: threads})
				keep(w, nil, err)
			}
			if n <= 65 {
				w, report, err := SelfExpressive(ctx, x, SelfExpressiveOptions{Threads: threads})
				keep(w, report, err)
			}
			s, err := ScalingOf(x, threads)
			keep(s, s.Apply(x, threads), err)
			return results
		}
		want := all(1)
		for _, threads := range []int{3, 16} {
			for at, got := range all(threads) {
				if !reflect.DeepEqual(got, want[at]) {
					t.Errorf("%d points of %d coordinates: result %d of %d threads is another one than of one", n, d, at, threads)
				}
			}
		}
	}
}
