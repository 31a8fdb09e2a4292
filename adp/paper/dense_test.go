package paper

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/gen"
	"github.com/adp-sparse/adp-sparse/internal/oracle"
)

func graphOf(t *testing.T, n int, src, dst []uint32, weight []float32) *csr.Matrix {
	t.Helper()
	w, _, err := csr.FromEdges(n, &csr.Edges{Src: src, Dst: dst, Weight: weight}, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// TestDenseStarts: the graph that the dense form learns minimises J, and is
// the same from any A⁰.
func TestDenseStarts(t *testing.T) {
	n, alpha := 10, 0.9
	src, dst, weight := gen.RandomGraph(n, 0.4, 3, gen.Options{})
	w := graphOf(t, n, src, dst, weight)
	s, _ := csr.NormalizeSym(w, 1)
	y, _ := diffuse.HardSeeds([]int{0, 1, 2, -1, -1, -1, -1, -1, -1, -1})
	dense := oracle.NormalizeSym(oracle.Affinity(n, src, dst, weight))
	for what, start := range map[string]func(i, j int) float64{
		"S":   func(i, j int) float64 { return dense[i][j] },
		"0":   func(i, j int) float64 { return 0 },
		"any": func(i, j int) float64 { return float64((i*j)%7) - 3 },
	} {
		d := New(s, y, alpha, 1)
		d.Tolerance = 1e-13
		if _, err := d.LabelStep(context.Background()); err != nil {
			t.Fatal(err)
		}
		d.A.Apply(func(i, j int, _ float64) float64 { return start(i, j) }, d.A)
		if _, err := d.GraphStep(context.Background()); err != nil {
			t.Fatal(err)
		}
		f, a := matOf(d.F), matOf(d.A)
		z := oracle.Mul(f, oracle.Transpose(f))
		if e := oracle.MaxAbsDiff(oracle.ObjectiveGradient(dense, a, z, 1/alpha-1), oracle.New(n, n)); e > 1e-6 {
			t.Errorf("from %s: a gradient of %.1e at the learned graph", what, e)
		}
	}
}

// matOf copies a dense matrix.
func matOf(m *mat.Dense) oracle.Mat {
	r, c := m.Dims()
	out := oracle.New(r, c)
	for i := range out {
		copy(out[i], m.RawRowView(i))
	}
	return out
}

// TestDenseClosedForms: the iterations of Algorithm 1 reach the closed forms: (1−α)(I−αS)^-1 Y, and the Kronecker solve.
func TestDenseClosedForms(t *testing.T) {
	for seed := range uint64(10) {
		n := 10
		src, dst, weight := gen.RandomGraph(n, 0.4, seed, gen.Options{})
		w := graphOf(t, n, src, dst, weight)
		s, _ := csr.NormalizeSym(w, 1)
		y, _ := diffuse.HardSeeds([]int{0, 1, 2, -1, -1, -1, -1, -1, -1, -1})
		d := New(s, y, 0.9, 1)
		d.Tolerance = 1e-12
		// A⁰ is S, of which the first step takes the degrees again.
		closed := oracle.LGC(matOf(d.A), matOf(d.Y), 0.9)
		if _, err := d.LabelStep(context.Background()); err != nil {
			t.Fatal(err)
		}
		f := matOf(d.F)
		if e := oracle.MaxAbsDiff(f, closed); e > 1e-9 {
			t.Errorf("graph %d: F of the iteration is %.1e off (1−α)(I−αS)^-1 Y", seed, e)
		}
		if _, err := d.GraphStep(context.Background()); err != nil {
			t.Fatal(err)
		}
		star := oracle.AStar(oracle.NormalizeSym(oracle.Affinity(n, src, dst, weight)), oracle.Mul(f, oracle.Transpose(f)), 0.9)
		if e := oracle.MaxAbsDiff(matOf(d.A), star); e > 1e-6 {
			t.Errorf("graph %d: A of the iteration is %.1e off the Kronecker solve", seed, e)
		}
	}
}

// TestSteps: steps end at their limit and with their context, and the sparse A is the dense one.
func TestSteps(t *testing.T) {
	const n = 10
	src, dst, weight := gen.RandomGraph(n, 0.4, 3, gen.Options{})
	s, _ := csr.NormalizeSym(graphOf(t, n, src, dst, weight), 1)
	y, _ := diffuse.HardSeeds([]int{0, 1, 2, -1, -1, -1, -1, -1, -1, -1})
	d := New(s, y, 0.9, 1)
	d.MaxIterations = 3
	if stats, err := d.LabelStep(context.Background()); err != nil || stats.Converged || stats.Iterations != 3 {
		t.Errorf("at most 3 iterations: %+v, %v", stats, err)
	}
	d.MaxIterations = 5000
	if stats, err := d.GraphStep(context.Background()); err != nil || !stats.Converged || !(stats.Residual < d.Tolerance) {
		t.Errorf("%+v, %v", stats, err)
	}
	sparse := d.Sparse()
	if err := csr.CheckSymmetric(sparse, 1); err != nil {
		t.Error(err)
	}
	for i := range n {
		for j := range n {
			if got, want := float64(sparse.At(i, j)), d.A.At(i, j); math.Abs(got-want) > 1e-6*(1+math.Abs(want)) {
				t.Errorf("A[%d][%d] = %v, expected %v", i, j, got, want)
			}
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, label := d.LabelStep(ctx)
	_, graph := d.GraphStep(ctx)
	if label == nil || graph == nil {
		t.Errorf("an ended context: %v, %v", label, graph)
	}
}
