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

// TestScreen: whether a run makes rounds is what an A-step on the edges of S says, made here by [Teach] and
// [diffuse.LGC]; it stops after a first round that does not gain; and where it goes on, F of round
// 0 is as before.
func TestScreen(t *testing.T) {
	ctx := context.Background()
	var screened, stopped, ran int
	for seed := range uint64(24) {
		w, y := unlikeGraph(t, 0.1+0.035*float64(seed), seed)
		if v := (*rankRows)(nil).degreeVariation(w); v <= MaxDegreeVariation {
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
		a, err := Teach(ctx, g.S, lgc.F, Options{TopK: 5, Anchor: 0.5, GraphAlpha: 0.9})
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
			if ran++; rounds < 3 {
				t.Errorf("graph %d: one round, which gained", seed)
			}
		}
	}
	t.Logf("%d screened out, %d stopped after a round, %d went on", screened, stopped, ran)
	if screened == 0 || ran == 0 {
		t.Errorf("%d screened out, %d stopped after a round, %d went on: the test tells nothing", screened, stopped, ran)
	}
}
