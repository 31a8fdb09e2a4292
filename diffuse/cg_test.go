package diffuse

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/gen"
	"github.com/adp-sparse/adp-sparse/internal/kernel"
	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// plainOperator hides that a graph makes rows by themselves.
type plainOperator struct{ g *Graph }

func (o plainOperator) Dim() int                                { return o.g.Dim() }
func (o plainOperator) Apply(dst, x *csr.Dense)                 { o.g.Apply(dst, x) }
func (o plainOperator) FillReached(f *csr.Dense, alpha float64) { o.g.FillReached(f, alpha) }
func (o plainOperator) Whole(most int) (*csr.Matrix, []float64) { return o.g.Whole(most) }

// pathOf returns a path of n nodes with 3 classes of seeds: slow to converge.
func pathOf(t *testing.T, n int) (*csr.Matrix, *Seeds) {
	t.Helper()
	src, dst, weight := gen.Path(n)
	w, _, err := csr.FromEdges(n, &csr.Edges{Src: src, Dst: dst, Weight: weight}, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	y, err := NewSeeds(n, 3, []Seed{{0, 0, 1}, {uint32(n / 2), 1, 1}, {uint32(n - 1), 2, 1}})
	if err != nil {
		t.Fatal(err)
	}
	return w, y
}

// TestSolutionIsTheSame: for any threads, any version of the kernels, and an
// operator that makes all rows at once. The last block of rows is not full, and
// its numbers are no whole number of periods.
func TestSolutionIsTheSame(t *testing.T) {
	w, y := pathOf(t, 3*512+13)
	var want []float32
	for _, name := range kernel.Names() {
		before := kernel.Select(name)
		t.Cleanup(func() { kernel.Select(before) })
		for _, threads := range []int{1, 2, 5} {
			s := Normalize(w, threads)
			for _, op := range []Operator{s, plainOperator{s}} {
				f := csr.NewDense(y.Nodes, y.Classes)
				stats, err := NewWorkspace(y.Nodes, y.Classes, threads).LGC(context.Background(), f, op, s.Degrees, y, Options{Alpha: 0.999, Threads: threads})
				if err != nil || !stats.Converged {
					t.Fatal(stats, err)
				}
				if want == nil {
					want = f.Data
				}
				if !slices.Equal(f.Data, want) {
					t.Errorf("%s, %d threads, %T: another F", name, threads, op)
				}
			}
		}
	}
}

// TestWholeWorkspace: what does not work in slices says so.
func TestWholeWorkspace(t *testing.T) {
	w, _ := pathOf(t, 30)
	s, f := Normalize(w, 1), csr.NewDense(30, 24)
	y, err := HardSeeds([]int{0, 23, 29: -1})
	if err != nil {
		t.Fatal(err)
	}
	for name, solve := range map[string]func(w *Workspace){
		"combine": func(w *Workspace) { w.Combine(f, s, s.Degrees, y, Options{}) },
		"joint":   func(w *Workspace) { w.Joint(f, s, s.Degrees, y, Options{}) },
		"power":   func(w *Workspace) { w.LGC(context.Background(), f, s, s.Degrees, y, Options{Solver: Power}) },
	} {
		func() {
			defer func() {
				if fault := fmt.Sprint(recover()); !strings.Contains(fault, "slices of the columns") {
					t.Errorf("%s: panic %v", name, fault)
				}
			}()
			solve(NewSlicedWorkspace(30, 24, 16, 1))
		}()
	}
}

// TestSlices: solving for some of the class columns at a time gives the same
// bits and the same statistics, for widths that divide the columns and those
// that do not, also where the solve starts again or ends at its limit.
func TestSlices(t *testing.T) {
	for _, c := range []int{3, 7, 10, 12, 24} {
		if racing.On && c != 7 {
			continue
		}
		src, dst, weight, class := gen.PlantedPartition(600, c, min(1, 20*float64(c)/600), 0.002, uint64(c))
		w, _, err := csr.FromEdges(600, &csr.Edges{Src: src, Dst: dst, Weight: weight}, csr.BuildOptions{})
		if err != nil {
			t.Fatal(err)
		}
		labels := slices.Repeat([]int{-1}, 600)
		copy(labels, class[:20*c])
		y, err := HardSeeds(labels)
		if err != nil {
			t.Fatal(err)
		}
		s := Normalize(w, 2)
		for _, opt := range []Options{{Alpha: 0.99}, {Alpha: 0.9999, Tolerance: 1e-9}, {Alpha: 0.999, MaxIterations: 7}} {
			want, stats, err := LGC(context.Background(), s, y, opt)
			if err != nil {
				t.Fatal(err)
			}
			for most := 1; most < y.Classes; most += 2 {
				work, f := NewSlicedWorkspace(y.Nodes, y.Classes, most, 2), csr.NewDense(y.Nodes, y.Classes)
				for range 2 {
					clear(f.Data)
					got, err := work.LGC(context.Background(), f, s, s.Degrees, y, opt)
					if err != nil {
						t.Fatal(err)
					}
					if !slices.Equal(f.Data, want.Data) || got != stats {
						t.Fatalf("%d classes, %d at a time, α %v: another F, or %+v for %+v", c, most, opt.Alpha, got, stats)
					}
				}
				// Other widths have other sums, although their bits seldom show in F.
				next, places := 0, kernel.Period(y.Classes)/y.Classes
				work.eachSlice(f, func(lo, hi int) {
					if width := hi - lo; lo != next || kernel.Period(width)/width != places || width > SliceColumns(y.Classes, most) || width > max(most, 8/places) {
						t.Errorf("%d classes, at most %d at a time: columns %d to %d", c, most, lo, hi)
					}
					next = hi
				})
				if next != y.Classes {
					t.Errorf("%d classes, at most %d at a time: %d", c, most, next)
				}
			}
		}
	}
}

// TestIterationsAllocateNothing: with one thread, a solve of 60 iterations
// allocates as much as one of 5; with two, goroutines are all that is new.
func TestIterationsAllocateNothing(t *testing.T) {
	w, y := pathOf(t, 5000)
	for threads, most := range map[int]float64{1: 0, 2: 3 * 30} {
		s := Normalize(w, threads)
		work, f := NewWorkspace(y.Nodes, y.Classes, threads), csr.NewDense(y.Nodes, y.Classes)
		count := func(iterations int) float64 {
			return testing.AllocsPerRun(3, func() {
				clear(f.Data)
				stats, err := work.LGC(context.Background(), f, s, s.Degrees, y, Options{Alpha: 0.999, Tolerance: 1e-7, MaxIterations: iterations, Threads: threads})
				if err != nil || stats.Iterations < iterations {
					t.Fatal(stats, err)
				}
			})
		}
		if few, many := count(5), count(60); many-few > 55*most {
			t.Errorf("%d threads: 5 iterations allocate %v times, 60 %v", threads, few, many)
		}
	}
}

// countedOperator counts the products for the true residual. Those of iterations are made by rows.
type countedOperator struct {
	*Graph
	products int
}

func (o *countedOperator) Apply(dst, x *csr.Dense) {
	o.products++
	o.Graph.Apply(dst, x)
}

// TestTrustedResidual: a solve to a loose tolerance needs no product beside its iterations, and its true residual in float64 is within
// the tolerance and an eighth of it. One to a tight tolerance is checked by a product, and so is one that float32 does not hold.
func TestTrustedResidual(t *testing.T) {
	racing.LongSum(t)
	src, dst, weight, _ := gen.PlantedPartition(3000, 3, 0.01, 0.001, 1)
	planted, _ := graphOf(t, 3000, src, dst, weight)
	of, err := NewSeeds(3000, 3, []Seed{{0, 0, 1}, {1000, 0, 1}, {1500, 1, 1}, {2999, 2, 1}})
	if err != nil {
		t.Fatal(err)
	}
	path, ofPath := pathOf(t, 5000)
	for _, test := range []struct {
		w                *csr.Matrix
		y                *Seeds
		alpha, tolerance float64
		checked          bool
	}{
		{planted, of, 0.99, 1e-2, false},
		{planted, of, 0.99, 1e-3, false},
		{planted, of, 0.99, 1e-4, false},
		{planted, of, 0.8, 1e-4, false},
		{planted, of, 0.99, 1e-6, true},
		{path, ofPath, 0.9999, 1e-4, true},
	} {
		s := &countedOperator{Graph: Normalize(test.w, 1)}
		opt := Options{Alpha: test.alpha, Tolerance: test.tolerance, Balance: Unbalanced, Threads: 1}
		f := csr.NewDense(test.y.Nodes, test.y.Classes)
		stats, err := NewWorkspace(test.y.Nodes, test.y.Classes, 1).LGC(context.Background(), f, s, s.Degrees, test.y, opt)
		if err != nil || !stats.Converged {
			t.Fatal(stats, err)
		}
		if checked := s.products > 0; checked != test.checked {
			t.Errorf("α %v, tolerance %v: %d products beside the iterations", test.alpha, test.tolerance, s.products)
		}
		if worst := trueResidual(s.S, f, test.y, test.alpha); worst > 1.125*test.tolerance {
			t.Errorf("α %v, tolerance %v: a residual of %v", test.alpha, test.tolerance, worst)
		}
	}
}

// trueResidual returns the largest ‖(1−α)Y − (I − αS)F‖/‖(1−α)Y‖ of a column, in float64.
func trueResidual(s *csr.Matrix, f *csr.Dense, y *Seeds, alpha float64) (most float64) {
	left, right := make([]float64, f.Cols), make([]float64, f.Cols)
	seeded := csr.NewDense(f.Rows, f.Cols)
	for _, seed := range y.List() {
		seeded.Row(int(seed.Node))[seed.Class] = seed.Weight
	}
	for i := range f.Rows {
		cols, values := s.Row(i)
		for j, v := range f.Row(i) {
			b := (1 - alpha) * float64(seeded.Row(i)[j])
			r := b - float64(v)
			for k, at := range cols {
				r += alpha * float64(values[k]) * float64(f.Row(int(at))[j])
			}
			left[j], right[j] = left[j]+r*r, right[j]+b*b
		}
	}
	for j := range left {
		most = max(most, math.Sqrt(left[j]/right[j]))
	}
	return most
}
