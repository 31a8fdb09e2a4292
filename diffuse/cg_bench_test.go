package diffuse

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
)

// BenchmarkLGC solves on a graph of 300,000 nodes in a fair order, ten edges
// drawn a node, ten classes, to 1e-6; and reports the time of an iteration.
func BenchmarkLGC(b *testing.B) {
	const n, degree, c = 300_000, 10, 10
	rng := rand.New(rand.NewPCG(3, 4))
	edges := &csr.Edges{}
	for i := range n {
		for range degree {
			j := (i + 1 + int(1000*rng.ExpFloat64())) % n
			edges.Src, edges.Dst = append(edges.Src, uint32(i)), append(edges.Dst, uint32(j))
			edges.Weight = append(edges.Weight, 1)
		}
	}
	w, _, err := csr.FromEdges(n, edges, csr.BuildOptions{})
	if err != nil {
		b.Fatal(err)
	}
	var seeds []Seed
	for k := range 1000 {
		seeds = append(seeds, Seed{Node: uint32(k * n / 1000), Class: uint32(k % c), Weight: 1})
	}
	y, err := NewSeeds(n, c, seeds)
	if err != nil {
		b.Fatal(err)
	}
	for _, threads := range []int{1, 2} {
		b.Run(fmt.Sprintf("threads%d", threads), func(b *testing.B) {
			s := Normalize(w, threads)
			work, f := NewWorkspace(n, c, threads), csr.NewDense(n, c)
			iterations := 0
			for b.Loop() {
				clear(f.Data)
				stats, err := work.LGC(context.Background(), f, s, s.Degrees, y, Options{Threads: threads})
				if err != nil {
					b.Fatal(err)
				}
				iterations += stats.Iterations
			}
			b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(iterations), "ms/iteration")
		})
	}
}
