package knn

import (
	"math/rand/v2"
	"testing"

	"github.com/adp-sparse/adp-sparse/internal/kernel"
)

// The cosine distance of equal points is 0 to the bit; rounding never takes
// that of parallel and opposite points out of 0 to 2.
func TestCosineStaysInRange(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for range 2000 {
		x, y, z := make([]float32, 301), make([]float32, 301), make([]float32, 301)
		for p := range x {
			x[p] = float32(rng.NormFloat64())
			y[p], z[p] = 3*x[p], -3*x[p]
		}
		square := func(v []float32) float64 { return kernel.SumProducts(v, v) }
		if d := Cosine.rank(x, x, square(x), square(x)); d != 0 {
			t.Fatalf("distance %g of a point to itself", d)
		}
		if d := Cosine.rank(x, y, square(x), square(y)); !(d >= 0 && d < 1e-6) {
			t.Fatalf("distance %g of parallel points", d)
		}
		if d := Cosine.rank(x, z, square(x), square(z)); !(d <= 2 && d > 2-1e-6) {
			t.Fatalf("distance %g of opposite points", d)
		}
	}
}
