package diffuse

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
)

// TestHarmonicOfWeakTrees: random trees of weights between 1 and 10^-9 with seeds of
// two classes. Such systems can be singular in float32; rows are shares of 1 all the
// same, and on a node whose paths to all seeds of one class lead over the other's
// the label is sure.
func TestHarmonicOfWeakTrees(t *testing.T) {
	for trial := range 300 {
		rng := rand.New(rand.NewPCG(uint64(trial), 72))
		n := 3 + rng.IntN(30)
		parent := make([]int, n)
		var e csr.Edges
		for i := 1; i < n; i++ {
			parent[i] = rng.IntN(i)
			if i == 1 || rng.IntN(2) == 0 {
				parent[i] = i - 1
			}
			e.Src, e.Dst = append(e.Src, uint32(parent[i])), append(e.Dst, uint32(i))
			e.Weight = append(e.Weight, float32(math.Pow(10, -9*rng.Float64())))
		}
		w, _, err := csr.FromEdges(n, &e, csr.BuildOptions{})
		if err != nil {
			t.Fatal(err)
		}
		y, err := NewSeeds(n, 2, []Seed{{0, 0, 1}, {1, 1, 1}})
		if err != nil {
			t.Fatal(err)
		}
		f, stats, err := Harmonic(context.Background(), Normalize(w, 1), y, Options{Balance: Unbalanced})
		if err != nil {
			t.Fatal(err)
		}
		if math.IsNaN(stats.Residual) || math.IsInf(stats.Residual, 0) {
			t.Fatalf("trial %d: residual %v", trial, stats.Residual)
		}
		// Nodes 0 and 1 are joined: each other node hangs on one of them.
		for i := 2; i < n; i++ {
			root := i
			for root > 1 {
				root = parent[root]
			}
			if own, other := f.At(i, root), f.At(i, 1-root); math.Abs(float64(own+other)-1) > 1e-6 || stats.Converged && own < other {
				t.Fatalf("trial %d: node %d hangs on seed %d and has %v (converged: %v)", trial, i, root, f.Row(i), stats.Converged)
			}
		}
	}
}

