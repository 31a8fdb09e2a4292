package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/needs"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/opened"
	"github.com/adp-sparse/adp-sparse/cmd/internal/exits"
	"github.com/adp-sparse/adp-sparse/cmd/internal/limit"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// TestMemoryLimit: a run past the limit is refused before it begins, with what
// it needs and what would fit, which then does.
func TestMemoryLimit(t *testing.T) {
	var edges strings.Builder
	for i := range 30000 {
		for _, step := range []int{1, 7, 31} {
			edges.WriteString(strings.Join([]string{name(i), name((i + step) % 30000), "\n"}, " "))
		}
	}
	dir := files(t, "g", edges.String(), "s", "n0 a\nn15000 b\n", "out", "old\n")
	code, _, errs := call("run", "--edges", dir+"/g", "--labels", dir+"/s", "--out", dir+"/out", "--memory-limit", "35MiB")
	if code != exits.Memory {
		t.Fatalf("exit %d, %s", code, errs)
	}
	for _, want := range []string{"the run needs about", "the limit is 35 MiB (--memory-limit)", "--method lgc"} {
		if !strings.Contains(errs, want) {
			t.Errorf("no %q in %s", want, errs)
		}
	}
	if read(t, dir+"/out") != "old\n" {
		t.Error("the output was written")
	}
	if code, _, errs = call("run", "--edges", dir+"/g", "--labels", dir+"/s", "--out", dir+"/out", "--memory-limit", "35MiB", "--method", "lgc"); code != 0 {
		t.Errorf("lgc: exit %d, %s", code, errs)
	}
	for _, limit := range []string{"lots", "1MiB", "-5GiB"} {
		if code, _, errs = call("run", "--edges", dir+"/g", "--labels", dir+"/s", "--memory-limit", limit); code != exits.Usage || !strings.Contains(errs, "--memory-limit") {
			t.Errorf("%s: exit %d, %s", limit, code, errs)
		}
	}
}

// TestMemoryOfCommands: every command that reads graphs refuses what its work on one would
// take past the limit, before it takes it, and writes nothing.
func TestMemoryOfCommands(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1))
	dir := t.TempDir()
	t.Chdir(dir)
	var points strings.Builder
	for i := range 4000 {
		fmt.Fprintf(&points, "%d%s\n", i%13, strings.Repeat(fmt.Sprintf(",%d", i%7), 40))
	}
	must(t, os.WriteFile("points.csv", []byte(points.String()), 0o644))
	for _, args := range []string{
		"gen --kind planted --nodes 30000 --classes 3 --out g.csr --seeds-out s --quiet",
		"run --graph g.csr --labels s --select none --rounds 1 --out labels.tsv --graph-out loops.csr --quiet",
	} {
		if code, _, errs := call(strings.Fields(args)...); code != 0 {
			t.Fatalf("%s: exit %d, %s", args, code, errs)
		}
	}
	for _, c := range []struct{ args, says string }{
		{"suggest --graph g.csr --labels s --out out.tsv", "spreading labels needs about"},
		{"suggest --graph g.csr --out out.tsv", "spreading labels needs about"},
		{"suggest --graph g.csr --learned loops.csr --out out.tsv", "needs about"},
		{"explain --graph g.csr --labels s --node 1", "spreading labels needs about"},
		{"inspect --graph loops.csr", "leaving out loops and zeros of loops.csr, or --directed, needs about"},
		{"inspect --graph g.csr --directed", "or --directed, needs about"},
		{"partition --graph g.csr --parts 2 --out parts", "partition needs about"},
		{"tune --graph g.csr --labels s", "tune needs about"},
		{"knn --features points.csv --k 3 --out out.tsv", "limit"},
	} {
		before := listing(t, dir)
		code, _, errs := call(append(strings.Fields(c.args), "--memory-limit", "24MiB")...)
		if code != exits.Memory || !strings.Contains(errs, c.says) || !strings.Contains(errs, "the limit is 24 MiB (--memory-limit)") {
			t.Errorf("%s: exit %d, %s", c.args, code, errs)
		}
		if after := listing(t, dir); after != before {
			t.Errorf("%s: %s, before %s", c.args, after, before)
		}
	}
}

