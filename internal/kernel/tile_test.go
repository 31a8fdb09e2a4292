package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestTile: every version adds the sums to the given numbers, within the rounding of
// n products, and writes nothing beside them.
func TestTile(t *testing.T) {
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			use(t, name)
			rng := rand.New(rand.NewPCG(1, 64))
			for _, n := range []int{0, 1, 2, 3, 7, 64, 257} {
				for _, stride := range []int{TileCols, TileCols + 5} {
					a, b := make([]float64, n*TileRows), make([]float64, n*TileCols)
					for _, s := range [][]float64{a, b} {
						for k := range s {
							s[k] = rng.NormFloat64()
						}
					}
					const margin = 3
					dst := make([]float64, 2*margin+TileRows*stride)
					for k := range dst {
						dst[k] = float64(k)
					}
					Tile(dst[margin:], stride, a, b, n)
					for k, got := range dst {
						r, s := (k-margin)/stride, (k-margin)%stride
						want, size := float64(k), float64(k)
						if k >= margin && r < TileRows && s < TileCols {
							for p := range n {
								v := a[p*TileRows+r] * b[p*TileCols+s]
								want += v
								size += math.Abs(v)
							}
						}
						if math.Abs(got-want) > float64(n)*0x1p-52*size {
							t.Fatalf("n=%d, stride %d: place %d is %v, want %v", n, stride, k, got, want)
						}
					}
				}
			}
		})
	}
}

// TestRotate: every version turns the rows and writes nothing outside.
func TestRotate(t *testing.T) {
	c, s := math.Cos(1), math.Sin(1)
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			use(t, name)
			for n := range 14 {
				x, y := make([]float64, n+2), make([]float64, n+2)
				for k := range x {
					x[k], y[k] = float64(k+1), float64(2*k-7)
				}
				Rotate(x[1:n+1], y[1:n+1], c, s)
				for k := range x {
					p, q := float64(k+1), float64(2*k-7)
					wantX, wantY := c*p-s*q, s*p+c*q
					if k == 0 || k == n+1 {
						wantX, wantY = p, q
					}
					if math.Abs(x[k]-wantX) > 1e-13 || math.Abs(y[k]-wantY) > 1e-13 {
						t.Fatalf("%d numbers: place %d is %v, %v, want %v, %v", n, k, x[k], y[k], wantX, wantY)
					}
				}
			}
		})
	}
}
