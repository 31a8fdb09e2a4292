package adp

import (
	"slices"
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
		"freeAlpha true",
		"Fresh where degrees are unlike",
	}
	if got := opt.describe(); !slices.Equal(got, want) {
		t.Errorf("%q, expected %q", got, want)
	}
}
