package adp

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestDescribe: the options of a run have the text that files of older programs have, in its order.
// TestResumeOfAnother finds an option that the text lacks.
func TestDescribe(t *testing.T) {
	opt, err := Options{Settings: []Setting{{TopK: 4, GraphAlpha: 0.9}}, Prior: []float64{1, 2}, Threads: 3, KeepFirst: true, Scratch: "x"}.WithDefaults(30)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"Method adp",
		"Alpha 0.99",
		"GraphAlpha 0.9",
		"Zeta 0.5",
		"TopK 5",
		"Anchor 0.5",
		"Cut rows over hubs: of n·nnz above 34359738368, those above 131072, and all of 16 times the work, to 64 links and 16384 terms, hubs of 1024",
		"Harden 0",
		"Rounds 8",
		"MinChange 0.001",
		"Beta 0.01",
		"Select full",
		"Settings [{4 0 0.9 false}]",
		"MixPower 8",
		"TrialFolds 0",
		"MinConfidence 0",
		"Balance 0",
		"Prior [1 2]",
		"Solver 0",
		"Tolerance 1e-06",
		"MaxIterations 0",
		"Faint 1",
		"Order 0",
		"KeepFolds false",
		"freeAlpha true",
		"freeRounds true",
		"freeStep true",
		"Fresh by votes",
	}
	if got := opt.describe(); !slices.Equal(got, want) {
		t.Errorf("%q, expected %q", got, want)
	}
}

// TestSnapshotText: the JSON of a snapshot is that of the files of older programs, there and back.
func TestSnapshotText(t *testing.T) {
	const want = `{"identity":{"nodes":0,"classes":0,"graph":"","seeds":"","options":null},"main":{"setting":0,"step":0,"rounds":[{"round":0,"topk":0,"anchor":0,"graph_alpha":0,"alpha":0,"solve":{"iterations":0,"residual":0,"converged":false},"changed":0,"delta_f":0,"cut":0,"modularity":0,"largest_class":0,"entries":0,"weight":0,"nanoseconds":0}],"converged":false,"solved":false,"mix":{"top":0,"total":0},"best":0},"contest":{"folds":0,"lgc":null,"adp":null,"alphas":[null,null]},"fold":{"setting":0,"step":0,"rounds":null,"converged":false,"solved":false,"mix":{"top":0,"total":0},"best":0}}`
	s := &Snapshot{}
	s.Main.Rounds, s.Fold = []Round{{}}, &process{}
	text, err := json.Marshal(s)
	if err != nil || string(text) != want {
		t.Fatalf("%s, %v, expected %s", text, err, want)
	}
	again := &Snapshot{}
	d := json.NewDecoder(strings.NewReader(strings.Replace(want, `"step":0`, `"step":7`, 1)))
	d.DisallowUnknownFields()
	if err := d.Decode(again); err != nil || again.Main.Step != 7 || again.Fold == nil {
		t.Errorf("%+v, %v", again, err)
	}
	for what, s := range map[string]*Snapshot{"0 0 -1": {snapshot{Main: process{Rounds: []Round{{}}}}}, "0 2 -1": {snapshot{Main: process{Rounds: []Round{{}}}, Contest: contest{Folds: 2}}}, "0 0 0": {snapshot{Main: process{Rounds: []Round{{}}}, Fold: &process{Rounds: []Round{{}}}}}} {
		if round, folds, foldRound := s.At(); fmt.Sprint(round, folds, foldRound) != what {
			t.Errorf("at %d, %d, %d, expected %s", round, folds, foldRound, what)
		}
	}
}
