package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/run"
	"github.com/adp-sparse/adp-sparse/cmd/internal/exits"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
	"github.com/adp-sparse/adp-sparse/internal/gen"
)

// slowGraph writes a graph g on which a run has many rounds and a trial, and
// seeds s.
func slowGraph(t *testing.T, n int) (dir string) {
	t.Helper()
	src, dst, _, class := gen.PlantedPartition(n, 3, 18/float64(n), 6/float64(n), 4)
	var edges, seeds strings.Builder
	for k := range src {
		fmt.Fprintln(&edges, src[k], dst[k])
	}
	for i := range n / 10 {
		fmt.Fprintln(&seeds, i, "c"+fmt.Sprint(class[i]))
	}
	return files(t, "g", edges.String(), "s", seeds.String())
}

// runArgs are those of a run on slowGraph with all outputs, called after name.
func runArgs(dir, name string, more ...string) []string {
	return append([]string{
		"run", "--edges", dir + "/g", "--labels", dir + "/s", "--out", dir + "/" + name + ".tsv",
		"--graph-out", dir + "/" + name + ".csr", "--report", dir + "/" + name + ".json", "--proba", "--rounds", "4",
	}, more...)
}

// runContents returns what the outputs called after name hold, the report without
// times, the command line and what depends on the threads.
func runContents(t *testing.T, dir, name string) []any {
	t.Helper()
	var report map[string]any
	if err := json.Unmarshal([]byte(read(t, dir+"/"+name+".json")), &report); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"seconds", "peak_bytes", "estimated_bytes", "command"} {
		delete(report, key)
	}
	delete(report["options"].(map[string]any), "threads")
	for _, round := range report["rounds"].([]any) {
		delete(round.(map[string]any), "nanoseconds")
	}
	return []any{read(t, dir+"/"+name+".tsv"), read(t, dir+"/"+name+".csr"), report}
}

// TestCheckpoint stops a run after each of its saves, and goes on: the outputs
// are those of a run that was not stopped, the state stays until then and is
// gone after.
func TestCheckpoint(t *testing.T) {
	dir := slowGraph(t, 90)
	if code, _, errs := call(runArgs(dir, "want")...); code != 0 {
		t.Fatal(errs)
	}
	want := runContents(t, dir, "want")
	state := dir + "/a state"
	args := append(runArgs(dir, "out"), "--checkpoint", state, "--checkpoint-every", "0s")
	rounds := 0
	for stop := 0; ; stop += 1 + stop/4 {
		// The context ends while the round after the stop is observed.
		ctx, cancel := context.WithCancel(context.Background())
		left := stop
		run.AfterSave = func() {
			if left--; left < 0 {
				cancel()
			}
		}
		var out, errs bytes.Buffer
		code := execute(ctx, args, streams.Stdio{In: strings.NewReader(""), Out: &out, Err: &errs})
		run.AfterSave = nil
		cancel()
		if code == 0 {
			break
		}
		rounds++
		advice := "interrupted; no output was written; the state is in " + state + "; go on with\n  adp-sparse run --checkpoint " + usage.ShellQuote(state) + " --checkpoint-every 0s"
		if code != exits.Interrupted || !strings.Contains(errs.String(), advice) || !strings.HasSuffix(errs.String(), " --resume\n") {
			t.Fatalf("exit %d, %s", code, errs.String())
		}
		if _, err := os.Stat(dir + "/out.tsv"); err == nil {
			t.Fatal("an output was written")
		}
		if code, _, errs := call(args...); code != exits.Usage || !strings.Contains(errs, "--resume goes on from it") {
			t.Fatalf("without --resume: exit %d, %s", code, errs)
		}
		if code, _, errs := call(append(args, "--resume", "--threads", fmt.Sprint(1+stop%3))...); code != 0 || !strings.Contains(errs, "going on from "+state) {
			t.Fatalf("exit %d, %s", code, errs)
		}
		if got := runContents(t, dir, "out"); !reflect.DeepEqual(got, want) {
			t.Fatalf("stopped after save %d: other outputs", stop+1)
		}
		for _, name := range []string{"out.tsv", "out.csr", "out.json"} {
			if err := os.Remove(dir + "/" + name); err != nil {
				t.Fatal(err)
			}
		}
		if left, _ := filepath.Glob(dir + "/*state*"); len(left) > 0 {
			t.Fatalf("left: %v", left)
		}
	}
	if rounds < 8 {
		t.Errorf("stopped %d times only", rounds)
	}
	if !reflect.DeepEqual(runContents(t, dir, "out"), want) {
		t.Error("with a checkpoint: other outputs")
	}
}

