package fit

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/oracle"
	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// TestWhy: what each member says of a node adds up to the answer, which is that of a run that explains
// nothing, and the reasons of each member add up to its scores; of sparse and dense features, with edges
// that tell and that do not, without edges, with class sizes that are given, and of each method.
func TestWhy(t *testing.T) {
	ctx := context.Background()
	telling, _ := words(t, 200, 3, 90, 0.6, 4)
	random, _ := words(t, 200, 3, 90, 0, 4)
	dense := cloud(t, 150, 3, 6, 4)
	dense.Edges = nil
	learning := cloud(t, 900, 12, 8, 8) // of TestFoldsOfLearned
	learning.Edges = nil
	skewed := cloud(t, 600, 3, 6, 8)
	skewed.Edges = nil
	x := &csr.Dense{Rows: 60, Cols: 6, Data: slices.Clone(skewed.Dense.Data[:60*6])} // from here on class 0 alone
	for i := 60; i < 600; i += 3 {
		x.Data, x.Rows = append(x.Data, skewed.Dense.Row(i)...), x.Rows+1
	}
	seeds, err := diffuse.NewSeeds(x.Rows, 3, skewed.Seeds.List())
	if err != nil {
		t.Fatal(err)
	}
	skewed.Dense, skewed.Seeds = x, seeds
	measured := telling
	measured.Sparse, measured.Dense = nil, cloud(t, 200, 3, 5, 4).Dense
	var all []string
	for _, method := range methodNames {
		all = append(all, method+":sum")
	}
	numbers := slices.DeleteFunc(slices.Clone(all), func(name string) bool { return name == "bayes:sum" }) // which are no counts
	heard := map[string]int{}
	for name, c := range map[string]struct {
		in  Input
		opt Options
	}{
		"edges that tell":      {telling, Options{}},
		"edges at random":      {random, Options{}},
		"features alone":       {dense, Options{}},
		"a learned graph":      {learning, Options{}},
		"unlike class sizes":   {skewed, Options{}},
		"edges alone":          {Input{Edges: telling.Edges, Seeds: telling.Seeds}, Options{}},
		"given class sizes":    {telling, Options{Run: adp.Options{Prior: []float64{5, 2, 1}}}},
		"each method, words":   {telling, Options{Pool: all}},
		"words alone":          {Input{Sparse: telling.Sparse, Seeds: telling.Seeds}, Options{Pool: []string{"lgc:sum", "bayes:sum", "distilled:sum"}}},
		"each method, numbers": {measured, Options{Pool: numbers}},
	} {
		if racing.On && !strings.HasPrefix(name, "each method") {
			continue
		}
		plain, err := Run(ctx, c.in, c.opt)
		if err != nil {
			t.Fatal(err)
		}
		c.opt.Explain = []int{0, 17, 101, 149}
		got, err := Run(ctx, c.in, c.opt)
		if err != nil {
			t.Fatal(err)
		}
		if name == "unlike class sizes" && (got.Combination.Bias == nil || got.Combination.Sizes == nil || got.Combination.Sizes[0] < 0.6) {
			t.Errorf("%s: bias %v, sizes %v, expected most of class 0", name, got.Combination.Bias, got.Combination.Sizes)
		}
		if !slices.Equal(got.F.Data, plain.F.Data) || !slices.Equal(got.Labels, plain.Labels) || plain.Why != nil || len(got.Why) != 4 {
			t.Fatalf("%s: to explain nodes changes the answer", name)
		}
		for k, why := range got.Why {
			if why.Node != c.opt.Explain[k] || why.Label != int(got.Labels[why.Node]) {
				t.Errorf("%s: node %d has label %d, expected %d of node %d", name, why.Node, why.Label, got.Labels[c.opt.Explain[k]], c.opt.Explain[k])
			}
			checkMixture(t, name, got, why)
			for at, v := range why.Members {
				heard[got.Combination.Members[at].Method]++
				checkReasons(t, name+", "+got.Combination.Members[at].Name(), why, &v)
			}
		}
	}
	for _, title := range methodTitles {
		if heard[title] < 8 && !racing.On {
			t.Errorf("%s: explained %d times", title, heard[title])
		}
	}
	for _, bad := range []int{-1, 200} {
		if _, err := Run(ctx, telling, Options{Explain: []int{bad}}); !errors.Is(err, adp.ErrOptions) {
			t.Errorf("node %d: %v", bad, err)
		}
	}
}

