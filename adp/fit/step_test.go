package fit

import (
	"context"
	"errors"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/crossval"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/clock"
	"github.com/adp-sparse/adp-sparse/internal/racing"
	"github.com/adp-sparse/adp-sparse/knn"
)

// words returns n documents of c topics as sparse counts of d words, edges of which a share
// joins documents of one topic, and seeds.
func words(t *testing.T, n, c, d int, inside float64, perClass int) (in Input, truth []int32) {
	t.Helper()
	rng := rand.New(rand.NewPCG(11, 12))
	x, edges := csr.NewDense(n, d), &csr.Edges{}
	var seeds []diffuse.Seed
	count := make([]int, c)
	for i := range n {
		class := i % c
		truth = append(truth, int32(class))
		for range 8 {
			word := rng.IntN(d)
			if rng.Float64() < 0.5 {
				word = class + c*rng.IntN(d/c)
			}
			x.Set(i, word, x.At(i, word)+1)
		}
		for range 3 {
			other := rng.IntN(n)
			if rng.Float64() < inside {
				other = class + c*rng.IntN(n/c)
			}
			if other != i {
				edges.Src, edges.Dst = append(edges.Src, uint32(i)), append(edges.Dst, uint32(other))
			}
		}
		if count[class] < perClass {
			count[class]++
			seeds = append(seeds, diffuse.Seed{Node: uint32(i), Class: uint32(class), Weight: 1})
		}
	}
	return inputOf(t, x, edges, c, seeds), truth
}

// inputOf returns an input of edges, dense counts and seeds of c classes.
func inputOf(t *testing.T, x *csr.Dense, edges *csr.Edges, c int, seeds []diffuse.Seed) (in Input) {
	t.Helper()
	var err error
	if in.Edges, _, err = csr.FromEdges(x.Rows, edges, csr.BuildOptions{}); err != nil {
		t.Fatal(err)
	}
	if in.Sparse, err = csr.FromDense(x); err != nil {
		t.Fatal(err)
	}
	if in.Seeds, err = diffuse.NewSeeds(x.Rows, c, seeds); err != nil {
		t.Fatal(err)
	}
	return in
}

// right returns the share of labels that are true.
func right(labels, truth []int32) float64 {
	sum := 0.0
	for i, label := range labels {
		if label == truth[i] {
			sum++
		}
	}
	return sum / float64(len(truth))
}

// TestStep: the mixture is better than the graph alone where edges and words both tell, and as
// good as the words where the edges say nothing, which it notices; F sums to 1, the seeds keep
// their labels, and the learned graph is symmetric and of the nodes.
func TestStep(t *testing.T) {
	racing.LongSum(t)
	ctx := context.Background()
	for _, c := range []struct {
		name   string
		inside float64
		help   bool
	}{{"telling edges", 0.6, true}, {"random edges", 0, false}} {
		in, truth := words(t, 600, 3, 300, c.inside, 10)
		got, err := Run(ctx, in, Options{})
		if err != nil {
			t.Fatal(err)
		}
		alone, err := Run(ctx, in, Options{Combine: NoCombine})
		if err != nil {
			t.Fatal(err)
		}
		if got.Combination == nil || got.Combination.Homophilous() != c.help {
			t.Fatalf("%s: %+v", c.name, got.Combination)
		}
		if with, without := right(got.Labels, truth), right(alone.Labels, truth); with < without+0.01 {
			t.Errorf("%s: %.3f right, %.3f on the graph alone", c.name, with, without)
		}
		total := 0.0
		for _, m := range got.Combination.Members {
			total += m.Weight
		}
		if math.Abs(total-1) > 1e-9 || got.Combination.LeftOut != 30 {
			t.Errorf("%s: weights sum to %v, %d left out", c.name, total, got.Combination.LeftOut)
		}
		for i := range got.F.Rows {
			sum := 0.0
			for _, v := range got.F.Row(i) {
				sum += float64(v)
			}
			if math.Abs(sum-1) > 1e-5 {
				t.Fatalf("%s: row %d of F sums to %v", c.name, i, sum)
			}
		}
		for _, s := range in.Seeds.List() {
			if got.Labels[s.Node] != int32(s.Class) || got.Status[s.Node] != adp.Seed {
				t.Fatalf("%s: seed %d has label %d", c.name, s.Node, got.Labels[s.Node])
			}
		}
		if n, _ := got.Result.Graph.Dims(); n != 600 || got.Rounds[got.Chosen].TopK != 5 {
			t.Errorf("%s: a learned graph of %d nodes, round %+v", c.name, n, got.Rounds[got.Chosen])
		}
	}
}