// TestMemoryOfMixture: a mixture of methods that fits by no graph is refused before neighbours are searched for.
func TestMemoryOfMixture(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1))
	dir := t.TempDir()
	t.Chdir(dir)
	if code, _, errs := call(strings.Fields("gen --kind csbm --nodes 20000 --degree 10 --classes 5 --lambda 1 --mu 1 --dims 2000 --words 8 --out g.csr --features-out x.npz --seeds-out s --quiet")...); code != 0 {
		t.Fatalf("exit %d, %s", code, errs)
	}
	before := listing(t, dir)
	const run = "run --graph g.csr --features x.npz --labels s --out out.tsv --quiet --memory-limit "
	for _, limit := range []struct{ size, mixed, alone string }{ // the graph itself does not fit the first
		{"40MiB", "a mixture of methods (--combine none does without) for x.npz beside g.csr needs at least", "the graph of x.npz beside g.csr needs about"},
		{"60MiB", "a mixture of methods (--combine none does without) for x.npz beside g.csr needs at least", ""},
		{"88MiB", "the run needs about", ""}, // once the neighbours are found
	} {
		for more, says := range map[string]string{"": limit.mixed, " --combine none": limit.alone} {
			if says == "" {
				continue
			}
			code, _, errs := call(strings.Fields(run + limit.size + more)...)
			if code != exits.Memory || !strings.Contains(errs, says) || !strings.Contains(errs, "the limit is "+strings.Replace(limit.size, "MiB", " MiB", 1)+" (--memory-limit)") {
				t.Errorf("%s%s: exit %d, %s", limit.size, more, code, errs)
			}
			if strings.Contains(errs, "FILE.csr") {
				t.Errorf("%s%s: the edges are in such a file, %s", limit.size, more, errs)
			}
		}
	}
	if after := listing(t, dir); after != before {
		t.Errorf("%s, before %s", after, before)
	}
	if code, _, errs := call(strings.Fields(run + "60MiB --combine none")...); code != 0 {
		t.Errorf("without a mixture: exit %d, %s", code, errs)
	}
}

// TestMemoryOfThreads: what each worker of a search holds is counted, so that many of them do not
// take several times the limit.
func TestMemoryOfThreads(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1))
	t.Chdir(t.TempDir())
	var points, sparse strings.Builder
	for i := range 20_000 {
		if i < 2000 {
			fmt.Fprintf(&points, "%d%s\n", i%13, strings.Repeat(fmt.Sprintf(",%d", i%7), 59))
		}
		fmt.Fprintf(&sparse, "0 %d:1 %d:1\n", 1+i%50, 60+i%7)
	}
	must(t, os.WriteFile("points.csv", []byte(points.String()), 0o644))
	must(t, os.WriteFile("points.libsvm", []byte(sparse.String()), 0o644))
	for _, file := range []string{"points.csv", "points.libsvm"} {
		for threads, want := range map[string]int{"1": 0, "64": exits.Memory} {
			code, _, errs := call("knn", "--features", file, "--k", "3", "--threads", threads, "--memory-limit", "34MiB", "--out", "out.tsv")
			if code != want || want != 0 && !strings.Contains(errs, "the limit is 34 MiB (--memory-limit)") {
				t.Errorf("%s, %s threads: exit %d, %s", file, threads, code, errs)
			}
		}
	}
}

