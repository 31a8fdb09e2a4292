package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/fit"
)

// TestBrief: the summary has at most twelve lines, whatever there is to say, and tells all warnings.
func TestBrief(t *testing.T) {
	r := &Results{Rounds: []adp.Round{{}}, Status: map[string]int{"predicted": 3}, Trial: &adp.Trial{Folds: 4, LeftOut: 30, LGC: 0.9, ADP: 0.8}}
	for _, class := range strings.Split("abcdefghijklmnopqrstuvwxyz", "") {
		r.Predicted = append(r.Predicted, Class{Label: class, Seeds: 2, Predicted: 1})
	}
	for _, code := range []string{"one", "two", "three", "four", "five", "six"} {
		r.Warnings.add(code, 1, "message of %s", code)
	}
	r.Estimate(nil, nil)
	f := &Facts{Read: "3 nodes", Notes: "edges: 1 comment line", Graph: "10 neighbours", Start: "m.npz", Method: "adp"}
	var text bytes.Buffer
	r.Brief(&text, f, Written{Files: []string{"-", "r.html"}, Page: "r.html"})
	got := text.String()
	if lines := strings.Count(got, "\n"); lines != 12 {
		t.Errorf("%d lines", lines)
	}
	for _, want := range []string{
		"[one]: message of one", "[six]: message of six", "accuracy  about 0.90 (95 %: 0.64 to 0.98), estimated by cross-validation on 30 known labels", "h: 1 and 18 more",
		"wrote     standard output, r.html", "the learned graph is no better, 0.800", "\nnext      open r.html",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// TestGraphOfResult: a result of learned graphs is of one round or a mean over some. Their numbers, over all settings, are not told.
func TestGraphOfResult(t *testing.T) {
	for want, rounds := range map[string][]adp.Round{
		"the learned graph, top-k 5":              {{}, {Index: 1, Setting: adp.Setting{TopK: 5}, Weight: 0}},
		"the learned graph, a mean over 2 rounds": {{}, {Index: 1, Setting: adp.Setting{TopK: 5}, Weight: 0.4}, {Index: 2, Setting: adp.Setting{TopK: 10}, Weight: 0.6}},
	} {
		r := &Results{Rounds: rounds, Chosen: len(rounds) - 1, Trial: &adp.Trial{Folds: 4, LeftOut: 30, LGC: 0.8, ADP: 0.9, Accepted: true}}
		if got := r.result(&Facts{Method: "adp"}); got != want+": 0.900 right in cross-validation, LGC 0.800" {
			t.Errorf("%s, expected %s", got, want)
		}
	}
}

// TestAccuracy: the estimate is of the labels that were left out, with the interval of all its nodes; without any
// there is none. It is compared with the most frequent class.
func TestAccuracy(t *testing.T) {
	mixed := &fit.Combination{LeftOut: 40, Foretold: 0.75}
	even := []Class{{Seeds: 30, Predicted: 100, Mean: 0.9}, {Seeds: 30, Predicted: 200, Mean: 0.9}, {Seeds: 30, Predicted: 100, Mean: 0.9}}
	skewed := []Class{{Seeds: 10, Predicted: 750}, {Seeds: 10, Predicted: 250}}
	for _, test := range []struct {
		trial   *adp.Trial
		facts   Facts
		classes []Class
		want    string
	}{
		{nil, Facts{}, even, "not estimated: this run does no cross-validation (adp-sparse tune does)"},
		{&adp.Trial{}, Facts{}, even, "not estimated: cross-validation needs two known labels of a class"},
		{&adp.Trial{Folds: 4, PseudoLabels: 9, ADP: 0.9, Accepted: true}, Facts{}, even, "not estimated: cross-validation needs two known labels of a class"},
		{&adp.Trial{Folds: 4, LeftOut: 100, LGC: 0.5, ADP: 0.9, Accepted: true}, Facts{}, even, "about 0.90 (95 %: 0.72 to 0.97), estimated by cross-validation on 100 known labels, which also made the choice"},
		{&adp.Trial{Folds: 4, LeftOut: 100, LGC: 0.5, ADP: 0.4, Alpha: 0.8, AlphaAccuracy: 0.9}, Facts{}, even, "about 0.90 (95 %: 0.72 to 0.97), estimated by cross-validation on 100 known labels, which also made the choice"},
		{&adp.Trial{Folds: 4, LeftOut: 100, LGC: 0.4}, Facts{Combination: mixed}, even, "about 0.78 (95 %: 0.53 to 0.91), estimated by cross-validation on 40 known labels, which also made the choice"}, // (30 + 8·0.9)/48
		{nil, Facts{Combination: &fit.Combination{}}, even, "not estimated: cross-validation needs two known labels of a class"},
		{ // the probability of a mixture is of the same left-out labels, whose classes are not those of the nodes
			nil,
			Facts{Combination: mixed, Calibration: &adp.Calibration{LeftOut: 40, Accuracy: 0.7, Calibrated: true}},
			even,
			"about 0.78 (95 %: 0.53 to 0.91), estimated by cross-validation on 40 known labels, which also made the choice",
		},
		{
			&adp.Trial{Folds: 4, LeftOut: 20, LGC: 0.8},
			Facts{Calibration: &adp.Calibration{LeftOut: 10, Accuracy: 1, Calibrated: true}},
			even,
			"about 1.00 (95 %: 0.60 to 1.00), estimated by cross-validation on 10 known labels, as the confidence is",
		},
		{
			&adp.Trial{Folds: 4, LeftOut: 20, LGC: 0.8},
			Facts{},
			skewed,
			"about 0.80 (95 %: 0.49 to 0.94), estimated by cross-validation on 20 known labels, which also made the choice; perhaps no better than the most frequent class for all nodes (0.75)",
		},
		{
			&adp.Trial{Folds: 4, LeftOut: 20, LGC: 0.7},
			Facts{},
			skewed,
			"about 0.70 (95 %: 0.40 to 0.89), estimated by cross-validation on 20 known labels, which also made the choice",
		},
	} {
		r := &Results{Trial: test.trial, Predicted: test.classes}
		r.Estimate(test.facts.Combination, test.facts.Calibration)
		if got := r.accuracy(&test.facts); got != test.want {
			t.Errorf("%+v:\n%s, expected\n%s", test.trial, got, test.want)
		}
		worthless := r.Accuracy != nil && r.Accuracy.Accuracy <= r.Accuracy.Largest
		if warned := len(r.Warnings) == 1 && r.Warnings[0].Code == WarnChance; warned != worthless || warned != strings.Contains(test.want, "about 0.70") {
			t.Errorf("%+v: warnings %v", test.trial, r.Warnings)
		}
	}
}

// TestAccuracyOfUnreached: nodes without a label are wrong, however sure the mixture is of the others.
func TestAccuracyOfUnreached(t *testing.T) {
	r := &Results{Predicted: []Class{{Seeds: 8, Predicted: 50, Mean: 1}, {Seeds: 8, Predicted: 50, Mean: 1}}, Status: map[string]int{"unreached": 100}}
	if r.Estimate(&fit.Combination{LeftOut: 8, Foretold: 1}, nil); r.Accuracy.Accuracy != 0.75 { // (8·1 + 8·½)/16
		t.Errorf("%+v", r.Accuracy)
	}
}
