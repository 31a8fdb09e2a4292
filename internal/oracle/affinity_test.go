package oracle

import (
	"math/rand/v2"
	"testing"

	"github.com/adp-sparse/adp-sparse/internal/gen"
)

func TestAStepByHand(t *testing.T) {
	// S M Sᵀ: s_ij m_jk s_lk, with M = A + Z = [[1,2],[3,4]].
	s := Mat{{0, 1}, {2, 0}}
	got := AStep(s, Mat{{1, 1}, {1, 1}}, Mat{{0, 1}, {2, 3}}, 0.5)
	near(t, "AStep", got, Mat{{0.5*4 + 0.5, 0.5 * 6}, {0.5 * 4, 0.5*4 + 0.5}}, 1e-15)
}

func TestAStarOfOneEdge(t *testing.T) {
	// S swaps the two nodes, so S² = I: the odd powers of the series give
	// α/(1−α²) SZS, the even ones α²/(1−α²) Z, the prior gives I.
	got := AStar(Mat{{0, 1}, {1, 0}}, Mat{{1, 0.6}, {0.9, 0}}, 0.5)
	near(t, "A*", got, Mat{{4.0 / 3, 0.2 + 0.6}, {0.4 + 0.3, 5.0 / 3}}, 1e-14)
}

// TestAStarIsTheLimit compares the closed form with the iteration run to its
// limit, and with Σ_{i≥1} αⁱSⁱZSⁱ + (1−α) Σ_{i≥0} αⁱS²ⁱ.
func TestAStarIsTheLimit(t *testing.T) {
	const alpha = 0.8
	for seed := range uint64(8) {
		n := 1 + int(seed)
		src, dst, weight := gen.RandomGraph(n, 0.5, seed, gen.Options{Isolated: n / 4, SelfLoops: 0.2, WeightSpread: 10})
		s := NormalizeSym(Affinity(n, src, dst, weight))
		h := randomMat(rand.New(rand.NewPCG(seed, 2)), n, 2)
		z := Mul(h, Transpose(h))
		star := AStar(s, z, alpha)

		a := s
		series, power, weightOfPower := New(n, n), Identity(n), 1.0
		for i := range 200 {
			a = AStep(s, a, z, alpha)
			series = Add(1, series, (1-alpha)*weightOfPower, Mul(power, power))
			if i > 0 {
				series = Add(1, series, weightOfPower, Mul(Mul(power, z), power))
			}
			power, weightOfPower = Mul(power, s), weightOfPower*alpha
		}
		near(t, "iteration", a, star, 1e-12)
		near(t, "series", series, star, 1e-12)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	panics(t, "too many nodes", func() { AStar(Identity(MaxStar+1), Identity(MaxStar+1), alpha) })
}

func TestTopKRowsByHand(t *testing.T) {
	a := Mat{
		{9, 1, 3, 3},
		{5, 0, 5, 5},
		{-1, -2, 0, -3},
		{0, 0, 0, 7},
	}
	near(t, "k=0", TopKRows(a, 0), Mat{{9, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 7}}, 0)
	near(t, "k=1", TopKRows(a, 1), Mat{{9, 0, 3, 0}, {5, 0, 0, 0}, {-1, 0, 0, 0}, {0, 0, 0, 7}}, 0)
	near(t, "k=2", TopKRows(a, 2), Mat{{9, 0, 3, 3}, {5, 0, 5, 0}, {-1, -2, 0, 0}, {0, 0, 0, 7}}, 0)
	near(t, "k=9", TopKRows(a, 9), a, 0)
}
