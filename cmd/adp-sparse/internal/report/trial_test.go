package report

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/fit"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// TestPrintTrial: the summary says of what the trial was, and what follows.
func TestPrintTrial(t *testing.T) {
	for _, test := range []struct {
		trial *adp.Trial
		want  []string
	}{
		{nil, nil},
		{&adp.Trial{Doubt: true}, []string{"the result is LGC: cross-validation needs two known labels of a class"}},
		{&adp.Trial{Folds: 4, PseudoLabels: 2048, LGC: 0.9, ADP: 0.95, Won: 1500, Lost: 20, Lead: 1.25, Accepted: true}, []string{"too few known labels for cross-validation; ", "2,048 pseudo-labels", "4 folds", "LGC repeats 0.900", "learned graphs 0.950 (1,500 won, 20 lost, lead 1.2)", "the result is of the learned graphs"}},
		{&adp.Trial{Folds: 1, PseudoLabels: 12, LGC: 0.9, ADP: 0.9}, []string{"12 pseudo-labels", "in 1 fold ", "the result is LGC: the learned graphs do not lead clearly"}},
		{&adp.Trial{Folds: 4, LeftOut: 30, LGC: 0.9, ADP: 1, Won: 3, Lead: 1.7, Accepted: true}, []string{"cross-validation on 30 known labels in 4 folds: LGC 0.900 right, learned graphs 1.000 (3 won, 0 lost, lead 1.7)", "the result is of the learned graphs"}},
		// The lead is of ranks: where it has not the sign of won − lost, that is said.
		{&adp.Trial{Folds: 4, LeftOut: 30, Lead: 1.04, Accepted: true}, []string{"(0 won, 0 lost, lead 1.0 by the ranks of the right classes); the result is of the learned graphs\n"}},
		{&adp.Trial{Folds: 4, LeftOut: 30, Won: 1, Lost: 2, Lead: 0.3, Accepted: true}, []string{"(1 won, 2 lost, lead 0.3 by the ranks of the right classes)"}},
		{&adp.Trial{Folds: 4, LeftOut: 30, Won: 2, Lost: 1, Lead: -0.04}, []string{"(2 won, 1 lost, lead 0.0 by the ranks of the right classes)"}},
		{&adp.Trial{Folds: 4, LeftOut: 30, Won: 1, Lost: 2, Lead: -0.6, Accepted: true}, []string{"(1 won, 2 lost, lead -0.6); the result is of the learned graphs: their association is higher, and cross-validation is not clearly against them\n"}},
		{&adp.Trial{Folds: 4, LeftOut: 30, Accepted: true}, []string{"(0 won, 0 lost, lead 0.0); the result is of the learned graphs: their association is higher, and cross-validation is not clearly against them"}},
		{&adp.Trial{Folds: 4, LeftOut: 30, Doubt: true}, []string{"its association exceeds its accuracy by more than 0.1"}},
		{&adp.Trial{Folds: 4, LeftOut: 30, LGC: 0.7, ADP: 0.7, Untried: true}, []string{"in 4 folds: LGC 0.700 right; the result is LGC: no learned graph has more association\n"}},
		{&adp.Trial{Folds: 4, LeftOut: 30, LGC: 0.7, ADP: 0.7, Untried: true, Doubt: true}, []string{"LGC 0.700 right; the result is LGC: its association exceeds its accuracy by more than 0.1, and no learned graph was compared\n"}},
		{&adp.Trial{Folds: 4, LeftOut: 30, Alpha: 0.8, Untried: true}, []string{"the result is LGC with α = 0.8"}},
		{&adp.Trial{Folds: 4, LeftOut: 30, Alpha: 0.8}, []string{"the result is LGC with α = 0.8"}},
		{&adp.Trial{Folds: 4, LeftOut: 30}, []string{"lead 0.0); the result is LGC\n"}},
	} {
		var text strings.Builder
		PrintTrial(&text, test.trial, false)
		for _, want := range test.want {
			if !strings.Contains(text.String(), want) {
				t.Errorf("%+v: %q, expected %q", test.trial, text.String(), want)
			}
		}
		if lines := strings.Count(text.String(), "\n"); lines != min(len(test.want), 1) {
			t.Errorf("%+v: %d lines", test.trial, lines)
		}
	}
}