// TestMemoryOfRivals: what trying another graph takes is asked for when seeds speak for
// a trial, and not before.
func TestMemoryOfRivals(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1))
	dir := t.TempDir()
	t.Chdir(dir)
	rng := rand.New(rand.NewPCG(1, 2))
	var points, clear, doubtful strings.Builder
	for i := range 4000 {
		fmt.Fprintf(&points, "%d", i%2*9)
		for range 40 {
			fmt.Fprintf(&points, ",%.3f", rng.NormFloat64())
		}
		points.WriteByte('\n')
		if i < 40 {
			fmt.Fprintf(&clear, "%d\t%d\n", i, i%2)
			fmt.Fprintf(&doubtful, "%d\t%d\n", i, i/2%2)
		}
	}
	for name, text := range map[string]string{"points.csv": points.String(), "clear": clear.String(), "doubtful": doubtful.String()} {
		must(t, os.WriteFile(name, []byte(text), 0o644))
	}
	run := func(labels string, more ...string) (int, string) {
		args := strings.Fields("run --features points.csv --scale none --method lgc --report json --out out --labels " + labels)
		code, _, errs := call(append(args, more...)...)
		return code, errs
	}
	if code, errs := run("clear", "--graph-kind", "knn", "--metric", "l2"); code != 0 {
		t.Fatalf("exit %d, %s", code, errs)
	}
	var report struct {
		Estimated int64 `json:"estimated_bytes"`
	}
	must(t, json.Unmarshal([]byte(read(t, "json")), &report))
	limit := []string{"--memory-limit", fmt.Sprint(report.Estimated)}
	if code, errs := run("clear", limit...); code != 0 {
		t.Errorf("exit %d, %s", code, errs)
	}
	if code, errs := run("doubtful", limit...); code != exits.Memory || !strings.Contains(errs, "(--graph-kind knn") {
		t.Errorf("exit %d, %s", code, errs)
	}
	if code, errs := run("doubtful", append(limit, "--graph-kind", "knn", "--metric", "l2")...); code != 0 {
		t.Errorf("exit %d, %s", code, errs)
	}
}

func name(i int) string { return fmt.Sprintf("n%d", i) }

// TestFitsToTheByte: a run that needs the limit fits, one that needs more does
// not.
func TestFitsToTheByte(t *testing.T) {
	w, _, err := csr.FromEdges(2, &csr.Edges{Src: []uint32{0}, Dst: []uint32{1}}, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1))
	g, k := &opened.Graph{W: w, IDs: ids.Sequence(2)}, needs.Work{Opt: adp.Options{Method: adp.LGC}}
	need := k.Bytes(g, 2)
	if _, err := needs.Fits(limit.Memory{Bytes: need, From: "test"}, k, g, 2); err != nil {
		t.Error(err)
	}
	if _, err := needs.Fits(limit.Memory{Bytes: need - 1, From: "test"}, k, g, 2); !errors.As(err, new(limit.Error)) {
		t.Errorf("%v", err)
	}
}

// TestClassesInSlices: where all classes at a time do not fit, F-steps work on
// some of them, and the outputs are the same bytes.
func TestClassesInSlices(t *testing.T) {
	const n, classes = 20000, 36
	var edges, seeds strings.Builder
	for i := range n {
		fmt.Fprintln(&edges, i, (i+1)%n)
		fmt.Fprintln(&edges, i, (i+1+i%7)%n)
	}
	for k := range 2 * classes {
		fmt.Fprintln(&seeds, k*(n/2/classes), "c"+fmt.Sprint(k%classes))
	}
	dir := files(t, "g", edges.String(), "s", seeds.String())
	facts := func(name string, more ...string) (text string, estimated int64, columns int) {
		t.Helper()
		args := []string{"run", "--edges", dir + "/g", "--labels", dir + "/s", "--method", "lgc", "--alpha", "0.9", "--proba", "--out", dir + "/" + name, "--report", dir + "/json"}
		if code, _, errs := call(append(args, more...)...); code != 0 {
			t.Fatalf("exit %d, %s", code, errs)
		}
		var report struct {
			Estimated int64 `json:"estimated_bytes"`
			Options   struct {
				Columns int `json:"class_columns"`
			} `json:"options"`
		}
		must(t, json.Unmarshal([]byte(read(t, dir+"/json")), &report))
		return read(t, dir+"/"+name), report.Estimated, report.Options.Columns
	}
	want, all, columns := facts("all")
	if columns != 0 {
		t.Errorf("%d columns at a time although all fit", columns)
	}
	got, less, columns := facts("some", "--memory-limit", fmt.Sprint(all-2<<20))
	if got != want || columns == 0 || less > all-2<<20 {
		t.Errorf("%d columns at a time, %d bytes, all together %d; same labels: %v", columns, less, all, got == want)
	}
}