// checkMixture checks that weights times probabilities are those of the answer, and leads their difference.
func checkMixture(t *testing.T, name string, r *Result, why *Why) {
	t.Helper()
	c := r.F.Cols
	mixed, lead, total := make([]float64, c), 0.0, 0.0
	for k, v := range why.Members {
		lead += v.Lead
		for j, p := range v.Probabilities {
			mixed[j] += r.Combination.Members[k].Weight * p
		}
	}
	answer := slices.Clone(mixed)
	for j := range answer {
		if math.Abs(mixed[j]-why.Mixed[j]) > 1e-6 {
			t.Errorf("%s, node %d: members give class %d %v, the mixture %v", name, why.Node, j, mixed[j], why.Mixed[j])
		}
		if bias := r.Combination.Bias; bias != nil {
			answer[j] *= math.Exp(bias[j])
		}
		answer[j] = math.Pow(answer[j], r.Combination.Sharpness)
		if sizes := r.Combination.Sizes; sizes != nil {
			base := 1 / float64(c)
			if r.Prior != nil {
				base = r.Prior[j] / sumAll(r.Prior)
			}
			answer[j] *= sizes[j] / base
		}
		total += answer[j]
	}
	for j, p := range answer {
		if want := float64(r.F.At(why.Node, j)); math.Abs(p/total-want) > 1e-6 {
			t.Errorf("%s, node %d: class %d has %v by the members, %v in the answer", name, why.Node, j, p/total, want)
		}
	}
	if math.Abs(lead-(mixed[why.Label]-mixed[why.RunnerUp])) > 1e-9 {
		t.Errorf("%s, node %d: the leads sum to %v", name, why.Node, lead)
	}
	for j, p := range answer {
		if j != why.Label && p > answer[why.RunnerUp]+1e-9 {
			t.Errorf("%s, node %d: class %d is before the runner-up %d", name, why.Node, j, why.RunnerUp)
		}
	}
}

func sumAll(x []float64) (sum float64) {
	for _, v := range x {
		sum += v
	}
	return sum
}

// checkReasons checks that the reasons of a member add up to the lead of the label in its scores.
func checkReasons(t *testing.T, name string, why *Why, v *Voice) {
	t.Helper()
	if !v.Known {
		t.Errorf("%s, node %d: nothing is known", name, why.Node)
		return
	}
	lead := v.Scores[why.Label] - v.Scores[why.RunnerUp]
	size := 0.0
	for _, z := range v.Scores {
		size = max(size, math.Abs(z))
	}
	near := func(what string, got float64) {
		t.Helper()
		if !(math.Abs(got-lead) <= 2e-3*size) {
			t.Errorf("%s, node %d: %s sum to %v, expected the lead %v of scores up to %v", name, why.Node, what, got, lead, size)
		}
	}
	switch {
	case v.Seeds != nil:
		if v.OneRound {
			return
		}
		near("known labels", (v.Seeds.Scores[why.Label]-v.Seeds.Scores[why.RunnerUp])/sumAll(v.Seeds.Scores))
	case v.Degrees != nil:
		if len(v.Degrees) != 3 || slices.Min(v.Degrees) < 0 {
			t.Errorf("%s, node %d: degrees %v", name, why.Node, v.Degrees)
		}
	default:
		near("nodes", v.Nodes.Total+v.Prior)
		sums := []*Sum{v.Nodes}
		if v.Columns != nil {
			sums = append(sums, v.Columns)
		}
		if v.Columns != nil && !v.Smoothed {
			near("columns", v.Columns.Total+v.Prior)
		}
		for _, sum := range sums {
			total := 0.0
			for k, part := range sum.Parts {
				total += part.Amount
				if k > 0 && math.Abs(part.Amount) > math.Abs(sum.Parts[k-1].Amount) {
					t.Errorf("%s, node %d: part %d is larger than the one before", name, why.Node, k)
				}
			}
			if math.Abs(total-sum.Total) > 1e-9 {
				t.Errorf("%s, node %d: parts sum to %v, expected %v", name, why.Node, total, sum.Total)
			}
		}
	}
}

// TestWhySmoothed: the columns of a smoothed guess add up to what the guess before says of the nodes without a
// known label, by the dense weights of smoothing.
func TestWhySmoothed(t *testing.T) {
	ctx := context.Background()
	in, _ := words(t, 60, 3, 90, 0.6, 4)
	opt := Options{Pool: []string{"al:sum", "al-smoothed:sum"}}
	for i := range 60 {
		opt.Explain = append(opt.Explain, i)
	}
	g, err := NewGraph(ctx, in, GraphOptions{Fixed: true})
	if err != nil {
		t.Fatal(err)
	}
	r, err := LabelInput(ctx, in, g, opt)
	if err != nil {
		t.Fatal(err)
	}
	w := oracle.New(60, 60)
	for i := range 60 {
		cols, values := g.W.Row(i)
		for k, j := range cols {
			w[i][j] = float64(values[k])
		}
	}
	k := oracle.Inverse(oracle.Add(1, oracle.Identity(60), -0.8, oracle.NormalizeSym(w)))
	known := in.Seeds.Mask()
	for i, why := range r.Why {
		want, all := 0.0, 0.0
		for l, other := range r.Why {
			all += k[i][l]
			if z := other.Members[0].Scores; !known[l] {
				want += k[i][l] * (z[why.Label] - z[why.RunnerUp])
			}
		}
		if got := why.Members[1].Columns.Total; math.Abs(got-want/all) > 1e-3*math.Abs(want/all)+1e-4 {
			t.Errorf("node %d: columns sum to %v, expected %v", i, got, want/all)
		}
	}
}
