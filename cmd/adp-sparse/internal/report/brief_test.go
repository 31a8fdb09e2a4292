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
		r.Predicted = append(r.Predicted, Class{Label: class, Predicted: 1})
	}
	for _, code := range []string{"one", "two", "three", "four", "five", "six"} {
		r.Warnings.add(code, 1, "message of %s", code)
	}
	f := &Facts{Read: "3 nodes", Notes: "edges: 1 comment line", Graph: "10 neighbours", Start: "m.npz", Method: "adp"}
	var text bytes.Buffer
	r.Brief(&text, f, Written{Files: []string{"-", "r.html"}, Page: "r.html"})
	got := text.String()
	if lines := strings.Count(got, "\n"); lines != 12 {
		t.Errorf("%d lines", lines)
	}
	for _, want := range []string{
		"[one]: message of one", "[six]: message of six", "accuracy  about 0.90 ± 0.05, estimated by cross-validation on 30 known labels", "h: 1 and 18 more",
		"wrote     standard output, r.html", "the learned graph is no better, 0.800", "\nnext      open r.html",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// TestAccuracy: the estimate is of the labels that were left out; without any there is none.
func TestAccuracy(t *testing.T) {
	mixed := &fit.Combination{LeftOut: 40, Accuracy: 0.75}
	for _, test := range []struct {
		trial *adp.Trial
		facts Facts
		want  string
	}{
		{nil, Facts{}, "not estimated: this run does no cross-validation"},
		{&adp.Trial{}, Facts{}, "not estimated: cross-validation needs two known labels"},
		{&adp.Trial{Folds: 4, PseudoLabels: 9, ADP: 0.9, Accepted: true}, Facts{}, "not estimated: cross-validation needs"},
		{&adp.Trial{Folds: 4, LeftOut: 100, LGC: 0.5, ADP: 0.9, Accepted: true}, Facts{}, "about 0.90 ± 0.03, "},
		{&adp.Trial{Folds: 4, LeftOut: 100, LGC: 0.5, ADP: 0.4, Alpha: 0.8}, Facts{}, "at least 0.50 ± 0.05, "},
		{&adp.Trial{Folds: 4, LeftOut: 100, LGC: 0.5}, Facts{Combination: mixed}, "about 0.75 ± 0.07, "},
		{nil, Facts{Combination: &fit.Combination{}}, "not estimated: cross-validation needs"},
		{nil, Facts{Combination: mixed, Calibration: &adp.Calibration{LeftOut: 10, Accuracy: 1, Calibrated: true}}, "about 1.00 ± 0.05, estimated by cross-validation on 10 known labels, as the confidence is"},
	} {
		r := &Results{Trial: test.trial}
		if got := r.accuracy(&test.facts); !strings.HasPrefix(got, test.want) {
			t.Errorf("%+v: %q, expected %q", test.trial, got, test.want)
		}
	}
}
