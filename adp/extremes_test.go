package adp_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/gen"
	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// TestWeakLinks: blocks of nodes, one of them on a link of 10^-30 to 10^-38 of
// the weight of the others. Its nodes have rows of the smallest numbers in each
// round, and shares of 1 in what comes of them: all reached rows sum to 1.
func TestWeakLinks(t *testing.T) {
	const n, block = 150, 50
	for trial := range 12 {
		if racing.On && trial%4 > 0 { // graphs of one block of rows: weights of 1e-30, 1e-34 and 1e-38
			continue
		}
		rng := rand.New(rand.NewPCG(uint64(trial), 70))
		e := csr.Edges{Src: []uint32{0}, Dst: []uint32{2*block + 20}, Weight: []float32{float32(math.Pow(10, -30-float64(trial%9)))}}
		labels := make([]int, n)
		for i := range n {
			labels[i] = -1
			if i < 2*block && i%7 == 0 {
				labels[i] = i / block
			}
			for range 5 {
				j := i/block*block + rng.IntN(block)
				if i < 2*block && rng.IntN(4) == 0 {
					j = rng.IntN(2 * block)
				}
				e.Src, e.Dst, e.Weight = append(e.Src, uint32(i)), append(e.Dst, uint32(j)), append(e.Weight, 1)
			}
		}
		w, _, err := csr.FromEdges(n, &e, csr.BuildOptions{})
		if err != nil {
			t.Fatal(err)
		}
		y, err := diffuse.HardSeeds(labels)
		if err != nil {
			t.Fatal(err)
		}
		for _, opt := range []adp.Options{{}, {TrialFolds: -1}, {Method: adp.ADP1, Alpha: 0.05}, {Method: adp.LGC}, {Method: adp.GFHF}, {Method: adp.Poisson}} {
			r, err := adp.Run(context.Background(), w, y, opt)
			if err != nil {
				t.Fatal(err)
			}
			for i := range n {
				sum := 0.0
				for _, v := range r.F.Row(i) {
					sum += float64(v)
				}
				shares := opt.Method.Has(adp.Averages) || mixed(r)
				if !(sum > 0) || math.IsInf(sum, 0) || shares && math.Abs(sum-1) > 1e-4 || !(r.Confidence[i] >= 0 && r.Confidence[i] <= 1) || r.Labels[i] < 0 {
					t.Fatalf("trial %d, %v: node %d has F %v, confidence %v, label %d", trial, opt.Method, i, r.F.Row(i), r.Confidence[i], r.Labels[i])
				}
			}
		}
	}
}

// mixed reports whether F is a mean of rounds.
func mixed(r *adp.Result) bool {
	return slices.ContainsFunc(r.Rounds, func(round adp.Round) bool { return round.Weight > 0 })
}

// TestMixtureOfAbsentRows: where a small α leaves far nodes without a row in some
// rounds, the mean of the rounds is of those that have one.
func TestMixtureOfAbsentRows(t *testing.T) {
	const n = 60
	for trial := range 40 {
		rng := rand.New(rand.NewPCG(uint64(trial), 71))
		e := csr.Edges{}
		for i := range n {
			e.Src, e.Dst = append(e.Src, uint32(i)), append(e.Dst, uint32((i+1)%n))
			if rng.IntN(4) == 0 {
				e.Src, e.Dst = append(e.Src, uint32(i)), append(e.Dst, uint32((i+2+rng.IntN(6))%n))
			}
		}
		w, _, err := csr.FromEdges(n, &e, csr.BuildOptions{})
		if err != nil {
			t.Fatal(err)
		}
		y, err := diffuse.NewSeeds(n, 2, []diffuse.Seed{{Node: 0, Class: 0, Weight: 1}, {Node: uint32(1 + rng.IntN(n-1)), Class: 1, Weight: 1}})
		if err != nil {
			t.Fatal(err)
		}
		r, err := adp.Run(context.Background(), w, y, adp.Options{Method: adp.ADP1, Alpha: 0.01})
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			sum := float64(r.F.At(i, 0)) + float64(r.F.At(i, 1))
			if mixed(r) && math.Abs(sum-1) > 2e-3 {
				t.Fatalf("trial %d: row %d sums to %v", trial, i, sum)
			}
		}
	}
}

