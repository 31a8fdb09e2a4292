package adp

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/panics"
)

// TestHoldOutAsRuns: the hits are those of runs on the folds, for each of
// the options on the same folds, and again for each repetition.
func TestHoldOutAsRuns(t *testing.T) {
	w, y := noiseGraph(t)
	options := []Options{{Method: LGC}, {Method: LGC, Alpha: 0.5}}
	held, err := HoldOut(context.Background(), w, y, options, 3, 2, 9)
	if err != nil {
		t.Fatal(err)
	}
	for k, opt := range options {
		var want HeldOut
		for repeat := range uint64(2) {
			for train, hidden := range Folds(y, 3, 9+repeat) {
				r, err := Run(context.Background(), w, train, opt)
				if err != nil {
					t.Fatal(err)
				}
				for _, s := range hidden {
					want = append(want, r.Labels[s.Node] == int32(s.Class))
				}
			}
		}
		if !slices.Equal(held[k], want) || len(want) != 180 {
			t.Errorf("options %d: %v, expected %v", k, held[k], want)
		}
	}
	if _, err := HoldOut(context.Background(), w, y, options, 1, 2, 9); !errors.Is(err, ErrOptions) {
		t.Errorf("one fold: %v", err)
	}
	if slices.Equal(held[0], held[1]) {
		t.Error("both options are right on the same seeds: the test tells little")
	}
	if slices.Equal(held[0][:90], held[0][90:]) {
		t.Error("the repetition dealt the seeds as before")
	}
}

func TestHeldOutScores(t *testing.T) {
	a, b := HeldOut{true, true, true, false}, HeldOut{true, false, false, true}
	if share, deviation := a.Accuracy(); share != 0.75 || math.Abs(deviation-math.Sqrt(0.75*0.25/4)) > 1e-12 {
		t.Errorf("%v ± %v", share, deviation)
	}
	if share, deviation := (HeldOut{true, true}).Accuracy(); share != 1 || deviation != 0.25 {
		t.Errorf("all right: %v ± %v", share, deviation)
	}
	if share, deviation := (HeldOut{}).Accuracy(); share != 0 || deviation != 1 {
		t.Errorf("none: %v ± %v", share, deviation)
	}
	if won, lost := a.Beats(b); won != 2 || lost != 1 {
		t.Errorf("won %d, lost %d", won, lost)
	}
}

func TestHoldOutOfNothing(t *testing.T) {
	y, err := diffuse.HardSeeds([]int{0, 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ folds, repeats int }{{1, 1}, {2, 0}, {2, -1}} {
		held, err := HoldOut(context.Background(), csr.Identity(2), y, []Options{{}}, test.folds, test.repeats, 1)
		if !errors.Is(err, ErrOptions) {
			t.Errorf("%+v: %v, %v", test, held, err)
		}
	}
}

func TestBeatsOfOtherFolds(t *testing.T) {
	for _, two := range [][2]HeldOut{{{true}, {true, false}}, {{true, false}, {true}}} {
		if said := panics.Of(func() { two[0].Beats(two[1]) }); !strings.HasPrefix(said, "adp: ") {
			t.Errorf("%v: %q", two, said)
		}
	}
}

func TestRanksRefuseByField(t *testing.T) {
	err := Options{Method: GFHF, Start: &csr.Dense{}, ClassColumns: 3, Scratch: "x"}.forRanks()
	if said := strings.Split(fmt.Sprint(err), "\n"); len(said) != 4 || !errors.Is(err, ErrOptions) || !strings.Contains(said[0], "method gfhf") || !strings.Contains(said[2], "3 class columns") {
		t.Errorf("%q", said)
	}
	if err := (Options{Method: ADP1}).forRanks(); err != nil {
		t.Error(err)
	}
}
