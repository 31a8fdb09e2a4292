package choice

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/crossval"
	"github.com/adp-sparse/adp-sparse/adp/internal/planted"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// TestSeedPrior: the estimator, computed by hand.
func TestSeedPrior(t *testing.T) {
	for _, test := range []struct {
		count []int
		want  []float64
	}{
		{[]int{5, 5, 5}, nil},
		{[]int{6, 5, 4}, nil}, // χ² 0.4 of 2
		{[]int{7, 1}, []float64{0.5 + (1-1/4.5)*(7./8-0.5), 0.5 - (1-1/4.5)*(7./8-0.5)}}, // χ² (9+9)/4 = 4.5 of 1
		{[]int{46, 8, 6}, []float64{shrunk(46), shrunk(8), shrunk(6)}},
		{[]int{8, 0}, []float64{0.5 + 0.5*(1-1./8), 0.5 - 0.5*(1-1./8)}}, // above 0 without a seed
	} {
		var list []diffuse.Seed
		for class, k := range test.count {
			for range k {
				list = append(list, diffuse.Seed{Node: uint32(len(list)), Class: uint32(class), Weight: 1})
			}
		}
		y, err := diffuse.NewSeeds(60, len(test.count), list)
		if err != nil {
			t.Fatal(err)
		}
		got := SeedPrior(y)
		if len(got) != len(test.want) {
			t.Fatalf("%v: %v, expected %v", test.count, got, test.want)
		}
		for j := range got {
			if math.Abs(got[j]-test.want[j]) > 1e-12 {
				t.Errorf("%v: %v, expected %v", test.count, got, test.want)
			}
		}
	}
}

// shrunk is the share of a class with some of 60 seeds, where three have 46, 8 and 6:
// χ² = (26² + 12² + 14²)/20 = 50.8 of 2.
func shrunk(count float64) float64 { return 1./3*2/50.8 + (1-2/50.8)*count/60 }

