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