// TestJunkFeatures: edges that tell the classes beside words that say nothing carry the answer,
// though the homophily, which rests on the words, does not see it: the left-out seeds do.
func TestJunkFeatures(t *testing.T) {
	racing.LongSum(t)
	ctx := context.Background()
	in, truth := words(t, 600, 3, 300, 0.9, 10)
	junk, _ := words(t, 600, 3, 300, 0, 10)
	order := rand.New(rand.NewPCG(3, 3)).Perm(600)
	dense := csr.NewDense(600, 300)
	for i := range 600 {
		cols, values := junk.Sparse.Row(order[i])
		for k, j := range cols {
			dense.Set(i, int(j), values[k])
		}
	}
	var err error
	if in.Sparse, err = csr.FromDense(dense); err != nil {
		t.Fatal(err)
	}
	got, err := Run(ctx, in, Options{})
	if err != nil {
		t.Fatal(err)
	}
	edges, err := Run(ctx, in, Options{Pool: []string{"lgc:edges"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, features, _ := got.Combination.Shares(); got.Combination.Homophilous() || features > 0.3 {
		t.Errorf("%+v, homophily %v", got.Combination, *got.Combination.Homophily)
	}
	if with, alone := right(got.Labels, truth), right(edges.Labels, truth); with < alone-0.04 {
		t.Errorf("%.3f right, %.3f by the edges alone", with, alone)
	}
}

// TestStepBits: any number of threads gives the same bits, with sparse features, with dense ones
// and without edges, and so does a stopwatch.
func TestStepBits(t *testing.T) {
	both, _ := words(t, 550, 3, 90, 0.5, 4)
	dense := cloud(t, 300, 3, 8, 4)
	for name, in := range map[string]Input{"sparse": both, "dense": dense, "features": {Dense: dense.Dense, Seeds: dense.Seeds}} {
		ctx := context.Background()
		var want *Result
		for _, threads := range []int{1, 2, 3, 8} {
			if racing.On && threads < 3 {
				continue
			}
			got, err := Run(ctx, in, Options{Run: adp.Options{Threads: threads}})
			if err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want, ctx = got, clock.With(ctx, clock.New())
			}
			if !slices.Equal(got.F.Data, want.F.Data) || !slices.Equal(got.Labels, want.Labels) {
				t.Errorf("%s, %d threads: other bits", name, threads)
			}
		}
	}
}

// TestFewSeeds: with one label a class no seed is left out and the weights are the prior; nodes
// without features, without edges, and without both get labels where something reaches
// them, and none where nothing does.
func TestFewSeeds(t *testing.T) {
	in, _ := words(t, 300, 3, 90, 0.6, 1)
	n := 304
	at := make([]uint32, 300)
	for i := range at {
		at[i] = uint32(i)
	}
	in.Edges = csr.Embed(in.Edges, at, n, 1) // 300 to 303 have neither
	var err error
	if in.Seeds, err = diffuse.NewSeeds(n, 3, in.Seeds.List()); err != nil {
		t.Fatal(err)
	}
	for _, classes := range [][]float64{nil, {5, 3, 1}} {
		got, err := Run(context.Background(), in, Options{Run: adp.Options{Prior: classes}})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range got.Combination.Members {
			if math.Abs(m.Weight-m.Prior) > 1e-12 || m.Accuracy != 0 {
				t.Errorf("%+v, expected the prior", m)
			}
		}
		for i := 300; i < n; i++ {
			if got.Labels[i] != -1 || got.Status[i] != adp.Unreached {
				t.Errorf("class sizes %v: node %d, of which nothing is known, has label %d", classes, i, got.Labels[i])
			}
		}
		if got.Labels[5] < 0 {
			t.Error("a node with edges and words has no label")
		}
	}
}

// TestPseudoLabels: by hand, two classes and four nodes, of which the first is a seed.
func TestPseudoLabels(t *testing.T) {
	y, err := diffuse.HardSeeds([]int{0, -1, -1, -1})
	if err != nil {
		t.Fatal(err)
	}
	if y, err = diffuse.NewSeeds(4, 2, y.List()); err != nil {
		t.Fatal(err)
	}
	f := &csr.Dense{Rows: 4, Cols: 2, Data: []float32{1, 0, 0.7, 0.3, 0.4, 0.6, 0, 0}}
	targets, weights := pseudoLabels(f, y)
	own := 0.5 / 10.5
	want := []float64{own, (1 - own) / 2, (1 - own) / 2, 0} // one node of each predicted class
	for i, w := range weights {
		if math.Abs(float64(w)-want[i]) > 1e-6 {
			t.Errorf("weight %d: %v, expected %v", i, w, want[i])
		}
	}
	for k, v := range []float32{0.5, -0.5, 0.5, -0.5, -0.5, 0.5, 0, 0} {
		if targets.Data[k] != v {
			t.Errorf("targets %v", targets.Data)
			break
		}
	}
}

// TestHomophily: 1 where all edges are inside classes, below 0 where none is, about 0 of labels
// drawn by chance; nodes without a label take no part.
func TestHomophily(t *testing.T) {
	in, truth := words(t, 3000, 3, 30, 1, 1)
	if h := homophily(in.Edges, truth, 3, 2); h != 1 {
		t.Errorf("inside alone: %v", h)
	}
	random, _ := words(t, 3000, 3, 30, 0, 1)
	if h := homophily(random.Edges, truth, 3, 2); math.Abs(h) > 0.05 {
		t.Errorf("random: %v", h)
	}
	path, _, err := csr.FromEdges(4, &csr.Edges{Src: []uint32{0, 1, 2}, Dst: []uint32{1, 2, 3}}, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if h := homophily(path, []int32{0, 1, 0, 1}, 2, 1); math.Abs(h+1) > 1e-12 {
		t.Errorf("a path in turn: %v, expected -1", h)
	}
	if h := homophily(path, []int32{0, 0, -1, 1}, 2, 1); h != 0 {
		t.Errorf("one class: %v", h)
	}
}

// TestPool: a pool of named methods has each alone as the whole answer, and unknown names are
// refused.
func TestPool(t *testing.T) {
	in, _ := words(t, 300, 3, 90, 0.6, 4)
	labels := map[string][]int32{}
	for _, name := range []string{"lgc:sum", "al:sum", "dr:features", "sign-centred:edges", "ridge:sum", "al-smoothed:sum"} {
		got, err := Run(context.Background(), in, Options{Pool: []string{name}})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(got.Combination.Members) != 1 || got.Combination.Members[0].Weight != 1 {
			t.Errorf("%s: %+v", name, got.Combination.Members)
		}
		labels[name] = got.Labels
	}
	if slices.Equal(labels["lgc:sum"], labels["ridge:sum"]) {
		t.Error("two methods have the same labels")
	}
	for _, names := range [][]string{{"magic:sum"}, {"walks:edges", "lgc:sum", "walks:edges"}} {
		if _, err := Run(context.Background(), in, Options{Pool: names}); !errors.Is(err, adp.ErrOptions) {
			t.Errorf("%v: %v", names, err)
		}
	}
}

// TestPoolOfTwoGraphs: a method on two graphs scores by each as it does alone, in either order.
func TestPoolOfTwoGraphs(t *testing.T) {
	racing.LongSum(t)
	in, _ := words(t, 300, 3, 90, 0.6, 4)
	run := func(names ...string) []Member {
		t.Helper()
		r, err := Run(t.Context(), in, Options{Pool: names, Explain: []int{7}})
		if err != nil {
			t.Fatal(err)
		}
		return r.Combination.Members
	}
	differ := 0
	for _, method := range []string{"sign-centred", "sign-summed", "links", "walks", "forest", "kernel-ridge"} {
		edges, features := method+":edges", method+":features"
		alone := map[string]float64{edges: run(edges)[0].Accuracy, features: run(features)[0].Accuracy}
		if alone[edges] != alone[features] {
			differ++
		}
		for _, names := range [][]string{{edges, features}, {features, edges}} {
			for k, m := range run(names...) {
				if m.Accuracy != alone[names[k]] {
					t.Errorf("%s in %v: accuracy %v, %v alone", names[k], names, m.Accuracy, alone[names[k]])
				}
			}
		}
	}
	if differ < 3 {
		t.Errorf("%d methods differ by graph", differ)
	}
}

// TestPoolThatLacks: methods that need features or a graph that the input lacks are refused, and others are taken.
func TestPoolThatLacks(t *testing.T) {
	racing.LongSum(t)
	in, _ := words(t, 60, 3, 30, 0.6, 2)
	without := map[string]Input{"features": {Edges: in.Edges, Seeds: in.Seeds}, "edges": {Sparse: in.Sparse, Seeds: in.Seeds}}
	taken := map[string]int{}
	for what, in := range without {
		for _, name := range PoolNames() {
			if r, err := Run(t.Context(), in, Options{Pool: []string{name}}); err == nil && len(r.Combination.Members) == 1 {
				taken[what]++
			} else if !errors.Is(err, adp.ErrOptions) {
				t.Errorf("%s without %s: %v", name, what, err)
			}
		}
	}
	// Of edges alone the sum is that of the edges, and the rebuilt graph the sum; of features alone so is that of the features.
	if want := map[string]int{"features": 6 * 3, "edges": len(methodNames) * 3}; !maps.Equal(taken, want) {
		t.Errorf("taken %v, expected %v", taken, want)
	}
	few, _ := words(t, 60, 3, 30, 0.6, 1) // too few seeds for trees
	if _, err := Run(t.Context(), few, Options{Pool: []string{"forest:sum"}}); !errors.Is(err, adp.ErrOptions) {
		t.Errorf("no method: %v", err)
	}
}

// TestChance: where features and edges say nothing of the labels, the estimated accuracy is no better than the most frequent class, in two
// thirds of the draws and in their mean. Labels are drawn so that each group of nodes has as many of each.
func TestChance(t *testing.T) {
	racing.LongSum(t)
	const groups, draws = 3, 12
	in, _ := words(t, 600, groups, 300, 0.6, 20)
	estimate := func() *Estimate {
		t.Helper()
		got, err := Run(context.Background(), in, Options{})
		if err != nil {
			t.Fatal(err)
		}
		return got.Estimate(in.Seeds)
	}
	if e := estimate(); e.NoBetter {
		t.Errorf("labels of the groups: %+v", e)
	}
	told, lead := 0, 0.0
	for draw := range draws {
		list := slices.Clone(in.Seeds.List())
		rng := rand.New(rand.NewPCG(uint64(draw), 5))
		for group := range groups {
			for at, k := range rng.Perm(len(list) / groups) { // the groups of nodes follow each other
				list[groups*k+group].Class = uint32((at + group) % groups)
			}
		}
		var err error
		if in.Seeds, err = diffuse.NewSeeds(600, groups, list); err != nil {
			t.Fatal(err)
		}
		e := estimate()
		if lead += (e.Accuracy - e.Largest) / draws; e.NoBetter {
			told++
		}
	}
	if told < draws*2/3 || lead > 0 {
		t.Errorf("labels at random: %d of %d draws are said to be no better than chance; %.3f better in the mean", told, draws, lead)
	}
}

// TestLabelsTogether: the labels that folds and all seeds get side by side are those that each
// gets by itself.
func TestLabelsTogether(t *testing.T) {
	ctx := context.Background()
	in, _ := words(t, 300, 4, 60, 0.7, 6)
	g := diffuse.Normalize(in.Edges, 1)
	p := &pool{}
	p.graphs[onEdges] = g
	p.whole = &trainer{pool: p, y: in.Seeds}
	for train, hidden := range crossval.Folds(in.Seeds, crossval.ChoiceFolds, crossval.ChoiceSeed) {
		p.folds = append(p.folds, &trainer{pool: p, y: train, hidden: hidden})
	}
	all := append(slices.Clone(p.folds), p.whole)
	if size := len(all[0].group(onEdges)); size != 5 {
		t.Fatalf("%d together, expected the folds and all seeds", size)
	}
	for k, one := range all {
		f, err := one.diffused(ctx, onEdges)
		if err != nil {
			t.Fatal(err)
		}
		alone, _, err := diffuse.LGC(ctx, g, one.y, diffuse.Options{Alpha: 0.99})
		if err != nil {
			t.Fatal(err)
		}
		for i := range f.Rows {
			sum := 0.0
			for _, v := range alone.Row(i) {
				sum += float64(v)
			}
			for j, v := range alone.Row(i) {
				if want := float64(v) / max(sum, 1e-300); math.Abs(float64(f.At(i, j))-want) > 2e-3 {
					t.Fatalf("seeds %d, node %d: %v, expected %v", k, i, f.Row(i), want)
				}
			}
		}
	}
}

// TestSpreadsOnce: the labels that a run by LGC spread over edges and features are those of the pool, which does not spread them again.
func TestSpreadsOnce(t *testing.T) {
	in, _ := words(t, 300, 4, 60, 0.7, 6)
	g, err := NewGraph(t.Context(), in, GraphOptions{})
	if err != nil {
		t.Fatal(err)
	}
	opt := Options{Run: adp.Options{Method: adp.LGC}}
	r, err := Label(t.Context(), g.W, in.Seeds, opt)
	if err != nil {
		t.Fatal(err)
	}
	p, _, err := r.enter(t.Context(), &in, g, opt)
	if err != nil {
		t.Fatal(err)
	}
	if !p.run.spreads(p.opt.Alpha) {
		t.Errorf("a run by %v with α = %v, which the pool has not", p.run.chosen.Method, p.run.chosen.Alpha)
	}
}

// TestFoldTolerance: the error of a mean entry in a fold is up to a tenth of it, between the bounds; all seeds are solved for to the lower one.
func TestFoldTolerance(t *testing.T) {
	for _, test := range []struct {
		nodes, perClass int
		want            float64
	}{{1000, 10, foldTolerance}, {1_000_000, 25, 5e-4}, {100_000_000, 25, poolTolerance}} {
		var list []diffuse.Seed
		for i := range 2 * test.perClass {
			list = append(list, diffuse.Seed{Node: uint32(i), Class: uint32(i % 2), Weight: 1})
		}
		y, err := diffuse.NewSeeds(test.nodes, 2, list)
		if err != nil {
			t.Fatal(err)
		}
		p := &pool{}
		p.whole = &trainer{pool: p, y: y}
		if got := (&trainer{pool: p, y: y}).tolerance(); math.Abs(got-test.want) > 1e-12 || p.whole.tolerance() != poolTolerance {
			t.Errorf("%d nodes: %v in a fold, expected %v; %v for all seeds", test.nodes, got, test.want, p.whole.tolerance())
		}
	}
}

// TestCostly: large graphs have no method of one graph alone where both tell of the same, and the shares of the others are as before.
func TestCostly(t *testing.T) {
	total := func(members []member) (sum float64) {
		for _, m := range members {
			sum += m.prior
		}
		return sum
	}
	large := withoutCostly(homophilous)
	gone := 0.2 + 0.2 // of label spreading on the edges and on the features' graph
	if d := total(homophilous) - total(large) - gone; math.Abs(d) > 1e-12 {
		t.Errorf("%v of the prior more or less than expected", d)
	}
	for _, m := range large {
		if m.method == lgc && m.graph != onRebuilt {
			t.Errorf("%s takes part", m.name())
		}
	}
}

// TestFoldsOfLearned: where the run learned a graph from features, the pool is weighed by the folds of its
// trial, and by others only until 24 seeds were left out; small graphs have all folds.
func TestFoldsOfLearned(t *testing.T) {
	racing.LongSum(t)
	for _, n := range []int{900, 1100} {
		in := cloud(t, n, 12, 8, 8)
		in.Edges = nil
		by := knn.L2 // on this graph the trial ends early
		r, err := Run(context.Background(), in, Options{Graph: GraphOptions{Metric: &by, Scale: ScaledColumns}})
		if err != nil {
			t.Fatal(err)
		}
		if !r.Trial.Accepted || len(r.Folds) == 0 {
			t.Fatalf("%d nodes: no graph was learned, %d folds: the test tells nothing", n, len(r.Folds))
		}
		want, fold := 0, 0
		for _, hidden := range crossval.Folds(in.Seeds, crossval.ChoiceFolds, crossval.ChoiceSeed) {
			if n <= cheapNodes || fold < len(r.Folds) || want < enoughLeftOut {
				want += len(hidden)
			}
			fold++
		}
		if r.Combination.LeftOut != want || n > cheapNodes && want == len(in.Seeds.List()) {
			t.Errorf("%d nodes: %d of %d seeds left out, expected %d (%d folds of the trial)", n, r.Combination.LeftOut, len(in.Seeds.List()), want, len(r.Folds))
		}
	}
}

// TestFoldsOfLarge: with more than adp.FullNodes nodes each of few seeds is left out once, and of many no more than a fold past enough.
func TestFoldsOfLarge(t *testing.T) {
	racing.LongSum(t)
	const n = adp.FullNodes + 1
	for _, perClass := range []int{10, 300} {
		in := cloud(t, n, 3, 4, perClass)
		in.Dense = nil
		r, err := Run(t.Context(), in, Options{Pool: []string{"lgc:edges"}})
		if err != nil {
			t.Fatal(err)
		}
		want, all := 0, len(in.Seeds.List())
		for _, hidden := range crossval.Folds(in.Seeds, crossval.ChoiceFolds, crossval.ChoiceSeed) {
			if want < crossval.Plenty(in.Seeds.Classes) {
				want += len(hidden)
			}
		}
		if got := r.Combination.LeftOut; got != want || perClass == 10 && got != all || perClass == 300 && got == all {
			t.Errorf("%d of %d seeds left out, expected %d", got, all, want)
		}
	}
}

// TestFeaturesAlone: without edges words are also labelled by ridge regression on their diffused features, measurements are not,
// in dense rows or sparse ones.
func TestFeaturesAlone(t *testing.T) {
	in, _ := words(t, 240, 3, 300, 0.9, 4)
	in.Edges = nil
	measured := Input{Seeds: in.Seeds, Dense: csr.NewDense(240, 6)}
	rng := rand.New(rand.NewPCG(5, 6))
	for i := range measured.Dense.Data {
		measured.Dense.Data[i] = float32(rng.Float64())
		if i/6%3 == i%6 {
			measured.Dense.Data[i]++
		}
	}
	rows := Input{Seeds: in.Seeds}
	var err error
	if rows.Sparse, err = csr.FromDense(measured.Dense); err != nil {
		t.Fatal(err)
	}
	for name, in := range map[string]struct {
		Input
		words bool
	}{"words": {in, true}, "measurements": {measured, false}, "measurements in sparse rows": {rows, false}} {
		r, err := Run(context.Background(), in.Input, Options{})
		if err != nil {
			t.Fatal(err)
		}
		regressed := slices.ContainsFunc(r.Combination.Members, func(m Member) bool { return m.Method == methodTitles[ridge] })
		if regressed != in.words {
			t.Errorf("%s: members %+v", name, r.Combination.Members)
		}
	}
}

// TestManySeeds: with more seeds than a kernel is made for the pool has the same members as with few, and edges that join
// unlike nodes tell as much.
func TestManySeeds(t *testing.T) {
	racing.LongSum(t)
	const n = 4800
	var members []int
	for _, perClass := range []int{100, diffuse.MostDual/3 + 10} {
		in, truth := words(t, n, 3, 60, 0, perClass)
		rng, edges := rand.New(rand.NewPCG(5, 6)), &csr.Edges{}
		for i := range n { // each class is joined to the next
			for range 6 {
				edges.Src = append(edges.Src, uint32(i))
				edges.Dst = append(edges.Dst, uint32((i+1)%3+3*rng.IntN(n/3)))
			}
		}
		var err error
		if in.Edges, _, err = csr.FromEdges(n, edges, csr.BuildOptions{}); err != nil {
			t.Fatal(err)
		}
		got, err := Run(t.Context(), in, Options{})
		if err != nil {
			t.Fatal(err)
		}
		members = append(members, len(got.Combination.Members))
		if share := right(got.Labels[3*perClass:], truth[3*perClass:]); share < 0.97 {
			t.Errorf("%d seeds a class: %.3f right", perClass, share)
		}
	}
	if members[0] != members[1] {
		t.Errorf("methods with few and with many seeds: %d", members)
	}
}

// TestDoubt: where edges and words tell of the same topics and the classes are others, known by the number of edges of a
// node, left-out seeds find the method that tells them.
func TestDoubt(t *testing.T) {
	racing.LongSum(t)
	const n, topics, words = 900, 3, 300
	rng := rand.New(rand.NewPCG(8, 9))
	x, edges := csr.NewDense(n, words), &csr.Edges{}
	truth := make([]int32, n)
	var seeds []diffuse.Seed
	for i := range n {
		topic := i % topics
		truth[i] = int32(rng.IntN(2))
		for range 12 {
			word := rng.IntN(words)
			if rng.Float64() < 0.7 {
				word = topic + topics*rng.IntN(words/topics)
			}
			x.Set(i, word, 1)
		}
		for range 2 + 10*int(truth[i]) {
			if other := topic + topics*rng.IntN(n/topics); other != i {
				edges.Src, edges.Dst = append(edges.Src, uint32(i)), append(edges.Dst, uint32(other))
			}
		}
		if i < 120 {
			seeds = append(seeds, diffuse.Seed{Node: uint32(i), Class: uint32(truth[i]), Weight: 1})
		}
	}
	in := inputOf(t, x, edges, 2, seeds)
	got, err := Run(t.Context(), in, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !got.Combination.Homophilous() {
		t.Fatalf("edges and words seem to differ: %+v", got.Combination)
	}
	checkDiffused(t, "doubt", got.Combination, true, false)
	if share := right(got.Labels, truth); share < 0.9 {
		t.Errorf("%.3f right", share)
	}
}

// TestTie: a node for which all methods tie has the first of the tied classes, uncertain, with features as without them.
func TestTie(t *testing.T) {
	x := &csr.Dense{Rows: 4, Cols: 2, Data: []float32{1, 0, 0, 1, 1, 1, 0, 0}} // documents of two words; the last has none
	words, err := csr.FromDense(x)
	if err != nil {
		t.Fatal(err)
	}
	w, _, err := csr.FromEdges(4, &csr.Edges{Src: []uint32{0, 1}, Dst: []uint32{2, 2}}, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	seeds, err := diffuse.HardSeeds([]int{0, 1, -1, -1})
	if err != nil {
		t.Fatal(err)
	}
	line, err := diffuse.HardSeeds([]int{0, -1, 1})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		in   Input
		tied int
	}{
		"words":           {Input{Sparse: words, Seeds: seeds}, 2},
		"dense words":     {Input{Dense: x, Seeds: seeds}, 2},
		"edges and words": {Input{Edges: w, Sparse: words, Seeds: seeds}, 2},
		"edges":           {Input{Edges: w, Seeds: seeds}, 2},
		"points":          {Input{Dense: &csr.Dense{Rows: 3, Cols: 1, Data: []float32{0, 2, 4}}, Seeds: line}, 1},
	} {
		r, err := Run(context.Background(), c.in, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Combination == nil || r.Labels[c.tied] != 0 || r.Status[c.tied] != adp.Uncertain {
			t.Errorf("%s: label %d, %v, %v, expected 0, uncertain", name, r.Labels[c.tied], r.Status[c.tied], r.F.Row(c.tied))
		}
		alone, err := adp.Run(context.Background(), r.Affinity.W, c.in.Seeds, adp.Options{Method: adp.LGC})
		if err != nil {
			t.Fatal(err)
		}
		for i, label := range r.Labels {
			if label != alone.Labels[i] {
				t.Errorf("%s: node %d has label %d, expected %d as by label spreading", name, i, label, alone.Labels[i])
			}
		}
	}
}
