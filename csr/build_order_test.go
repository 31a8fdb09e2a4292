package csr

import (
	"math/rand/v2"
	"testing"
)

// TestDuplicatesAddInOneOrder: the sum of these weights depends on the order
// of addition, in float64 and so that float32 sees it: 2^30 + 2^6 is halfway
// between two float32, and four times 2^-24 decide only if added to each other
// first. Smallest first is the rule, whatever the order of the edges.
func TestDuplicatesAddInOneOrder(t *testing.T) {
	weights := []float32{0x1p30, 0x1p6, 0x1p-24, 0x1p-24, 0x1p-24, 0x1p-24}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 50 {
		rng.Shuffle(len(weights), func(a, b int) { weights[a], weights[b] = weights[b], weights[a] })
		e := Edges{Weight: append([]float32(nil), weights...)}
		for k := range weights {
			e.Src = append(e.Src, uint32(k%2))
			e.Dst = append(e.Dst, uint32(1-k%2))
		}
		m, stats, err := FromEdges(2, &e, BuildOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if got := m.At(0, 1); got != 0x1p30+0x1p7 || stats.Duplicates != len(weights)-1 {
			t.Fatalf("order %v: sum %v, want %v; %+v", weights, got, 0x1p30+0x1p7, stats)
		}
	}
}
