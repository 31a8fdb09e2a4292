package diffuse

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
)

// TestHeld: rows of words are held by the entries that they can have, whatever those of other rows are, and no row has more.
func TestHeld(t *testing.T) {
	const n, far = 4000, 3000
	rng := rand.New(rand.NewPCG(5, 6))
	edges := &csr.Edges{}
	for i := range uint32(n) {
		for _, step := range []uint32{1, 7} {
			edges.Src, edges.Dst, edges.Weight = append(edges.Src, i), append(edges.Dst, (i+step)%n), append(edges.Weight, 1)
		}
	}
	w, _, err := csr.FromEdges(n, edges, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	words := func(of func(i int) int) *csr.Matrix {
		indptr := []int64{0}
		var columns []uint32
		var values []float32
		for i := range n {
			for q := range of(i) {
				columns, values = append(columns, uint32(q*20+rng.IntN(20))), append(values, 1)
			}
			indptr = append(indptr, int64(len(columns)))
		}
		x, err := csr.New(n, 20*n, indptr, columns, values)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	seeds := make([]uint32, 30)
	for k := range seeds {
		seeds[k] = uint32(20 * k)
	}
	for _, test := range []struct {
		of   func(i int) int
		want bool
	}{
		{func(int) int { return 5 }, true},
		{func(i int) int { return 1 + i/far*600 }, true}, // long ones are far from the seeds
		{func(i int) int { return 1 + (n-1-i)/far*600 }, false},
	} {
		x := words(test.of)
		for steps := 1; steps <= 2; steps++ {
			d, err := NewDiffused(Features{Sparse: x}, Normalize(w, 1), Hops{Weight: 1, Steps: steps}, 1)
			if err != nil {
				t.Fatal(err)
			}
			entries, ok := held(w, steps, seeds, x)
			if ok != (test.want || steps == 1 && entries <= mostHeld*n) {
				t.Errorf("%d steps: %d entries are held: %t", steps, entries, ok)
			}
			if _, used, err := d.walkGram(context.Background(), seeds); err != nil || used != ok {
				t.Errorf("%d steps: %t, %v", steps, used, err)
			}
			walker, all := d.walker(), int64(0)
			for _, i := range seeds {
				at, _ := walker.row(int(i))
				all += int64(len(at))
			}
			if ok && all > entries {
				t.Errorf("%d steps: %d entries, expected at most %d", steps, all, entries)
			}
		}
	}
}
