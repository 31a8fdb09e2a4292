package crossval

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp/internal/planted"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/panics"
)

// TestHoldOut: the hits are those of a method on the folds, the same folds for every method, and other
// folds for each repetition. The errors of a method come back.
func TestHoldOut(t *testing.T) {
	w, y := planted.Noisy(t)
	g := diffuse.Normalize(w, 1)
	labels := func(alpha float64) func(train *diffuse.Seeds) ([]int32, error) {
		return func(train *diffuse.Seeds) ([]int32, error) {
			f, _, err := diffuse.LGC(context.Background(), g, train, diffuse.Options{Alpha: alpha})
			if err != nil {
				return nil, err
			}
			labels := make([]int32, f.Rows)
			for i := range labels {
				labels[i] = diffuse.TopOf(f.Row(i)).Class
			}
			return labels, nil
		}
	}
	var held [2]Hits
	for k, alpha := range []float64{0.99, 0.5} {
		var err error
		if held[k], err = HoldOut(y, 3, 2, 9, labels(alpha)); err != nil {
			t.Fatal(err)
		}
		want, order := map[uint32]float64{}, []uint32(nil)
		for repeat := range uint64(2) {
			for train, hidden := range Folds(y, 3, 9+repeat) {
				of, err := labels(alpha)(train)
				if err != nil {
					t.Fatal(err)
				}
				for _, s := range hidden {
					if repeat == 0 {
						order = append(order, s.Node)
					}
					if of[s.Node] == int32(s.Class) {
						want[s.Node] += 0.5
					}
				}
			}
		}
		if len(held[k]) != 90 || len(order) != 90 {
			t.Fatalf("alpha %v: hits of %d seeds, %d left out", alpha, len(held[k]), len(order))
		}
		for i, node := range order {
			if held[k][i] != want[node] {
				t.Errorf("alpha %v: node %d is right in %v of the repetitions, expected %v", alpha, node, held[k][i], want[node])
			}
		}
	}
	if slices.Equal(held[0], held[1]) {
		t.Error("both methods are right on the same seeds: the test tells little")
	}
	if !slices.Contains(held[0], 0.5) {
		t.Error("the repetition dealt the seeds as before")
	}
	if _, err := HoldOut(y, 3, 1, 9, labels(2)); !errors.Is(err, diffuse.ErrOptions) {
		t.Errorf("alpha 2: %v", err)
	}
}

func TestHits(t *testing.T) {
	a, b := Hits{1, 1, 1, 0}, Hits{1, 0, 0, 1}
	if share, deviation := a.Accuracy(); share != 0.75 || math.Abs(deviation-math.Sqrt(0.75*0.25/4)) > 1e-12 {
		t.Errorf("%v ± %v", share, deviation)
	}
	if share, deviation := (Hits{1, 1}).Accuracy(); share != 1 || deviation != 0.25 {
		t.Errorf("all right: %v ± %v", share, deviation)
	}
	if share, deviation := (Hits{}).Accuracy(); share != 0 || deviation != 1 {
		t.Errorf("none: %v ± %v", share, deviation)
	}
	if won, lost, lead := a.Beats(b); won != 2 || lost != 1 || math.Abs(lead-1/math.Sqrt(3)) > 1e-12 {
		t.Errorf("won %d, lost %d, lead %v", won, lost, lead)
	}
	if won, lost, lead := (Hits{0.5, 1, 0}).Beats(Hits{1, 0, 0}); won != 1 || lost != 1 || math.Abs(lead-0.5/math.Sqrt(1.25)) > 1e-12 {
		t.Errorf("shares: won %d, lost %d, lead %v", won, lost, lead)
	}
}

// TestRepetitionsOfSeeds: the standard error is over seeds. A method that repeats itself has that of one repetition.
func TestRepetitionsOfSeeds(t *testing.T) {
	labels := make([]int, 40)
	for i := range labels {
		labels[i] = i % 2
	}
	y, err := diffuse.HardSeeds(labels)
	if err != nil {
		t.Fatal(err)
	}
	var want float64
	for _, repeats := range []int{1, 9} {
		held, err := HoldOut(y, 4, repeats, 1, func(*diffuse.Seeds) ([]int32, error) {
			return make([]int32, 40), nil // the class of every other seed
		})
		if err != nil {
			t.Fatal(err)
		}
		share, deviation := held.Accuracy()
		if repeats == 1 {
			want = deviation
		}
		if len(held) != 40 || math.Abs(share-0.5) > 1e-12 || math.Abs(deviation-want) > 1e-12 || math.Abs(want-math.Sqrt(0.25/40)) > 1e-12 {
			t.Errorf("%d repetitions: %v ± %v of %d seeds, expected 0.5 ± %v of 40", repeats, share, deviation, len(held), want)
		}
	}
}

func TestHoldOutOfNothing(t *testing.T) {
	y, err := diffuse.HardSeeds([]int{0, 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ folds, repeats int }{{1, 1}, {2, 0}, {2, -1}} {
		held, err := HoldOut(y, test.folds, test.repeats, 1, nil)
		if !errors.Is(err, diffuse.ErrOptions) {
			t.Errorf("%+v: %v, %v", test, held, err)
		}
	}
}

// TestHoldOutOfFewLabels: label returns a class for each node.
func TestHoldOutOfFewLabels(t *testing.T) {
	y, err := diffuse.HardSeeds([]int{0, 0, 1, 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 3, 5} {
		held, err := HoldOut(y, 2, 1, 1, func(*diffuse.Seeds) ([]int32, error) { return make([]int32, n), nil })
		if !errors.Is(err, diffuse.ErrOptions) || !strings.Contains(err.Error(), "expected one for each of 4 nodes") {
			t.Errorf("%d labels: %v, %v", n, held, err)
		}
	}
}

func TestBeatsOfOtherFolds(t *testing.T) {
	for _, two := range [][2]Hits{{{1}, {1, 0}}, {{1, 0}, {1}}} {
		if said := panics.Of(func() { two[0].Beats(two[1]) }); !strings.HasPrefix(said, "crossval: ") {
			t.Errorf("%v: %q", two, said)
		}
	}
}
