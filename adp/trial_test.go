package adp

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp/crossval"
	"github.com/adp-sparse/adp-sparse/adp/internal/planted"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/gen"
	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// TestTrialAsRuns: what the trial says of each contender is what runs of it
// alone say, on the same folds.
func TestTrialAsRuns(t *testing.T) {
	w, y := planted.Noisy(t)
	opt := Options{Rounds: 3, TrialFolds: 4}
	r, err := Run(context.Background(), w, y, opt)
	if err != nil || r.Trial == nil {
		t.Fatal(r, err)
	}
	lead := Options{Rounds: 3, Select: Full, TrialFolds: -1}
	best := 0
	for k, round := range r.Rounds {
		if round.Alpha == 0.99 && round.Association > r.Rounds[best].Association {
			best = k
		}
	}
	lead.Settings = []Setting{r.Rounds[best].Setting}
	lgc, adp, won, lost, leftOut, folds := 0, 0, 0, 0, 0, 0
	for train, hidden := range crossval.Folds(y, crossval.ChoiceFolds, crossval.ChoiceSeed) {
		folds++
		a, err := Run(context.Background(), w, train, Options{Method: LGC})
		if err != nil {
			t.Fatal(err)
		}
		b, err := Run(context.Background(), w, train, lead)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range hidden {
			leftOut++
			inA, inB := a.Labels[s.Node] == int32(s.Class), b.Labels[s.Node] == int32(s.Class)
			if inA {
				lgc++
			}
			if inB {
				adp++
			}
			if inA && !inB {
				lost++
			}
			if inB && !inA {
				won++
			}
		}
	}
	got := r.Trial
	if got.Folds != folds || got.LeftOut != leftOut || got.LGC != float64(lgc)/float64(leftOut) || got.ADP != float64(adp)/float64(leftOut) || got.Won != won || got.Lost != lost {
		t.Errorf("trial %+v, runs: %d folds, %d left out, right %d and %d, won %d, lost %d", got, folds, leftOut, lgc, adp, won, lost)
	}
	if won+lost == 0 {
		t.Error("the contenders agree: the test tells nothing")
	}
}

// shortRuns is a ring in which classes take turns every five nodes, and every second node is a seed: a
// node's own neighbourhood tells more than diffusion from afar.
func shortRuns(t *testing.T) (*csr.Matrix, *diffuse.Seeds) {
	t.Helper()
	const n = 400
	e := &csr.Edges{}
	var seeds []diffuse.Seed
	for i := range uint32(n) {
		e.Src, e.Dst = append(e.Src, i, i), append(e.Dst, (i+1)%n, (i+2)%n)
		if i%2 == 0 {
			seeds = append(seeds, diffuse.Seed{Node: i, Class: i / 5 % 2, Weight: 1})
		}
	}
	return graphWith(t, n, e, seeds)
}

