package diffuse

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/gen"
)

// TestTogether compares solves side by side with solves one by one: seeds of their own scale,
// classes that some seeds lack, components, weights, priors.
func TestTogether(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(40) {
		w, _ := randomGraph(t, seed)
		n, _ := w.Dims()
		g := Normalize(w, 1)
		var all []*Seeds
		for k := range 3 {
			y, _ := randomSeeds(t, n, 3, 10*seed+uint64(k))
			all = append(all, y)
		}
		opt := Options{Alpha: 0.9, Tolerance: 1e-7}
		if seed%2 == 1 {
			opt.Prior = []float64{1, 2, 3}
		}
		together, err := Together(ctx, g, g.Degrees, all, opt, nil)
		if err != nil {
			t.Fatal(err)
		}
		for k, y := range all {
			alone, _, err := LGC(ctx, g, y, opt)
			if err != nil {
				t.Fatal(err)
			}
			largest := float64(slices.Max(alone.Data))
			for at, v := range alone.Data {
				if d := math.Abs(float64(v) - float64(together[k].Data[at])); d > 1e-5*largest {
					t.Fatalf("graph %d, seeds %d, row %d: %v together, %v alone", seed, k, at/3, together[k].Data[at], v)
				}
			}
			work := NewWorkspace(n, 3, 1)
			stats, err := work.LGC(ctx, together[k], g, g.Degrees, y, opt)
			if err != nil || stats.Scaled == 0 && stats.Iterations > 3 {
				t.Fatalf("graph %d, seeds %d: %d more products from there, %v", seed, k, stats.Iterations, err)
			}
		}
	}
}

// TestTogetherSameBits: any number of threads.
func TestTogetherSameBits(t *testing.T) {
	src, dst, weight, _ := gen.PlantedPartition(3000, 3, 0.01, 0.001, 1)
	w, _ := graphOf(t, 3000, src, dst, weight)
	var want []*csr.Dense
	for _, threads := range []int{1, 2, 3, 8} {
		g := Normalize(w, threads)
		var all []*Seeds
		for k := range 3 {
			y, _ := randomSeeds(t, 3000, 3, uint64(k))
			all = append(all, y)
		}
		got, err := Together(context.Background(), g, g.Degrees, all, Options{Threads: threads}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for k := range want {
			if !slices.Equal(got[k].Data, want[k].Data) {
				t.Fatalf("%d threads: other bits in seeds %d", threads, k)
			}
		}
		want = got
	}
}

// BenchmarkTogether compares four solves side by side with four one by one.
func BenchmarkTogether(b *testing.B) {
	src, dst, weight, class := gen.PlantedPartition(20000, 4, 0.0015, 0.0003, 1)
	w, _, err := csr.FromEdges(20000, &csr.Edges{Src: src, Dst: dst, Weight: weight}, csr.BuildOptions{})
	if err != nil {
		b.Fatal(err)
	}
	g := Normalize(w, 2)
	for _, c := range []int{2, 4, 8, 16} {
		var all []*Seeds
		for k := range 4 {
			var list []Seed
			for j := range 10 * c {
				i := 100*j + k
				list = append(list, Seed{Node: uint32(i), Class: uint32((class[i]*7 + j) % c), Weight: 1})
			}
			y, err := NewSeeds(20000, c, list)
			if err != nil {
				b.Fatal(err)
			}
			all = append(all, y)
		}
		opt := Options{Threads: 2}
		b.Run(fmt.Sprintf("c=%d/together", c), func(b *testing.B) {
			for b.Loop() {
				if _, err := Together(context.Background(), g, g.Degrees, all, opt, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("c=%d/alone", c), func(b *testing.B) {
			work := NewWorkspace(20000, c, 2)
			for b.Loop() {
				for _, y := range all {
					if _, err := work.LGC(context.Background(), csr.NewDense(20000, c), g, g.Degrees, y, opt); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
