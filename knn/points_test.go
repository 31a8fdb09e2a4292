package knn

import (
	"testing"

	"github.com/adp-sparse/adp-sparse/internal/kernel"
)

// The exact rank of every pair lies within the bounds that its float32
// product gives, with every kernel.
func TestBoundsHoldTheRank(t *testing.T) {
	for _, set := range datasets(5) {
		set.run(t, func(t *testing.T, metric Metric) {
			largest, err := checkFeatures(set.x, 1)
			if err != nil {
				t.Fatal(err)
			}
			n, d := min(set.x.Rows, 100), set.x.Cols
			p := newPoints(set.x, allPoints(set.x.Rows), metric, largest, 1)
			packed := make([]float32, panels(n)*kernel.Rows*d)
			p.pack(packed, allPoints(n), make([]float32, 8*d))
			products := make([]float32, panels(n)*panels(n)*kernel.Rows*kernel.Rows)
			for _, name := range kernel.Names() {
				before := kernel.Select(name)
				stride := p.compare(products, packed, n, packed, n)
				kernel.Select(before)
				for i := range n {
					for j := range n {
						low := p.low[i] + p.low[j] - p.weight*products[i*stride+j]
						rank := p.rank(uint32(i), uint32(j)) * p.units
						if high := float64(low) + 2*(float64(p.slack[i])+float64(p.slack[j])); rank < float64(low) || rank > high {
							t.Fatalf("%s (%d,%d): rank %g outside %g to %g", name, i, j, rank, low, high)
						}
					}
				}
			}
		})
	}
}
