package oracle

import (
	"math"
	"math/rand/v2"
	"testing"
)

// near fails when got and want differ by more than tol anywhere.
func near(t *testing.T, what string, got, want Mat, tol float64) {
	t.Helper()
	if d := MaxAbsDiff(got, want); !(d <= tol) {
		t.Errorf("%s: differs by %g, more than %g\n got %v\nwant %v", what, d, tol, got, want)
	}
}

func panics(t *testing.T, what string, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s: no panic", what)
		}
	}()
	f()
}

func randomMat(random *rand.Rand, r, c int) Mat {
	m := New(r, c)
	for i := range m {
		for j := range m[i] {
			m[i][j] = random.NormFloat64()
		}
	}
	return m
}

func TestMulTransposeAddByHand(t *testing.T) {
	a := Mat{{1, 2, 3}, {4, 5, 6}}
	b := Mat{{1, 0}, {-1, 2}, {3, 1}}
	near(t, "Mul", Mul(a, b), Mat{{8, 7}, {17, 16}}, 0)
	near(t, "Transpose", Transpose(a), Mat{{1, 4}, {2, 5}, {3, 6}}, 0)
	near(t, "Add", Add(2, a, -1, Transpose(b)), Mat{{1, 5, 3}, {8, 8, 11}}, 0)
	near(t, "Scale", Scale(3, b), Mat{{3, 0}, {-3, 6}, {9, 3}}, 0)
	near(t, "Kronecker", Kronecker(Mat{{1, 2}}, Mat{{0, 3}, {1, 1}}), Mat{{0, 3, 0, 6}, {1, 1, 2, 2}}, 0)
	if d := MaxAbsDiff(Mat{{1, math.NaN()}}, Mat{{1, 2}}); !math.IsNaN(d) {
		t.Errorf("MaxAbsDiff with NaN is %v", d)
	}
	panics(t, "Mul of 2×3 and 2×3", func() { Mul(a, a) })
	panics(t, "Add of 2×3 and 3×2", func() { Add(1, a, 1, b) })
}

func TestInverseByHand(t *testing.T) {
	near(t, "2×2", Inverse(Mat{{2, 1}, {7, 4}}), Mat{{4, -1}, {-7, 2}}, 1e-14)
	// A zero on the diagonal needs the exchange of rows.
	near(t, "cycle", Inverse(Mat{{0, 1, 0}, {0, 0, 2}, {4, 0, 0}}), Mat{{0, 0, .25}, {1, 0, 0}, {0, .5, 0}}, 1e-15)
	// Without the largest pivot 1e-20 swallows the rest.
	near(t, "tiny pivot", Inverse(Mat{{1e-20, 1}, {1, 1}}), Mat{{-1, 1}, {1, 0}}, 1e-15)
	panics(t, "singular", func() { Inverse(Mat{{1, 2}, {2, 4}}) })
	panics(t, "not square", func() { Inverse(Mat{{1, 2}}) })
}

func TestInverseOfRandomMatrices(t *testing.T) {
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 1))
		a := randomMat(random, 1+random.IntN(30), 1)
		a = randomMat(random, len(a), len(a))
		before := clone(a)
		inv := Inverse(a)
		near(t, "argument", a, before, 0)
		near(t, "A⁻¹A", Mul(inv, a), Identity(len(a)), 1e-8)
		if t.Failed() {
			t.Fatalf("seed %d, n %d", seed, len(a))
		}
	}
}
