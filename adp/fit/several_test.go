package fit

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/multilabel"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// clubs returns a graph of n nodes whose labels are the clubs that they are in, of c: one, or with every third node two. Of the edges of a
// node the share inside goes to nodes of one of its clubs. Every step-th node is known.
func clubs(t *testing.T, n, c, degree, step int, inside float64) (in Input, truth [][]int32) {
	t.Helper()
	rng := rand.New(rand.NewPCG(11, 7))
	truth = make([][]int32, n)
	members := make([][]int, c)
	for i := range n {
		truth[i] = []int32{int32(i % c)}
		if i%3 == 0 {
			truth[i] = append(truth[i], int32((i+1+i/3%(c-1))%c))
			slices.Sort(truth[i])
		}
		for _, j := range truth[i] {
			members[j] = append(members[j], i)
		}
	}
	edges := &csr.Edges{}
	for i := range n {
		for range degree {
			to := rng.IntN(n)
			if rng.Float64() < inside {
				of := members[truth[i][rng.IntN(len(truth[i]))]]
				to = of[rng.IntN(len(of))]
			}
			if to != i {
				edges.Src, edges.Dst, edges.Weight = append(edges.Src, uint32(i)), append(edges.Dst, uint32(to)), append(edges.Weight, 1)
			}
		}
	}
	w, _, err := csr.FromEdges(n, edges, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var list []diffuse.Seed
	for i := 0; i < n; i += step {
		for _, j := range truth[i] {
			list = append(list, diffuse.Seed{Node: uint32(i), Class: uint32(j), Weight: 1})
		}
	}
	y, err := diffuse.NewSeeds(n, c, list)
	if err != nil {
		t.Fatal(err)
	}
	return Input{Edges: w, Seeds: y}, truth
}

// scored compares the labels of the nodes without a known one with the true ones.
func scored(sets *multilabel.Sets, in Input, truth [][]int32) multilabel.Score {
	known := in.Seeds.Mask()
	var got, want [][]int32
	for i := range truth {
		if known[i] {
			continue
		}
		var of []int32
		for _, l := range sets.Of(i) {
			of = append(of, l.Class)
		}
		got, want = append(got, of), append(want, truth[i])
	}
	return multilabel.Compare(got, want, in.Seeds.Classes)
}

// TestSeveral: nodes with several labels get a mixture, whose labels are better than those of LGC, and the left-out nodes foretell how
// good they are. Any number of threads gives the same bits.
func TestSeveral(t *testing.T) {
	in, truth := clubs(t, 900, 6, 4, 7, 0.7)
	opt := Options{Several: true}
	opt.Run.Threads = 1
	r, err := Run(t.Context(), in, opt)
	if err != nil {
		t.Fatal(err)
	}
	c := r.Combination
	if c == nil || c.Several == nil || c.Members[0].Method != methodTitles[lgc] || r.Rounds[len(r.Rounds)-1].TopK > 0 {
		t.Fatalf("%+v of %d rounds", c, len(r.Rounds))
	}
	if c.Several.LeftOut.Nodes != 129 || c.LeftOut != len(in.Seeds.List()) {
		t.Errorf("%d nodes and %d labels are left out, expected 129 and %d", c.Several.LeftOut.Nodes, c.LeftOut, len(in.Seeds.List()))
	}
	sets, err := r.Sets(0)
	if err != nil || sets.Rule().Odds != c.Several.Odds {
		t.Fatalf("not by the odds of the mixture: %v, %v", sets, err)
	}
	got := scored(sets, in, truth)
	if sets, err = r.Sets(0.4); err != nil || sets.Rule().Odds != nil || sets.Rule().Threshold != 0.4 {
		t.Errorf("not by the threshold: %v, %v", sets, err)
	}
	if off := got.MicroF1 - c.Several.LeftOut.MicroF1; math.Abs(off) > 0.08 {
		t.Errorf("micro-F1 %.3f, foretold %.3f", got.MicroF1, c.Several.LeftOut.MicroF1)
	}
	opt.Combine = NoCombine
	alone, err := Run(t.Context(), in, opt)
	if err != nil {
		t.Fatal(err)
	}
	if alone.Combination != nil || !slices.Equal(alone.Prior, seedWeights(in.Seeds)) {
		t.Errorf("without a mixture: %+v, prior %v", alone.Combination, alone.Prior)
	}
	if sets, err = alone.Sets(0); err != nil || sets.Rule().Threshold != multilabel.DefaultThreshold {
		t.Fatalf("without a mixture: %v, %v", sets, err)
	}
	if _, err := alone.Sets(1.5); err == nil {
		t.Error("threshold 1.5: no error")
	}
	lone := scored(sets, in, truth)
	if got.MicroF1 < lone.MicroF1+0.02 || got.MacroF1 < lone.MacroF1+0.02 {
		t.Errorf("micro- and macro-F1 %.3f and %.3f, LGC %.3f and %.3f", got.MicroF1, got.MacroF1, lone.MicroF1, lone.MacroF1)
	}
	opt.Combine = AutoCombine
	for _, threads := range []int{2, 3, 8} {
		opt.Run.Threads = threads
		other, err := Run(t.Context(), in, opt)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(other.F.Data, r.F.Data) || !reflect.DeepEqual(other.Combination.Several, c.Several) {
			t.Errorf("%d threads give others", threads)
		}
	}
}

// TestMethodOfSeveral: nodes with several labels have LGC in the place of ADP, and every other method that is asked for.
func TestMethodOfSeveral(t *testing.T) {
	for _, c := range []struct {
		several     bool
		given, want adp.Method
	}{{true, adp.ADP, adp.LGC}, {true, adp.GFHF, adp.GFHF}, {false, adp.ADP, adp.ADP}} {
		if got := (Options{Several: c.several, Run: adp.Options{Method: c.given}}).Method(); got != c.want {
			t.Errorf("several labels %v: %v for %v, expected %v", c.several, got, c.given, c.want)
		}
	}
}

// TestSeveralLeaks: whoever knew a node by one of its labels would be right about all of them. Labels drawn at random, three a node, are
// foretold no better than chance.
func TestSeveralLeaks(t *testing.T) {
	in, _ := clubs(t, 600, 6, 3, 4, 0.5)
	rng := rand.New(rand.NewPCG(5, 5))
	var list []diffuse.Seed
	for i := 0; i < 600; i += 2 {
		for _, j := range rng.Perm(6)[:3] {
			list = append(list, diffuse.Seed{Node: uint32(i), Class: uint32(j), Weight: 1})
		}
	}
	y, err := diffuse.NewSeeds(600, 6, list)
	if err != nil {
		t.Fatal(err)
	}
	in.Seeds = y
	r, err := Run(t.Context(), in, Options{Several: true, Run: adp.Options{Threads: 2}})
	if err != nil {
		t.Fatal(err)
	}
	// All six labels for all nodes have 2·½/(½+1), and of three at random half are true.
	if of := r.Combination.Several.LeftOut; of.Nodes != 300 || of.MicroF1 > 0.70 || r.Combination.Accuracy > 0.23 {
		t.Errorf("%+v, %.3f of the labels are the most probable", of, r.Combination.Accuracy)
	}
}

// TestSeveralVectors: points with several labels are told by their features, and better by edges beside them.
func TestSeveralVectors(t *testing.T) {
	in, truth := clubs(t, 500, 6, 4, 7, 0.7)
	rng := rand.New(rand.NewPCG(9, 9))
	x := csr.NewDense(500, 10)
	for i := range truth {
		for k := range x.Cols {
			x.Row(i)[k] = float32(0.6 * rng.NormFloat64())
		}
		for _, j := range truth[i] {
			x.Row(i)[j]++
		}
	}
	var got []multilabel.Score
	for _, of := range []Input{{Edges: in.Edges, Seeds: in.Seeds}, {Dense: x, Seeds: in.Seeds}, {Edges: in.Edges, Dense: x.Clone(), Seeds: in.Seeds}} {
		r, err := Run(t.Context(), of, Options{Several: true, Run: adp.Options{Threads: 2}})
		if err != nil {
			t.Fatal(err)
		}
		if r.Combination == nil || r.Combination.Several == nil {
			t.Fatalf("%+v", r.Combination)
		}
		got = append(got, scored(multilabel.ByOdds(r.F, r.Combination.Several.Odds), in, truth))
	}
	if edges, features, both := got[0].MicroF1, got[1].MicroF1, got[2].MicroF1; features < 0.6 || both < max(edges, features)+0.02 {
		t.Errorf("micro-F1 %.3f by edges, %.3f by features, %.3f by both", edges, features, both)
	}
}

// TestLeftQuarters: the seeds of a node are in one quarter of the left-out ones, and seeds of other nodes in turn.
func TestLeftQuarters(t *testing.T) {
	left := &leftOut{nodes: []uint32{4, 4, 9, 11, 11, 11, 0, 3}}
	if got, want := left.quarters(), []int{0, 0, 1, 2, 2, 2, 3, 0}; !slices.Equal(got, want) {
		t.Errorf("%v, expected %v", got, want)
	}
}

// TestPseudoLabelsOfSets: a seed has all of its labels as target, where these are no label in doubt.
func TestPseudoLabelsOfSets(t *testing.T) {
	y, err := diffuse.NewSeeds(3, 3, []diffuse.Seed{{Node: 0, Class: 0, Weight: 1}, {Node: 0, Class: 2, Weight: 1}, {Node: 2, Class: 1, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	f := csr.NewDense(3, 3)
	copy(f.Data, []float32{0, 1, 0, 0.5, 0.3, 0.2, 0, 1, 0})
	for _, test := range []struct {
		y    *diffuse.Seeds
		want []float32
	}{{y, []float32{2. / 3, -1. / 3, -1. / 3}}, {y.AsSets(), []float32{1. / 3, -2. / 3, 1. / 3}}} {
		targets, weights := pseudoLabels(f, test.y)
		for j, want := range test.want {
			if off := math.Abs(float64(targets.At(0, j) - want)); off > 1e-6 || weights[0] != weights[2] {
				t.Errorf("sets %v: targets %v, expected %v, weights %v", test.y.Sets, targets.Row(0), test.want, weights)
			}
		}
	}
}
