package adp

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// graphsOfTruth returns a graph in which classes are joined, one that knows
// nothing of them, and seeds.
func graphsOfTruth(t *testing.T, perClass int) (good, bad *csr.Matrix, y *diffuse.Seeds) {
	t.Helper()
	good, y = plantedGraph(t, 300, 3, perClass, 5)
	return good, mixedUp(t, good, 3), y
}

// mixedUp returns the graph with its edges between other nodes.
func mixedUp(t *testing.T, good *csr.Matrix, seed uint64) *csr.Matrix {
	t.Helper()
	to := rand.New(rand.NewPCG(seed, 3)).Perm(300)
	e := &csr.Edges{}
	for i := range 300 {
		cols, _ := good.Row(i)
		for _, j := range cols {
			if int(j) > i {
				e.Src, e.Dst = append(e.Src, uint32(to[i])), append(e.Dst, uint32(to[j]))
			}
		}
	}
	bad, _, err := csr.FromEdges(300, e, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return bad
}

// TestChooseGraph: the graph that knows the classes is taken, whichever comes
// first, and each graph's accuracy and lead are those of runs on the same folds.
func TestChooseGraph(t *testing.T) {
	good, bad, y := graphsOfTruth(t, 10)
	ctx := context.Background()
	give := func(w *csr.Matrix) func() (*csr.Matrix, error) {
		return func() (*csr.Matrix, error) { return w, nil }
	}
	for _, threads := range []int{1, 3} {
		w, trials, err := ChooseGraph(ctx, bad, "bad", []Rival{{"again", give(bad)}, {"none", give(nil)}, {"good", give(good)}}, y, Options{Threads: threads})
		if err != nil || w != good || len(trials) != 3 || !trials[2].Chosen || trials[0].Chosen || trials[1].Chosen || trials[1].Lead != 0 || trials[2].Lead < graphLead {
			t.Fatalf("%+v, %v", trials, err)
		}
		for k, graph := range []*csr.Matrix{bad, bad, good} {
			held, err := HoldOut(ctx, graph, y, []Options{{Method: LGC}}, trialFolds, 1, trialSeed)
			if err != nil {
				t.Fatal(err)
			}
			if share, _ := held[0].Accuracy(); math.Abs(share-trials[k].Accuracy) > 1e-12 || len(held[0]) != trials[k].LeftOut {
				t.Errorf("%s: accuracy %v of %d, by runs %v of %d", trials[k].Graph, trials[k].Accuracy, trials[k].LeftOut, share, len(held[0]))
			}
		}
	}
	w, trials, err := ChooseGraph(ctx, good, "good", []Rival{{"bad", give(bad)}}, y, Options{})
	if err != nil || w != good || !trials[0].Chosen {
		t.Errorf("beside a bad rival: %+v, %v", trials, err)
	}
}

// TestChooseGraphByLead: of graphs that know nothing some are ahead by chance, and
// none is taken.
func TestChooseGraphByLead(t *testing.T) {
	good, bad, y := graphsOfTruth(t, 10)
	var rivals []Rival
	for seed := range uint64(8) {
		rivals = append(rivals, Rival{"bad", func() (*csr.Matrix, error) { return mixedUp(t, good, 10+seed), nil }})
	}
	w, trials, err := ChooseGraph(context.Background(), bad, "first", rivals, y, Options{})
	ahead := 0
	for _, trial := range trials {
		if trial.Lead > 0.5 {
			ahead++
		}
	}
	if err != nil || w != bad || !trials[0].Chosen || ahead == 0 {
		t.Errorf("%d ahead: %+v, %v", ahead, trials, err)
	}
}

// TestChooseGraphMakesNoRival where none could win: no seed can be left out, or
// the first graph has too few wrong.
func TestChooseGraphMakesNoRival(t *testing.T) {
	refuse := []Rival{{"no", func() (*csr.Matrix, error) { return nil, errors.New("made") }}}
	good, bad, y := graphsOfTruth(t, 10)
	_, _, single := graphsOfTruth(t, 1)
	for _, test := range []struct {
		w     *csr.Matrix
		y     *diffuse.Seeds
		tried int
	}{{good, y, 1}, {bad, single, 0}} {
		w, trials, err := ChooseGraph(context.Background(), test.w, "first", refuse, test.y, Options{})
		if err != nil || w != test.w || len(trials) != test.tried {
			t.Errorf("%+v, %v", trials, err)
		}
	}
	if _, _, err := ChooseGraph(context.Background(), bad, "first", refuse, y, Options{}); err == nil || err.Error() != "made" {
		t.Errorf("the fault of a rival is lost: %v", err)
	}
}
