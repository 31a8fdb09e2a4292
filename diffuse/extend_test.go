package diffuse

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/gen"
	"github.com/adp-sparse/adp-sparse/internal/panics"
)

// planted returns a planted partition of n nodes in c classes, with a seed for
// each of the first nodes.
func planted(t testing.TB, n, c, seeds int) (*csr.Matrix, *Seeds) {
	t.Helper()
	src, dst, weight, class := gen.PlantedPartition(n, c, min(1, 24/float64(n)), 3/float64(n), 5)
	w, _, err := csr.FromEdges(n, &csr.Edges{Src: src, Dst: dst, Weight: weight}, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	labels := slices.Repeat([]int{-1}, n)
	copy(labels, class[:seeds])
	y, err := HardSeeds(labels)
	if err != nil {
		t.Fatal(err)
	}
	return w, y
}

// TestExtendReproduces: one step from the solution is the solution, for every
// node that is no seed.
func TestExtendReproduces(t *testing.T) {
	w, y := planted(t, 600, 3, 30)
	s := Normalize(w, 1)
	f, _, err := LGC(context.Background(), s, y, Options{Tolerance: 1e-7, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	got := Extend(f, s.Degrees, w, 0.99, 1)
	seed := y.Mask()
	norm := 0.0
	for _, v := range f.Data {
		norm = max(norm, float64(v))
	}
	compared := 0
	for i := range f.Rows {
		for j := range f.Cols {
			if away := math.Abs(float64(got.At(i, j) - f.At(i, j))); !seed[i] && away > 1e-5*norm {
				t.Fatalf("node %d, class %d: %v, expected %v", i, j, got.At(i, j), f.At(i, j))
			}
			compared++
		}
	}
	if again := Extend(f, s.Degrees, w, 0.99, 7); !slices.Equal(again.Data, got.Data) || compared < 1000 {
		t.Error("other bits with seven threads")
	}
}

// TestExtendByHand: weights 1 and 3 to nodes of degrees 4 and 1, D_x = 4.
func TestExtendByHand(t *testing.T) {
	f := &csr.Dense{Rows: 4, Cols: 2, Data: []float32{1, 0, 0, 2, 5, 5, 0.5, 0}}
	b := csr.NewRowBuffer(4, 4, 2)
	b.Set(0, []uint32{0, 1}, []float32{1, 3})
	b.Set(2, []uint32{3}, []float32{9}) // isolated: its degree would be 9
	b.Set(3, []uint32{2}, []float32{0})
	for name, test := range map[string]struct {
		degrees []float64
		want    []float64
	}{
		"LGC":    {[]float64{4, 1, 1, 0}, []float64{0.5 * 1 / 4., 0.5 * 3 * 2 / 2., 0, 0, 0.5 * 9 * 0.5 / 9, 0, 0, 0}},
		"shares": {nil, []float64{0.5 * 1 / 2., 0.5 * 3 * 2 / 2., 0, 0, 0.5 * 3 * 0.5, 0, 0, 0}},
	} {
		got := Extend(f, test.degrees, b.Matrix(1), 0.5, 1)
		for k, want := range test.want {
			if math.Abs(float64(got.Data[k])-want) > 1e-6 {
				t.Errorf("%s: entry %d is %v, expected %v", name, k, got.Data[k], want)
			}
		}
	}
}

// TestExtendExtremes: numbers at the ends of what F, degrees and weights can be give shares
// as others do, and nothing that is not finite.
func TestExtendExtremes(t *testing.T) {
	for _, f := range []float32{math.SmallestNonzeroFloat32, 1, math.MaxFloat32} {
		for _, degree := range []float64{math.SmallestNonzeroFloat64, math.SmallestNonzeroFloat32, 1, 1e300} {
			for _, weight := range []float32{math.SmallestNonzeroFloat32, 1, math.MaxFloat32} {
				b := csr.NewRowBuffer(1, 2, 2)
				b.Set(0, []uint32{0, 1}, []float32{weight, weight})
				got := Extend(&csr.Dense{Rows: 2, Cols: 2, Data: []float32{f, 0, f, f}}, []float64{degree, degree}, b.Matrix(1), 0.5, 1)
				if ratio := got.Data[0] / got.Data[1]; !(math.Abs(float64(ratio)-2) < 1e-6) {
					t.Errorf("F %v, degrees %v, weights %v: %v, expected finite numbers, the first twice the second", f, degree, weight, got.Data)
				}
			}
		}
	}
}

func TestExtendAlpha(t *testing.T) {
	b := csr.NewRowBuffer(1, 1, 1)
	b.Set(0, []uint32{0}, []float32{2})
	f, w := csr.NewDense(1, 1), b.Matrix(1)
	f.Set(0, 0, 1)
	if left, want := Extend(f, nil, w, 0, 1), Extend(f, nil, w, 0.99, 1); left.Data[0] != want.Data[0] || want.Data[0] == 0 {
		t.Errorf("alpha 0 gives %v, 0.99 %v", left.Data, want.Data)
	}
	for _, alpha := range []float64{-0.5, 1, 2, math.Inf(1), math.NaN()} {
		said := panics.Of(func() { Extend(f, nil, w, alpha, 1) })
		if !strings.Contains(said, "alpha") {
			t.Errorf("alpha %v: %q", alpha, said)
		}
	}
}

// TestExtendNoClasses: F without columns gives rows without.
func TestExtendNoClasses(t *testing.T) {
	b := csr.NewRowBuffer(2, 1, 1)
	b.Set(1, []uint32{0}, []float32{2})
	if got := Extend(csr.NewDense(1, 0), nil, b.Matrix(1), 0, 1); got.Rows != 2 || got.Cols != 0 || len(got.Data) != 0 {
		t.Errorf("%+v", got)
	}
}

// TestCombine: the best combination is better than 0, than the old F and than
// any multiple of it, in the norm of the system; it is the old F for the old
// seeds, and saves products for others.
func TestCombine(t *testing.T) {
	const c = 4
	w, y := planted(t, 2000, c, 40)
	s := Normalize(w, 1)
	opt := Options{Threads: 1}
	old, cold, err := LGC(context.Background(), s, y, opt)
	if err != nil {
		t.Fatal(err)
	}
	work := NewWorkspace(2000, c, 1)
	same := old.Clone()
	if err := work.Combine(same, s, s.Degrees, y, opt); err != nil {
		t.Fatal(err)
	}
	if away := relative(same, old); away > 1e-4 {
		t.Errorf("with the same seeds F moved by %v", away)
	}
	stats, err := work.LGC(context.Background(), same, s, s.Degrees, y, opt)
	if err != nil || stats.Iterations > 3 {
		t.Errorf("with the same seeds: %+v, %v", stats, err)
	}
	// A seed more for each class.
	list := slices.Clone(y.List())
	for k := range uint32(c) {
		list = append(list, Seed{Node: 1900 + k, Class: k, Weight: 1})
	}
	more, err := NewSeeds(2000, c, list)
	if err != nil {
		t.Fatal(err)
	}
	want, full, err := LGC(context.Background(), s, more, opt)
	if err != nil {
		t.Fatal(err)
	}
	start := old.Clone()
	if err := work.Combine(start, s, s.Degrees, more, opt); err != nil {
		t.Fatal(err)
	}
	threads := old.Clone()
	if err := NewWorkspace(2000, c, 5).Combine(threads, s, s.Degrees, more, opt); err != nil || !slices.Equal(threads.Data, start.Data) {
		t.Errorf("other bits with five threads, %v", err)
	}
	best := energy(s, start, want)
	for _, scale := range []float32{0, 0.5, 0.9, 1, 1.1, 2} {
		other := old.Clone()
		for k := range other.Data {
			other.Data[k] *= scale
		}
		if e := energy(s, other, want); e < best {
			t.Errorf("%v times the old F is nearer, %v, than the best combination, %v", scale, e, best)
		}
	}
	stats, err = work.LGC(context.Background(), start, s, s.Degrees, more, opt)
	if err != nil || stats.Iterations >= full.Iterations || relative(start, want) > 1e-4 {
		t.Errorf("%+v from the start, %+v from 0, %v apart, %v", stats, full, relative(start, want), err)
	}
	t.Logf("%d products for the old seeds; for the new ones %d from 0, %d from the start", cold.Iterations, full.Iterations, stats.Iterations)
}

// energy returns Σ_j e_j·M e_j of the error.
func energy(s *Graph, x, want *csr.Dense) float64 {
	e, q := x.Clone(), csr.NewDense(x.Rows, x.Cols)
	for k := range e.Data {
		e.Data[k] -= want.Data[k]
	}
	s.Apply(q, e)
	sum := 0.0
	for k, v := range e.Data {
		sum += float64(v) * (float64(v) - 0.99*float64(q.Data[k]))
	}
	return sum
}

func relative(x, want *csr.Dense) float64 {
	away, norm := 0.0, 0.0
	for k, v := range want.Data {
		d := float64(x.Data[k] - v)
		away, norm = away+d*d, norm+float64(v)*float64(v)
	}
	return math.Sqrt(away / norm)
}

// TestSolveSemidefinite solves random systems of all ranks; the products are the
// check.
func TestSolveSemidefinite(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for rank := range 6 {
		const c = 5
		basis := make([]float64, c*rank)
		for k := range basis {
			basis[k] = rng.NormFloat64()
		}
		g, x, r := make([]float64, c*c), make([]float64, c*c), make([]float64, c*c)
		for k := range x {
			x[k] = rng.NormFloat64()
		}
		for a := range c {
			for b := range c {
				for k := range rank {
					g[a*c+b] += basis[a*rank+k] * basis[b*rank+k]
				}
			}
		}
		multiply := func(to, x []float64) {
			for a := range c {
				for j := range c {
					for b := range c {
						to[a*c+j] += g[a*c+b] * x[b*c+j]
					}
				}
			}
		}
		multiply(r, x)
		got, back := slices.Clone(r), make([]float64, c*c)
		solveSemidefinite(slices.Clone(g), got, c)
		multiply(back, got)
		for k := range r {
			if !(math.Abs(back[k]-r[k]) <= 1e-6) {
				t.Fatalf("rank %d: entry %d is %v, expected %v", rank, k, back[k], r[k])
			}
		}
	}
}