// TestCheckpointRefusals: what does not fit a state, and states that are none.
func TestCheckpointRefusals(t *testing.T) {
	dir := slowGraph(t, 90)
	state := dir + "/state"
	ctx, cancel := context.WithCancel(context.Background())
	run.AfterSave = cancel
	var out, errs bytes.Buffer
	code := execute(ctx, runArgs(dir, "out", "--checkpoint", state, "--checkpoint-every", "0s"), streams.Stdio{In: strings.NewReader(""), Out: &out, Err: &errs})
	run.AfterSave = nil
	cancel()
	if code != exits.Interrupted {
		t.Fatal(code, errs.String())
	}
	content := read(t, state)
	for file, text := range map[string]string{
		"g2":     strings.Replace(read(t, dir+"/g"), "0 ", "89 ", 1),
		"s2":     strings.Replace(read(t, dir+"/s"), "0 c0", "80 c0", 1),
		"broken": strings.Repeat("x", 10000),
		"cut":    content[:9000],
		"empty":  "",
	} {
		if err := os.WriteFile(dir+"/"+file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		args string
		code int
		says string
	}{
		{"--checkpoint state --resume --edges g2", exits.Data, "state: adp: invalid snapshot: it is of another graph"},
		{"--checkpoint state --resume --labels s2", exits.Data, "it is of other seeds: their nodes, classes or weights differ"},
		{"--checkpoint state --resume --zeta 0.4", exits.Data, `other options: "Zeta 0.5"; here "Zeta 0.4"`},
		{"--checkpoint state --resume --method adp1", exits.Data, `other options: "Method adp"; here "Method adp1"`},
		{"--checkpoint broken --resume", exits.Data, "broken: no whole state; slot 0: starts with"},
		{"--checkpoint cut --resume", exits.Data, "cut: no whole state; slot 0: the file has 9000 bytes and ends within"},
		{"--checkpoint empty --resume", exits.Data, "empty: no whole state"},
		{"--checkpoint g --resume", exits.Usage, "--checkpoint g is the same file as --edges g"},
		{"--checkpoint . --resume", exits.IO, "is a directory"},
		{"--checkpoint state", exits.Usage, "state is there: --resume goes on from it"},
		{"--resume", exits.Usage, "--checkpoint FILE --resume"},
		{"--checkpoint -", exits.Usage, "--checkpoint - is no file"},
		{"--checkpoint ./out.csr", exits.Usage, "is also an output"},
		{"--checkpoint new --checkpoint-every -1s", exits.Usage, "expected at least 0s"},
		{"--checkpoint new --method dense", exits.Usage, "a checkpoint of the method dense"},
		{"--checkpoint none/state", exits.IO, "none/state"},
	} {
		t.Chdir(dir)
		args := instead([]string{"run", "--edges", "g", "--labels", "s", "--out", "out.tsv", "--graph-out", "out.csr", "--report", "out.json", "--rounds", "4", "--quiet"}, strings.Fields(test.args)...)
		code, _, errs := call(args...)
		if code != test.code || !strings.Contains(errs, test.says) || strings.Contains(errs, "go on with") {
			t.Errorf("%s: exit %d, %s; expected %d, %q", test.args, code, errs, test.code, test.says)
		}
		if left, _ := filepath.Glob("out*"); len(left) > 0 || read(t, "state") != content {
			t.Fatalf("%s: outputs %v, or the state was changed", test.args, left)
		}
		if left, _ := filepath.Glob(".*.partial"); len(left) > 0 {
			t.Fatalf("%s: %v left", test.args, left)
		}
	}
	if code, _, errs := call(append(runArgs(dir, "out"), "--checkpoint", dir+"/none", "--resume")...); code != 0 || !strings.Contains(errs, "none is not there: the run begins from the start") {
		t.Errorf("exit %d, %s", code, errs)
	}
	if code, _, errs := call(append(runArgs(dir, "out"), "--checkpoint", state, "--resume")...); code != 0 || !strings.Contains(errs, "going on from "+state+": after round 0") {
		t.Errorf("exit %d, %s", code, errs)
	}
}

// TestDamagedState damages the newest state: the run says so, goes on from the
// one before, and has the same outputs.
func TestDamagedState(t *testing.T) {
	dir := slowGraph(t, 90)
	if code, _, errs := call(runArgs(dir, "want")...); code != 0 {
		t.Fatal(errs)
	}
	args := append(runArgs(dir, "out"), "--checkpoint", dir+"/state", "--checkpoint-every", "0s")
	ctx, cancel := context.WithCancel(context.Background())
	left := 3
	run.AfterSave = func() {
		if left--; left == 0 {
			cancel()
		}
	}
	defer func() { run.AfterSave = nil }()
	if code := execute(ctx, args, streams.Stdio{In: strings.NewReader(""), Out: &bytes.Buffer{}, Err: &bytes.Buffer{}}); code != exits.Interrupted {
		t.Fatal(code)
	}
	content := []byte(read(t, dir+"/state"))
	content[binary.LittleEndian.Uint64(content[24:])+20] ^= 1 // the third state is in the first slot again
	if err := os.WriteFile(dir+"/state", content, 0o644); err != nil {
		t.Fatal(err)
	}
	code, _, errs := call(append(args, "--resume")...)
	if code != 0 || !strings.Contains(errs, "the newest state is damaged, going on from the one before: the numbers: ") || !strings.Contains(errs, "after round 1") {
		t.Errorf("exit %d, %s", code, errs)
	}
	if !reflect.DeepEqual(runContents(t, dir, "out"), runContents(t, dir, "want")) {
		t.Error("other outputs")
	}
}

// TestResumeCommand quotes what a shell would change.
func TestResumeCommand(t *testing.T) {
	cmd := run.New(streams.Stdio{})
	if err := cmd.ParseFlags([]string{"--edges", "a b", "--labels=it's", "--quiet", "--class-prior", "x=1,y=2", "--resume", "--out", ""}); err != nil {
		t.Fatal(err)
	}
	if got, want := usage.CommandLine(cmd), "run --class-prior x=1,y=2 --edges "+usage.ShellQuote("a b")+" --labels "+usage.ShellQuote("it's")+" --out "+usage.ShellQuote("")+" --quiet=true"; got != want {
		t.Errorf("%s, expected %s", got, want)
	}
}

// TestKeeperWaits: small runs save nothing; saves that take long are made less
// often.
func TestKeeperWaits(t *testing.T) {
	dir := slowGraph(t, 90)
	saves := 0
	run.AfterSave = func() { saves++ }
	defer func() { run.AfterSave = nil }()
	for every, most := range map[string]int{"1h": 0, "0s": 1000} {
		saves = 0
		if code, _, errs := call(append(runArgs(dir, "out"), "--checkpoint", dir+"/state", "--checkpoint-every", every)...); code != 0 {
			t.Fatal(errs)
		}
		if saves > most || most > 0 && saves < 10 {
			t.Errorf("every %s: %d saves", every, saves)
		}
	}
	if left, _ := filepath.Glob(dir + "/state*"); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// TestResumeOtherMixture: the state of a mixture is not that of a run alone. The error says so in flags, as the options that differ are
// none of the user's.
func TestResumeOtherMixture(t *testing.T) {
	t.Chdir(t.TempDir())
	if code, _, errs := call(strings.Fields("gen --kind csbm --nodes 300 --degree 5 --lambda 1.5 --mu 20 --dims 10 --seeds-per-class 10 --out g --features-out x.npy --seeds-out s --quiet")...); code != 0 {
		t.Fatal(errs)
	}
	const says = "say --combine, --method and flags such as --alpha and --tolerance as in the run that was stopped"
	for _, input := range []string{"--edges g", "--edges g --features x.npy"} {
		args := strings.Fields("run " + input + " --labels s --out out --checkpoint state --checkpoint-every 0s")
		ctx, cancel := context.WithCancel(context.Background())
		run.AfterSave = cancel
		var errs bytes.Buffer
		code := execute(ctx, args, streams.Stdio{In: strings.NewReader(""), Out: io.Discard, Err: &errs})
		run.AfterSave = nil
		cancel()
		if code != exits.Interrupted {
			t.Fatal(code, errs.String())
		}
		if code, _, errs := call(append(args, "--resume", "--combine", "none")...); code != exits.Data || !strings.Contains(errs, says) {
			t.Errorf("%s: exit %d, %s", input, code, errs)
		}
		if code, _, errs := call(append(args, "--resume")...); code != 0 {
			t.Errorf("%s: exit %d, %s", input, code, errs)
		}
	}
}
