package oracle

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/adp-sparse/adp-sparse/internal/gen"
)

// connected returns W of a random graph of n nodes, each with an edge, and the Z of a random factor.
func connected(n int, seed uint64) (w, z Mat) {
	src, dst, weight := gen.RandomGraph(n, 0.4, seed, gen.Options{WeightSpread: 10})
	for i := range n {
		src, dst, weight = append(src, uint32(i)), append(dst, uint32((i+1)%n)), append(weight, 0.5)
	}
	h := randomMat(rand.New(rand.NewPCG(seed, 3)), n, 2)
	return Affinity(n, src, dst, weight), Mul(h, Transpose(h))
}

// TestObjectiveOfOneEdge: W swaps two nodes, so M − SMSᵀ has the entries m_11 − m_22 and m_12 −
// m_21; with M = A + Z = [[1,3],[1,0]] the smoothness is 1 + 4 + 4 + 1 over two.
func TestObjectiveOfOneEdge(t *testing.T) {
	w, a, z := Mat{{0, 1}, {1, 0}}, Mat{{1, 2}, {0, 0}}, Mat{{0, 1}, {1, 0}}
	if got, want := Objective(w, a, z, 0.5), 5.0-2*2+0.5*(0+4+0+1); math.Abs(got-want) > 1e-14 {
		t.Errorf("J = %v, want %v", got, want)
	}
}

// TestObjectiveGradient compares the paper's derivative with differences of the sum over four
// nodes: J is quadratic, so that central ones are exact.
func TestObjectiveGradient(t *testing.T) {
	w, z := connected(6, 1)
	a := randomMat(rand.New(rand.NewPCG(5, 5)), 6, 6)
	got, want := ObjectiveGradient(NormalizeSym(w), a, z, 0.25), New(6, 6)
	for i := range 6 {
		for j := range 6 {
			kept := a[i][j]
			a[i][j] = kept + 0.5
			above := Objective(w, a, z, 0.25)
			a[i][j] = kept - 0.5
			want[i][j] = above - Objective(w, a, z, 0.25)
			a[i][j] = kept
		}
	}
	near(t, "∂J/∂A", got, want, 1e-11)
}

// TestAStarMinimises: the closed form is the minimum of J. The gradient is zero there, and J grows
// by at least μ‖E‖² in any direction E: it is convex, with no other minimum.
func TestAStarMinimises(t *testing.T) {
	for seed := range uint64(6) {
		n := 4 + int(seed)
		w, z := connected(n, seed)
		s := NormalizeSym(w)
		for _, alpha := range []float64{0.5, 0.9, 0.99} {
			mu := 1/alpha - 1
			star := AStar(s, z, alpha)
			near(t, "∂J/∂A at A*", ObjectiveGradient(s, star, z, mu), New(n, n), 1e-10)
			least := Objective(w, star, z, mu)
			random := rand.New(rand.NewPCG(seed, 7))
			for _, size := range []float64{1e-3, 1, 100} {
				e := Scale(size, randomMat(random, n, n))
				norm := 0.0
				for _, row := range e {
					for _, v := range row {
						norm += v * v
					}
				}
				more := Objective(w, Add(1, star, 1, e), z, mu) - least
				if more < mu*norm*(1-1e-6)-1e-12*math.Abs(least) {
					t.Errorf("graph %d α=%v: J grows by %.3e in a direction of %.3e, expected at least %.3e", seed, alpha, more, norm, mu*norm)
				}
			}
		}
	}
}

// TestIterationDescends: from any start, not symmetric or negative ones either, each step of the
// iteration lowers J, and its limit is A*, whatever A⁰ was.
func TestIterationDescends(t *testing.T) {
	const n, alpha, mu = 8, 0.9, 1/0.9 - 1
	w, z := connected(n, 4)
	s := NormalizeSym(w)
	star := AStar(s, z, alpha)
	least := Objective(w, star, z, mu)
	random := rand.New(rand.NewPCG(1, 1))
	for what, a := range map[string]Mat{
		"S": s, "0": New(n, n), "I": Identity(n), "Z": z,
		"random": Scale(10, randomMat(random, n, n)), "negative": Scale(-3, randomMat(random, n, n)),
	} {
		before := Objective(w, a, z, mu)
		for range 400 {
			a = AStep(s, a, z, alpha)
			now := Objective(w, a, z, mu)
			if now > before+1e-11*math.Abs(least) {
				t.Fatalf("from %s: J rises from %v to %v", what, before, now)
			}
			before = now
		}
		near(t, "the limit from "+what, a, star, 1e-12)
	}
}

// TestFactorsByHand: the margin of shares, equal ones, a row of zeros; and the scale of Z.
func TestFactorsByHand(t *testing.T) {
	f := Mat{{3, 1}, {1, 1}, {0, 0}}
	near(t, "shares", Shares(f), Mat{{0.75, 0.25}, {0.5, 0.5}, {0, 0}}, 0)
	near(t, "margins", Margins(f), Mat{{math.Sqrt(0.5), 0}, {0, 0}, {0, 0}}, 1e-15)
	near(t, "Z", Similarity(Mat{{1, 0}, {1, 0}, {0, 1}}, 0.5), Scale(0.3, Mat{{1, 1, 0}, {1, 1, 0}, {0, 0, 1}}), 1e-15)
	near(t, "Z of nothing", Similarity(New(2, 1), 0.5), New(2, 2), 0)
}

// TestJointByHand: one edge, one seed: a round of F on S, one of A, and F on the normalised A.
func TestJointByHand(t *testing.T) {
	s, y := Mat{{0, 1}, {1, 0}}, Mat{{1}, {0}}
	f, a := Joint(s, s, y, 0.5, 0.5, 1, func(f Mat) Mat { return Mul(f, Transpose(f)) })
	// F = (½, ½), Z = ¼ everywhere; A = ½ [[¼, 5/4], [5/4, ¼]] + ½ I, of degree 5/4.
	near(t, "A", a, Mat{{0.625, 0.625}, {0.625, 0.625}}, 1e-15)
	near(t, "F", f, Mat{{0.75}, {0.25}}, 1e-15)
}
