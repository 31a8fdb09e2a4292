package fit

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// edgesOf returns the matrix of n nodes whose m edges join drawn nodes i to those that to gives.
func edgesOf(t *testing.T, n, m int, to func(rng *rand.Rand, i int) int) *csr.Matrix {
	t.Helper()
	rng := rand.New(rand.NewPCG(31, 32))
	edges := &csr.Edges{}
	for range m {
		i := rng.IntN(n)
		if j := to(rng, i); j != i {
			edges.Src, edges.Dst = append(edges.Src, uint32(i)), append(edges.Dst, uint32(j))
		}
	}
	w, _, err := csr.FromEdges(n, edges, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// TestDependence: by hand it is that of a table of two classes; edges anywhere are independent of the labels, those to the same class and
// those to the next one are not. Nodes without a label do not count.
func TestDependence(t *testing.T) {
	// Three edges inside class 0, one inside 1 and two between them. Of 12 ends 8 are of class 0, 4 of class 1. Twice the edges: 6, 2, 2, 2,
	// expected 64/12, 32/12, 32/12, 16/12: the correlation of the ends is 1/4, and χ² is six times its square.
	w, _, err := csr.FromEdges(7, &csr.Edges{Src: []uint32{0, 1, 2, 3, 0, 1, 6}, Dst: []uint32{1, 2, 0, 4, 3, 4, 0}}, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	labels := []int32{0, 0, 0, 1, 1, 0, -1}
	want := (6*0.25*0.25 - 1) / math.Sqrt2
	if got := dependence(w, labels, 2); math.Abs(got-want) > 1e-12 {
		t.Errorf("%v, expected %v", got, want)
	}
	n := 900
	labels = make([]int32, n)
	for i := range labels {
		labels[i] = int32(i % 3)
	}
	for name, c := range map[string]struct {
		to          func(rng *rand.Rand, i int) int
		least, most float64
	}{
		"anywhere":   {func(rng *rand.Rand, _ int) int { return rng.IntN(n) }, -2, 2},
		"alike":      {func(rng *rand.Rand, i int) int { return i%3 + 3*rng.IntN(n/3) }, 100, math.Inf(1)},
		"next class": {func(rng *rand.Rand, i int) int { return (i+1)%3 + 3*rng.IntN(n/3) }, 100, math.Inf(1)},
	} {
		if got := dependence(edgesOf(t, n, 2*n, c.to), labels, 3); got < c.least || got > c.most {
			t.Errorf("%s: %v, expected %v to %v", name, got, c.least, c.most)
		}
	}
}

// TestLikeness: edges anywhere, and those of hubs, join nodes no more like than others; edges of near nodes do, in dense and sparse rows
// alike; and edges to far ones join unlike nodes. Rows of zeros do no harm.
func TestLikeness(t *testing.T) {
	const n, d = 600, 8
	rng := rand.New(rand.NewPCG(41, 42))
	x := csr.NewDense(n, d)
	for i := range n - 1 {
		for j := range d {
			x.Set(i, j, float32(rng.NormFloat64()))
		}
		x.Set(i, 0, x.At(i, 0)+2*float32(1-2*(i%2)))
	}
	sparse, err := csr.FromDense(x)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		to          func(rng *rand.Rand, i int) int
		least, most float64
	}{
		"anywhere": {func(rng *rand.Rand, _ int) int { return rng.IntN(n) }, -2, 2},
		"hubs":     {func(rng *rand.Rand, _ int) int { return rng.IntN(12) }, -2.5, 2.5},
		"near":     {func(rng *rand.Rand, i int) int { return i%2 + 2*rng.IntN(n/2) }, 10, math.Inf(1)},
		"far":      {func(rng *rand.Rand, i int) int { return 1 - i%2 + 2*rng.IntN(n/2) }, math.Inf(-1), -10},
	} {
		w := edgesOf(t, n, 2*n, c.to)
		got := likeness(w, diffuse.Features{Dense: x})
		if got < c.least || got > c.most {
			t.Errorf("%s: %v, expected %v to %v", name, got, c.least, c.most)
		}
		if of := likeness(w, diffuse.Features{Sparse: sparse}); math.Abs(of-got) > 1e-9 {
			t.Errorf("%s: %v of sparse rows, %v of dense ones", name, of, got)
		}
	}
}

// TestEdgesThatSayNothing: edges between any nodes beside measurements cost next to nothing of what the measurements alone tell, where a
// seed can be left out and where none can. Edges to the next class are not such.
func TestEdgesThatSayNothing(t *testing.T) {
	racing.LongSum(t)
	const n, c = 400, 4
	for _, perClass := range []int{1, 5} {
		in := cloud(t, n, c, 6, perClass)
		alone := in
		alone.Edges = nil
		own, err := Run(t.Context(), alone, Options{})
		if err != nil {
			t.Fatal(err)
		}
		truth := make([]int32, n)
		for i := range truth {
			truth[i] = int32(i % c)
		}
		for name, to := range map[string]func(rng *rand.Rand, i int) int{
			"anywhere":   func(rng *rand.Rand, _ int) int { return rng.IntN(n) },
			"next class": func(rng *rand.Rand, i int) int { return (i+1)%c + c*rng.IntN(n/c) },
		} {
			in.Edges = edgesOf(t, n, 2*n, to)
			r, err := Run(t.Context(), in, Options{})
			if err != nil {
				t.Fatal(err)
			}
			c := r.Combination
			if name == "anywhere" != c.Idle || c.Idle && c.Independent < 0.5 || !c.Idle && c.Independent > 0 {
				t.Errorf("%s, %d seeds a class: independent %v, idle %v", name, perClass, c.Independent, c.Idle)
			}
			if with, without := right(r.Labels, truth), right(own.Labels, truth); with < without-0.02 {
				t.Errorf("%s, %d seeds a class: %.3f right, %.3f without the edges", name, perClass, with, without)
			}
		}
	}
}

// TestIndependentFeatures: three columns of noise, whose neighbours have structure, beside edges that tell the classes cost little of what
// the edges alone tell. Both have their own run.
func TestIndependentFeatures(t *testing.T) {
	racing.LongSum(t)
	const n, c = 600, 3
	truth := make([]int32, n)
	for i := range truth {
		truth[i] = int32(i % c)
	}
	edges := edgesOf(t, n, 4*n, func(rng *rand.Rand, i int) int {
		if rng.IntN(5) == 0 {
			return rng.IntN(n)
		}
		return i%c + c*rng.IntN(n/c)
	})
	noise, rng := csr.NewDense(n, 3), rand.New(rand.NewPCG(51, 52))
	for k := range noise.Data {
		noise.Data[k] = float32(rng.NormFloat64())
	}
	for _, perClass := range []int{1, 5} {
		in := cloud(t, n, c, 3, perClass)
		in.Edges, in.Dense = edges, nil
		own, err := Run(t.Context(), in, Options{})
		if err != nil {
			t.Fatal(err)
		}
		in.Dense = noise
		r, err := Run(t.Context(), in, Options{})
		if err != nil {
			t.Fatal(err)
		}
		m := r.Combination
		if m.Independent < 0.5 || m.Idle || m.Formless {
			t.Errorf("%d seeds a class: independent %v, idle %v, formless %v", perClass, m.Independent, m.Idle, m.Formless)
		}
		if with, without := right(r.Labels, truth), right(own.Labels, truth); with < without-0.03 {
			t.Errorf("%d seeds a class: %.3f right, %.3f without the features", perClass, with, without)
		}
		checkDiffused(t, "independent", m, false, false)
		// S of the sum, which no method is on, is there again for the learned graph.
		g, err := NewGraph(t.Context(), in, GraphOptions{})
		if err != nil {
			t.Fatal(err)
		}
		taught, err := teach(t.Context(), diffuse.Normalize(g.W, 1).S, r.F, adp.Options{})
		if err != nil {
			t.Fatal(err)
		}
		_, cols, values := taught.Arrays()
		if _, at, got := r.Graph.Arrays(); !slices.Equal(cols, at) || !slices.Equal(values, got) {
			t.Errorf("%d seeds a class: the learned graph is another one", perClass)
		}
		runs := 0
		for _, member := range m.Members {
			if member.Prior > 0.1 && (member.Method == methodTitles[process] || member.Method == methodTitles[lgc]) {
				runs++
			}
		}
		if runs != 2 {
			t.Errorf("%d seeds a class: %d runs, expected one on the edges and one on the features", perClass, runs)
		}
	}
}