// TestOptionsPastNumbers: numbers that are NaN, or past float32, are refused.
func TestOptionsPastNumbers(t *testing.T) {
	w, _, err := csr.FromEdges(3, &csr.Edges{Src: []uint32{0, 1}, Dst: []uint32{1, 2}}, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	y, err := diffuse.HardSeeds([]int{0, -1, 1})
	if err != nil {
		t.Fatal(err)
	}
	start := func(v float32) *csr.Dense {
		f := csr.NewDense(3, 2)
		f.Set(1, 1, v)
		return f
	}
	nan, inf := math.NaN(), math.Inf(1)
	for k, opt := range []adp.Options{
		{Zeta: nan},
		{Zeta: inf},
		{Zeta: 1e300},
		{Anchor: nan},
		{MinChange: nan},
		{Beta: nan},
		{MinConfidence: nan},
		{Alpha: nan},
		{Tolerance: nan},
		{Anchor: inf},
		{Anchor: 1e39},
		{Settings: []adp.Setting{{TopK: 1, Anchor: inf, GraphAlpha: 0.5}}},
		{Start: start(float32(nan))},
		{Start: start(float32(inf))},
		{Start: start(-1)},
	} {
		if _, err := adp.Run(context.Background(), w, y, opt); !errors.Is(err, adp.ErrOptions) {
			t.Error(k, fmt.Sprintf("%+v: error %v", opt, err))
		}
	}
	if _, err := adp.Run(context.Background(), w, y, adp.Options{Start: start(1)}); err != nil {
		t.Error(err)
	}
}

// TestOptionFaults: each field at fault has a line with its value, and no other has.
func TestOptionFaults(t *testing.T) {
	start := &csr.Dense{}
	save := func(*adp.Snapshot) error { return nil }
	for _, test := range []struct {
		opt  adp.Options
		says []string
	}{
		{adp.Options{Select: 9}, []string{"choice 9"}},
		{adp.Options{TrialFolds: 1}, []string{"1 fold of the trial"}},
		{adp.Options{Zeta: 1e300, Anchor: -2e300}, []string{"zeta 1e+300", "anchor -2e+300"}},
		{adp.Options{Anchor: 1e300}, []string{"anchor 1e+300"}},
		{adp.Options{Beta: -3, MinConfidence: 4}, []string{"beta -3", "confidence 4"}},
		{adp.Options{MinConfidence: -1}, []string{"confidence -1"}},
		{adp.Options{Hubs: diffuse.HubRows{Work: -1, Terms: -2}}, []string{"above -1 multiply-adds", "to -2 terms"}},
		{adp.Options{Settings: []adp.Setting{{TopK: 1, GraphAlpha: 0.5}, {Anchor: -1, GraphAlpha: 2}}}, []string{"setting 1: top-k of 0", "setting 1: anchor -1", "setting 1: graph alpha 2"}},
		{adp.Options{Method: adp.GFHF, Start: start}, []string{"start with the method gfhf"}},
		{adp.Options{Method: adp.LGC, Solver: diffuse.Power, Start: start, Checkpoint: save}, []string{"start with the solver 1", "start with a checkpoint"}},
		{adp.Options{Method: adp.ADP1, Underflow: adp.SolveUnderflow}, []string{"solved for with the method adp1"}},
		{adp.Options{Solver: diffuse.Power, Underflow: adp.SolveUnderflow}, []string{"solved for with the solver 1"}},
		{adp.Options{Solver: -4, Balance: 5}, []string{"unknown solver -4", "unknown balance 5"}},
	} {
		_, err := test.opt.WithDefaults(100)
		if !errors.Is(err, adp.ErrOptions) {
			t.Errorf("%v: %v", test.says, err)
			continue
		}
		said := strings.Split(err.Error(), "\n")
		for k, line := range said {
			if len(said) != len(test.says) || !strings.Contains(line, test.says[k]) {
				t.Errorf("got %q, want lines with %q", said, test.says)
				break
			}
		}
	}
}

// pathBetween returns a path of n nodes with labels at regular steps, of two classes in turn.
func pathBetween(t *testing.T, n, every int) (*csr.Matrix, *diffuse.Seeds) {
	t.Helper()
	src, dst, weight := gen.Path(n)
	w, _, err := csr.FromEdges(n, &csr.Edges{Src: src, Dst: dst, Weight: weight}, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var seeds []diffuse.Seed
	for i := 0; i < n; i += every {
		seeds = append(seeds, diffuse.Seed{Node: uint32(i), Class: uint32(i / every % 2), Weight: 1})
	}
	y, err := diffuse.NewSeeds(n, 2, seeds)
	if err != nil {
		t.Fatal(err)
	}
	return w, y
}

// TestFarNodes: on a path whose nodes are up to 2250 edges from a seed LGC and ADP label
// all nodes by the nearer seed; where far rows are left a warning counts them.
func TestFarNodes(t *testing.T) {
	const n = 4501 // more than elimination takes
	w, y := pathBetween(t, n, n-1)
	for _, opt := range []adp.Options{
		{Method: adp.LGC},
		{Method: adp.LGC, Underflow: adp.LeaveUnderflow},
		{Select: adp.None, Rounds: 2},
		{Select: adp.None, Rounds: 2, Underflow: adp.LeaveUnderflow},
	} {
		r, err := adp.Run(context.Background(), w, y, opt)
		if err != nil {
			t.Fatal(err)
		}
		left, at := r.Rounds[r.Chosen].Solve.Underflow, warning(r, adp.WarnUnderflow)
		if opt.Underflow != adp.LeaveUnderflow {
			checkHalves(t, r.Labels)
			if left+r.Rounds[0].Solve.Underflow > 0 || at >= 0 {
				t.Errorf("%v: %d rows left, %d in round 0, warnings %+v", opt.Method, left, r.Rounds[0].Solve.Underflow, r.Warnings)
			}
		} else if left < n/4 || r.Rounds[0].Solve.Underflow < n/4 || at < 0 || r.Warnings[at].Count != left || !strings.Contains(r.Warnings[at].Message, "accuracy of the solver") {
			t.Errorf("%v, left as they are: %d rows, %d in round 0, warnings %+v", opt.Method, left, r.Rounds[0].Solve.Underflow, r.Warnings)
		}
	}
}

// TestFarNodesOfManyNodes: past FullNodes those on W are solved for, and those of learned
// graphs left and counted.
func TestFarNodesOfManyNodes(t *testing.T) {
	const n = adp.FullNodes + 1
	w, y := pathBetween(t, n, 500)
	r, err := adp.Run(context.Background(), w, y, adp.Options{Select: adp.None, Rounds: 1})
	if err != nil {
		t.Fatal(err)
	}
	at := warning(r, adp.WarnUnderflow)
	if r.Rounds[0].Solve.Underflow != 0 || r.Rounds[1].Solve.Underflow < n/10 || at < 0 || r.Warnings[at].Count != r.Rounds[1].Solve.Underflow {
		t.Errorf("%d rows left on W, %d on A, warnings %+v", r.Rounds[0].Solve.Underflow, r.Rounds[1].Solve.Underflow, r.Warnings)
	}
}

// TestBeyondNumbers: nodes that nothing reaches which float32 could hold have the label of
// the nearer seed all the same. They are counted where float64 does not hold it either.
func TestBeyondNumbers(t *testing.T) {
	const n = 2001
	w, y := pathBetween(t, n, n-1)
	for _, alpha := range []float64{0.99, 0.5} {
		r, err := adp.Run(context.Background(), w, y, adp.Options{Method: adp.LGC, Alpha: alpha})
		if err != nil {
			t.Fatal(err)
		}
		checkHalves(t, r.Labels)
		at := warning(r, adp.WarnUnderflow)
		if (at < 0) != (alpha == 0.99) || at >= 0 && (r.Warnings[at].Count < n/3 || !strings.Contains(r.Warnings[at].Message, "smallest numbers")) {
			t.Errorf("alpha %v: warnings %+v", alpha, r.Warnings)
		}
	}
}

// warning returns where in the warnings of a result the one of a code is, or -1.
func warning(r *adp.Result, code string) int {
	return slices.IndexFunc(r.Warnings, func(w adp.Warning) bool { return w.Code == code })
}

// checkHalves reports nodes of a path that have the label of the farther end; the one in
// the middle may have either.
func checkHalves(t *testing.T, labels []int32) {
	t.Helper()
	wrong := 0
	for i, label := range labels {
		if far := 2*i + 1 - len(labels); far < 0 && label != 0 || far > 0 && label != 1 {
			wrong++
		}
	}
	if wrong > 0 {
		t.Errorf("%d of %d nodes have the label of the farther end", wrong, len(labels))
	}
}

// TestOverruled: a known label that its neighbours all contradict stands, with the share
// of its own class and no lead, and is counted; the others are as the rows say.
func TestOverruled(t *testing.T) {
	const n, block = 40, 20
	rng := rand.New(rand.NewPCG(1, 75))
	var e csr.Edges
	labels := make([]int, n)
	for i := range n {
		labels[i] = -1
		if i%3 == 0 {
			labels[i] = i / block
		}
		for range 6 {
			e.Src, e.Dst, e.Weight = append(e.Src, uint32(i)), append(e.Dst, uint32(i/block*block+rng.IntN(block))), append(e.Weight, 1)
		}
	}
	e.Src, e.Dst, e.Weight = append(e.Src, 0), append(e.Dst, n-1), append(e.Weight, 0.1)
	labels[6] = 1 // among nodes of class 0
	w, _, err := csr.FromEdges(n, &e, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	y, err := diffuse.HardSeeds(labels)
	if err != nil {
		t.Fatal(err)
	}
	for _, opt := range []adp.Options{{Method: adp.LGC}, {}, {Method: adp.LGC, Order: adp.DegreeOrder}} {
		r, err := adp.Run(context.Background(), w, y, opt)
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			row, sum := r.F.Row(i), float64(r.F.Row(i)[0])+float64(r.F.Row(i)[1])
			share := float64(row[r.Labels[i]]) / sum
			if math.Abs(float64(r.Confidence[i])-share) > 1e-6 || math.Abs(float64(r.Margin[i])-max(2*share-1, 0)) > 1e-6 || (r.Margin[i] == 0) != (i == 6) {
				t.Errorf("%v: node %d has label %d, confidence %v, margin %v; its row is %v", opt.Method, i, r.Labels[i], r.Confidence[i], r.Margin[i], row)
			}
		}
		at := warning(r, adp.WarnOverruled)
		if r.Labels[6] != 1 || r.Status[6] != adp.Seed || at < 0 || r.Warnings[at].Count != 1 || !strings.HasPrefix(r.Warnings[at].Message, "1 known label is not") {
			t.Errorf("%v: label %d of node 6, warnings %+v", opt.Method, r.Labels[6], r.Warnings)
		}
	}
}

// TestPartedFromSeeds: where a learned graph parts nodes from all seeds, each round has them
// labelled by their neighbours on W.
func TestPartedFromSeeds(t *testing.T) {
	const n = 60
	parted := 0
	for trial := range uint64(10) {
		rng := rand.New(rand.NewPCG(trial, 76))
		var e csr.Edges
		for i := range n {
			e.Src, e.Dst, e.Weight = append(e.Src, uint32(i)), append(e.Dst, uint32((i+1)%n)), append(e.Weight, 0.01+rng.Float32())
		}
		w, _, err := csr.FromEdges(n, &e, csr.BuildOptions{})
		if err != nil {
			t.Fatal(err)
		}
		y, err := diffuse.NewSeeds(n, 2, []diffuse.Seed{{Node: 0, Class: 0, Weight: 1}, {Node: n / 2, Class: 1, Weight: 1}})
		if err != nil {
			t.Fatal(err)
		}
		r, err := adp.Run(context.Background(), w, y, adp.Options{
			Select: adp.None, Rounds: 3, TopK: 1, Anchor: -1, GraphAlpha: 0.5,
			Observer: func(round adp.Round) {
				if slices.Min(round.Labels) < 0 {
					t.Errorf("trial %d, round %d: a node without a label", trial, round.Index)
				}
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		of, sizes := csr.Components(r.Graph, 1)
		if parts := len(sizes); parts > 2 && of[0] != of[n/2] {
			parted++
		}
	}
	if parted < 5 {
		t.Errorf("%d learned graphs with nodes parted from both seeds: too few to see anything", parted)
	}
}

// TestOutweighed: a node with two labels that gets the lighter one, as the only seed of its class, is told of.
func TestOutweighed(t *testing.T) {
	w, _, err := csr.FromEdges(5, &csr.Edges{Src: []uint32{0, 1, 2, 0}, Dst: []uint32{1, 2, 3, 4}}, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		light   float32
		balance diffuse.Balance
		label   int32
		count   int
	}{{0.001, diffuse.Balanced, 0, 1}, {0.001, diffuse.Unbalanced, 1, 0}, {0.999, diffuse.Balanced, 0, 0}} {
		y, err := diffuse.NewSeeds(5, 2, []diffuse.Seed{{Node: 0, Class: 0, Weight: test.light}, {Node: 0, Class: 1, Weight: 0.999}, {Node: 3, Class: 1, Weight: 5}})
		if err != nil {
			t.Fatal(err)
		}
		r, err := adp.Run(context.Background(), w, y, adp.Options{Method: adp.LGC, Balance: test.balance})
		if err != nil {
			t.Fatal(err)
		}
		count := 0
		if at := warning(r, adp.WarnOutweighed); at >= 0 {
			count = r.Warnings[at].Count
		}
		if r.Labels[0] != test.label || count != test.count {
			t.Errorf("%+v: label %d, %d outweighed", test, r.Labels[0], count)
		}
	}
}

// TestWeightsOfUnlikeSeeds: label weights of 10^9 and 10^-9 side by side, in parts of
// their own. What a seed reaches has a label, however much the other seeds weigh.
func TestWeightsOfUnlikeSeeds(t *testing.T) {
	for trial := range uint64(500) {
		rng := rand.New(rand.NewPCG(trial, 77))
		n, c := 4+rng.IntN(30), 1+rng.IntN(3)
		e := &csr.Edges{}
		for range n {
			e.Src, e.Dst = append(e.Src, uint32(rng.IntN(n))), append(e.Dst, uint32(rng.IntN(n)))
		}
		w, _, err := csr.FromEdges(n, e, csr.BuildOptions{})
		if err != nil {
			t.Fatal(err)
		}
		seeds := []diffuse.Seed{{Node: 0, Weight: 1}}
		for i := 1; i < n; i++ {
			if rng.IntN(5) == 0 {
				seeds = append(seeds, diffuse.Seed{Node: uint32(i), Class: uint32(rng.IntN(c)), Weight: float32(math.Pow(10, -18*rng.Float64()))})
			}
		}
		y, err := diffuse.NewSeeds(n, c, seeds)
		if err != nil {
			t.Fatal(err)
		}
		r, err := adp.Run(context.Background(), w, y, adp.Options{
			Select: adp.None, Underflow: adp.LeaveUnderflow, Balance: diffuse.Unbalanced, Alpha: 0.999999,
		})
		if err != nil {
			t.Fatal(err)
		}
		checkReach(t, w, y, r)
	}
}

// checkReach checks that those nodes have a label that a seed reaches.
func checkReach(t *testing.T, w *csr.Matrix, y *diffuse.Seeds, r *adp.Result) {
	t.Helper()
	component, _ := csr.Components(w, 1)
	has := map[uint32]bool{}
	for _, seed := range y.List() {
		has[component[seed.Node]] = true
	}
	for i, label := range r.Labels {
		if has[component[i]] != (label >= 0) {
			t.Fatalf("node %d: label %d, F %v, reached: %v", i, label, r.F.Row(i), has[component[i]])
		}
	}
}

// TestSmallestAlphas: with an α beside which float64 holds no products, too, what a seed
// reaches has the label of the nearer seed.
func TestSmallestAlphas(t *testing.T) {
	const n = 9
	w, y := pathBetween(t, n, n-1)
	for _, method := range []adp.Method{adp.ADP, adp.ADP1, adp.LGC, adp.DenseADP} {
		for _, alpha := range []float64{1e-30, 1e-200, 1e-300, 5e-324} {
			r, err := adp.Run(context.Background(), w, y, adp.Options{Method: method, Alpha: alpha, Select: adp.None})
			if err != nil {
				t.Fatal(err)
			}
			checkReach(t, w, y, r)
			checkHalves(t, r.Labels)
		}
	}
}

// TestLargeStart: a start of any size is one.
func TestLargeStart(t *testing.T) {
	const n = 200
	w, y := pathBetween(t, n, 40)
	want, err := adp.Run(context.Background(), w, y, adp.Options{Method: adp.LGC})
	if err != nil {
		t.Fatal(err)
	}
	for trial := range uint64(20) {
		rng := rand.New(rand.NewPCG(trial, 78))
		start := csr.NewDense(n, 2)
		for k := range start.Data {
			start.Data[k] = []float32{0, 1e-45, 1, math.MaxFloat32}[rng.IntN(4)]
		}
		r, err := adp.Run(context.Background(), w, y, adp.Options{Method: adp.LGC, Start: start})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(r.Labels, want.Labels) {
			t.Fatalf("trial %d: labels %v, want %v", trial, r.Labels, want.Labels)
		}
	}
}
