package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/crossval"
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
	r.Accuracy = estimate(0.9, 0.64, 0.98, 30, fit.ByTrial)
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

// estimate returns an estimate by left-out seeds, beside a most frequent class of 0.75.
func estimate(accuracy, low, high float64, leftOut int, by fit.Judge) *fit.Estimate {
	return &fit.Estimate{Estimate: crossval.Estimate{Accuracy: accuracy, Low: low, High: high, LeftOut: leftOut, Largest: 0.75}, By: by}
}

// TestAccuracy: the summary words the estimate with its interval, by what it was made, and where it is perhaps no better than the most
// frequent class. Without one it says why.
func TestAccuracy(t *testing.T) {
	for _, test := range []struct {
		trial    *adp.Trial
		facts    Facts
		estimate *fit.Estimate
		want     string
	}{
		{nil, Facts{}, nil, "not estimated: this run does no cross-validation (adp-sparse tune does)"},
		{&adp.Trial{}, Facts{}, nil, "not estimated: cross-validation needs two known labels of a class"},
		{nil, Facts{Combination: &fit.Combination{}}, nil, "not estimated: cross-validation needs two known labels of a class"},
		{&adp.Trial{}, Facts{}, estimate(0.95, 0.82, 0.97, 100, fit.ByTrial), "about 0.95 (95 %: 0.82 to 0.97), estimated by cross-validation on 100 known labels, which also made the choice"},
		{ // the probability of a mixture is of the same left-out labels
			nil,
			Facts{Combination: &fit.Combination{}, Calibration: &adp.Calibration{Calibrated: true}},
			estimate(0.9, 0.8, 0.91, 40, fit.ByMixture),
			"about 0.90 (95 %: 0.80 to 0.91), estimated by cross-validation on 40 known labels, which also made the choice",
		},
		{
			&adp.Trial{},
			Facts{Calibration: &adp.Calibration{Calibrated: true}},
			estimate(1, 0.8, 1, 10, fit.ByCalibration),
			"about 1.00 (95 %: 0.80 to 1.00), estimated by cross-validation on 10 known labels, as the confidence is",
		},
		{
			&adp.Trial{},
			Facts{},
			estimate(0.8, 0.49, 0.94, 20, fit.ByTrial),
			"about 0.80 (95 %: 0.49 to 0.94), estimated by cross-validation on 20 known labels, which also made the choice; perhaps no better than the most frequent class for all nodes (0.75)",
		},
		{&adp.Trial{}, Facts{}, estimate(0.7, 0.4, 0.89, 20, fit.ByTrial), "about 0.70 (95 %: 0.40 to 0.89), estimated by cross-validation on 20 known labels, which also made the choice"},
	} {
		r := &Results{Trial: test.trial, Accuracy: test.estimate}
		if got := r.accuracy(&test.facts); got != test.want {
			t.Errorf("%+v:\n%s, expected\n%s", test.trial, got, test.want)
		}
	}
}
