package fit

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/gen"
	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// measured returns a graph of n nodes in two classes of ten edges inside and two outside a node, a seed for each of the first known
// nodes, and d normal columns whose means differ by twice shift in all.
func measured(t *testing.T, n, known, d int, shift float64) (in Input, truth []int32) {
	t.Helper()
	src, dst, weight, class := gen.PlantedPartition(n, 2, 20/float64(n), 4/float64(n), 5)
	rng := rand.New(rand.NewPCG(15, 16))
	x := csr.NewDense(n, d)
	var seeds []diffuse.Seed
	for i, c := range class {
		truth = append(truth, int32(c))
		for j := range x.Row(i) {
			x.Set(i, j, float32(rng.NormFloat64()+float64(2*c-1)*shift/math.Sqrt(float64(d))))
		}
		if i < known {
			seeds = append(seeds, diffuse.Seed{Node: uint32(i), Class: uint32(c), Weight: 1})
		}
	}
	edges := &csr.Edges{Src: src, Dst: dst, Weight: weight}
	var err error
	if in.Edges, _, err = csr.FromEdges(n, edges, csr.BuildOptions{}); err != nil {
		t.Fatal(err)
	}
	if in.Seeds, err = diffuse.NewSeeds(n, 2, seeds); err != nil {
		t.Fatal(err)
	}
	in.Dense = x
	return in, truth
}

// TestWorth: features that are noise are worth nothing, though their diffused columns tell the classes; those whose means differ, of
// whom no neighbours can be found either, are worth something.
func TestWorth(t *testing.T) {
	racing.LongSum(t)
	for _, c := range []struct{ shift, least, most float64 }{{0, 0, 0}, {0.8, 0.9, 1}} {
		in, truth := measured(t, 1500, 20, 60, c.shift)
		r, err := Run(t.Context(), in, Options{})
		if err != nil {
			t.Fatal(err)
		}
		m := r.Combination
		if !m.Formless || m.Worth == nil || *m.Worth < c.least || *m.Worth > c.most {
			t.Errorf("shift %v: %.3f right, formless %v, worth %v", c.shift, right(r.Labels, truth), m.Formless, m.Worth)
		}
		checkDiffused(t, "formless", m, false, true)
	}
}

// TestFeaturesThatSayNothing: noise beside edges costs next to nothing of what the edges alone tell, where a seed can be left out and
// where none can, and the run on the edges has the most weight.
func TestFeaturesThatSayNothing(t *testing.T) {
	racing.LongSum(t)
	for _, known := range []int{2, 40} {
		in, truth := measured(t, 1000, known, 60, 0)
		alone := in
		alone.Dense = nil
		var share [2]float64
		for k, input := range []Input{in, alone} {
			r, err := Run(t.Context(), input, Options{})
			if err != nil {
				t.Fatal(err)
			}
			share[k] = right(r.Labels, truth)
			at := slices.IndexFunc(r.Combination.Members, func(m Member) bool { return m.Method == methodTitles[process] })
			if k == 0 && (at < 0 || r.Combination.Members[at].Graph != "edges" || r.Combination.Members[at].Weight < 0.3) {
				t.Errorf("%d seeds: %+v", known, r.Combination.Members)
			}
		}
		if share[0] < share[1]-0.02 {
			t.Errorf("%d seeds: %.3f right, %.3f by the edges alone", known, share[0], share[1])
		}
	}
}

// TestPoolOfRun: a pool takes the run on the edges beside features, and one on each graph alone.
func TestPoolOfRun(t *testing.T) {
	racing.LongSum(t)
	in, _ := measured(t, 400, 20, 10, 1)
	alone := in
	alone.Dense = nil
	want, err := Run(t.Context(), alone, Options{Pool: []string{"adp:edges"}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := Run(t.Context(), in, Options{Pool: []string{"adp:edges"}})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Labels, want.Labels) {
		t.Error("the run on the edges is another beside features")
	}
	in.Edges, alone = nil, in
	ofFeatures, err := Run(t.Context(), in, Options{Pool: []string{"adp:sum"}})
	if err != nil {
		t.Fatal(err)
	}
	both, err := Run(t.Context(), alone, Options{Pool: []string{"adp:edges", "adp:features"}})
	if err != nil {
		t.Fatal(err)
	}
	for k, one := range []*Result{want, ofFeatures} {
		if got, own := both.Combination.Members[k].Accuracy, one.Combination.Members[0].Accuracy; got != own {
			t.Errorf("run %d of two: %.3f of the left-out seeds right, %.3f by itself", k, got, own)
		}
	}
}