// unequal returns a graph of two overlapping blocks of 400 and 80 nodes and seeds, so
// many of each.
func unequal(t *testing.T, large, small int) (*csr.Matrix, *diffuse.Seeds, []int32) {
	t.Helper()
	rng := rand.New(rand.NewPCG(5, 8))
	truth := make([]int32, 480)
	e := &csr.Edges{}
	for i := range truth {
		if i >= 400 {
			truth[i] = 1
		}
		for j := range i {
			p := 0.02
			if truth[i] == truth[j] {
				p = 0.03
			}
			if rng.Float64() < p {
				e.Src, e.Dst = append(e.Src, uint32(i)), append(e.Dst, uint32(j))
			}
		}
	}
	w, _, err := csr.FromEdges(480, e, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var list []diffuse.Seed
	for i := range large {
		list = append(list, diffuse.Seed{Node: uint32(7 * i), Class: 0, Weight: 1})
	}
	for i := range small {
		list = append(list, diffuse.Seed{Node: uint32(400 + 5*i), Class: 1, Weight: 1})
	}
	y, err := diffuse.NewSeeds(480, 2, list)
	if err != nil {
		t.Fatal(err)
	}
	return w, y, truth
}

// TestPrior: classes that overlap have the sizes of seeds that were drawn from all
// nodes, and the trial has the figures of runs on the same folds.
func TestPrior(t *testing.T) {
	ctx := context.Background()
	w, y, truth := unequal(t, 50, 10)
	for _, threads := range []int{1, 3} {
		prior, trial, err := Prior(ctx, w, y, adp.Options{Threads: threads})
		if err != nil || trial == nil || !trial.Chosen || !slices.Equal(prior, SeedPrior(y)) || trial.Lead < priorLead {
			t.Fatalf("%v, %+v, %v", prior, trial, err)
		}
		held := [2]crossval.Hits{heldOut(t, w, y, adp.Options{Method: adp.LGC}), heldOut(t, w, y, adp.Options{Method: adp.LGC, Prior: prior})}
		equal, _ := held[0].Accuracy()
		seeds, _ := held[1].Accuracy()
		won, lost, _ := held[1].Beats(held[0])
		if trial.LeftOut != len(held[0]) || math.Abs(trial.Equal-equal) > 1e-12 || math.Abs(trial.Seeds-seeds) > 1e-12 || trial.Won != won || trial.Lost != lost ||
			math.Abs(trial.Lead-float64(won-lost)/math.Sqrt(float64(won+lost))) > 1e-9 {
			t.Errorf("%+v, by runs %v and %v of %d, %d won, %d lost", trial, equal, seeds, len(held[0]), won, lost)
		}
	}
	right := func(prior []float64) (count int) {
		r, err := adp.Run(ctx, w, y, adp.Options{Method: adp.LGC, Prior: prior})
		if err != nil {
			t.Fatal(err)
		}
		for i, class := range r.Labels {
			if class == truth[i] {
				count++
			}
		}
		return count
	}
	if equal, seeds := right(nil), right(SeedPrior(y)); seeds < equal+24 {
		t.Errorf("%d right with equal classes, %d with those of the seeds", equal, seeds)
	}
}

// TestPriorLeaves: a given prior stays, and nothing is tried where it could tell nothing.
func TestPriorLeaves(t *testing.T) {
	ctx := context.Background()
	for _, test := range []struct {
		name         string
		large, small int
		opt          adp.Options
		want         []float64
	}{
		{"equal numbers", 12, 12, adp.Options{}, nil},
		{"a prior", 50, 10, adp.Options{Prior: []float64{3, 1}}, []float64{3, 1}},
		{"not balanced", 50, 10, adp.Options{Balance: diffuse.Unbalanced}, nil},
		{"19 seeds", 16, 3, adp.Options{}, nil},
		{"no trial", 50, 10, adp.Options{TrialFolds: -1}, nil},
		{"no choice", 50, 10, adp.Options{Select: adp.None}, nil},
	} {
		w, y, _ := unequal(t, test.large, test.small)
		if prior, trial, err := Prior(ctx, w, y, test.opt); err != nil || trial != nil || !slices.Equal(prior, test.want) {
			t.Errorf("%s: %v, %+v, %v", test.name, prior, trial, err)
		}
	}
	// Seeds that were chosen, of blocks that do not overlap: sizes make nothing better.
	w, y := planted.Graph(t, 300, 2, 30, 5)
	list := slices.DeleteFunc(y.List(), func(s diffuse.Seed) bool { return s.Class == 1 && s.Node%5 > 0 })
	few, err := diffuse.NewSeeds(300, 2, list)
	if err != nil {
		t.Fatal(err)
	}
	if prior, trial, err := Prior(ctx, w, few, adp.Options{}); err != nil || prior != nil || trial != nil && trial.Chosen {
		t.Errorf("%v, %+v, %v", prior, trial, err)
	}
	w, y, _ = unequal(t, 50, 10)
	if _, _, err := Prior(ctx, w, y, adp.Options{Alpha: 2}); err == nil {
		t.Error("alpha 2 taken")
	}
}

// TestPriorRefuses: arguments are checked whether or not there is anything to try.
func TestPriorRefuses(t *testing.T) {
	w, y, _ := unequal(t, 2, 2) // equally many, so that nothing is tried
	other, err := diffuse.NewSeeds(y.Nodes+1, y.Classes, y.List())
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		w    *csr.Matrix
		y    *diffuse.Seeds
		opt  adp.Options
		want error
	}{
		"alpha":          {w, y, adp.Options{Alpha: 3}, adp.ErrOptions},
		"prior":          {w, y, adp.Options{Prior: []float64{1, -2, 3}}, adp.ErrOptions},
		"no seeds":       {w, nil, adp.Options{}, diffuse.ErrSeeds},
		"no graph":       {nil, y, adp.Options{}, adp.ErrGraph},
		"seeds of other": {w, other, adp.Options{}, adp.ErrGraph},
	} {
		if prior, trial, err := Prior(context.Background(), test.w, test.y, test.opt); !errors.Is(err, test.want) || prior != nil || trial != nil {
			t.Errorf("%s: prior %v, %v, %v", name, prior, trial, err)
		}
		if c, err := adp.Calibrate(context.Background(), test.w, test.y, test.opt, 0); !errors.Is(err, test.want) || c != nil {
			t.Errorf("%s: calibration %v, %v", name, c, err)
		}
	}
}

// TestCancelled: the error of a context that ends is ctx.Err() itself.
func TestCancelled(t *testing.T) {
	w, y, _ := unequal(t, 40, 8)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, scratch := range []string{"", t.TempDir()} {
		opt := adp.Options{Scratch: scratch}
		if _, err := adp.LeftOutRanks(ctx, w, y, opt, 4); err != ctx.Err() {
			t.Errorf("ranks, scratch %q: %#v", scratch, err)
		}
		if _, err := adp.Run(ctx, w, y, opt); err != ctx.Err() {
			t.Errorf("run, scratch %q: %#v", scratch, err)
		}
	}
	if _, _, err := Graph(ctx, w, "knn", nil, 0, y, adp.Options{}); err != ctx.Err() {
		t.Errorf("graph: %#v", err)
	}
}
