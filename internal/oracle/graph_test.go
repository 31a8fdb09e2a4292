package oracle

import (
	"math"
	"slices"
	"testing"
)

func TestAffinityByHand(t *testing.T) {
	// Edge 0-1 twice and once reversed, a loop at 1, a lone node 3.
	w := Affinity(4, []uint32{0, 0, 1, 1, 2}, []uint32{1, 1, 0, 1, 1}, []float32{1, 2, 0.5, 9, 4})
	near(t, "W", w, Mat{{0, 3.5, 0, 0}, {3.5, 0, 4, 0}, {0, 4, 0, 0}, {0, 0, 0, 0}}, 0)
	if d := Degrees(w); !slices.Equal(d, []float64{3.5, 7.5, 4, 0}) {
		t.Errorf("degrees %v", d)
	}
}

func TestNormalizeSymByHand(t *testing.T) {
	// Degrees 4, 5, 1, 0: s_01 = 4/√20, s_12 = 1/√5, the lone node is 0.
	s := NormalizeSym(Mat{{0, 4, 0, 0}, {4, 0, 1, 0}, {0, 1, 0, 0}, {0, 0, 0, 0}})
	a, b := 4/math.Sqrt(20), 1/math.Sqrt(5)
	near(t, "S", s, Mat{{0, a, 0, 0}, {a, 0, b, 0}, {0, b, 0, 0}, {0, 0, 0, 0}}, 1e-15)
}

func TestComponentsByHand(t *testing.T) {
	// 0-3, 1-4-5, 2 alone.
	w := Affinity(6, []uint32{3, 4, 4}, []uint32{0, 5, 1}, []float32{1, 1, 1})
	if of := Components(w); !slices.Equal(of, []int{0, 1, 2, 0, 1, 1}) {
		t.Errorf("components %v", of)
	}
	if of := Components(nil); len(of) != 0 {
		t.Errorf("components of nothing: %v", of)
	}
}
