package calibrate

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// draw returns n cases, of even ranks, right with the probability of m.
func draw(n int, m Model, seed uint64) []Case {
	rng := rand.New(rand.NewPCG(seed, 1))
	cases := make([]Case, n)
	for k := range cases {
		rank := (float64(k) + 0.5) / float64(n)
		cases[k] = Case{Rank: rank, Right: rng.Float64() < 1/(1+math.Exp(-(m.Intercept+m.Slope*math.Sqrt(12)*(rank-0.5)))), Fold: k % 5}
	}
	rng.Shuffle(n, func(a, b int) { cases[a], cases[b] = cases[b], cases[a] })
	return cases
}

// TestFitRecoversALogistic: with many cases the prior is nothing and the fit
// is the model that the outcomes were drawn from; the tolerance is four
// standard errors of n = 20,000 at the slowest of these curves.
func TestFitRecoversALogistic(t *testing.T) {
	for seed, want := range []Model{{0, 1}, {1.5, 2}, {-1, 0.5}, {2, 0}, {0.3, 4}} {
		got := Fit(draw(20000, want, uint64(seed)))
		if math.Abs(got.Intercept-want.Intercept) > 0.15 || math.Abs(got.Slope-want.Slope) > 0.2 {
			t.Errorf("drawn from %+v, fitted %+v", want, got)
		}
	}
}

// TestFitIsTheOptimum: no model of a fine grid around it, with slope ≥ 0, has a
// larger posterior density, written here anew.
func TestFitIsTheOptimum(t *testing.T) {
	posterior := func(cases []Case, a, b float64) float64 {
		log := -(b-1)*(b-1)/2 - math.Log(1+math.Exp(-a))/2 - math.Log(1+math.Exp(a))/2
		for _, c := range cases {
			p := 1 / (1 + math.Exp(-(a + b*math.Sqrt(12)*(c.Rank-0.5))))
			if !c.Right {
				p = 1 - p
			}
			log += math.Log(p)
		}
		return log
	}
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 3))
		from := Model{4 * (rng.Float64() - 0.5), 4 * (rng.Float64() - 0.5)}
		cases := draw(1+rng.IntN(60), from, seed)
		m := Fit(cases)
		if !(m.Slope >= 0) {
			t.Fatalf("seed %d: slope %v", seed, m.Slope)
		}
		best := posterior(cases, m.Intercept, m.Slope)
		for _, step := range []float64{1e-3, 0.1, 1} {
			for _, d := range [][2]float64{{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}, {1, -1}, {-1, 1}} {
				a, b := m.Intercept+step*d[0], m.Slope+step*d[1]
				if b >= 0 && posterior(cases, a, b) > best+1e-9 {
					t.Errorf("seed %d, %d cases: (%v, %v) is better than %+v", seed, len(cases), a, b, m)
				}
			}
		}
	}
}

// TestModelIsMonotone, stays inside (0,1), and is finite where all cases are
// alike or in perfect order.
func TestModelIsMonotone(t *testing.T) {
	ordered := draw(40, Model{}, 1)
	for k := range ordered {
		ordered[k].Right = ordered[k].Rank > 0.3
	}
	all := slices.Clone(ordered)
	none := slices.Clone(ordered)
	backward := slices.Clone(ordered)
	for k := range all {
		all[k].Right, none[k].Right, backward[k].Right = true, false, ordered[k].Rank < 0.5
	}
	for name, cases := range map[string][]Case{"ordered": ordered, "all right": all, "none right": none, "backward": backward, "no cases": nil} {
		m := Fit(cases)
		last := 0.0
		for k := range 101 {
			p := m.P(float64(k) / 100)
			if !(p > 0 && p < 1) || p < last {
				t.Fatalf("%s: %+v: P(%v) = %v after %v", name, m, float64(k)/100, p, last)
			}
			last = p
		}
	}
	if m := Fit(backward); m.Slope != 0 {
		t.Errorf("confidence that misleads: %+v, want slope 0", m)
	}
}

// TestFitOfNothing: it is the mode of the prior.
func TestFitOfNothing(t *testing.T) {
	if m := Fit(nil); math.Abs(m.Intercept) > 1e-9 || math.Abs(m.Slope-1) > 1e-9 || math.Abs(m.P(0.5)-0.5) > 1e-9 {
		t.Errorf("no cases: %+v, P(1/2) = %v", m, m.P(0.5))
	}
}

