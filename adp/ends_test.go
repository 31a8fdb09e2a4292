package adp

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp/score"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// unlikeGraph returns a graph of more than 1,000 nodes whose degrees are unlike: classes that an edge leaves
// with the given chance, and hubs.
func unlikeGraph(t *testing.T, out float64, seed uint64) (*csr.Matrix, *diffuse.Seeds) {
	t.Helper()
	const n, c = 1200, 3
	rng := rand.New(rand.NewPCG(seed, 3))
	edges := &csr.Edges{}
	for i := range n {
		for range 4 {
			j := int(float64(n) * math.Pow(rng.Float64(), 3)) // the first nodes are hubs
			if rng.Float64() > out {
				j += (i - j) % c // of i's class
			}
			if j = min(max(j, 0), n-1); i != j {
				edges.Src, edges.Dst, edges.Weight = append(edges.Src, uint32(i)), append(edges.Dst, uint32(j)), append(edges.Weight, 1)
			}
		}
	}
	w, _, err := csr.FromEdges(n, edges, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var list []diffuse.Seed
	for k := range 3 * 8 {
		list = append(list, diffuse.Seed{Node: uint32(500 + 7*k), Class: uint32((500 + 7*k) % c), Weight: 1})
	}
	y, err := diffuse.NewSeeds(n, c, list)
	if err != nil {
		t.Fatal(err)
	}
	return w, y
}

// TestScreen: whether a run makes rounds is what an A-step on the edges of S says, made here by [diffuse.AStep] and
// [diffuse.LGC]; it stops after a first round that does not gain or that the next would
// repeat; and F of round 0 is that of LGC.
func TestScreen(t *testing.T) {
	ctx := context.Background()
	var screened, stopped, ran int
	for seed := range uint64(24) {
		w, y := unlikeGraph(t, 0.1+0.035*float64(seed), seed)
		if v := (*rankRows)(nil).degreeVariation(w); v <= maxDegreeVariation {
			t.Fatalf("degrees vary by %v", v)
		}
		lgc, err := Run(ctx, w, y, Options{Method: LGC})
		if err != nil {
			t.Fatal(err)
		}
		r, err := Run(ctx, w, y, Options{KeepFirst: true})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(lgc.F.Data, r.First.Data) {
			t.Fatalf("graph %d: F of round 0 has other bits than LGC", seed)
		}
		g := diffuse.Normalize(w, 1)
		h := diffuse.NewFactor(lgc.F, diffuse.SqrtMargin)
		a, err := diffuse.AStep(ctx, g.S, nil, h, diffuse.AffinityOptions{TopK: 5, Anchor: 0.5, Alpha: 0.9, Zeta: 0.5 / h.MeanRowSum(nil)})
		if err != nil {
			t.Fatal(err)
		}
		f, _, err := diffuse.LGC(ctx, diffuse.Normalize(a, 1), y, diffuse.Options{Tolerance: 1e-5, Within: g})
		if err != nil {
			t.Fatal(err)
		}
		labels := make([]int32, f.Rows)
		for i := range labels {
			labels[i] = diffuse.TopOf(f.Row(i)).Class
		}
		before := score.OnGraph(w, lgc.Labels, 3).Association
		loss := (before - score.OnGraph(w, labels, 3).Association) / (1 - before)
		if math.Abs(loss-screenLoss) < 0.003 {
			continue // too close to tell by other tolerances
		}
		gained := slices.ContainsFunc(r.Rounds, func(round Round) bool { return round.Association > r.Rounds[0].Association })
		if r.Trial.Untried == gained {
			t.Errorf("graph %d: a learned graph gained: %v, untried: %v", seed, gained, r.Trial.Untried)
		}
		switch rounds := len(r.Rounds); {
		case (loss > screenLoss) != (rounds == 1):
			t.Errorf("graph %d: %d rounds, where the cut grows by %.4f", seed, rounds, loss)
		case rounds == 1:
			screened++
		case r.Rounds[1].Association <= r.Rounds[0].Association:
			stopped++
			if rounds != 2 {
				t.Errorf("graph %d: %d rounds after a first one that lost", seed, rounds)
			}
		default:
			ran++
			for k, round := range r.Rounds[1:] {
				if !round.Fresh {
					t.Errorf("graph %d: round %d is of %+v", seed, k+1, round.Setting)
				}
			}
		}
	}
	t.Logf("%d screened out, %d stopped after a round, %d went on", screened, stopped, ran)
	if screened == 0 || ran == 0 {
		t.Errorf("%d screened out, %d stopped after a round, %d went on: the test tells nothing", screened, stopped, ran)
	}
}

// TestFades: a setting ends where association falls and weighs little or two rounds add little to the gain, a fresh one where
// a round does.
func TestFades(t *testing.T) {
	for _, test := range []struct {
		name  string
		gains []float64 // of the rounds of one setting
		fresh bool
		want  bool
	}{
		{"the first round loses", []float64{-0.1}, false, false},
		{"falls below LGC", []float64{0.01, -0.1}, false, true},
		{"rises below LGC", []float64{-0.2, -0.1}, false, false},
		{"falls by a little", []float64{0.10, 0.09}, false, false},
		{"falls by much", []float64{0.10, 0.05}, false, true},
		{"rises, far behind the first", []float64{0.10, 0.04, 0.05}, false, true},
		{"one round more", []float64{0.10, 0.105}, false, false},
		{"two rounds, a little more", []float64{0.10, 0.105, 0.110}, false, true},
		{"two rounds, more", []float64{0.10, 0.105, 0.112}, false, false},
		{"two rounds, more in the first", []float64{0.10, 0.115, 0.114}, false, false},
		{"no growth for two rounds", []float64{0.10, 0.12, 0.119, 0.118}, false, true},
		{"growth after a fall", []float64{0.10, 0.12, 0.119, 0.135}, false, false},
		{"two falls", []float64{0.10, 0.098, 0.097}, false, true},
		{"rises below LGC for three rounds", []float64{-0.3, -0.2, -0.1}, false, false},
		{"falls below LGC twice", []float64{-0.1, -0.2, -0.3}, false, true},
		{"fresh, the first", []float64{0.10}, true, false},
		{"fresh, no gain", []float64{-0.10}, true, true},
		{"fresh, a little more", []float64{0.10, 0.11}, true, true},
		{"fresh, more", []float64{0.10, 0.112}, true, false},
		{"fresh, less", []float64{0.10, 0.09}, true, true},
	} {
		r := &run{opt: Options{Select: Full}, y: &diffuse.Seeds{Nodes: 1000}}
		r.Rounds, r.Mix.power = []Round{{Association: 0.5}}, 8
		for _, gain := range test.gains {
			r.Rounds = append(r.Rounds, Round{Setting: Setting{TopK: 5, Fresh: test.fresh}, Association: 0.5 + gain})
			r.Mix.Top = max(r.Mix.Top, gain)
			r.Step++
		}
		if got := r.fades(); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
		if r.opt.Select = None; r.fades() {
			t.Errorf("%s: fades without a choice", test.name)
		}
	}
}

// TestSaturates: a larger k is not tried where the last larger k gained hardly more.
func TestSaturates(t *testing.T) {
	grown := []Setting{{TopK: 5, GraphAlpha: 0.9}, {TopK: 5, GraphAlpha: 0.99}, {TopK: 10, GraphAlpha: 0.99}, {TopK: 40, GraphAlpha: 0.99}}
	for _, test := range []struct {
		name     string
		settings []Setting
		gains    []float64
		want     bool
	}{
		{"as much", grown, []float64{0.1, 0.1, 0.1}, true},
		{"a little more", grown, []float64{0, 0.1, 0.101}, true},
		{"more", grown, []float64{0, 0.1, 0.103}, false},
		{"no gain", grown, []float64{0.1, 0, -0.1}, false},
		{"another alpha before", grown[:3], []float64{0.1, 0.1}, false},
		{"the same k before", []Setting{grown[1], grown[1], grown[2]}, []float64{0.1, 0.1}, false},
	} {
		r := &run{opt: Options{Select: Full}}
		r.Rounds = []Round{{Association: 0.5}}
		for k, gain := range test.gains {
			r.Rounds = append(r.Rounds, Round{Setting: test.settings[k], Association: 0.5 + gain}, Round{Setting: test.settings[k], Association: 0.4})
		}
		if got := r.saturates(test.settings, len(test.gains)); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}
