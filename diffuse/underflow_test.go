package diffuse

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/gen"
	"github.com/adp-sparse/adp-sparse/internal/kernel"
)

// byEntry solves F = αSF + (1−α)Y for one class from below in float64, by Gauss and
// Seidel: only numbers above 0 are added, so that each entry is right to its own
// size, however small it is.
func byEntry(w *csr.Matrix, seeds map[int]float64, alpha float64) []float64 {
	n, _ := w.Dims()
	d := csr.Degrees(w, 1)
	f := make([]float64, n)
	for sweep := 0; ; sweep++ {
		change := 0.0
		for at := range n {
			i := at
			if sweep%2 == 1 {
				i = n - 1 - at
			}
			sum := (1 - alpha) * seeds[i]
			cols, vals := w.Row(i)
			for k, j := range cols {
				sum += alpha * float64(vals[k]) / math.Sqrt(d[i]*d[j]) * f[j]
			}
			if sum > 0 {
				change = max(change, 1-f[i]/sum)
			}
			f[i] = sum
		}
		if change < 1e-9 || sweep > 20_000 {
			return f
		}
	}
}

// grid returns a square grid with edges of weight 1 to 3.
func grid(t *testing.T, side int) *csr.Matrix {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 73))
	var e csr.Edges
	add := func(i, j int) {
		e.Src, e.Dst, e.Weight = append(e.Src, uint32(i)), append(e.Dst, uint32(j)), append(e.Weight, float32(1+rng.IntN(3)))
	}
	for i := range side * side {
		if (i+1)%side > 0 {
			add(i, i+1)
		}
		if i+side < side*side {
			add(i, i+side)
		}
	}
	w, _, err := csr.FromEdges(side*side, &e, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// TestFaint: on paths and grids, where F falls with every edge, the shares of the
// classes are those of the exact solution at every distance that float32 reaches, also from
// a start that is wrong there; without Faint some labels are not.
func TestFaint(t *testing.T) {
	src, dst, weight := gen.Path(900)
	path, _, err := csr.FromEdges(900, &csr.Edges{Src: src, Dst: dst, Weight: weight}, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	missed := 0
	for _, g := range []struct {
		name  string
		w     *csr.Matrix
		alpha float64
		seeds []Seed
	}{
		{"path", path, 0.99, []Seed{{0, 0, 1}, {400, 1, 1}, {899, 2, 1}}},
		{"path", path, 0.9, []Seed{{350, 0, 1}, {450, 1, 1}, {500, 2, 1}}},
		{"grid", grid(t, 40), 0.9, []Seed{{0, 0, 1}, {810, 1, 1}, {1599, 2, 1}, {60, 1, 1}}},
		{"grid", grid(t, 40), 0.5, []Seed{{0, 0, 1}, {810, 1, 1}, {1599, 2, 1}, {60, 1, 1}}},
	} {
		t.Run(fmt.Sprint(g.name, g.alpha), func(t *testing.T) {
			n, _ := g.w.Dims()
			y, err := NewSeeds(n, 3, g.seeds)
			if err != nil {
				t.Fatal(err)
			}
			s := Normalize(g.w, 1)
			scale := s.Scale(y, Options{})
			exact := make([][]float64, 3)
			for class := range exact {
				of := map[int]float64{}
				for k, seed := range y.List() {
					if int(seed.Class) == class {
						of[int(seed.Node)] = scale[k]
					}
				}
				exact[class] = byEntry(g.w, of, g.alpha)
			}
			opt := Options{Alpha: g.alpha, Underflow: UnderflowAll, Threads: 1}
			f, stats, err := LGC(context.Background(), s, y, opt)
			if err != nil || !stats.Converged {
				t.Fatal(stats, err)
			}
			warm := csr.NewDense(n, 3)
			for i := range n {
				warm.Set(i, 2, 1e-9) // as little as the tolerance lets be anything
			}
			if _, err := NewWorkspace(n, 3, 1).LGC(context.Background(), warm, s, s.Degrees, y, opt); err != nil {
				t.Fatal(err)
			}
			opt.Underflow = nil
			plain, left, err := LGC(context.Background(), s, y, opt)
			if err != nil {
				t.Fatal(err)
			}
			wrong, guessed := 0, 0
			for i := range n {
				sum, top, right := 0.0, 0.0, 0
				for class := range exact {
					if sum += exact[class][i]; exact[class][i] > top {
						top, right = exact[class][i], class
					}
				}
				if top < 1e-32 {
					guessed++
					continue // what FillReached guesses
				}
				for what, got := range map[string]*csr.Dense{"": f, " from a start": warm} {
					all := 0.0
					for class := range 3 {
						all += float64(got.At(i, class))
					}
					for class := range 3 {
						if share := float64(got.At(i, class)) / all; math.Abs(share-exact[class][i]/sum) > 0.01 {
							t.Fatalf("node %d%s: class %d has a share of %.4f, want %.4f (F of %g)", i, what, class, share, exact[class][i]/sum, top)
						}
					}
				}
				if label := TopOf(plain.Row(i)).Class; int(label) != right {
					wrong++
				}
			}
			// What may be wrong is counted, and where all are solved for there is none.
			if wrong > left.Underflow || stats.Underflow > guessed {
				t.Errorf("%d labels wrong of %d faint rows; %d left of those solved for, %d could not be", wrong, left.Underflow, stats.Underflow, guessed)
			}
			missed += wrong
		})
	}
	if missed == 0 {
		t.Error("no label was wrong without it: the graphs are too small to see anything")
	}
}

// TestFaintWithinIterations: a solve that may not go on to the faintest rows has not
// converged, and says how many it left.
func TestFaintWithinIterations(t *testing.T) {
	s := Normalize(grid(t, 40), 1)
	y, err := NewSeeds(1600, 2, []Seed{{0, 0, 1}, {60, 1, 1}})
	if err != nil {
		t.Fatal(err)
	}
	_, all, err := LGC(context.Background(), s, y, Options{Alpha: 0.8, Underflow: UnderflowAll})
	if err != nil || !all.Converged || all.Underflow != 0 {
		t.Fatal(all, err)
	}
	_, first, err := LGC(context.Background(), s, y, Options{Alpha: 0.8})
	if err != nil || !first.Converged || first.Underflow < 400 {
		t.Fatal(first, err)
	}
	for _, most := range []int{first.Iterations, first.Iterations + 3, all.Iterations - 3} {
		_, stopped, err := LGC(context.Background(), s, y, Options{Alpha: 0.8, Underflow: UnderflowAll, MaxIterations: most})
		// One product more tells the residual.
		if err != nil || stopped.Converged || stopped.Iterations > most+1 || stopped.Underflow > first.Underflow || stopped.Underflow == 0 && most < all.Iterations/2 {
			t.Errorf("at most %d: %+v, %v", most, stopped, err)
		}
	}
}

// TestUnreachedIsNotFaint: rows that no seed reaches are not counted.
func TestUnreachedIsNotFaint(t *testing.T) {
	w, _, err := csr.FromEdges(6, &csr.Edges{Src: []uint32{0, 1, 3}, Dst: []uint32{1, 2, 4}, Weight: []float32{1, 1, 1}}, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	y, err := NewSeeds(6, 2, []Seed{{0, 0, 1}, {2, 1, 1}})
	if err != nil {
		t.Fatal(err)
	}
	for _, faint := range []func(*csr.Dense, float64) bool{nil, UnderflowAll} {
		if _, stats, err := LGC(context.Background(), Normalize(w, 1), y, Options{Underflow: faint}); err != nil || stats.Underflow != 0 || !stats.Converged {
			t.Errorf("%+v, %v", stats, err)
		}
	}
}

// TestFaintIsTheSame: for any threads and kernel and for slices of the columns the same
// bits; where no node is far, those without Faint, with no product more.
func TestFaintIsTheSame(t *testing.T) {
	w := grid(t, 40)
	s, n := Normalize(w, 1), 1600
	y, err := NewSeeds(n, 12, []Seed{{0, 0, 1}, {810, 5, 1}, {1599, 11, 1}, {60, 7, 1}})
	if err != nil {
		t.Fatal(err)
	}
	var want []float32
	var stats Stats
	for _, name := range kernel.Names() {
		before := kernel.Select(name)
		t.Cleanup(func() { kernel.Select(before) })
		for _, threads := range []int{1, 3} {
			for _, columns := range []int{12, 4} {
				f, s := csr.NewDense(n, 12), Normalize(w, threads)
				got, err := NewSlicedWorkspace(n, 12, columns, threads).LGC(context.Background(), f, s, s.Degrees, y, Options{Alpha: 0.9, Underflow: UnderflowAll, Threads: threads})
				if err != nil {
					t.Fatal(err)
				}
				if want == nil {
					want, stats = f.Data, got
				}
				if !slices.Equal(f.Data, want) || got != stats {
					t.Errorf("%s, %d threads, %d columns: another F, %+v and %+v", name, threads, columns, got, stats)
				}
			}
		}
	}
	// Where the caller says that no row matters, it is the first solve.
	plain, without, err := LGC(context.Background(), s, y, Options{Alpha: 0.9})
	if err != nil || without.Iterations >= stats.Iterations {
		t.Fatal(without, stats, err)
	}
	asked := 0
	none, with, err := LGC(context.Background(), s, y, Options{Alpha: 0.9, Underflow: func(*csr.Dense, float64) bool { asked++; return false }})
	if err != nil || with != without || asked != 1 || !slices.Equal(plain.Data, none.Data) {
		t.Errorf("asked %d times and told no: %+v, without %+v, %v", asked, with, without, err)
	}
	near, _ := NewSeeds(n, 2, []Seed{{0, 0, 1}, {810, 1, 1}, {1599, 0, 1}, {30, 0, 1}, {1500, 1, 1}})
	plain, without, err = LGC(context.Background(), s, near, Options{Alpha: 0.999})
	if err != nil {
		t.Fatal(err)
	}
	again, with, err := LGC(context.Background(), s, near, Options{Alpha: 0.999, Underflow: UnderflowAll})
	if err != nil || with != without || !slices.Equal(plain.Data, again.Data) {
		t.Errorf("where all are near: %+v, without %+v, %v", with, without, err)
	}
}

// TestSubset: stretches hold every row of the subset once, lie apart, and leave no unit
// in that has none; of all rows there is one.
func TestSubset(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 74))
	for trial := range 500 {
		has := make([]bool, rng.IntN(100))
		for i := range has {
			has[i] = rng.IntN(1+trial%30) == 0
		}
		s := newSubset(has)
		lo := rng.IntN(len(has)/unitRows+1) * unitRows
		last, held := lo-1, 0
		s.each(lo, len(has), func(from, to int) {
			if from <= last || to > len(has) || from%unitRows != 0 {
				t.Fatalf("a stretch %d to %d of %v", from, to, has)
			}
			for at := from; at < to; at += unitRows {
				if !slices.Contains(has[at:min(at+unitRows, to)], true) {
					t.Fatalf("a stretch %d to %d of %v, where there is none from %d on", from, to, has, at)
				}
			}
			last = to
			for _, is := range has[from:to] {
				if is {
					held++
				}
			}
		})
		want := 0
		for _, is := range has[lo:] {
			if is {
				want++
			}
		}
		if held != want {
			t.Fatalf("%d rows of %d in %v from %d on", held, want, has, lo)
		}
	}
	calls := 0
	(*subset)(nil).each(3, 9, func(lo, hi int) {
		if calls++; lo != 3 || hi != 9 {
			t.Error(lo, hi)
		}
	})
	if calls != 1 {
		t.Error(calls)
	}
}
