package oracle

import (
	"math"
	"testing"
)

// TestHopsOfAPair: two nodes with an edge of weight 1, one step of weight a; T has ⅓ on
// its diagonal, ⅔ beside it.
func TestHopsOfAPair(t *testing.T) {
	p := Hops(Mat{{0, 1}, {1, 0}}, 0.6, 1)
	if want := (Mat{{0.6, 0.4}, {0.4, 0.6}}); MaxAbsDiff(p, want) > 1e-15 {
		t.Errorf("P = %v, want %v", p, want)
	}
}

// TestRidgeOfOneColumn: V = Σ wxt/(Σ wx² + λ).
func TestRidgeOfOneColumn(t *testing.T) {
	v := Ridge(Mat{{1}, {2}, {-3}}, Mat{{4}, {5}, {6}}, []float64{1, 2, 0.5}, 0.5)
	if want := (4 + 20 - 9) / (1 + 8 + 4.5 + 0.5); math.Abs(v[0][0]-want) > 1e-15 {
		t.Errorf("V = %v, want %v", v[0][0], want)
	}
}