// TestHarmonicOfSingular: S_24 is 1 in float32, so that nodes 2 and 4 alone are a
// singular system; the label of all is that of seed 1, over which all paths lead.
func TestHarmonicOfSingular(t *testing.T) {
	w, _, err := csr.FromEdges(5, &csr.Edges{Src: []uint32{1, 2, 3, 4}, Dst: []uint32{0, 1, 1, 2}, Weight: []float32{1e-8, 1e-8, 1e-4, 1}}, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	y, err := HardSeeds([]int{0, 1, -1, -1, -1})
	if err != nil {
		t.Fatal(err)
	}
	f, stats, err := Harmonic(context.Background(), Normalize(w, 1), y, Options{})
	if err != nil || !(stats.Residual < 1) {
		t.Fatal(stats, err)
	}
	for i := 2; i < 5; i++ {
		if f.At(i, 0) != 0 || f.At(i, 1) != 1 {
			t.Errorf("node %d has %v", i, f.Row(i))
		}
	}
}

// TestWeakBridge: an entry of S that float32 cannot have is the smallest it can.
func TestWeakBridge(t *testing.T) {
	w, _, err := csr.FromEdges(4, &csr.Edges{Src: []uint32{0, 1, 2}, Dst: []uint32{1, 2, 3}, Weight: []float32{1e25, 1e-25, 1e25}}, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	y, err := HardSeeds([]int{0, -1, -1, -1})
	if err != nil {
		t.Fatal(err)
	}
	s := Normalize(w, 1)
	if s.S.At(1, 2) != math.SmallestNonzeroFloat32 || s.S.At(2, 1) != s.S.At(1, 2) {
		t.Errorf("S_12 is %v", s.S.At(1, 2))
	}
	f := csr.NewDense(4, 1)
	if _, err := NewWorkspace(4, 1, 1).LGC(context.Background(), f, s, s.Degrees, y, Options{}); err != nil {
		t.Fatal(err)
	}
	for i := range 4 {
		if !(f.At(i, 0) > 0) {
			t.Errorf("node %d, which the seed reaches, has %v", i, f.At(i, 0))
		}
	}
}

// TestWeightsOfSeedsFarFromOne: the same F up to a factor for weights of any size.
func TestWeightsOfSeedsFarFromOne(t *testing.T) {
	w, _ := pathOf(t, 40)
	s := Normalize(w, 1)
	var want *csr.Dense
	for _, size := range []float64{1, 1e-45, 1e-40, 1e-30, 1e30, 1e38} {
		y, err := NewSeeds(40, 2, []Seed{{3, 0, float32(size)}, {30, 1, float32(size)}})
		if err != nil {
			t.Fatal(err)
		}
		f := csr.NewDense(40, 2)
		stats, err := NewWorkspace(40, 2, 1).LGC(context.Background(), f, s, s.Degrees, y, Options{})
		if err != nil || !stats.Converged {
			t.Fatal(size, stats, err)
		}
		if want == nil {
			want = f
		}
		for i := range 40 {
			if got, share := f.At(i, 0)/(f.At(i, 0)+f.At(i, 1)), want.At(i, 0)/(want.At(i, 0)+want.At(i, 1)); math.Abs(float64(got-share)) > 1e-4 {
				t.Fatalf("weights %g: node %d has a share of %v, want %v", size, i, got, share)
			}
		}
	}
}

// TestExtendFaint: a new node that hangs on labelled ones by the smallest weights has
// their label.
func TestExtendFaint(t *testing.T) {
	f := csr.NewDense(2, 2)
	f.Set(0, 0, 0x1p-100)
	f.Set(1, 1, 0x1p-101)
	for _, weight := range []float32{1, 0x1p-100, math.SmallestNonzeroFloat32} {
		w, err := csr.New(1, 2, []int64{0, 2}, []uint32{0, 1}, []float32{weight, weight})
		if err != nil {
			t.Fatal(err)
		}
		out := Extend(f, []float64{1, 1}, w, 0.99, 1)
		if a, b := out.At(0, 0), out.At(0, 1); !(b > 0) || math.Abs(float64(a/b)-2) > 1e-5 {
			t.Errorf("weights %g: F of %v, want a share of two thirds", weight, out.Row(0))
		}
	}
}

// TestRatios: a column takes no step once it is solved, where the product is rounding
// or no number, and where its residual has grown past all bounds.
func TestRatios(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct{ rr, pq, norm, want float64 }{
		{1, 0.5, 1, 2},
		{1e-14, 1e-15, 1, 0},
		{1, 0, 1, 0},
		{1, -1, 1, 0},
		{1, 0x1p-30, 1, 0x1p30},
		{1, 1e-10, 1, 0},
		{1e10, 1e10, 1, 1},
		{1e13, 1e13, 1, 0},
		{inf, 1, 1, 0},
		{nan, 1, 1, 0},
		{1, nan, 1, 0},
		{1, 1, 0, 1},
	} {
		a := []float64{7, 7}
		any := ratios(a, []float64{c.rr, 1}, []float64{c.pq, 1}, []float64{c.norm, 10}, 1e-6)
		if a[0] != c.want || a[1] != 1 || !any {
			t.Errorf("%+v: %v, %v", c, a, any)
		}
		if any := ratios(a[:1], []float64{c.rr}, []float64{c.pq}, []float64{c.norm}, 1e-6); any != (c.want != 0) {
			t.Errorf("%+v: improved %v", c, any)
		}
	}
	if converged([]float64{nan}, []float64{1}, []float64{1}, 1e-6, roundoff) || !converged([]float64{1e-13}, []float64{1}, []float64{1}, 1e-6, roundoff) {
		t.Error("a residual that is no number is taken for a small one, or a small one not")
	}
}

// TestClassesFarApart: classes whose factors differ beyond float32, each alone in a
// component, reach all of it.
func TestClassesFarApart(t *testing.T) {
	for name, test := range map[string]struct {
		second  float32 // the edge weights of the second component
		weights [2]float32
		opt     Options
	}{
		"prior":   {1, [2]float32{1, 1}, Options{Prior: []float64{1, 1e-46}}},
		"nothing": {1, [2]float32{1, 1}, Options{Prior: []float64{1, 5e-324}}},
		"seeds":   {1, [2]float32{1e30, 1e-30}, Options{Balance: Unbalanced}},
		"edges":   {1e-45, [2]float32{1, 1}, Options{}},
		"other":   {1e-45, [2]float32{1, 1}, Options{Prior: []float64{1e-30, 1}}},
	} {
		w, _, err := csr.FromEdges(6, &csr.Edges{Src: []uint32{0, 1, 3, 4}, Dst: []uint32{1, 2, 4, 5}, Weight: []float32{3e38, 3e38, test.second, test.second}}, csr.BuildOptions{})
		if err != nil {
			t.Fatal(err)
		}
		y, err := NewSeeds(6, 2, []Seed{{0, 0, test.weights[0]}, {3, 1, test.weights[1]}})
		if err != nil {
			t.Fatal(err)
		}
		power := test.opt
		power.Solver = Power
		for method, solve := range map[string]func() (*csr.Dense, Stats, error){
			"cg":       func() (*csr.Dense, Stats, error) { return LGC(context.Background(), Normalize(w, 1), y, test.opt) },
			"power":    func() (*csr.Dense, Stats, error) { return LGC(context.Background(), Normalize(w, 1), y, power) },
			"harmonic": func() (*csr.Dense, Stats, error) { return Harmonic(context.Background(), Normalize(w, 1), y, test.opt) },
			"poisson":  func() (*csr.Dense, Stats, error) { return Poisson(context.Background(), Normalize(w, 1), y, test.opt) },
		} {
			f, stats, err := solve()
			if err != nil || !stats.Converged {
				t.Errorf("%s by %s: %+v, %v", name, method, stats, err)
			}
			for i := range 6 {
				if own := i / 3; !(f.At(i, own) > 0) || f.At(i, 1-own) != 0 {
					t.Errorf("%s by %s: node %d has %v", name, method, i, f.Row(i))
				}
			}
		}
	}
}

// TestHarmonicTakes: seeds of another graph panic, and α has no part in it.
func TestHarmonicTakes(t *testing.T) {
	w, y := pathOf(t, 30)
	s := Normalize(w, 1)
	want, _, err := Harmonic(context.Background(), s, y, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, _, err := Harmonic(context.Background(), s, y, Options{Alpha: 5}); err != nil || !slices.Equal(got.Data, want.Data) {
		t.Errorf("alpha 5: %v, or another F", err)
	}
	defer func() {
		if fault := recover(); fault != "diffuse: 30 nodes, seeds for 20" {
			t.Errorf("panic %v", fault)
		}
	}()
	_, other := pathOf(t, 20)
	Harmonic(context.Background(), s, other, Options{})
}

// TestHarmonicOfLargePriors: only the ratios of a prior count, whatever its size, also
// past what float32 holds.
func TestHarmonicOfLargePriors(t *testing.T) {
	w, _, err := csr.FromEdges(4, &csr.Edges{Src: []uint32{0, 1, 2}, Dst: []uint32{1, 2, 3}}, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	y, err := HardSeeds([]int{0, -1, -1, 1})
	if err != nil {
		t.Fatal(err)
	}
	harmonic := func(prior ...float64) []float32 {
		f, _, err := Harmonic(context.Background(), Normalize(w, 1), y, Options{Prior: prior})
		if err != nil {
			t.Fatal(err)
		}
		return f.Data
	}
	for _, prior := range [][2]float64{{1, 1}, {0.25, 0.75}, {2, 1}} {
		want := harmonic(prior[:]...)
		for _, size := range []float64{0x1p100, 0x1p140, 0x1p1000, 0x1p-100, 0x1p-1000} {
			if got := harmonic(prior[0]*size, prior[1]*size); !slices.Equal(got, want) {
				t.Errorf("prior %v times %v: %v, want %v", prior, size, got, want)
			}
		}
	}
	for _, v := range harmonic(1.7e308, 5e-324) {
		if !(v >= 0 && v <= 1) {
			t.Errorf("share %v", v)
		}
	}
}
