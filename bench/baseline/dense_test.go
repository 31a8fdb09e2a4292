package baseline

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func random(rng *rand.Rand, n, m int) *mat.Dense {
	x := mat.NewDense(n, m, nil)
	x.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() }, x)
	return x
}

// TestMul: the products of matrices and transposes are gonum's, at sizes around
// those of tiles and blocks, for views and in place.
func TestMul(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 77))
	sizes := []int{1, 3, 4, 5, 12, 13, 97, mulDepth + 1}
	for _, n := range sizes {
		for _, m := range append(sizes, mulCols+1) {
			k := sizes[(n+m)%len(sizes)]
			a, b := random(rng, n, k), random(rng, k, m)
			var want mat.Dense
			want.Mul(a, b)
			for what, pair := range map[string][2]mat.Matrix{
				"AB":     {a, b},
				"(Aᵀ)ᵀB": {mat.DenseCopyOf(a.T()).T(), b},
				"A(Bᵀ)ᵀ": {a, mat.DenseCopyOf(b.T()).T()},
			} {
				got := random(rng, n, m)
				mul(got, pair[0], pair[1])
				if !mat.EqualApprox(got, &want, 1e-12*float64(k)) {
					t.Fatalf("%s, %d×%d×%d", what, n, k, m)
				}
			}
			part := random(rng, n+2, m+3).Slice(1, n+1, 2, m+2).(*mat.Dense)
			mul(part, a, b)
			if !mat.EqualApprox(part, &want, 1e-12*float64(k)) {
				t.Fatalf("into a view, %d×%d×%d", n, k, m)
			}
		}
	}
	a, b := random(rng, 9, 7), random(rng, 7, 7)
	var want mat.Dense
	want.Mul(a, b)
	if mul(a, a, b); !mat.EqualApprox(a, &want, 1e-12) {
		t.Error("in place")
	}
}

// TestEigen: M = Rᵀ diag(λ) R with orthogonal R and gonum's λ, also for equal
// eigenvalues, a diagonal, zeros and single numbers.
func TestEigen(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 77))
	cases := map[string]*mat.SymDense{"one": mat.NewSymDense(1, []float64{-2}), "zeros": mat.NewSymDense(6, nil), "projector": cross(random(rng, 4, 30)), "diagonal": mat.NewSymDense(5, nil)}
	for i := range 5 {
		cases["diagonal"].SetSym(i, i, float64(3-i%3))
	}
	for _, n := range []int{2, 3, 40, 131} {
		m := mat.NewSymDense(n, nil)
		for i := range n {
			for j := i; j < n; j++ {
				m.SetSym(i, j, rng.NormFloat64())
			}
		}
		cases[string(rune('a'+n%26))] = m
	}
	for name, m := range cases {
		values, r, ok := eigen(m)
		n := m.SymmetricDim()
		var gonum mat.EigenSym
		if !ok || !gonum.Factorize(m, false) {
			t.Fatalf("%s: no convergence", name)
		}
		tolerance := 1e-13 * (1 + mat.Norm(m, 1)) * float64(n)
		for i, v := range gonum.Values(nil) {
			if math.Abs(values[i]-v) > tolerance {
				t.Errorf("%s: value %d is %v, want %v", name, i, values[i], v)
			}
		}
		var back, unit, scaled mat.Dense
		scaled.Mul(mat.NewDiagDense(n, values), r)
		back.Mul(r.T(), &scaled)
		unit.Mul(r.T(), r)
		one := mat.NewDiagDense(n, nil)
		for i := range n {
			one.SetDiag(i, 1)
		}
		if !mat.EqualApprox(&back, m, tolerance) || !mat.EqualApprox(&unit, one, tolerance) {
			t.Errorf("%s: the vectors do not give the matrix, or are not orthogonal", name)
		}
	}
}

func BenchmarkMul(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	x, y, z := random(rng, 1000, 200), random(rng, 200, 1000), mat.NewDense(1000, 1000, nil)
	for b.Loop() {
		mul(z, x, y)
	}
	b.ReportMetric(0.4*float64(b.N)/b.Elapsed().Seconds(), "GFLOP/s")
}

func BenchmarkEigen(b *testing.B) {
	m := cross(random(rand.New(rand.NewPCG(1, 1)), 600, 600))
	for b.Loop() {
		eigen(m)
	}
}
