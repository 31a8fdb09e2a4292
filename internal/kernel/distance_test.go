package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestSquaredDistance: every version is within the bound of a float64 sum, at all
// lengths about whole steps, and reads nothing outside.
func TestSquaredDistance(t *testing.T) {
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			use(t, name)
			rng := rand.New(rand.NewPCG(1, 12))
			for n := range 3*distanceStep + 5 {
				for _, centre := range []float32{0, 100} {
					_, x := fenced(n, 3, func() float32 { return centre + float32(rng.NormFloat64()) })
					_, y := fenced(n, 3, func() float32 { return centre + float32(rng.NormFloat64()) })
					want := 0.0
					for q := range x {
						d := float64(x[q]) - float64(y[q])
						want += d * d
					}
					if got := float64(SquaredDistance(x, y)); math.Abs(got-want) > DistanceError(n)*want {
						t.Fatalf("%d numbers: %v, want %v", n, got, want)
					}
				}
			}
		})
	}
}

// TestExactSums: every version gives the bits of the portable one, which is within
// the bound of naive sums, at all lengths about whole steps, and reads nothing outside.
func TestExactSums(t *testing.T) {
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, 13))
			for n := range 70 {
				_, x := fenced(n, 3, func() float32 { return float32(rng.NormFloat64()) })
				_, y := fenced(n, 3, func() float32 { return float32(math.Ldexp(rng.NormFloat64(), rng.IntN(40)-20)) })
				squares, products, size, differences := 0.0, 0.0, 0.0, 0.0
				for q := range x {
					d := float64(x[q]) - float64(y[q])
					squares += d * d
					differences += math.Abs(d)
					products += float64(x[q]) * float64(y[q])
					size += math.Abs(float64(x[q]) * float64(y[q]))
				}
				use(t, "portable")
				wantSquares, wantProducts, wantDifferences := SumSquares(x, y), SumProducts(x, y), SumDifferences(x, y)
				use(t, name)
				if got := SumSquares(x, y); got != wantSquares || math.Abs(got-squares) > 1e-13*squares {
					t.Fatalf("%d numbers: squares %v, portable %v, naive %v", n, got, wantSquares, squares)
				}
				if got := SumProducts(x, y); got != wantProducts || math.Abs(got-products) > 1e-13*size {
					t.Fatalf("%d numbers: products %v, portable %v, naive %v", n, got, wantProducts, products)
				}
				if got := SumDifferences(x, y); got != wantDifferences || math.Abs(got-differences) > 1e-13*differences {
					t.Fatalf("%d numbers: differences %v, portable %v, naive %v", n, got, wantDifferences, differences)
				}
			}
		})
	}
}
