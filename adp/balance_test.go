package adp_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// TestBalanceOnLearnedGraphs: classes are balanced in the components of W; the
// learned graph has more. F is then that of LGC on it with those of W, and another one
// with its own.
func TestBalanceOnLearnedGraphs(t *testing.T) {
	const n, c = 240, 4
	for _, parts := range []uint32{1, 2} {
		const size = 20 // cliques, each joined to the next one of its part by a light edge
		var src, dst []uint32
		var weight []float32
		for i := range uint32(n) {
			for j := i - i%size; j < i; j++ {
				src, dst, weight = append(src, i), append(dst, j), append(weight, 1)
			}
			if next := i + parts*size + 1; i%size == 0 && next < n {
				src, dst, weight = append(src, i), append(dst, next), append(weight, 0.05)
			}
		}
		w := graphOf(t, n, src, dst, weight)
		if _, sizes := csr.Components(w, 1); len(sizes) != int(parts) {
			t.Fatalf("%d components of W", len(sizes))
		}
		var list []diffuse.Seed
		for k := range uint32(n / size) { // two of one class in each clique, one of the next
			list = append(list, diffuse.Seed{Node: k * size, Class: k % c, Weight: 1}, diffuse.Seed{Node: k*size + 7, Class: k % c, Weight: 1},
				diffuse.Seed{Node: k*size + 3, Class: (k + 1) % c, Weight: 1})
		}
		y, err := diffuse.NewSeeds(n, c, list)
		if err != nil {
			t.Fatal(err)
		}
		r, err := adp.Run(context.Background(), w, y, adp.Options{
			Rounds: 3, Select: adp.None, TopK: 3, Anchor: -1, Threads: 1,
		})
		if err != nil {
			t.Fatal(err)
		}
		off := func(within diffuse.Parted) (most float64) {
			f, _, err := diffuse.LGC(context.Background(), diffuse.Normalize(r.Graph, 1), y, diffuse.Options{Within: within, Underflow: diffuse.UnderflowAll})
			if err != nil {
				t.Fatal(err)
			}
			for i := range n {
				for j, v := range f.Row(i) {
					if top := slices.Max(f.Row(i)); top > 1e-4 {
						most = max(most, math.Abs(float64(v-r.F.At(i, j)))/float64(top))
					}
				}
			}
			return most
		}
		if d := off(diffuse.Normalize(w, 1)); d > 1e-3 {
			t.Errorf("%d parts: off by %.1e", parts, d)
		}
		if d := off(nil); d < 0.01 {
			_, sizes := csr.Components(r.Graph, 1)
			t.Errorf("%d parts, %d of the learned graph: off by no more than %.1e with its components, which says nothing", parts, len(sizes), d)
		}
	}
}
