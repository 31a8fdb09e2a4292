package oracle

import (
	"testing"

	"github.com/adp-sparse/adp-sparse/internal/gen"
)

func path(n int) Mat {
	src, dst, weight := gen.Path(n)
	return Affinity(n, src, dst, weight)
}

// TestLGCOnPath has the values worked out for a–b–c–d with seeds a=A, d=B.
// F itself at α = ½ follows from (I−½S)⁻¹ with s_ab = s_cd = 1/√2, s_bc = ½:
// by symmetry F_a ± F_d and F_b ± F_c solve two 2×2 systems,
// F_a + F_d = 0.6, F_a − F_d = 5/9.
func TestLGCOnPath(t *testing.T) {
	y := Mat{{1, 0}, {0, 0}, {0, 0}, {0, 1}}
	for _, c := range []struct {
		alpha float64
		share [4]float64
	}{
		{0.5, [4]float64{.962963, .777778, .222222, .037037}},
		{0.9, [4]float64{.682906, .569378, .430622, .317094}},
	} {
		f := LGC(path(4), y, c.alpha)
		for i, want := range c.share {
			got := f[i][0] / (f[i][0] + f[i][1])
			near(t, "share of class A", Mat{{got}}, Mat{{want}}, 5e-7)
		}
	}
	f := LGC(path(4), y, 0.5)
	near(t, "F_a + F_d, F_a − F_d", Mat{{f[0][0] + f[3][0], f[0][0] - f[3][0]}}, Mat{{0.6, 5.0 / 9}}, 1e-14)
}

func TestLGCUnreached(t *testing.T) {
	w := Affinity(5, []uint32{0, 2}, []uint32{1, 3}, []float32{1, 1})
	f := LGC(w, Mat{{1}, {0}, {0}, {0}, {0}}, 0.5)
	// One edge: (1−α)(1−α²)⁻¹ = 2/3, and α times that.
	near(t, "F", f, Mat{{2.0 / 3}, {1.0 / 3}, {0}, {0}, {0}}, 1e-15)
}

func TestHarmonicByHand(t *testing.T) {
	// On a path the harmonic function is linear in resistance: 1, 1/2, 2.
	w := Affinity(4, []uint32{0, 1, 2}, []uint32{1, 2, 3}, []float32{1, 2, 0.5})
	want := Mat{{1, 0}, {2.5 / 3.5, 1 / 3.5}, {2 / 3.5, 1.5 / 3.5}, {0, 1}}
	near(t, "path", Harmonic(w, []int{0, -1, -1, 1}, 2), want, 1e-15)

	w = Affinity(4, []uint32{0}, []uint32{1}, []float32{3})
	near(t, "unreached", Harmonic(w, []int{-1, 1, -1, -1}, 2), Mat{{0, 1}, {0, 1}, {0, 0}, {0, 0}}, 1e-15)
	near(t, "all labelled", Harmonic(w, []int{0, 1, 0, 1}, 2), Mat{{1, 0}, {0, 1}, {1, 0}, {0, 1}}, 0)
	near(t, "none labelled", Harmonic(w, []int{-1, -1, -1, -1}, 2), New(4, 2), 0)
}
