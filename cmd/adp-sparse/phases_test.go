package main

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/internal/clock"
)

// TestPhases: the report of a run says where its time went. The phases of a run of edges, of vectors and of
// both are there, and add up to the total; so do those of one over ranks.
func TestPhases(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return dir + "/" + name }
	do := func(args string) string {
		t.Helper()
		code, _, errs := call(strings.Fields(strings.ReplaceAll(args, "DIR", dir))...)
		if code != 0 {
			t.Fatalf("%s: exit %d, %s", args, code, errs)
		}
		return errs
	}
	do("gen --kind planted --nodes 1100 --classes 3 --inside 0.9 --out DIR/g --seeds-out DIR/s --quiet")
	do("gen --kind csbm --nodes 400 --classes 3 --lambda 1 --mu 100 --dims 20 --out DIR/b --features-out DIR/x.npy --seeds-out DIR/t --quiet")
	do("partition --edges DIR/g --parts 2 --out DIR/parts --quiet")
	always := []string{clock.Read, clock.Prepare, clock.LGC, clock.Examine, clock.Write}
	for args, want := range map[string][]string{
		"--edges DIR/g --labels DIR/s":                                 {clock.ASteps, clock.FSteps, clock.Folds},
		"--features DIR/x.npy --labels DIR/t":                          {clock.Neighbors, clock.Rivals, clock.Pool, clock.PoolFolds, clock.ASteps},
		"--edges DIR/b --features DIR/x.npy --labels DIR/t":            {clock.Neighbors, clock.Pool, clock.PoolFolds, clock.ASteps},
		"--edges DIR/g --labels DIR/s --combine none --calibrate auto": {clock.Calibrate},
		"--edges DIR/g --labels DIR/s --method lgc":                    nil,
		"--graph DIR/parts --labels DIR/s --select fast":               {clock.ASteps, clock.FSteps, clock.Folds},
		"--graph DIR/parts --labels DIR/s --calibrate auto":            {clock.Calibrate},
		"--edges DIR/g --labels DIR/s --select none --topk 3":          {clock.ASteps, clock.FSteps},
	} {
		told := do("run " + args + " --out DIR/out --report DIR/r.json --verbose")
		var report struct{ Seconds map[string]float64 }
		if err := json.Unmarshal([]byte(read(t, at("r.json"))), &report); err != nil {
			t.Fatal(err)
		}
		sum, known := 0.0, []string{clock.Total}
		for _, phase := range clock.Phases {
			sum += report.Seconds[phase.Key]
			known = append(known, phase.Key)
		}
		if total := report.Seconds[clock.Total]; total == 0 || math.Abs(sum-total) > 1e-9 {
			t.Errorf("%s: phases of %v s, a total of %v", args, sum, total)
		}
		if !strings.Contains(args, "parts") {
			want = append(want, always...)
		}
		for _, phase := range want {
			if report.Seconds[phase] == 0 {
				t.Errorf("%s: no time for %s in %v", args, phase, report.Seconds)
			}
		}
		for phase := range report.Seconds {
			if !slices.Contains(known, phase) {
				t.Errorf("%s: phase %q is none of %v", args, phase, known)
			}
		}
		if !strings.Contains(told, "\ntime ") {
			t.Errorf("%s: no line of the time in %q", args, told)
		}
	}
}

// TestTimeOfPage: the time of drawing a page is in the report, and that of writing it in the summary.
func TestTimeOfPage(t *testing.T) {
	t.Chdir(t.TempDir())
	if code, _, errs := call(strings.Fields("gen --kind planted --nodes 1100 --classes 3 --out g --seeds-out s --quiet")...); code != 0 {
		t.Fatal(errs)
	}
	type times struct{ Seconds map[string]float64 }
	run := func(more string) (report, done times) {
		code, _, errs := call(strings.Fields("run --edges g --labels s --method lgc --out out --report r.json --log json " + more)...)
		lines := strings.Split(strings.TrimSpace(errs), "\n")
		var last struct{ Data times }
		if code != 0 || json.Unmarshal([]byte(lines[len(lines)-1]), &last) != nil || json.Unmarshal([]byte(read(t, "r.json")), &report) != nil {
			t.Fatal(errs)
		}
		return report, last.Data
	}
	plain, _ := run("")
	drawn, done := run("--report r.html")
	if drawn.Seconds[clock.Examine] < 3*plain.Seconds[clock.Examine] {
		t.Errorf("%v s with a page, %v without", drawn.Seconds, plain.Seconds)
	}
	if done.Seconds[clock.Total] <= drawn.Seconds[clock.Total] {
		t.Errorf("%v s in the end, and %v before the reports were written", done.Seconds, drawn.Seconds)
	}
}