func graphWith(t *testing.T, n int, e *csr.Edges, seeds []diffuse.Seed) (*csr.Matrix, *diffuse.Seeds) {
	t.Helper()
	w, _, err := csr.FromEdges(n, e, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	y, err := diffuse.NewSeeds(n, 2, seeds)
	if err != nil {
		t.Fatal(err)
	}
	return w, y
}

// accuracyOf returns the share of the seeds left out by the folds of a trial that runs give their class.
func accuracyOf(t *testing.T, w *csr.Matrix, y *diffuse.Seeds, opt Options) float64 {
	t.Helper()
	held, err := crossval.HoldOut(y, crossval.ChoiceFolds, 1, crossval.ChoiceSeed, func(train *diffuse.Seeds) ([]int32, error) {
		r, err := Run(context.Background(), w, train, opt)
		if err != nil {
			return nil, err
		}
		return r.Labels, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	share, _ := held.Accuracy()
	return share
}

// TestLesserAlpha: the result is LGC at the lesser α that leads by 2, unless the user gave α. Folds that
// solve side by side and folds that do not, by Power, say the same.
func TestLesserAlpha(t *testing.T) {
	w, y := shortRuns(t)
	for _, opt := range []Options{{}, {Solver: diffuse.Power}, {Threads: 3}} {
		opt.Rounds = 2
		seen := 0
		opt.Observer = func(Round) { seen++ }
		r, err := Run(context.Background(), w, y, opt)
		if err != nil || r.Trial == nil {
			t.Fatal(r, err)
		}
		chosen := r.Rounds[r.Chosen]
		if r.Trial.Alpha != 0.5 || r.Trial.Accepted || chosen.Alpha != 0.5 || chosen.TopK != 0 || r.Graph != w || seen != len(r.Rounds) {
			t.Fatalf("%+v: trial %+v, round %+v, %d rounds seen of %d", opt.Solver, r.Trial, chosen, seen, len(r.Rounds))
		}
		lgc := Options{Method: LGC, Alpha: 0.5, Solver: opt.Solver}
		alone, err := Run(context.Background(), w, y, lgc)
		if err != nil || !slices.Equal(alone.F.Data, r.F.Data) || !slices.Equal(alone.Labels, r.Labels) {
			t.Errorf("%v: F is not that of LGC at α 0.5 (%v)", opt.Solver, err)
		}
		if more := accuracyOf(t, w, y, lgc); math.Abs(more-r.Trial.Accuracy()) > 1e-9 {
			t.Errorf("%v: accuracy %v, that of the choice is %v", opt.Solver, r.Trial.Accuracy(), more)
		} else if more < r.Trial.LGC+0.1 {
			t.Errorf("%v: %v right of the left-out seeds by α 0.5, %v by LGC: the test tells little", opt.Solver, more, r.Trial.LGC)
		}
	}
	r, err := Run(context.Background(), w, y, Options{Rounds: 2, Alpha: 0.99})
	if err != nil || r.Rounds[r.Chosen].Alpha != 0.99 || r.Trial != nil && r.Trial.Alpha != 0 {
		t.Errorf("α given: %+v, %v", r.Trial, err)
	}
}

// TestFarSeeds: left-out seeds so far from the others that folds solved side by side do not reach them
// have the label that a run gives them.
func TestFarSeeds(t *testing.T) {
	const every, n = 100, 3000 // a path with a seed every 100 nodes
	e := &csr.Edges{}
	var seeds []diffuse.Seed
	for i := range uint32(n) {
		if i+1 < n {
			e.Src, e.Dst = append(e.Src, i), append(e.Dst, i+1)
		}
		if i%every == 0 {
			seeds = append(seeds, diffuse.Seed{Node: i, Class: i / every / 5 % 2, Weight: 1})
		}
	}
	w, y := graphWith(t, n, e, seeds)
	r, err := Run(context.Background(), w, y, Options{Rounds: 1})
	if err != nil || r.Trial == nil {
		t.Fatal(r, err)
	}
	if want := accuracyOf(t, w, y, Options{Method: LGC}); math.Abs(r.Trial.LGC-want) > 1e-12 || want < 0.75 {
		t.Errorf("%v of the left-out seeds right by LGC in the trial, %v by runs", r.Trial.LGC, want)
	}
}

// TestTrialRuns: how many folds a choice by left-out seeds runs, by the options.
func TestTrialRuns(t *testing.T) {
	for want, list := range map[int][]Options{
		0: {{Select: None}, {TrialFolds: -1}, {Method: DenseADP}},
		1: {{Select: Fast}, {TopK: 7}, {Method: LGC}},
		4: {{}, {Select: Full}},
		7: {{TrialFolds: 7}, {Select: Fast, TrialFolds: 7}},
	} {
		for _, opt := range list {
			if runs, err := opt.TrialRuns(100); err != nil || runs != want {
				t.Errorf("%+v: %d runs, %v, expected %d", opt, runs, err, want)
			}
		}
	}
	if _, err := (Options{Alpha: 2}).TrialRuns(100); !errors.Is(err, ErrOptions) {
		t.Errorf("alpha 2: %v", err)
	}
}

// TestTrialJudges: in doubt it takes a lead of 1.5 to be accepted, else it takes
// being behind by 1 at most; a lesser α takes a lead of 2.
func TestTrialJudges(t *testing.T) {
	const far = 1 << 20 // a reciprocal rank of almost 0
	// The number of right seeds of 100, but for those named.
	seeds := func(right ...int) crossval.Ranks {
		all := make(crossval.Ranks, 100)
		for k := range all {
			all[k] = 1
			if (k >= right[0]) != slices.Contains(right[1:], k) {
				all[k] = far
			}
		}
		return all
	}
	nearer := seeds(60)
	for k := 60; k < 63; k++ {
		nearer[k] = 2
	}
	base := seeds(60)
	for _, test := range []struct {
		name         string
		adp          crossval.Ranks
		alpha        crossval.Ranks // at the second lesser α; the first is as LGC
		cut          float64
		gained       bool
		doubt, taken bool
		chosen       float64
	}{
		{"as good, no doubt", seeds(60, 0, 70), base, 0.69, true, false, true, 0},
		{"worse by one, no doubt", seeds(59), base, 0.69, true, false, true, 0},
		{"worse by one, no doubt, hubs", seeds(59), base, 0.69, true, false, false, 0},
		{"as good, no doubt, hubs", seeds(60, 0, 70), base, 0.69, true, false, true, 0},
		{"worse by two, no doubt", seeds(58), base, 0.69, true, false, false, 0},
		{"better by one and worse by two, no doubt", seeds(61, 0, 1), base, 0.69, true, false, true, 0},
		{"better by one and worse by three, no doubt", seeds(61, 0, 1, 2), base, 0.69, true, false, true, 0},
		{"better by one and worse by four, no doubt", seeds(61, 0, 1, 2, 3), base, 0.69, true, false, false, 0},
		{"as good, doubt", base, base, 0.71, true, true, false, 0},
		{"better by two, doubt", seeds(62), base, 0.71, true, true, false, 0},
		{"better by three, doubt", seeds(63), base, 0.75, true, true, true, 0},
		{"three nearer, doubt", nearer, base, 0.75, true, true, true, 0},
		{"better by three and no better cut", seeds(63), base, 0.75, false, true, false, 0},
		{"four to one, doubt", seeds(64, 0), base, 0.75, true, true, false, 0},
		{"no round had a better cut", base, base, 0.69, false, false, false, 0},
		{"a lesser α by three", base, seeds(63), 0.69, false, false, false, 0},
		{"a lesser α by four", base, seeds(64), 0.69, false, false, false, 0.5},
		{"a lesser α by four of an accepted ADP", seeds(64), seeds(68), 0.69, true, false, false, 0.5},
		{"a lesser α as good as ADP", seeds(64), seeds(64), 0.69, true, false, true, 0},
	} {
		trial := &Trial{}
		c := &contest{Folds: crossval.ChoiceFolds, LGC: base, ADP: test.adp}
		c.Alphas[0], c.Alphas[1] = base, test.alpha
		trial.judge(c, test.cut, !strings.HasSuffix(test.name, "hubs"), test.gained, true)
		if trial.Doubt != test.doubt || trial.Accepted != test.taken || trial.Alpha != test.chosen || trial.LGC != 0.6 || trial.LeftOut != 100 {
			t.Errorf("%s: %+v", test.name, trial)
		}
		of := base
		if test.chosen > 0 {
			of = test.alpha
		} else if test.taken {
			of = test.adp
		}
		if got := trial.Accuracy(); got != of.Accuracy() {
			t.Errorf("%s: accuracy %v, that of the choice is %v", test.name, got, of.Accuracy())
		}
	}
}

// TestFewSeeds: of fewer than 50 seeds, and of any number where LGC cuts almost no edge, one
// more than by LGC has to be right, where degrees are alike; how many of the folds were made
// does not count.
func TestFewSeeds(t *testing.T) {
	ranks := func(n, wrong int) crossval.Ranks {
		all := slices.Repeat(crossval.Ranks{1}, n)
		for k := range wrong {
			all[k] = 2
		}
		return all
	}
	for _, test := range []struct {
		seeds, folds int
		lgc, adp     int // wrong
		cut          float64
		alike, taken bool
	}{
		{49, 4, 1, 1, 0.9, true, false},
		{49, 4, 1, 0, 0.9, true, true},
		{49, 4, 1, 1, 0.9, false, true},
		{50, 4, 1, 1, 0.9, true, true},
		{50, 4, 1, 2, 0.9, true, true},
		{50, 4, 1, 1, 0.983, true, true},
		{50, 4, 1, 1, 0.984, true, false},
		{50, 4, 1, 0, 0.984, true, true},
		{50, 4, 1, 1, 0.984, false, true},
		{13, 1, 0, 0, 0.9, true, true},
		{12, 1, 0, 0, 0.9, true, false},
		{24, 2, 0, 0, 0.9, true, false},
		{25, 2, 0, 0, 0.9, true, true},
	} {
		trial := &Trial{}
		c := &contest{Folds: test.folds, LGC: ranks(test.seeds, test.lgc), ADP: ranks(test.seeds, test.adp)}
		trial.judge(c, test.cut, test.alike, true, false)
		if trial.Accepted != test.taken {
			t.Errorf("%+v: %+v", test, trial)
		}
	}
}

// TestFewSeedsForAlpha: of fewer than 25 seeds no lesser α is taken, however far ahead; how many
// of the folds were made does not count.
func TestFewSeedsForAlpha(t *testing.T) {
	for _, test := range []struct {
		seeds, folds int
		taken        bool
	}{{24, 4, false}, {25, 4, true}, {12, 2, false}, {13, 2, true}, {6, 1, false}, {7, 1, true}} {
		trial := &Trial{}
		wrong, right := slices.Repeat(crossval.Ranks{9}, test.seeds), slices.Repeat(crossval.Ranks{1}, test.seeds)
		trial.judge(&contest{Folds: test.folds, LGC: wrong, ADP: wrong, Alphas: [len(lesserAlphas)]crossval.Ranks{wrong, right}}, 0.9, true, false, true)
		if (trial.Alpha > 0) != test.taken {
			t.Errorf("%d seeds of %d folds: %+v", test.seeds, test.folds, trial)
		}
	}
}

// TestUnsure: without left-out seeds the cut decides, but where LGC's is nearly 1,
// and, where degrees are alike, where as much modularity is lost.
func TestUnsure(t *testing.T) {
	for _, test := range []struct {
		name                      string
		cut, modularity, cut1, m1 float64
		alike, unsure             bool
	}{
		{"both better", 0.98, 0.6, 0.982, 0.61, true, false},
		{"nearly 1", 0.985, 0.6, 0.99, 0.61, true, true},
		{"nearly 1, hubs", 0.985, 0.6, 0.99, 0.61, false, true},
		{"less lost than gained", 0.9, 0.6, 0.92, 0.59, true, false},
		{"more lost than gained", 0.9, 0.6, 0.92, 0.57, true, true},
		{"more lost than gained, hubs", 0.9, 0.6, 0.92, 0.57, false, false},
	} {
		lgc, best := Round{Association: test.cut, Modularity: test.modularity}, Round{Association: test.cut1, Modularity: test.m1}
		if got := unsure(lgc, best, test.alike); got != test.unsure {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}

// TestUnsureRun: with a seed a class the result is LGC's wherever [unsure] says so or most
// labels would change, and no fold is made; else stand-ins are tried.
func TestUnsureRun(t *testing.T) {
	if racing.On {
		t.Skip("graphs of one block of rows, so one goroutine: the test runs without the race detector")
	}
	kept, taken, turned := 0, 0, 0
	for draw := range uint64(70) {
		n, c := 120, 3
		if draw >= 60 { // in one of these most labels would change
			n, c, draw = 80, 2, draw+10
		}
		w, y := ringGraph(t, n, c, draw)
		r, err := Run(context.Background(), w, y, Options{})
		if err != nil {
			t.Fatal(err)
		}
		best := 0
		for k, round := range r.Rounds {
			if round.Association > r.Rounds[best].Association {
				best = k
			}
		}
		if best == 0 {
			continue
		}
		doubt := unsure(r.Rounds[0], r.Rounds[best], true)
		// Without the trial, the result is the mixture.
		free, err := Run(context.Background(), w, y, Options{TrialFolds: -1})
		if err != nil {
			t.Fatal(err)
		}
		lgc, err := Run(context.Background(), w, y, Options{Method: LGC})
		if err != nil {
			t.Fatal(err)
		}
		moved := 0
		for i, label := range free.Labels {
			if label != lgc.Labels[i] {
				moved++
			}
		}
		if most := 2*moved > n; most && !doubt {
			turned++
			doubt = true
		}
		if doubt {
			kept++
		} else {
			taken++
		}
		if r.Trial == nil || r.Trial.Doubt != doubt || (r.Trial.Folds == 0) != doubt || r.Trial.Accepted != (r.Chosen > 0) || doubt && r.Chosen > 0 {
			t.Errorf("draw %d: round %d, trial %+v, in doubt %v", draw, r.Chosen, r.Trial, doubt)
		}
	}
	if kept == turned || taken == 0 || turned == 0 {
		t.Errorf("%d in doubt, %d as most labels would change, %d not: the test tells nothing", kept, turned, taken)
	}
}

// TestTrialRejects: where labels are much smoother than they are right and
// nothing is won by learned graphs, the result is LGC's, at its own α or a
// lesser one.
func TestTrialRejects(t *testing.T) {
	w, y := planted.Noisy(t)
	r, err := Run(context.Background(), w, y, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Trial == nil || r.Trial.Accepted {
		t.Fatalf("trial %+v", r.Trial)
	}
	alone := Options{Method: LGC, Alpha: r.Rounds[r.Chosen].Alpha}
	lgc, err := Run(context.Background(), w, y, alone)
	if err != nil {
		t.Fatal(err)
	}
	for i := range r.Labels {
		if r.Labels[i] != lgc.Labels[i] {
			t.Fatalf("node %d: %d, by LGC %d", i, r.Labels[i], lgc.Labels[i])
		}
	}
	if r.Graph != w {
		t.Errorf("graph of %d entries, expected W itself, which has %d", r.Graph.NNZ(), w.NNZ())
	}
	for _, round := range r.Rounds {
		if round.Weight != 0 {
			t.Errorf("round %d has the weight %v", round.Index, round.Weight)
		}
	}
	free, err := Run(context.Background(), w, y, Options{TrialFolds: -1})
	if err != nil {
		t.Fatal(err)
	}
	if free.Trial != nil || free.Chosen == 0 {
		t.Errorf("without a trial: round %d, %+v", free.Chosen, free.Trial)
	}
}

// TestSure: the first folds settle a verdict where their lead is far from what the rule asks for, the
// farther the fewer they are.
func TestSure(t *testing.T) {
	for _, test := range []struct {
		name  string
		trial Trial
		alike bool
		want  [4]bool // after 1 to 4 folds
	}{
		{"alike, as good", Trial{LeftOut: 50, need: leastLead}, true, [4]bool{true, true, true, false}},
		{"alike, ahead", Trial{LeftOut: 50, Lead: 1, need: leastLead}, true, [4]bool{true, true, true, false}},
		{"alike, few seeds", Trial{LeftOut: 9, Lead: 1, need: leastLead}, true, [4]bool{}},
		{"alike, behind by what is allowed", Trial{LeftOut: 50, Lead: -1, need: leastLead}, true, [4]bool{}},
		{"alike, far behind", Trial{LeftOut: 50, Lead: -4, need: leastLead}, true, [4]bool{true, true, true, false}},
		{"doubt, as good", Trial{LeftOut: 50, Doubt: true, need: doubtLead}, false, [4]bool{true, true, true, false}},
		{"doubt, ahead", Trial{LeftOut: 50, Doubt: true, Lead: 2, need: doubtLead}, false, [4]bool{}},
		{"doubt, far ahead", Trial{LeftOut: 50, Doubt: true, Lead: 4, need: doubtLead}, false, [4]bool{true, true, true, false}},
		{"unlike, as many", Trial{LeftOut: 50, Won: 5, Lost: 5, Lead: 9}, false, [4]bool{}},
		{"unlike, more", Trial{LeftOut: 50, Won: 4, Lead: -9}, false, [4]bool{true, true, true, false}},
		{"unlike, fewer", Trial{LeftOut: 50, Lost: 4, Lead: 9}, false, [4]bool{true, true, true, false}},
		{"pseudo-labels, ahead", Trial{PseudoLabels: 9, Won: 9, Accepted: true}, true, [4]bool{false, true, true, false}},
		{"pseudo-labels, behind", Trial{PseudoLabels: 9, Lost: 9}, true, [4]bool{false, true, true, false}},
		{"pseudo-labels, ahead by little", Trial{PseudoLabels: 9, Won: 9, Lost: 8}, true, [4]bool{}},
	} {
		for k, want := range test.want {
			if test.trial.Folds = k + 1; test.trial.sure(test.alike, crossval.ChoiceFolds) != want {
				t.Errorf("%s: after %d folds, not %v", test.name, k+1, want)
			}
		}
	}
}

// TestTrialEndsEarly: a trial that may end early makes the first folds of one that may not, and the
// same verdict, where what it tries gains much; a number of folds that is asked for is made.
func TestTrialEndsEarly(t *testing.T) {
	if racing.On {
		t.Skip("graphs of one block of rows, so one goroutine: the test runs without the race detector")
	}
	early := 0
	for draw := range uint64(6) {
		w, y := noisyBlocks(t, draw, 300, 60)
		free, err := Run(context.Background(), w, y, Options{})
		if err != nil {
			t.Fatal(err)
		}
		all, err := Run(context.Background(), w, y, Options{TrialFolds: crossval.ChoiceFolds})
		if err != nil {
			t.Fatal(err)
		}
		a, b := free.Trial, all.Trial
		if b.Folds != crossval.ChoiceFolds || a.LeftOut > b.LeftOut || a.Won > b.Won || a.Lost > b.Lost || a.Accepted != b.Accepted || a.Untried != b.Untried {
			t.Errorf("draw %d: %+v, of all folds %+v", draw, a, b)
		}
		if a.Folds < crossval.ChoiceFolds {
			early++
			if !slices.Equal(free.Labels, all.Labels) {
				t.Errorf("draw %d: other labels", draw)
			}
		}
	}
	if early == 0 {
		t.Error("no trial ended early: the test tells nothing")
	}
}

// TestPlentyLeftOut: a trial of which a mixture keeps the scores ends with the fold after which plenty of seeds were left out. By itself it
// goes on to all folds.
func TestPlentyLeftOut(t *testing.T) {
	w, y := noisyBlocks(t, 3, 450, 240)
	for keep, want := range map[bool]int{false: 240, true: 120} { // folds of 60
		r, err := Run(t.Context(), w, y, Options{KeepFolds: keep})
		if err != nil {
			t.Fatal(err)
		}
		if r.Trial.LeftOut != want {
			t.Errorf("KeepFolds %v: %d seeds left out, expected %d", keep, r.Trial.LeftOut, want)
		}
	}
}

// noisyBlocks is a planted partition of n nodes that is hard for LGC, the first of which are seeds.
func noisyBlocks(t *testing.T, draw uint64, n, seeds int) (*csr.Matrix, *diffuse.Seeds) {
	t.Helper()
	src, dst, _, class := gen.PlantedPartition(n, 3, 36/float64(n), 15/float64(n), draw)
	w, _, err := csr.FromEdges(n, &csr.Edges{Src: src, Dst: dst}, csr.BuildOptions{Duplicates: csr.DuplicatesMax})
	if err != nil {
		t.Fatal(err)
	}
	var list []diffuse.Seed
	for i := range uint32(seeds) {
		list = append(list, diffuse.Seed{Node: i, Class: uint32(class[i]), Weight: 1})
	}
	y, err := diffuse.NewSeeds(n, 3, list)
	if err != nil {
		t.Fatal(err)
	}
	return w, y
}

// TestHopeless: the folds of a fresh graph end where it is behind LGC in the first, or not ahead in the
// first two; LGC without a wrong seed tells nothing.
func TestHopeless(t *testing.T) {
	folds := []foldSeeds{{hidden: make([]diffuse.Seed, 3)}, {hidden: make([]diffuse.Seed, 2)}, {hidden: make([]diffuse.Seed, 2)}}
	for _, test := range []struct {
		name     string
		folds    int
		lgc, adp crossval.Ranks
		want     bool
	}{
		{"none yet", 0, nil, nil, false},
		{"behind", 1, crossval.Ranks{1, 2, 1}, crossval.Ranks{1, 3, 1}, true},
		{"level", 1, crossval.Ranks{1, 2, 1}, crossval.Ranks{1, 2, 1}, false},
		{"ahead", 1, crossval.Ranks{1, 2, 1}, crossval.Ranks{1, 1, 1}, false},
		{"behind, LGC has none wrong", 1, crossval.Ranks{1, 1, 1}, crossval.Ranks{1, 2, 1}, false},
		{"level twice", 2, crossval.Ranks{1, 2, 1, 1, 3}, crossval.Ranks{1, 2, 1, 1, 3}, true},
		{"level, then ahead", 2, crossval.Ranks{1, 2, 1, 1, 3}, crossval.Ranks{1, 2, 1, 1, 1}, false},
		{"ahead, then level in sum", 2, crossval.Ranks{1, 2, 1, 1, 1}, crossval.Ranks{1, 1, 1, 1, 2}, true},
		{"the third does not count", 3, crossval.Ranks{1, 2, 1, 1, 3, 1, 1}, crossval.Ranks{1, 1, 1, 1, 3, 4, 4}, false},
	} {
		c := &contest{Folds: test.folds, LGC: test.lgc, ADP: test.adp}
		if got := c.hopeless(folds); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}
