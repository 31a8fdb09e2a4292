package baseline

import (
	"math"
	"runtime"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/adp-sparse/adp-sparse/internal/oracle"
	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// TestSSC: an iteration is the program's, step by step with the (n+d)×(n+d)
// matrix that it inverts; and many of them reach the least cost, which a dual
// vector proves, with points of unequal length.
func TestSSC(t *testing.T) {
	racing.LongSum(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // thousands of small products: several processors wait for each other
	p, _ := blobs(t, 18, 3, 0.3)
	for i := range p.X.Rows {
		for k := range p.X.Row(i) {
			p.X.Row(i)[k] *= float32(1 + i%4)
		}
	}
	s := newOutlying(columns(p.X), sscAlpha)
	d, n := s.y.Dims()
	whole := oracle.New(d, n+d)
	for k := range d {
		for i := range n {
			whole[k][i] = s.y.At(k, i)
		}
		whole[k][n+k] = s.unit
	}
	y := slow(s.y)
	pt := oracle.Transpose(whole)
	system := oracle.Add(s.mu, oracle.Mul(pt, whole), s.rho, oracle.Identity(n+d))
	c, u, fit := oracle.New(n+d, n), oracle.New(n+d, n), oracle.New(d, n)
	for range 5 {
		right := oracle.Add(s.mu, oracle.Mul(pt, oracle.Add(1, y, 1, fit)), s.rho, oracle.Add(1, c, -1, u))
		z := solveAll(t, system, right)
		for i := range n {
			z[i][i] = 0
		}
		for i := range z {
			for j, v := range z[i] {
				c[i][j] = math.Copysign(max(math.Abs(v+u[i][j])-1/s.rho, 0), v+u[i][j])
				u[i][j] += v - c[i][j]
			}
		}
		fit = oracle.Add(1, fit, 1, oracle.Add(1, y, -1, oracle.Mul(whole, z)))
		s.step()
	}
	near(t, "C after 5 iterations", s.c, c[:n], 1e-9)
	near(t, "E after 5 iterations", s.e, c[n:], 1e-9)

	for range 20000 {
		if s.step() < 1e-9 {
			break
		}
	}
	// The multipliers of e are those of the constraint over γ: m with |⟨y_j, m⟩| ≤ 1
	// and |m_k| ≤ γ proves that nothing is below ⟨y_i, m⟩, which is what the
	// combination costs. A product of 1+ε makes the bound 1+ε too high.
	for i := range n {
		m := make([]float64, d)
		cost, bound := 0.0, 0.0
		for k := range m {
			m[k] = s.rho * s.ue.At(k, i) / s.unit
			cost += math.Abs(s.e.At(k, i))
			bound += m[k] * s.y.At(k, i)
			if math.Abs(m[k]) > (1+1e-6)/s.unit {
				t.Errorf("point %d: entry %d of m is %v", i, k, m[k])
			}
			fitted := s.unit * s.e.At(k, i)
			for j := range n {
				fitted += s.y.At(k, j) * s.c.At(j, i)
			}
			if math.Abs(fitted-s.y.At(k, i)) > 1e-4 {
				t.Errorf("point %d: %v in the place of %v", i, fitted, s.y.At(k, i))
			}
		}
		for j := range n {
			cost += math.Abs(s.c.At(j, i))
			product := 0.0
			for k := range m {
				product += m[k] * s.y.At(k, j)
			}
			if j != i && math.Abs(product) > 1+5e-3 {
				t.Errorf("point %d: ⟨y_%d, m⟩ = %v", i, j, product)
			}
		}
		if math.Abs(cost-bound) > 5e-3*cost || s.c.At(i, i) != 0 {
			t.Errorf("point %d costs %v, at least %v", i, cost, bound)
		}
	}
}

func solveAll(t *testing.T, m, right oracle.Mat) oracle.Mat {
	t.Helper()
	a, b := mat.NewDense(len(m), len(m), nil), mat.NewDense(len(right), len(right[0]), nil)
	a.Apply(func(i, j int, _ float64) float64 { return m[i][j] }, a)
	b.Apply(func(i, j int, _ float64) float64 { return right[i][j] }, b)
	var x mat.Dense
	if err := x.Solve(a, b); err != nil {
		t.Fatal(err)
	}
	return slow(&x)
}
