package adp_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/diagnose"
	"github.com/adp-sparse/adp-sparse/adp/internal/planted"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/gen"
	"github.com/adp-sparse/adp-sparse/internal/oracle"
	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// graphOf builds W of generated edges.
func graphOf(t testing.TB, n int, src, dst []uint32, weight []float32) *csr.Matrix {
	t.Helper()
	w, _, err := csr.FromEdges(n, &csr.Edges{Src: src, Dst: dst, Weight: weight}, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func accuracy(labels []int32, c int) float64 {
	right := 0
	for i, y := range labels {
		if int(y) == i%c {
			right++
		}
	}
	return float64(right) / float64(len(labels))
}

// TestRunFindsPlantedClasses: every method that can finds the classes of an
// easy graph, and what it returns is whole.
func TestRunFindsPlantedClasses(t *testing.T) {
	n, c := 600, 4
	w, y := planted.Graph(t, n, c, 2, 3)
	for _, method := range []adp.Method{adp.ADP, adp.ADP1, adp.LGC, adp.GFHF} {
		observed := 0
		r, err := adp.Run(context.Background(), w, y, adp.Options{Method: method, Rounds: 4, TrialFolds: -1, Observer: func(adp.Round) { observed++ }})
		if err != nil {
			t.Fatal(err)
		}
		if got := accuracy(r.Labels, c); got < 0.93 {
			t.Errorf("%v: accuracy %.3f", method, got)
		}
		if observed != len(r.Rounds) {
			t.Errorf("%v: observer saw %d of %d rounds", method, observed, len(r.Rounds))
		}
		for _, round := range r.Rounds {
			if round.Association > r.Rounds[r.Chosen].Association {
				t.Errorf("%v: round %d has cut %v, the chosen one %v", method, round.Index, round.Association, r.Rounds[r.Chosen].Association)
			}
		}
		if err := csr.CheckSymmetric(r.Graph, 1); err != nil {
			t.Errorf("%v: learned graph: %v", method, err)
		}
		checkJudgement(t, r, y)
	}
}

// checkJudgement: labels, confidence and status agree with F.
func checkJudgement(t *testing.T, r *adp.Result, y *diffuse.Seeds) {
	t.Helper()
	seed := y.Mask()
	for i, label := range r.Labels {
		top := diffuse.TopOf(r.F.Row(i))
		switch {
		case seed[i] != (r.Status[i] == adp.Seed):
			t.Fatalf("node %d: status %v, seed %v", i, r.Status[i], seed[i])
		case r.Status[i] == adp.Predicted && (label != top.Class || r.Confidence[i] != top.Share || r.Margin[i] != top.Margin):
			t.Fatalf("node %d: label %d with %v, %v; F says %+v", i, label, r.Confidence[i], r.Margin[i], top)
		}
	}
}

// TestOneRoundIsThePaper: one round without truncation, anchor and choice
// equals the dense formulas.
func TestOneRoundIsThePaper(t *testing.T) {
	for seed := range uint64(20) {
		n := 30
		src, dst, weight := gen.RandomGraph(n, 0.2, seed, gen.Options{WeightSpread: 1})
		labels := make([]int, n)
		y := oracle.New(n, 3)
		for i := range labels {
			labels[i] = -1
			if i < 9 {
				labels[i] = i % 3
				y[i][i%3] = 1
			}
		}
		seeds, _ := diffuse.HardSeeds(labels)
		opt := adp.Options{
			TopK: -1, Anchor: -1, Zeta: 0.4, Alpha: 0.9, GraphAlpha: 0.8, Rounds: 1, MinChange: -1, Beta: 1e-30,
			Harden: diffuse.Soft, Select: adp.None, Balance: diffuse.Unbalanced, Tolerance: 1e-8,
		}
		r, err := adp.Run(context.Background(), graphOf(t, n, src, dst, weight), seeds, opt)
		if err != nil {
			t.Fatal(err)
		}
		w := oracle.Affinity(n, src, dst, weight)
		f := oracle.LGC(w, y, 0.9)
		h := oracle.New(n, 3)
		for i, row := range f {
			total := row[0] + row[1] + row[2]
			for j, v := range row {
				if total > 0 {
					h[i][j] = v / total
				}
			}
		}
		z := oracle.Mul(h, oracle.Transpose(h))
		mean := 0.0
		for _, row := range z {
			for _, v := range row {
				mean += v / float64(n)
			}
		}
		s := oracle.NormalizeSym(w)
		a := oracle.AStep(s, s, oracle.Scale(0.4/mean, z), 0.8)
		want := oracle.LGC(a, y, 0.9)
		for i := range n {
			for j := range n {
				if d := math.Abs(r.Graph.At(i, j) - a[i][j]); d > 1e-5 {
					t.Fatalf("graph %d: A[%d][%d] is off by %.1e", seed, i, j, d)
				}
			}
			for j := range 3 {
				if d := math.Abs(float64(r.F.At(i, j)) - want[i][j]); d > 2e-5 {
					t.Fatalf("graph %d: F[%d][%d] is off by %.1e", seed, i, j, d)
				}
			}
		}
	}
}

// TestJointIsThePaper: two rounds of ADP1 without truncation equal the
// paper's pair of formulas, with Z = ζ'HHᵀ of every kind of H and without Z.
func TestJointIsThePaper(t *testing.T) {
	n := 24
	w, dense := randomGraph(t, n)
	seeds, y := twoSeeds(n)
	s := oracle.NormalizeSym(dense)
	for what, test := range map[string]struct {
		zeta   float64
		harden diffuse.Harden
		z      func(f oracle.Mat) oracle.Mat
	}{
		"no Z":   {-1, diffuse.Soft, func(f oracle.Mat) oracle.Mat { return oracle.New(n, n) }},
		"soft":   {0.7, diffuse.Soft, func(f oracle.Mat) oracle.Mat { return oracle.Similarity(oracle.Shares(f), 0.7) }},
		"margin": {2, diffuse.SqrtMargin, func(f oracle.Mat) oracle.Mat { return oracle.Similarity(oracle.Margins(f), 2) }},
	} {
		r, err := adp.Run(context.Background(), w, seeds, adp.Options{
			Method: adp.ADP1, TopK: -1, Anchor: -1, Zeta: test.zeta, Harden: test.harden, Alpha: 0.9, GraphAlpha: 0.8,
			Rounds: 2, Beta: 1e-30, Select: adp.None, Balance: diffuse.Unbalanced,
		})
		if err != nil {
			t.Fatal(err)
		}
		f, a := oracle.Joint(s, s, y, 0.9, 0.8, 2, test.z)
		for i := range n {
			for j := range 2 {
				if d := math.Abs(float64(r.F.At(i, j)) - f[i][j]); d > 1e-6 {
					t.Fatalf("%s: F[%d][%d] is off by %.1e", what, i, j, d)
				}
			}
			for j := range n {
				if d := math.Abs(float64(r.Graph.At(i, j)) - a[i][j]); d > 1e-6 {
					t.Fatalf("%s: A[%d][%d] is off by %.1e", what, i, j, d)
				}
			}
		}
	}
}

// TestLiteralJoint: the dense form with one iteration a step is ADP1 to the
// letter, with Z = FFᵀ.
func TestLiteralJoint(t *testing.T) {
	n := 24
	w, dense := randomGraph(t, n)
	seeds, y := twoSeeds(n)
	r, err := adp.Run(context.Background(), w, seeds, adp.Options{Method: adp.DenseADP, MaxIterations: 1, Rounds: 5, Alpha: 0.9, Beta: 1e-30})
	if err != nil {
		t.Fatal(err)
	}
	s := oracle.NormalizeSym(dense)
	f, _ := oracle.Joint(s, oracle.NormalizeSym(s), y, 0.9, 0.9, 5, func(f oracle.Mat) oracle.Mat {
		return oracle.Mul(f, oracle.Transpose(f))
	})
	for i := range n {
		for j := range 2 {
			if d := math.Abs(float64(r.F.At(i, j)) - f[i][j]); d > 1e-6 {
				t.Fatalf("F[%d][%d] is off by %.1e", i, j, d)
			}
		}
	}
}

// randomGraph returns W of a random graph, and the same in float64.
func randomGraph(t *testing.T, n int) (*csr.Matrix, oracle.Mat) {
	src, dst, weight := gen.RandomGraph(n, 0.25, 9, gen.Options{})
	return graphOf(t, n, src, dst, weight), oracle.Affinity(n, src, dst, weight)
}

// twoSeeds returns node 0 in class 0 and node 1 in class 1, and their Y.
func twoSeeds(n int) (*diffuse.Seeds, oracle.Mat) {
	labels, y := make([]int, n), oracle.New(n, 2)
	for i := range labels {
		labels[i] = -1
	}
	labels[0], labels[1] = 0, 1
	y[0][0], y[1][1] = 1, 1
	seeds, _ := diffuse.HardSeeds(labels)
	return seeds, y
}

// TestLiteralCollapses: the paper's process to the letter puts nearly all
// nodes of a connected graph in one class, and the result says so. The sparse
// process on the same input does not.
func TestLiteralCollapses(t *testing.T) {
	if racing.On {
		t.Skip("graphs of one block of rows, so one goroutine: the test runs without the race detector")
	}
	n, c := 150, 3
	w, y := planted.Graph(t, n, c, 2, 5)
	r, err := adp.Run(context.Background(), w, y, adp.Options{Method: adp.DenseADP, Balance: diffuse.Unbalanced})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(r.Warnings, func(w adp.Warning) bool { return w.Code == adp.WarnCollapse }) {
		t.Errorf("accuracy %.2f, warnings %v: expected a collapse", accuracy(r.Labels, c), r.Warnings)
	}
	sparse, err := adp.Run(context.Background(), w, y, adp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(sparse.Warnings) > 0 || accuracy(sparse.Labels, c) < 0.9 {
		t.Errorf("sparse ADP: accuracy %.2f, warnings %v", accuracy(sparse.Labels, c), sparse.Warnings)
	}
}

// TestLiteralOptions: the dense form ends its iterations as the options say.
func TestLiteralOptions(t *testing.T) {
	w, y := planted.Graph(t, 40, 2, 2, 5)
	steps := func(opt adp.Options) diffuse.Stats {
		opt.Method, opt.Balance, opt.Rounds, opt.Threads = adp.DenseADP, diffuse.Unbalanced, 1, 1
		r, err := adp.Run(context.Background(), w, y, opt)
		if err != nil {
			t.Fatal(err)
		}
		return r.Rounds[0].Solve
	}
	whole := steps(adp.Options{})
	if !whole.Converged || steps(adp.Options{Tolerance: 1e-6, MaxIterations: 5000}) != whole {
		t.Errorf("left out, tolerance and limit give %+v", whole)
	}
	if s := steps(adp.Options{Tolerance: 0.01}); !s.Converged || s.Iterations >= whole.Iterations {
		t.Errorf("a tolerance of 0.01 gives %+v, the default %+v", s, whole)
	}
	if s := steps(adp.Options{MaxIterations: 3}); s.Converged || s.Iterations != 3 {
		t.Errorf("at most 3 iterations: %+v", s)
	}
}

// TestUnreachedNodesHaveNoLabel: on random graphs in pieces, a node has a
// label exactly if a seed is in its component, by an independent search.
func TestUnreachedNodesHaveNoLabel(t *testing.T) {
	graphs := uint64(300)
	if testing.Short() {
		graphs = 30
	}
	if racing.On {
		graphs = 8 // of 20 nodes: of 0 to 3 isolated ones, twice
	}
	for seed := range graphs {
		n := 20
		src, dst, weight := gen.RandomGraph(n, 0.06, seed, gen.Options{Isolated: int(seed % 4), TwoComponents: true})
		labels := make([]int, n)
		for i := range labels {
			labels[i] = -1
		}
		labels[int(seed)%n], labels[(int(seed)*7+3)%n] = 0, 1
		y, _ := diffuse.HardSeeds(labels)
		of := oracle.Components(oracle.Affinity(n, src, dst, weight))
		reached := map[int]bool{}
		for _, s := range y.List() {
			reached[of[s.Node]] = true
		}
		for _, method := range []adp.Method{adp.ADP, adp.ADP1, adp.LGC, adp.GFHF, adp.DenseADP} {
			r, err := adp.Run(context.Background(), graphOf(t, n, slices.Clone(src), slices.Clone(dst), slices.Clone(weight)), y, adp.Options{Method: method, Rounds: 2, TopK: 2})
			if err != nil {
				t.Fatal(err)
			}
			for i, label := range r.Labels {
				if (label >= 0) != reached[of[i]] && !(method == adp.ADP1 && label < 0) || (r.Status[i] == adp.Unreached) != (label < 0) {
					t.Fatalf("graph %d %v node %d: label %d, status %v, reached %v", seed, method, i, label, r.Status[i], reached[of[i]])
				}
				if v := r.Confidence[i]; math.IsNaN(float64(v)) || v < 0 || v > 1 {
					t.Fatalf("graph %d %v node %d: confidence %v", seed, method, i, v)
				}
			}
		}
	}
}

// TestThreadsAndRepeatsSameBits: the number of threads changes nothing.
func TestThreadsAndRepeatsSameBits(t *testing.T) {
	w, y := planted.Graph(t, 2500, 5, 2, 11)
	var first *adp.Result
	threads, opt := []int{1, 1, 2, 3, 8}, adp.Options{Order: adp.ClusterOrder}
	if testing.Short() {
		threads, opt.Select, opt.Rounds = []int{1, 3}, adp.Fast, 2
	}
	for _, threads := range threads {
		opt.Threads = threads
		r, err := adp.Run(context.Background(), w, y, opt)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = r
		}
		_, a, av := first.Graph.Arrays()
		_, b, bv := r.Graph.Arrays()
		if !slices.Equal(first.F.Data, r.F.Data) || !slices.Equal(a, b) || !slices.Equal(av, bv) || !slices.Equal(first.Labels, r.Labels) {
			t.Errorf("%d threads give another result than 1", threads)
		}
	}
}

// TestSoftSeeds: a node with two weighted seeds keeps both in F, and its
// label is the larger.
func TestSoftSeeds(t *testing.T) {
	src, dst, weight := gen.Path(3)
	y, err := diffuse.NewSeeds(3, 2, []diffuse.Seed{{Node: 0, Class: 0, Weight: 1}, {Node: 1, Class: 0, Weight: 0.2}, {Node: 1, Class: 1, Weight: 0.8}})
	if err != nil {
		t.Fatal(err)
	}
	r, err := adp.Run(context.Background(), graphOf(t, 3, src, dst, weight), y, adp.Options{Method: adp.LGC, Alpha: 0.1, Balance: diffuse.Unbalanced})
	if err != nil {
		t.Fatal(err)
	}
	if r.Labels[1] != 1 || r.Labels[2] != 1 || r.Labels[0] != 0 {
		t.Errorf("labels %v, want [0 1 1]", r.Labels)
	}
}

// TestRunChecksItsInput: each fault has its sentinel and names the fault.
func TestRunChecksItsInput(t *testing.T) {
	src, dst, weight := gen.Path(4)
	w := graphOf(t, 4, src, dst, weight)
	y, _ := diffuse.HardSeeds([]int{0, -1, -1, 1})
	short, _ := diffuse.HardSeeds([]int{0, 1})
	huge, err := diffuse.NewSeeds(1<<17, 1<<30, []diffuse.Seed{{Class: 1<<30 - 1, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	many := adp.Options{TopK: 1, Rounds: -1, Tolerance: 2, Prior: []float64{1}, Start: &csr.Dense{Rows: 1, Cols: 1, Data: []float32{1}}}
	matrix := func(i, j uint32, v float32) *csr.Matrix {
		m, err := csr.New(4, 4, []int64{0, 1, 1, 1, 1}, []uint32{j}, []float32{v})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	for _, test := range []struct {
		name string
		w    *csr.Matrix
		y    *diffuse.Seeds
		opt  adp.Options
		is   error
		says string
	}{
		{"seeds of another graph", w, short, adp.Options{TopK: 1}, adp.ErrGraph, "4 rows, but seeds of 2"},
		{"not symmetric", matrix(0, 1, 1), y, adp.Options{TopK: 1}, adp.ErrGraph, "row 0"},
		{"diagonal", matrix(0, 0, 1), y, adp.Options{TopK: 1}, adp.ErrGraph, "diagonal"},
		{"top-k", w, y, adp.Options{TopK: 4}, adp.ErrOptions, "top-k of 4"},
		{"alpha", w, y, adp.Options{TopK: 1, Alpha: 1.5}, adp.ErrOptions, "alpha 1.5"},
		{"rounds", w, y, adp.Options{TopK: 1, Rounds: -1}, adp.ErrOptions, "-1 rounds"},
		{"cut", w, y, adp.Options{TopK: 1, Hubs: diffuse.HubRows{Links: -1}}, adp.ErrOptions, "-1 links"},
		{"prior", w, y, adp.Options{TopK: 1, Prior: []float64{1}}, adp.ErrOptions, "1 class priors"},
		{"method", w, y, adp.Options{TopK: 1, Method: 99}, adp.ErrOptions, "method"},
		{"solver", w, y, adp.Options{TopK: 1, Solver: 9}, adp.ErrOptions, "solver 9"},
		{"balance", w, y, adp.Options{TopK: 1, Balance: 9}, adp.ErrOptions, "balance 9"},
		{"harden", w, y, adp.Options{TopK: 1, Harden: 9}, adp.ErrOptions, "way 9 to harden"},
		{"a short start", w, y, adp.Options{TopK: 1, Start: &csr.Dense{Rows: 4, Cols: 2, Data: make([]float32, 7)}}, adp.ErrOptions, "4×2 in 7 values"},
		{"all faults: an option", w, y, many, adp.ErrOptions, "-1 rounds"},
		{"all faults: of the solver", w, y, many, adp.ErrOptions, "tolerance 2"},
		{"all faults: of the prior", w, y, many, adp.ErrOptions, "1 class priors"},
		{"all faults: of the start", w, y, many, adp.ErrOptions, "a start of 1×1"},
		{"no classes", w, &diffuse.Seeds{Nodes: 4}, adp.Options{TopK: 1}, diffuse.ErrSeeds, "0 classes"},
		{"seeds of nothing", &csr.Matrix{}, &diffuse.Seeds{}, adp.Options{Method: adp.DenseADP}, diffuse.ErrSeeds, "0 classes"},
		{"no graph", nil, y, adp.Options{}, adp.ErrGraph, "none, expected an affinity"},
		{"no seeds", w, nil, adp.Options{}, diffuse.ErrSeeds, "none, expected those of the nodes"},
		{"no nodes", &csr.Matrix{}, &diffuse.Seeds{Classes: 1}, adp.Options{Method: adp.DenseADP}, adp.ErrGraph, "0 nodes"},
		{"no nodes, by sparse steps", &csr.Matrix{}, &diffuse.Seeds{Classes: 1}, adp.Options{}, adp.ErrGraph, "0 nodes"},
		{"fewer classes than none", w, &diffuse.Seeds{Nodes: 4, Classes: -1}, adp.Options{TopK: 1}, diffuse.ErrSeeds, "-1 classes"},
		{"more than memory", graphOf(t, 1<<17, nil, nil, nil), huge, adp.Options{}, adp.ErrGraph, "131072 nodes in 1073741824 classes"},
	} {
		_, err := adp.Run(context.Background(), test.w, test.y, test.opt)
		if !errors.Is(err, test.is) || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: error %v, want %v saying %q", test.name, err, test.is, test.says)
		}
	}
}

// TestFullChoice: the choice among settings has their rounds, each setting
// starting over from round 0; a setting's rounds are those of a run with it
// alone; F is their mean by gain in cut.
func TestFullChoice(t *testing.T) {
	w, y := planted.Graph(t, 700, 4, 2, 9) // 175 nodes a class: all five settings but k = 40, as 10 gains no more than 5
	base := adp.Options{Rounds: 3, MinChange: -1, Beta: 1e-30, TrialFolds: -1}
	full := base
	full.Select = adp.Full
	r, err := adp.Run(context.Background(), w, y, full)
	if err != nil {
		t.Fatal(err)
	}
	starts := []int{}
	for k, round := range r.Rounds[1:] {
		if round.Setting != r.Rounds[k].Setting {
			starts = append(starts, k+1)
		}
	}
	if len(starts) != 4 {
		t.Fatalf("%d settings, want 4", len(starts))
	}
	sum, weights := make([]float64, len(r.F.Data)), 0.0
	for at, start := range starts {
		end := len(r.Rounds)
		if at+1 < len(starts) {
			end = starts[at+1]
		}
		one := base
		one.Select, one.TopK, one.Anchor, one.GraphAlpha = adp.None, r.Rounds[start].TopK, r.Rounds[start].Anchor, r.Rounds[start].GraphAlpha
		if one.Anchor == 0 {
			one.Anchor = -1
		}
		for k := start; k < end; k++ {
			one.Rounds = k - start + 1
			alone, err := adp.Run(context.Background(), w, y, one)
			if err != nil {
				t.Fatal(err)
			}
			got, want := r.Rounds[k], alone.Rounds[one.Rounds]
			if got.Association != want.Association || got.Changed != want.Changed || got.DeltaF != want.DeltaF || got.Entries != want.Entries {
				t.Errorf("setting %+v round %d: %+v, alone %+v", got.Setting, one.Rounds, got, want)
			}
			weights += got.Weight
			for i := range alone.F.Rows {
				row, all := alone.F.Row(i), 0.0
				for _, v := range row {
					all += float64(v)
				}
				for j, v := range row {
					if all > 0 {
						sum[i*alone.F.Cols+j] += got.Weight * float64(v) / all
					}
				}
			}
		}
		if end != start+3 {
			t.Errorf("setting %+v: %d rounds, want 3", r.Rounds[start].Setting, end-start)
		}
	}
	if math.Abs(weights-1) > 1e-6 {
		t.Errorf("weights add to %v", weights)
	}
	for k, v := range r.F.Data {
		if math.Abs(float64(v)-sum[k]) > 1e-5 {
			t.Fatalf("F[%d] = %v, the mean of the rounds is %v", k, v, sum[k])
		}
	}
	for _, round := range r.Rounds {
		if round.Association > r.Rounds[r.Chosen].Association || round.Weight > r.Rounds[r.Chosen].Weight {
			t.Errorf("round %d has a better cut than the chosen one", round.Index)
		}
		if gain := round.Association - r.Rounds[0].Association; gain > 0 != (round.Weight > 0) {
			t.Errorf("round %d: gain %v, weight %v", round.Index, gain, round.Weight)
		}
	}
}

// TestEstimateBytes: the formulas by hand on a ring of 10,000 nodes with three
// neighbours on each side, where all degrees are 6 and three steps lead to 18
// others; and that hubs, settings and what follows a run are counted.
func TestEstimateBytes(t *testing.T) {
	const n, nnz, c = 10000, 60000, 7
	w := hubRing(t, n, 0)
	fast := adp.Options{Threads: 2, Select: adp.Fast} // k = 5, anchored
	const (
		base   = 12*nnz + 44*n + 4*n*c/32
		order  = 8*nnz + 16*n
		kept   = 8*6*n + 8*n
		even   = 5*3*n/2 + n  // entries when symmetric
		learnt = even + 7*n/2 // with W's
		graph  = 8*learnt + 8*n
	)
	rounds := 2*graph + max(4*n*c+36*n+2*24*n+2*kept, 2*kept+8*even+16*n, 8*(even+learnt)+16*n, 12*learnt+16*n)
	for _, test := range []struct {
		name      string
		opt       adp.Options
		want, off int64
	}{
		{"lgc", adp.Options{Method: adp.LGC}, base + 16*n*c, 100},
		{"gfhf", adp.Options{Method: adp.GFHF}, base + 24*n*c, 100},
		{"poisson", adp.Options{Method: adp.Poisson}, base + 24*n*c, 100},
		{"no choice", adp.Options{Threads: 2, Select: adp.None}, int64(base + order + 20*n*c + rounds - graph), 100},
		{"fast", fast, int64(base + order + 36*n*c + graph + rounds), 100},
		{"no trial", adp.Options{Threads: 2, Select: adp.Fast, TrialFolds: -1}, int64(base + order + 28*n*c + rounds), 100},
	} {
		if got := adp.EstimateBytes(w, c, test.opt); got < test.want-test.off || got > test.want+test.off {
			t.Errorf("%s: %d bytes, want %d", test.name, got, test.want)
		}
	}
	least := adp.EstimateBytes(w, c, fast)
	for name, more := range map[string]int64{
		"a larger k":  adp.EstimateBytes(w, c, adp.Options{Threads: 2, Select: adp.Fast, TopK: 18}),
		"Full":        adp.EstimateBytes(w, c, adp.Options{Threads: 2}), // up to k = 40, of which there are 18
		"calibration": adp.EstimateBytes(w, c, fast) + adp.ResultBytes(w, c, fast),
	} {
		if more < least+n {
			t.Errorf("%s: %d bytes, without it %d", name, more, least)
		}
	}
	walks := adp.Options{Method: adp.ADP1, Threads: 2} // fresh A-steps, of adp on unlike degrees, have no rows over hubs
	if without, with := adp.EstimateBytes(w, c, walks), adp.EstimateBytes(hubRing(t, n, 9000), c, walks); with < without+n {
		t.Errorf("a hub: %d bytes, without it %d", with, without)
	}
	edges := openRing(t, n) // learned from labels alone, on the edges: no accumulators
	if one, three := adp.EstimateBytes(edges, c, adp.Options{Threads: 1}), adp.EstimateBytes(edges, c, adp.Options{Threads: 3}); one != three {
		t.Errorf("A-steps on edges: %d bytes with one thread, %d with three", one, three)
	}
	if a, b := diagnose.Bytes(w, c, fast, 8), diagnose.Bytes(w, c, fast, 9); b != a+28*n {
		t.Errorf("a vector more in the diagnosis: %d bytes", b-a)
	}
	if a, b := diagnose.Bytes(w, c, fast, 1), diagnose.Bytes(hubRing(t, n, 9000), c, fast, 1); b < a+2*64*n {
		t.Errorf("the diagnosis takes %d bytes with a hub, %d without", b, a)
	}
}

// ring joins each of n nodes to the three before and after it, and node 0 to
// some more.
func hubRing(t *testing.T, n, more int) *csr.Matrix {
	t.Helper()
	var e csr.Edges
	for i := range n {
		for step := range 3 {
			e.Src, e.Dst = append(e.Src, uint32(i)), append(e.Dst, uint32((i+step+1)%n))
		}
	}
	for i := range more {
		e.Src, e.Dst = append(e.Src, 0), append(e.Dst, uint32(i+4))
	}
	w, _, err := csr.FromEdges(n, &e, csr.BuildOptions{Duplicates: csr.DuplicatesMax})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// openRing is a ring of n nodes without triangles.
func openRing(t *testing.T, n int) *csr.Matrix {
	t.Helper()
	var e csr.Edges
	for i := range n {
		e.Src, e.Dst = append(e.Src, uint32(i), uint32(i)), append(e.Dst, uint32((i+1)%n), uint32((i+100)%n))
	}
	w, _, err := csr.FromEdges(n, &e, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// TestSettingsFitTheGraph: no setting keeps more entries than a class has
// nodes, nor without the anchor a quarter of that; none is free on a graph
// with hubs; with none left the result is LGC.
func TestSettingsFitTheGraph(t *testing.T) {
	for _, test := range []struct{ n, c, settings int }{{60, 3, 2 + 1}, {200, 2, 4}, {12, 3, 0}} {
		w, y := planted.Graph(t, test.n, test.c, 2, 9)
		r, err := adp.Run(context.Background(), w, y, adp.Options{Rounds: 1, TrialFolds: -1})
		if err != nil {
			t.Fatal(err)
		}
		size := float64(test.n) / float64(test.c)
		for _, round := range r.Rounds[1:] {
			if k := float64(round.TopK); k > size || round.Anchor == 0 && k > size/4 {
				t.Errorf("%+v: top-k %v, anchor %v", test, k, round.Anchor)
			}
		}
		if len(r.Rounds) != 1+test.settings {
			t.Errorf("%+v: %d rounds", test, len(r.Rounds))
		}
	}
	// A hub beside a ring: the spread of degrees is far above maxDegreeVariation.
	var src, dst []uint32
	const n = 400
	for i := range uint32(n - 1) {
		src, dst = append(src, i, i), append(dst, (i+1)%(n-1), n-1)
	}
	y, err := diffuse.NewSeeds(n, 2, []diffuse.Seed{{Node: 0, Class: 0, Weight: 1}, {Node: 200, Class: 1, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	r, err := adp.Run(context.Background(), graphOf(t, n, src, dst, nil), y, adp.Options{Rounds: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, round := range r.Rounds[1:] {
		if round.Anchor == 0 {
			t.Errorf("free setting %+v beside a hub", round.Setting)
		}
	}
}

// TestSmallestGraphs: the default options fit graphs of one node and up.
func TestSmallestGraphs(t *testing.T) {
	for n := 1; n <= 7; n++ {
		src, dst, weight := gen.Path(n)
		labels := make([]int, n)
		for i := range labels {
			labels[i] = -1
		}
		labels[0] = 0
		y, _ := diffuse.HardSeeds(labels)
		for _, method := range []adp.Method{adp.ADP, adp.ADP1, adp.LGC, adp.GFHF, adp.DenseADP} {
			r, err := adp.Run(context.Background(), graphOf(t, n, src, dst, weight), y, adp.Options{Method: method})
			if err != nil {
				t.Fatalf("%d nodes, %v: %v", n, method, err)
			}
			for i, label := range r.Labels {
				if label != 0 {
					t.Errorf("%d nodes, %v: node %d has label %d", n, method, i, label)
				}
			}
		}
	}
}

// TestCancel: a context that ends in a round stops the run.
func TestCancel(t *testing.T) {
	w, y := planted.Graph(t, 600, 4, 2, 3)
	for _, method := range []adp.Method{adp.ADP, adp.ADP1, adp.DenseADP} {
		ctx, cancel := context.WithCancel(context.Background())
		_, err := adp.Run(ctx, w, y, adp.Options{Method: method, Observer: func(adp.Round) { cancel() }})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%v: error %v, want context.Canceled", method, err)
		}
	}
}

func TestStatusNames(t *testing.T) {
	if got := fmt.Sprint(adp.Unreached, adp.Uncertain, adp.Status(9)); got != "unreached uncertain Status(9)" {
		t.Error(got)
	}
}

// TestFreshSteps: above 1,000 nodes settings are fresh where degrees are unlike or where there are few
// triangles. The graph of the second round is then one [diffuse.FreshStep] with the labels of the
// first, to the bit.
func TestFreshSteps(t *testing.T) {
	seeds := func(n int) *diffuse.Seeds {
		var list []diffuse.Seed
		for i := range 40 {
			list = append(list, diffuse.Seed{Node: uint32(i * n / 40), Class: uint32(2 * i / 40), Weight: 1})
		}
		y, err := diffuse.NewSeeds(n, 2, list)
		if err != nil {
			t.Fatal(err)
		}
		return y
	}
	run := func(n, hub int, opt adp.Options) *adp.Result {
		w := hubRing(t, n, hub)
		if hub < 0 {
			w = openRing(t, n)
		}
		r, err := adp.Run(context.Background(), w, seeds(n), opt)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	for _, c := range []struct {
		n, hub int
		opt    adp.Options
		fresh  bool
	}{
		{1200, 900, adp.Options{Rounds: 1}, true},
		{1200, 900, adp.Options{Rounds: 1, Select: adp.Fast}, true},
		{1000, 900, adp.Options{Rounds: 1}, false},
		{1200, 0, adp.Options{Rounds: 1}, false},
		{1200, -1, adp.Options{Rounds: 1}, true},
		{1000, -1, adp.Options{Rounds: 1}, false},
		{1200, -1, adp.Options{Rounds: 1, Settings: []adp.Setting{{TopK: 5, GraphAlpha: 0.9}}}, false},
		{1200, 900, adp.Options{Rounds: 1, Method: adp.ADP1}, false},
	} {
		r := run(c.n, c.hub, c.opt)
		for _, round := range r.Rounds[1:] {
			if round.Fresh != c.fresh {
				t.Errorf("%d nodes, a hub of %d, %v: %+v", c.n, c.hub, c.opt.Method, round.Setting)
			}
		}
	}

	const n = 1200
	opt := adp.Options{Rounds: 2, Select: adp.None, Threads: 1}
	one := opt
	one.Rounds = 1
	first, second := run(n, 900, one), run(n, 900, opt)
	h := diffuse.NewFactor(first.F, diffuse.Hard)
	want, err := diffuse.FreshStep(context.Background(), diffuse.Normalize(hubRing(t, n, 900), 1), h, diffuse.AffinityOptions{TopK: 5, Alpha: 0.99, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	if got := second.Graph; fmt.Sprint(got.Arrays()) != fmt.Sprint(want.Arrays()) {
		t.Error("the graph of the second round is not that of the labels of the first")
	}
}