// TestScratch: a run that does not fit the memory says that it would with its
// graphs in files, and gives the same outputs so, however it is made to.
func TestScratch(t *testing.T) {
	if racing.On {
		t.Skip("adp.TestScratch is the same loops with less memory: the test runs without the race detector")
	}
	dir := t.TempDir()
	if code, _, errs := call("gen", "--kind", "geometric", "--nodes", "60000", "--degree", "20", "--classes", "3", "--out", dir+"/g.csr", "--seeds-out", dir+"/s"); code != 0 {
		t.Fatal(errs)
	}
	run := func(name string, more ...string) (int, string, string) {
		t.Helper()
		code, _, errs := call(append([]string{"run", "--graph", dir + "/g.csr", "--labels", dir + "/s", "--select", "fast", "--rounds", "2", "--combine", "none", "--out", dir + "/" + name, "--graph-out", dir + "/" + name + ".csr"}, more...)...)
		if code != 0 {
			return code, errs, ""
		}
		return 0, errs, read(t, dir+"/"+name) + read(t, dir+"/"+name+".csr")
	}
	_, _, want := run("memory")
	if code, errs, _ := run("refused", "--memory-limit", "90MiB"); code != exits.Memory || !strings.Contains(errs, "--scratch FOLDER") {
		t.Fatalf("exit %d, %s", code, errs)
	}
	scratch := dir + "/scratch"
	must(t, os.Mkdir(scratch, 0o700))
	for _, more := range [][]string{nil, {"--memory-limit", "90MiB"}, {"--reorder", "degree", "--threads", "1"}} {
		if more != nil && more[0] == "--reorder" {
			_, _, want = run("memory", more...)
		}
		code, errs, got := run("files", append(more, "--scratch", scratch)...)
		if code != 0 || got != want {
			t.Errorf("%q: exit %d, %s; same bytes: %v", more, code, errs, got == want)
		}
	}
	if left, err := os.ReadDir(scratch); err != nil || len(left) > 0 {
		t.Errorf("%v left, %v", left, err)
	}
}

// TestInspectEstimatesRun: inspect prints the memory that plain run of the same files estimates, and without labels about as much.
func TestInspectEstimatesRun(t *testing.T) {
	t.Chdir(t.TempDir())
	if code, _, errs := call(strings.Fields("gen --kind csbm --nodes 1000 --degree 5 --lambda 1.5 --mu 20 --dims 60 --seeds-per-class 10 --out g.csr --features-out x.npy --seeds-out s --quiet")...); code != 0 {
		t.Fatal(errs)
	}
	facts := func(args string, to any) {
		t.Helper()
		code, out, errs := call(strings.Fields(args)...)
		if code != 0 {
			t.Fatalf("%s: exit %d, %s", args, code, errs)
		}
		must(t, json.Unmarshal([]byte(out), to))
	}
	for _, input := range []string{"--graph g.csr", "--features x.npy", "--graph g.csr --features x.npy"} {
		var run struct {
			Estimated int64 `json:"estimated_bytes"`
		}
		facts("run --report - --out o --quiet --labels s "+input, &run)
		var known, unknown struct {
			Estimated map[string]int64 `json:"estimated_bytes"`
		}
		facts("inspect --json --labels s "+input, &known)
		facts("inspect --json "+input, &unknown)
		if got := known.Estimated["adp"]; got != run.Estimated || float64(unknown.Estimated["adp"]) < 0.9*float64(got) {
			t.Errorf("%s: %d bytes, %d without labels; run estimates %d", input, got, unknown.Estimated["adp"], run.Estimated)
		}
	}
}