// TestMixtureSentence: the page says of what methods a mixture is, in one line, and what the trial
// of its graph chose.
func TestMixtureSentence(t *testing.T) {
	c := &fit.Combination{Members: []fit.Member{{Method: "features alone", Weight: 0.3, Accuracy: 0.5}, {Method: "the learned graph", Weight: 0.7, Accuracy: 0.9}}, LeftOut: 10, Accuracy: 0.8}
	if got, want := mixtureSentence(c), "the result is a mixture of 2 methods, weighted by cross-validation on 10 known labels: 0.800 right; 70 % the learned graph, 0.900 by itself; 30 % features alone, 0.500 by itself"; got != want {
		t.Errorf("%q, expected %q", got, want)
	}
	if got := mixtureSentence(nil); got != "" {
		t.Errorf("%q of no mixture", got)
	}
	var text strings.Builder
	PrintTrial(&text, &adp.Trial{Folds: 4, LeftOut: 30}, true)
	if !strings.HasSuffix(text.String(), "; the graph's part of the mixture is LGC\n") {
		t.Errorf("%q", text.String())
	}
}

// TestPrintTime: the phases that took time come in their order and add up to the total.
func TestPrintTime(t *testing.T) {
	for want, seconds := range map[string]map[string]float64{
		"time\t3.25 s: read 0.50, LGC 2.00, write 0.75\n":                               {"read": 0.5, "lgc": 2, "examine": 0.001, "write": 0.75, "total": 3.251},
		"time\t4.75 s: read 0.50, A-steps 2.00, examine 1.50, write 0.50, other 0.25\n": {"read": 0.5, "a_steps": 2, "examine": 1.5, "write": 0.5, "other": 0.25, "total": 4.75},
		"time\t0.00 s: other 0.00\n":                                                    {"read": 0.001, "total": 0.001},
	} {
		var text strings.Builder
		PrintTime(&text, seconds)
		if text.String() != want {
			t.Errorf("%q, expected %q", text.String(), want)
		}
	}
}

// TestTake: a class has the count of its predictions and their mean confidence, and labels that the most frequent class is as good as are
// warned of.
func TestTake(t *testing.T) {
	seeds, err := diffuse.HardSeeds([]int{0, 1, -1, -1})
	if err != nil {
		t.Fatal(err)
	}
	for right, warned := range map[float64]bool{0.2: true, 0.8: false} {
		r := NewResults([]string{"a", "b"}, seeds)
		r.Take(&fit.Result{Result: &adp.Result{
			Labels: []int32{0, 1, 1, 1}, Confidence: []float32{1, 1, 0.5, 0.75}, Status: []adp.Status{adp.Seed, adp.Seed, adp.Predicted, adp.Uncertain},
			Trial: &adp.Trial{Folds: 1, LeftOut: 2, LGC: right},
		}}, seeds)
		if want := []Class{{"a", 1, 0, 0}, {"b", 1, 2, 0.625}}; !slices.Equal(r.Predicted, want) || !maps.Equal(r.Status, map[string]int{"seed": 2, "predicted": 1, "uncertain": 1}) {
			t.Errorf("%+v, status %v, expected %+v", r.Predicted, r.Status, want)
		}
		if got := slices.ContainsFunc(r.Warnings, func(w adp.Warning) bool { return w.Code == WarnChance }); got != warned || r.Accuracy.Accuracy != right {
			t.Errorf("%+v: warnings %v", r.Accuracy, r.Warnings)
		}
	}
}
