package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/report"
)

// TestTolerance: the report says to which residual the run solved: to 1e-5 before a mixture, 1e-6 by one method, or as the user says.
func TestTolerance(t *testing.T) {
	t.Chdir(t.TempDir())
	if code, _, errs := call(strings.Fields("gen --kind planted --nodes 300 --degree 8 --classes 3 --seeds-per-class 5 --out g --seeds-out s --quiet")...); code != 0 {
		t.Fatal(errs)
	}
	for args, want := range map[string]float64{"": 1e-5, "--method lgc": 1e-6, "--combine none": 1e-6, "--tolerance 1e-7": 1e-7, "--method lgc --tolerance 1e-3": 1e-3} {
		if code, _, errs := call(strings.Fields("run --edges g --labels s --out out --report r.json --quiet " + args)...); code != 0 {
			t.Fatal(errs)
		}
		var r report.Run
		must(t, json.Unmarshal([]byte(read(t, "r.json")), &r))
		const rounding = 2e-6 // float32 holds no better scores of this graph
		if r.Options.Tolerance != want || !(r.Rounds[0].Solve.Residual <= max(want, rounding)) {
			t.Errorf("run %s: tolerance %v, a residual of %v, expected %v", args, r.Options.Tolerance, r.Rounds[0].Solve.Residual, want)
		}
	}
}