// TestECE: probabilities that hold have an error near 0, which falls with the
// cases; probabilities that say too much by 0.2 have 0.2; a diagram by hand.
func TestECE(t *testing.T) {
	const n = 100000
	rng := rand.New(rand.NewPCG(5, 1))
	p, more, right := make([]float64, n), make([]float64, n), make([]bool, n)
	for k := range p {
		p[k] = 0.8 * rng.Float64()
		more[k] = p[k] + 0.2
		right[k] = rng.Float64() < p[k]
	}
	bins := Reliability(p, right)
	if e := ECE(bins); len(bins) != 10 || bins[3].Cases != n/10 || e > 0.01 {
		t.Errorf("perfect probabilities: ECE %v, bins %v", e, bins)
	}
	if e := ECE(Reliability(more, right)); math.Abs(e-0.2) > 0.01 {
		t.Errorf("0.2 too much: ECE %v", e)
	}
	got := Reliability([]float64{0.9, 0.1, 0.3}, []bool{true, true, false})
	if len(got) != 1 || got[0].Cases != 3 || math.Abs(got[0].Mean-1.3/3) > 1e-12 || math.Abs(got[0].Right-2.0/3) > 1e-12 {
		t.Errorf("one bin by hand: %v", got)
	}
	ordered := Reliability(p[:57], right[:57])
	if len(ordered) != 2 || ordered[0].Cases+ordered[1].Cases != 57 || ordered[0].Mean > ordered[1].Mean {
		t.Errorf("57 cases: %v", ordered)
	}
	// One probability for all is one bin, whatever the order of the outcomes.
	same, half := make([]float64, 100), make([]bool, 100)
	for k := range same {
		same[k], half[k] = 0.5, k < 50
	}
	if flat := Reliability(same, half); len(flat) != 1 || flat[0].Cases != 100 || ECE(flat) > 1e-12 {
		t.Errorf("equal probabilities: %v", flat)
	}
	// Runs of equal probabilities across the cuts are whole, in any order of the cases.
	runs, wins := make([]float64, 100), make([]bool, 100)
	for k := range runs {
		runs[k], wins[k] = []float64{0.25, 0.5, 0.5, 0.5, 0.75}[k/20], k%3 == 0
	}
	want := Reliability(runs, wins)
	if len(want) != 3 || want[1].Cases != 60 {
		t.Errorf("runs of 20, 60 and 20: %v", want)
	}
	for range 20 {
		rng.Shuffle(len(runs), func(a, b int) { runs[a], runs[b], wins[a], wins[b] = runs[b], runs[a], wins[b], wins[a] })
		if got := Reliability(runs, wins); !slices.Equal(got, want) {
			t.Errorf("in another order %v, expected %v", got, want)
		}
	}
	if ECE(nil) != 0 || Reliability(nil, nil) != nil {
		t.Error("no cases")
	}
}

// TestRanking compares ranks with counts.
func TestRanking(t *testing.T) {
	values := []float32{3, 1, 2, 2, 5, 2}
	r := NewRanking(slices.Clone(values))
	for _, v := range []float32{0, 1, 1.5, 2, 3, 4, 5, 6} {
		want := 0.5
		for _, x := range values {
			if x < v {
				want++
			} else if x == v {
				want += 0.5
			}
		}
		if got := r.At(v); math.Abs(got-want/7) > 1e-12 {
			t.Errorf("rank of %v is %v, want %v", v, got, want/7)
		}
	}
	if NewRanking(nil).At(3) != 0.5 {
		t.Error("rank among none")
	}
}

// TestCrossed: a case has no part in its own probability.
func TestCrossed(t *testing.T) {
	cases := draw(50, Model{0, 1}, 2)
	before := Crossed(cases)
	for k := range cases {
		if cases[k].Fold == 3 {
			cases[k].Right = !cases[k].Right
		}
	}
	after := Crossed(cases)
	var others []Case
	for _, c := range cases {
		if c.Fold != 3 {
			others = append(others, c)
		}
	}
	m := Fit(others)
	for k, c := range cases {
		if (c.Fold == 3) != (after[k] == before[k]) {
			t.Errorf("fold %d: %v before, %v after fold 3 changed", c.Fold, before[k], after[k])
		}
		if c.Fold == 3 && after[k] != m.P(c.Rank) {
			t.Errorf("case %d: %v, want the model of the other folds, %v", k, after[k], m.P(c.Rank))
		}
	}
}
