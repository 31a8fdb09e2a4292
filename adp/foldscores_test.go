package adp

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp/crossval"
	"github.com/adp-sparse/adp-sparse/adp/internal/planted"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// TestKeepFolds: the scores that a run keeps of the folds of its trial give as many left-out seeds
// their class as the trial counts, whatever the order of the run, and a run that goes on from a
// snapshot keeps the same; a trial by pseudo-labels keeps none.
func TestKeepFolds(t *testing.T) {
	racing.LongSum(t)
	w, y := planted.Noisy(t)
	for _, order := range []Order{GivenOrder, DegreeOrder} {
		var hidden [][]diffuse.Seed
		for _, left := range crossval.Folds(y, 4, 2) {
			hidden = append(hidden, left)
		}
		var half []*Snapshot
		opt := Options{Rounds: 3, TrialFolds: 4, Order: order, KeepFolds: true}
		first := opt
		first.Checkpoint = func(s *Snapshot) error {
			if s.Contest.Folds == 2 && s.Fold == nil {
				half = append(half, &Snapshot{snapshot{Identity: s.Identity, Main: s.Main, Contest: s.Contest, Scores: slices.Clone(s.Scores)}})
				return errors.New("stopped")
			}
			return nil
		}
		if _, err := Run(context.Background(), w, y, first); err == nil || len(half) != 1 {
			t.Fatal(err, len(half))
		}
		r, err := Run(context.Background(), w, y, opt)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Resume(context.Background(), w, y, opt, half[0])
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(r.Folds, again.Folds) {
			t.Errorf("order %d: a resumed run keeps other scores", order)
		}
		right := 0
		for k, fold := range r.Folds {
			if fold.Fold != k || len(fold.Rows) != len(hidden[k]) || !(fold.Size > 0) {
				t.Fatalf("order %d: fold %d is %d, of %d seeds, size %v", order, k, fold.Fold, len(fold.Rows), fold.Size)
			}
			for at, s := range hidden[k] {
				row, top := fold.Rows[at], 0
				for j, v := range row {
					if v > row[top] {
						top = j
					}
				}
				if row[top] > 0 && top == int(s.Class) {
					right++
				}
			}
		}
		if got := float64(right) / float64(r.Trial.LeftOut); len(r.Folds) != 4 || math.Abs(got-r.Trial.ADP) > 1e-12 {
			t.Errorf("order %d: %d folds, %.4f of whose seeds are right; the trial says %.4f", order, len(r.Folds), got, r.Trial.ADP)
		}
	}
	var one []diffuse.Seed
	for _, s := range y.List() {
		if !slices.ContainsFunc(one, func(o diffuse.Seed) bool { return o.Class == s.Class }) {
			one = append(one, s)
		}
	}
	single, err := diffuse.NewSeeds(y.Nodes, y.Classes, one)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(context.Background(), w, single, Options{Rounds: 3, TrialFolds: 4, KeepFolds: true})
	if err != nil || len(r.Folds) > 0 {
		t.Errorf("%d folds of pseudo-labels, %v", len(r.Folds), err)
	}
}
