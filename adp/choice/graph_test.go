package choice

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/crossval"
	"github.com/adp-sparse/adp-sparse/adp/internal/planted"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// graphsOfTruth returns a graph in which classes are joined, one that knows
// nothing of them, and seeds.
func graphsOfTruth(t *testing.T, perClass int) (good, bad *csr.Matrix, y *diffuse.Seeds) {
	t.Helper()
	good, y = planted.Graph(t, 300, 3, perClass, 5)
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

// heldOut returns the hits of runs on the folds of a choice.
func heldOut(t *testing.T, w *csr.Matrix, y *diffuse.Seeds, opt adp.Options) crossval.Hits {
	t.Helper()
	held, err := crossval.HoldOut(y, crossval.ChoiceFolds, 1, crossval.ChoiceSeed, func(train *diffuse.Seeds) ([]int32, error) {
		r, err := adp.Run(context.Background(), w, train, opt)
		if err != nil {
			return nil, err
		}
		return r.Labels, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return held
}

// TestGraph: the graph that knows the classes is taken, whichever comes
// first, and each graph's accuracy and lead are those of runs on the same folds.
func TestGraph(t *testing.T) {
	good, bad, y := graphsOfTruth(t, 10)
	ctx := context.Background()
	give := func(w *csr.Matrix) func() (*csr.Matrix, error) {
		return func() (*csr.Matrix, error) { return w, nil }
	}
	for _, threads := range []int{1, 3} {
		w, trials, err := Graph(ctx, bad, "bad", []Rival{{"again", give(bad)}, {"none", give(nil)}, {"good", give(good)}}, 0, y, adp.Options{Threads: threads})
		if err != nil || w != good || len(trials) != 3 || !trials[2].Chosen || trials[0].Chosen || trials[1].Chosen || trials[1].Lead != 0 || trials[2].Lead < graphLead {
			t.Fatalf("%+v, %v", trials, err)
		}
		for k, graph := range []*csr.Matrix{bad, bad, good} {
			held := heldOut(t, graph, y, adp.Options{Method: adp.LGC})
			if share, _ := held.Accuracy(); math.Abs(share-trials[k].Accuracy) > 1e-12 || len(held) != trials[k].LeftOut {
				t.Errorf("%s: accuracy %v of %d, by runs %v of %d", trials[k].Graph, trials[k].Accuracy, trials[k].LeftOut, share, len(held))
			}
		}
	}
	w, trials, err := Graph(ctx, good, "good", []Rival{{"bad", give(bad)}}, 0, y, adp.Options{})
	if err != nil || w != good || !trials[0].Chosen {
		t.Errorf("beside a bad rival: %+v, %v", trials, err)
	}
}

// TestGraphByLead: of graphs that know nothing some are ahead by chance, and
// none is taken.
func TestGraphByLead(t *testing.T) {
	good, bad, y := graphsOfTruth(t, 10)
	var rivals []Rival
	for seed := range uint64(8) {
		rivals = append(rivals, Rival{"bad", func() (*csr.Matrix, error) { return mixedUp(t, good, 10+seed), nil }})
	}
	w, trials, err := Graph(context.Background(), bad, "first", rivals, 0, y, adp.Options{})
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

// TestGraphMakesNoRival where none could win: no seed can be left out, or
// the first graph has too few wrong. Nor where it leaves no doubt.
func TestGraphMakesNoRival(t *testing.T) {
	refuse := []Rival{{"no", func() (*csr.Matrix, error) { return nil, errors.New("made") }}}
	good, bad, y := graphsOfTruth(t, 10)
	_, _, single := graphsOfTruth(t, 1)
	right, _ := heldOut(t, bad, y, adp.Options{Method: adp.LGC}).Accuracy()
	wrong := 1 - right
	for _, test := range []struct {
		w     *csr.Matrix
		y     *diffuse.Seeds
		doubt float64
		tried int
	}{{good, y, 0, 1}, {bad, single, 0, 0}, {bad, y, wrong + 1e-9, 1}} {
		w, trials, err := Graph(context.Background(), test.w, "first", refuse, test.doubt, test.y, adp.Options{})
		if err != nil || w != test.w || len(trials) != test.tried {
			t.Errorf("%+v, %v", trials, err)
		}
	}
	if _, _, err := Graph(context.Background(), bad, "first", refuse, wrong-1e-9, y, adp.Options{}); err == nil || err.Error() != "made" {
		t.Errorf("the fault of a rival is lost: %v", err)
	}
}