// TestUnmixed: where the mixture of edges alone does not fit the memory, by the products of 750 known labels, and the run does, labels are those of the run, and
// a warning says so.
func TestUnmixed(t *testing.T) {
	dir := t.TempDir()
	if code, _, errs := call("gen", "--kind", "geometric", "--nodes", "8000", "--degree", "10", "--classes", "3", "--seeds-per-class", "250", "--out", dir+"/g.tsv", "--seeds-out", dir+"/s"); code != 0 {
		t.Fatal(errs)
	}
	run := func(name string, more ...string) (labels, errs string, estimated int64) {
		t.Helper()
		code, _, errs := call(append([]string{"run", "--edges", dir + "/g.tsv", "--labels", dir + "/s", "--select", "fast", "--out", dir + "/" + name, "--report", dir + "/r.json"}, more...)...)
		var r struct {
			Estimated int64 `json:"estimated_bytes"`
		}
		if err := json.Unmarshal([]byte(read(t, dir+"/r.json")), &r); code != 0 || err != nil {
			t.Fatalf("exit %d, %v, %s", code, err, errs)
		}
		return read(t, dir+"/"+name), errs, r.Estimated
	}
	mixed, _, more := run("mixed")
	alone, _, less := run("alone", "--combine", "none")
	if mixed == alone || more <= less {
		t.Fatalf("the mixture takes %d bytes, the run %d; same labels: %v", more, less, mixed == alone)
	}
	got, errs, estimated := run("got", "--memory-limit", fmt.Sprintf("%dKiB", (less+more)/2048))
	if got != alone || estimated != less || !strings.Contains(errs, "[graph-alone]: labels are by the graph alone: the mixture of methods needs about ") {
		t.Errorf("the labels of the run: %v, %d bytes estimated, %s", got == alone, estimated, errs)
	}
}

// TestReadersRefuse: an input that cannot fit is refused while it is read, or
// before.
func TestReadersRefuse(t *testing.T) {
	var edges, rows, entries strings.Builder
	const n = 200000
	fmt.Fprintf(&entries, "%%%%MatrixMarket matrix coordinate real symmetric\n%d %d %d\n", n, n, n-1)
	for i := range n - 1 {
		fmt.Fprintf(&edges, "%d %d\n", i, i+1)
		fmt.Fprintf(&rows, "%d,1,2,3,4,5,6,7,8\n", i)
		fmt.Fprintf(&entries, "%d %d 0.123456789\n", i+2, i+1)
	}
	dir := files(t, "g", edges.String(), "g.csv", rows.String(), "g.mtx", entries.String(), "s", "0 a\n99 b\n")
	for input, want := range map[string]string{
		"--edges g":        "edges of g need",
		"--graph g.mtx":    "reading g.mtx needs about",
		"--features g.csv": "g.csv: the features need 1.85 MiB or more, and 1.85 MiB is left for them: memory limit; the limit is 25 MiB (--memory-limit); what needs less: fewer columns",
	} {
		t.Chdir(dir)
		for _, command := range []string{"run --out out", "serve --listen 127.0.0.1:0"} {
			args := strings.Fields(command + " " + input + " --labels s --method lgc --memory-limit 25MiB")
			code, _, errs := call(args...)
			if code != exits.Memory || !strings.Contains(errs, want) || !strings.Contains(errs, "the limit is 25 MiB (--memory-limit)") ||
				input == "--edges g" && !strings.Contains(errs, "--memory-limit SIZE (at least 64 MiB)") {
				t.Errorf("%s: exit %d, %s", args, code, errs)
			}
		}
	}
	if left := listing(t, dir); left != "g g.csv g.mtx s" {
		t.Errorf("left: %s", left)
	}
}
