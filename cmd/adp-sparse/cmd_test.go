package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/needs"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/report"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/tables"
	"github.com/adp-sparse/adp-sparse/cmd/internal/exits"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/npz"
	"github.com/adp-sparse/adp-sparse/internal/gen"
	"github.com/adp-sparse/adp-sparse/internal/racing"
	"github.com/adp-sparse/adp-sparse/knn/vecs"
)

// call runs the command line in a folder's context and returns the exit code
// and what was written.
func call(args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = execute(context.Background(), args, streams.Stdio{In: strings.NewReader(""), Out: &out, Err: &errs})
	return code, out.String(), errs.String()
}

// instead returns a command line with more flags, which take the places of those that it has.
func instead(args []string, more ...string) []string {
	isFlag := func(word string) bool { return strings.HasPrefix(word, "--") }
	var out []string
	for k := 0; k < len(args); k++ {
		if name, _, ends := strings.Cut(args[k], "="); isFlag(name) && slices.ContainsFunc(more, func(word string) bool {
			other, _, _ := strings.Cut(word, "=")
			return other == name
		}) {
			if !ends && k+1 < len(args) && !isFlag(args[k+1]) {
				k++ // its value
			}
			continue
		}
		out = append(out, args[k])
	}
	return append(out, more...)
}

// files writes name–content pairs to a new folder.
func files(t *testing.T, pairs ...string) string {
	t.Helper()
	dir := t.TempDir()
	for k := 0; k < len(pairs); k += 2 {
		if err := os.WriteFile(filepath.Join(dir, pairs[k]), []byte(pairs[k+1]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestDemo: the demo runs, and README shows it. The files of demo --write are inputs of the
// commands that it names, and give the share that the demo shows.
func TestDemo(t *testing.T) {
	code, out, errs := call("demo")
	if code != 0 || errs != "" {
		t.Fatalf("exit %d, stderr %q", code, errs)
	}
	_, shown, found := strings.Cut(read(t, "../../README.md"), "```\n1,593 handwritten digits")
	shown, _, _ = strings.Cut("1,593 handwritten digits"+shown, "```")
	if line, ok := matches(linesOf(shown), linesOf(out)); !found || !ok {
		t.Errorf("README has the line %q, which demo does not print there:\n%s", line, out)
	}
	t.Chdir(t.TempDir())
	demo := out
	code, out, errs = call("demo", "--write", "my digits")
	if code != 0 || errs != "" {
		t.Fatalf("exit %d, %s", code, errs)
	}
	if racing.On {
		fewerDigits(t, "my digits")
	}
	for line := range strings.Lines(out) {
		command, next := strings.CutPrefix(line, "  adp-sparse ")
		if !next {
			continue
		}
		args := strings.Fields(strings.NewReplacer("my digits", "my_digits", "'", "").Replace(command))
		for k := range args {
			args[k] = strings.Replace(args[k], "my_digits", "my digits", 1)
		}
		if code, out, errs = call(args...); code != 0 {
			t.Fatalf("%s: exit %d, %s", command, code, errs)
		}
	}
	_, share, _ := strings.Cut(out, "\naccuracy      ")
	share, _, _ = strings.Cut(share, "\n")
	if share == "" || !strings.Contains(demo, share) && !racing.On {
		t.Errorf("the files give %q right, the demo shows\n%s", share, demo)
	}
	for _, args := range []string{"--draws 0", "--draws 1 --write d", "--write"} {
		if code, out, errs := call(append([]string{"demo"}, strings.Fields(args)...)...); code != 2 || out != "" {
			t.Errorf("demo %s: exit %d, %q, %s", args, code, out, errs)
		}
	}
}

// sayAlike checks that summary, page and JSON of a run have one estimate of the accuracy.
func sayAlike(t *testing.T, run []string) {
	t.Helper()
	code, _, long := call(append(run, "--verbose", "--report", "r.json", "--report", "r.html")...)
	var facts struct {
		Accuracy struct{ Estimate, Low, High float64 }
	}
	if err := json.Unmarshal([]byte(read(t, "r.json")), &facts); err != nil || code != 0 {
		t.Fatal(code, err)
	}
	a := facts.Accuracy
	want := fmt.Sprintf("about %.2f (95 %%: %.2f to %.2f), estimated by cross-validation on ", a.Estimate, a.Low, a.High)
	if !(0 < a.Low && a.Low < a.Estimate && a.Estimate <= a.High) || !strings.Contains(long, "\naccuracy  "+want) || !strings.Contains(read(t, "r.html"), "Accuracy: "+want) {
		t.Errorf("%q: not in the page, or in %s", want, long)
	}
}

// TestSummary: a run on vectors, on edges and on both prints at most twelve lines, with an estimate
// of its accuracy, its files and the next step; --verbose prints the rounds, --quiet nothing.
func TestSummary(t *testing.T) {
	edges, _ := communities(60)
	var known strings.Builder
	for i := range 30 {
		fmt.Fprintf(&known, "%d c%d\n", i, i%3)
	}
	dir := files(t, "x.csv", pointRows(), "s", known.String(), "g", edges)
	for kind, in := range map[string]string{"vectors": "--features x.csv", "edges": "--edges g", "both": "--edges g --features x.csv"} {
		t.Chdir(dir)
		run := append(strings.Fields("run --labels s --out out "), strings.Fields(in)...)
		code, _, brief := call(run...)
		if lines := strings.Count(brief, "\n"); code != 0 || lines < 5 || lines > 12 {
			t.Errorf("%s: exit %d, %d lines: %s", kind, code, lines, brief)
		}
		for _, want := range []string{"^read      ", "\nresult    ", "30 known labels of 3 classes\n", "\naccuracy  about ", "\nlabels    30 seed", "\nwrote     out, in ", "\nnext      --report report.html "} {
			if !regexp.MustCompile(want).MatchString(brief) {
				t.Errorf("%s: no %q in %s", kind, want, brief)
			}
		}
		code, _, long := call(append(run, "--verbose")...)
		if code != 0 || !strings.Contains(long, "association  modularity") || !strings.Contains(long, "\naccuracy  about ") {
			t.Errorf("%s --verbose: exit %d, %s", kind, code, long)
		}
		sayAlike(t, run)
	}
	if code, _, errs := call("run", "--edges", "g", "--labels", "s", "--out", "out", "--quiet"); code != 0 || errs != "" {
		t.Errorf("--quiet: exit %d, %s", code, errs)
	}
	if code, _, errs := call("run", "--edges", "g", "--labels", "s", "--quiet", "--verbose"); code != 2 || !strings.Contains(errs, "--quiet and --verbose: say one") {
		t.Errorf("--quiet --verbose: exit %d, %s", code, errs)
	}
}

// TestRun labels two joined triangles end to end: labels, learned graph and
// report are whole and agree.
func TestRun(t *testing.T) {
	dir := files(t,
		"graph.csv", "# two triangles\na,b\nb,c\nc,a,1\nc,d,0.5\nd,e\ne,f\nf,d\nx,y\n",
		"seeds.tsv", "a\tleft\nf\tright\n")
	out, learned, facts := filepath.Join(dir, "labels.tsv"), filepath.Join(dir, "learned.tsv.gz"), filepath.Join(dir, "report.json")
	code, stdout, errs := call("run", "--comment", "#", "--edges", filepath.Join(dir, "graph.csv"), "--labels", filepath.Join(dir, "seeds.tsv"),
		"--out", out, "--graph-out", learned, "--report", facts, "--topk", "2", "--select", "none", "--proba", "--verbose")
	if code != 0 || stdout != "" {
		t.Fatalf("exit %d, stdout %q, stderr %s", code, stdout, errs)
	}
	rows := strings.Split(strings.TrimSpace(read(t, out)), "\n")
	if rows[0] != "node\tlabel\tconfidence\tmargin\tstatus\tleft\tright" || len(rows) != 9 {
		t.Fatalf("labels:\n%s", strings.Join(rows, "\n"))
	}
	want := map[string][2]string{
		"a": {"left", "seed"}, "b": {"left", "predicted"}, "c": {"left", "predicted"}, "d": {"right", "predicted"},
		"e": {"right", "predicted"}, "f": {"right", "seed"}, "x": {"", "unreached"}, "y": {"", "unreached"},
	}
	for _, row := range rows[1:] {
		f := strings.Split(row, "\t")
		if got := [2]string{f[1], f[4]}; got != want[f[0]] {
			t.Errorf("node %s: %v, want %v", f[0], got, want[f[0]])
		}
	}
	var r report.Run
	if err := json.Unmarshal([]byte(read(t, facts)), &r); err != nil {
		t.Fatal(err)
	}
	if r.Graph.Nodes != 8 || r.Graph.Edges != 8 || r.Status["unreached"] != 2 || len(r.Warnings) != 2 || r.Warnings[0].Code != report.WarnSeedless || r.Warnings[1].Code != adp.WarnUnreached {
		t.Errorf("report: %+v", r)
	}
	for _, want := range []string{"8 nodes", "← result", "warning [unreached]", "2 unreached"} {
		if !strings.Contains(errs, want) {
			t.Errorf("summary has no %q:\n%s", want, errs)
		}
	}
	// The learned graph is an input again, its diagonal dropped.
	code, again, errs := call("run", "--edges", learned, "--labels", filepath.Join(dir, "seeds.tsv"), "--method", "lgc")
	if code != 0 || !strings.Contains(errs, "8 self-loops dropped") || strings.Count(again, "\n") != 9 {
		t.Errorf("learned graph as input: exit %d\n%s%s", code, again, errs)
	}
}

// TestCalibrateAndDiagnose: both stand in the report and in the summary, and a
// threshold acts on the calibrated confidence; two seeds are too few.
func TestCalibrateAndDiagnose(t *testing.T) {
	src, dst, _, class := gen.PlantedPartition(600, 3, 0.03, 0.01, 4)
	var edges, seeds strings.Builder
	for k := range src {
		fmt.Fprintln(&edges, src[k], dst[k])
	}
	for i := range 60 {
		fmt.Fprintln(&seeds, i, class[i])
	}
	dir := files(t, "g", edges.String(), "s", seeds.String(), "few", "0 a\n1 b\n")
	var r report.Run
	run := func(labels string) string {
		code, _, errs := call("run", "--edges", dir+"/g", "--labels", dir+"/"+labels, "--out", dir+"/out", "--report", dir+"/r", "--calibrate", "auto", "--diagnose", "--min-confidence", "0.5", "--verbose")
		r = report.Run{}
		if err := json.Unmarshal([]byte(read(t, dir+"/r")), &r); err != nil || code != 0 {
			t.Fatalf("exit %d, %v: %s", code, err, errs)
		}
		return errs
	}
	errs := run("s")
	if c := r.Calibration; c == nil || !c.Calibrated || c.LeftOut+c.Unreached != 60 || c.Model == nil || len(c.Bins) != 3 {
		t.Errorf("calibration %+v", c)
	}
	if d := r.Diagnosis; d == nil || !(d.Step.Mean > 0 && d.Normalized.Mean > 0) || d.Vectors != needs.DiagnoseVectors {
		t.Errorf("diagnosis %+v", d)
	}
	for _, want := range []string{"calibrated by cross-validation on", "truncated against whole"} {
		if !strings.Contains(errs, want) {
			t.Errorf("summary has no %q:\n%s", want, errs)
		}
	}
	errs = run("few")
	if c := r.Calibration; c == nil || c.Calibrated || !strings.Contains(errs, "not calibrated: cross-validation can leave out 0 known labels") || !strings.Contains(read(t, dir+"/r"), `"calibrated": false`) {
		t.Errorf("too few seeds: %+v, %s", c, errs)
	}
}

// full reports whether tests run at their full size, which takes minutes:
// ADPSPARSE_FULL=1 go test ./cmd/adp-sparse ./csr/...
func full() bool { return os.Getenv("ADPSPARSE_FULL") != "" }

// TestSameBytes: threads, processors, the order of lines and of endpoints, and
// repeats change no byte of any output. At full size: {1, 2, 3, 8, 16} threads ×
// 5 orders × 3 repeats.
func TestSameBytes(t *testing.T) {
	orders, repeats := 2, 1
	if full() {
		orders, repeats = 5, 3
	}
	src, dst, weight, class := gen.PlantedPartition(600, 3, 0.04, 0.003, 4)
	var lines []string
	for k := range src {
		lines = append(lines, fmt.Sprintf("n%d n%d %g", src[k], dst[k], weight[k]+float32(k%7)/3))
	}
	for k := range 40 { // duplicates whose sum depends on the order of addition
		lines = append(lines, fmt.Sprintf("n%d n%d %g", src[k], dst[k], 1e-3*float64(k)), fmt.Sprintf("n%d n%d 12345.678", dst[k], src[k]))
	}
	var seeds []string
	for i := range 30 {
		seeds = append(seeds, fmt.Sprintf("n%d class%d", i, class[i]))
	}
	rng := rand.New(rand.NewPCG(1, 2))
	processors := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(processors)
	hashes := map[[32]byte]int{}
	for order := range orders {
		dir := files(t, "g", strings.Join(lines, "\n"), "s", strings.Join(seeds, "\n"))
		for k, threads := range []string{"1", "2", "3", "8", "16"} {
			for repeat := range repeats {
				runtime.GOMAXPROCS(1 + (k+order+repeat)%4)
				code, out, errs := call("run", "--edges", dir+"/g", "--labels", dir+"/s", "--graph-out", dir+"/a.csr", "--threads", threads, "--proba", "--quiet")
				if code != 0 || errs != "" {
					t.Fatal(code, errs)
				}
				hashes[sha256.Sum256([]byte(out+read(t, dir+"/a.csr")))]++
			}
		}
		rng.Shuffle(len(lines), func(a, b int) { lines[a], lines[b] = lines[b], lines[a] })
		rng.Shuffle(len(seeds), func(a, b int) { seeds[a], seeds[b] = seeds[b], seeds[a] })
		for k, line := range lines {
			f := strings.Fields(line)
			if rng.IntN(2) == 0 {
				lines[k] = f[1] + " " + f[0] + " " + f[2]
			}
		}
	}
	t.Logf("%d runs", orders*5*repeats)
	if len(hashes) != 1 {
		t.Errorf("%d different outputs: %v", len(hashes), slices.Collect(maps.Values(hashes)))
	}
}

// TestErrors: each kind of fault has its exit code, a message that says
// where, and leaves nothing behind.
func TestErrors(t *testing.T) {
	dir := files(t, "g", "a b\nb c\nc d\n", "s", "a x\nd y\n", "bad", "a b\nb c nan\n", "unknown", "a x\nq y\n", "two", "a x\na y\n", "cut.gz", "\x1f\x8b\x08")
	g, s, out := dir+"/g", dir+"/s", dir+"/out"
	for _, test := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"run", "--edges", dir + "/bad", "--labels", s}, 1, "bad:2: weight \"nan\""},
		{[]string{"run", "--edges", dir + "/cut.gz", "--labels", s}, 1, "cut.gz"},
		{[]string{"run", "--edges", g, "--labels", dir + "/unknown"}, 1, "unknown:2: node \"q\" is not in the graph"},
		{[]string{"run", "--edges", g, "--labels", dir + "/two"}, 1, "two:2: node \"a\" has label \"y\", but \"x\" on line 1"},
		{[]string{"run", "--edges", g, "--labels", s, "--topk", "4"}, 2, "top-k of 4 with 4 nodes"},
		{[]string{"run", "--edges", g}, 2, "--labels"},
		{[]string{"run", "--labels", s}, 2, "--edges"},
		{[]string{"run", "--edges", g, "--labels", s, "--alpha", "1"}, 2, "--alpha 1"},
		{[]string{"run", "--edges", g, "--labels", s, "--method", "magic"}, 2, "magic"},
		{[]string{"run", "--edges", g, "--labels", s, "--no-such-flag"}, 2, "no-such-flag"},
		{[]string{"run", "--edges", g, "--labels", s, "--class-prior", "x=1"}, 2, "no share for label \"y\""},
		{[]string{"run", "--edges", g, "--labels", s, "--calibrate", "on"}, 2, "expected auto or off"},
		{[]string{"run", "--edges", g, "--labels", s, "--method", "lgc", "--diagnose"}, 2, "expected adp or adp1"},
		{[]string{"nonsense"}, 2, "nonsense"},
		{[]string{"run", "more", "--edges", g}, 2, "more"},
		{[]string{"run", "--edges", dir + "/none", "--labels", s}, 3, "none"},
		{[]string{"run", "--edges", g, "--labels", s, "--topk", "2", "--out", dir + "/no/out"}, 3, "no"},
		{[]string{"run", "--edges", g, "--labels", s, "--topk", "2", "--max-iterations", "1", "--require-converged"}, 6, "not converged"},
	} {
		args := test.args
		if test.args[0] == "run" && !slices.Contains(test.args, "--out") {
			args = append(slices.Clone(args), "--out", out)
		}
		before := listing(t, dir)
		code, stdout, errs := call(args...)
		if code != test.code || !strings.Contains(errs, test.says) || stdout != "" {
			t.Errorf("%q: exit %d, want %d; stderr %q, want it to say %q", test.args, code, test.code, errs, test.says)
		}
		if code == 6 {
			os.Remove(out) // written: the labels are there for who wants them
		}
		if after := listing(t, dir); after != before {
			t.Errorf("%q left files behind: %s, before: %s", test.args, after, before)
		}
	}
}

func listing(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

// TestInterrupted: an ended context exits 130 and writes nothing.
func TestInterrupted(t *testing.T) {
	dir := files(t, "g", "a b\nb c\nc d\n", "s", "a x\nd y\n")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out, errs bytes.Buffer
	code := execute(ctx, []string{"run", "--edges", dir + "/g", "--labels", dir + "/s", "--topk", "2"}, streams.Stdio{In: strings.NewReader(""), Out: &out, Err: &errs})
	if code != 130 || out.Len() > 0 {
		t.Errorf("exit %d, stdout %q, stderr %q", code, out.String(), errs.String())
	}
}

// TestFailedOutputKeepsTheOldFile: an output that cannot be finished leaves
// the old one as it was.
func TestFailedOutputKeepsTheOldFile(t *testing.T) {
	// The id is fine to read from commas, but cannot be written between tabs…
	dir := files(t, "g.csv", "c,d\nd,e\na\tb,c\n", "s", "c,x\ne,y\n", "learned.tsv", "old\n")
	code, _, errs := call("run", "--edges", dir+"/g.csv", "--labels", dir+"/s", "--topk", "2", "--graph-out", dir+"/learned.tsv", "--out", dir+"/out")
	if code != 1 || !strings.Contains(errs, `"a\tb"`) {
		t.Fatalf("exit %d, stderr %s", code, errs)
	}
	if read(t, dir+"/learned.tsv") != "old\n" {
		t.Errorf("the old file is gone; stderr %s", errs)
	}
}

// TestOutputToDevice: what is no regular file is written to, not replaced.
func TestOutputToDevice(t *testing.T) {
	dir := files(t, "g", "a b\n", "s", "a x\n")
	pipe, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer pipe.Close()
	device := fmt.Sprintf("/dev/fd/%d", w.Fd())
	if _, err := os.Stat(device); err != nil {
		return // a system without such names
	}
	code, _, errs := call("run", "--edges", dir+"/g", "--labels", dir+"/s", "--out", device)
	w.Close()
	text, err := io.ReadAll(pipe)
	if code != 0 || err != nil || !strings.Contains(string(text), "\nb\tx\t") {
		t.Errorf("exit %d, error %v, stderr %s, output %q", code, err, errs, text)
	}
}

// rewriter is a standard input of labels that writes into a file when it is read.
type rewriter struct {
	io.Reader
	rewrite func()
}

func (r *rewriter) Read(b []byte) (int, error) {
	r.rewrite()
	return r.Reader.Read(b)
}

// TestRewrittenGraph: a mapped graph that another process writes into during the run
// is an error, also where its columns are none, and nothing is written.
func TestRewrittenGraph(t *testing.T) {
	dir := files(t, "g", "a b 1\nb c 3\nc d 1\n")
	graph := dir + "/g.csr"
	if code, _, errs := call("convert", "--edges", dir+"/g", "--out", graph, "--quiet"); code != 0 {
		t.Fatal(errs)
	}
	later := time.Now().Add(time.Minute)
	weights := func(content []byte) []byte {
		return bytes.ReplaceAll(content, []byte("\x00\x00\x80\x3f"), []byte("\x00\x00\x00\x40")) // weights of 1 are of 2
	}
	columns := func(content []byte) []byte {
		const at = 128 + 64 // behind the header and the five offsets
		return slices.Concat(content[:at], bytes.Repeat([]byte{99, 0, 0, 0}, 6), content[at+24:])
	}
	for _, command := range []string{"run", "run --threads 1", "run --checkpoint-every 1ns --checkpoint " + dir + "/state", "inspect", "suggest", "partition"} {
		for name, rewrite := range map[string]func([]byte) []byte{"weights": weights, "columns": columns} {
			old := []byte(read(t, graph))
			in := &rewriter{strings.NewReader("a x\nd y\n"), func() {
				later = later.Add(time.Minute)
				must(t, errors.Join(os.WriteFile(graph, rewrite(old), 0o600), os.Chtimes(graph, later, later)))
			}}
			args := append(strings.Fields(command), "--graph", graph)
			switch args[0] {
			case "run":
				args = append(args, "--labels", "-", "--topk", "2", "--out", dir+"/out")
			case "partition":
				in.Reader = strings.NewReader("0\n0\n0\n0\n")
				args = append(args, "--part-of", "-", "--parts", "1", "--out", dir+"/parts")
			default:
				args = append(args, "--labels", "-")
			}
			var out, errs bytes.Buffer
			code := execute(context.Background(), args, streams.Stdio{In: in, Out: &out, Err: &errs})
			if want := "g.csr: changed by another process while it was in use"; code != exits.Data || !strings.Contains(errs.String(), want) {
				t.Errorf("%s, other %s: exit %d, stderr %q", command, name, code, errs.String())
			}
			must(t, os.WriteFile(graph, old, 0o600))
			if got := listing(t, dir); got != "g g.csr" {
				t.Errorf("%s, other %s: left %s", command, name, got)
			}
		}
	}
}

func TestStandardInput(t *testing.T) {
	dir := files(t, "s", "a x\nd y\n")
	var out, errs bytes.Buffer
	code := execute(context.Background(), []string{"run", "--edges", "-", "--labels", dir + "/s", "--topk", "2"}, streams.Stdio{In: strings.NewReader("a b\nb c\nc d\n"), Out: &out, Err: &errs})
	if code != 0 || strings.Count(out.String(), "\n") != 5 {
		t.Errorf("exit %d, stdout %q, stderr %q", code, out.String(), errs.String())
	}
}

func TestInspect(t *testing.T) {
	dir := files(t, "g", "1 2 3\n2 1\n2 2\n3 4 0\n5 6\n", "s", "1 x\n2 y\n")
	code, out, errs := call("inspect", "--edges", dir+"/g", "--labels", dir+"/s")
	if code != 0 {
		t.Fatal(code, errs)
	}
	for _, want := range []string{"nodes       6", "edges       2 (from 5 lines)", "1 merged", "1 dropped", "4, largest [2 2 1 1]; 2 isolated", "3 components with 4 nodes have no seed", "0.0000 of the weight between labelled nodes joins equal labels; 0.8 of all"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in:\n%s", want, out)
		}
	}
	code, out, _ = call("inspect", "--edges", dir+"/g", "--json")
	var facts tables.Inspection
	if err := json.Unmarshal([]byte(out), &facts); code != 0 || err != nil || facts.Nodes != 6 || facts.Read.SelfLoops != 1 {
		t.Errorf("exit %d, %v, %+v", code, err, facts)
	}
}

// TestInspectHomophily: no edge between labelled nodes is not the same as edges that all
// join unequal labels; of soft labels the largest counts, the first of equal ones.
func TestInspectHomophily(t *testing.T) {
	dir := files(t, "g", "1 2\n2 3\n3 4\n", "apart", "1 x\n4 y\n", "unequal", "1 x\n2 y\n",
		"soft", "1 x\n2 x 0.2\n2 y 0.8\n", "tie", "1 x\n2 x 0.5\n2 y 0.5\n")
	_, out, _ := call("inspect", "--edges", dir+"/g", "--labels", dir+"/apart")
	if !strings.Contains(out, "homophily   – (no edge joins two labelled nodes)\n") {
		t.Error(out)
	}
	for labels, want := range map[string]string{"apart": "<nil> 0", "unequal": "0 0.3333333333333333", "soft": "0 0.3333333333333333", "tie": "1 0.3333333333333333"} {
		_, out, _ = call("inspect", "--edges", dir+"/g", "--labels", dir+"/"+labels, "--json")
		var facts map[string]any
		must(t, json.Unmarshal([]byte(out), &facts))
		if got := fmt.Sprint(facts["homophily"], " ", facts["labelled_weight"]); got != want {
			t.Errorf("%s: homophily and weight %s, expected %s", labels, got, want)
		}
	}
}

// TestInspectSeveralLabels: two nodes are alike that have one label of several in common.
func TestInspectSeveralLabels(t *testing.T) {
	dir := files(t, "g", "1 2 3\n2 3\n3 4 2\n4 5 7\n", "s", "1 x\n1 y\n2 y\n2 z\n3 x\n4 w\n4 x\n")
	code, out, errs := call("inspect", "--edges", dir+"/g", "--labels", dir+"/s", "--multilabel")
	want := "0.8333 of the weight between labelled nodes joins equal labels; 0.462 of all weight is between labelled nodes"
	if code != 0 || !strings.Contains(out, want) {
		t.Errorf("exit %d, %s, no %q in:\n%s", code, errs, want, out)
	}
	if code, _, errs := call("inspect", "--edges", dir+"/g", "--labels", dir+"/s"); code != 1 || !strings.Contains(errs, "--multilabel") {
		t.Errorf("exit %d, %s", code, errs)
	}
}

func TestVersion(t *testing.T) {
	if code, out, _ := call("version"); code != 0 || !strings.HasPrefix(out, "adp-sparse ") {
		t.Errorf("exit %d, %q", code, out)
	}
}

// pointRows are 60 points in three clusters, as csv lines.
func pointRows() string {
	var text strings.Builder
	for i := range 60 {
		fmt.Fprintf(&text, "%g,%g\n", 5*float64(i%3)+float64(i%7)/8, float64(i%5)/4)
	}
	return text.String()
}

// TestRoundTrip: the graph that knn writes, in every format, gives the same
// labels as running on the graph of the features.
func TestRoundTrip(t *testing.T) {
	dir := files(t, "x.csv", pointRows(), "s", "0 a\n1 b\n2 c\n")
	x, s := dir+"/x.csv", dir+"/s"
	code, want, errs := call("run", "--features", x, "--k", "6", "--labels", s, "--combine", "none", "--quiet")
	if code != 0 || strings.Count(want, "predicted") != 57 {
		t.Fatalf("exit %d, %s%s", code, errs, want)
	}
	for name, flag := range map[string]string{
		"g.csr": "--graph", "g.mtx": "--graph", "g.npz": "--graph", "g.mtx.gz": "--graph", "g.csr.zst": "--graph", "g.npz.gz": "--graph",
		"g.tsv": "--edges", "g.csv.gz": "--edges",
	} {
		if code, _, errs := call("knn", "--features", x, "--k", "6", "--out", dir+"/"+name, "--quiet"); code != 0 || errs != "" {
			t.Fatalf("%s: exit %d, %s", name, code, errs)
		}
		code, got, errs := call("run", flag, dir+"/"+name, "--labels", s, "--combine", "none", "--quiet")
		if code != 0 || got != want {
			t.Errorf("%s: exit %d, %s; labels differ", name, code, errs)
		}
	}
}

// TestNeighborsRoundTrip: the neighbours that knn writes, in both formats,
// make the same graph as the features, some of which are equal.
func TestNeighborsRoundTrip(t *testing.T) {
	all := pointRows()
	first, _, _ := strings.Cut(all, "\n")
	dir := files(t, "x.csv", all+strings.Repeat(first+"\n", 8), "s", "0 a\n1 b\n2 c\n")
	for _, f := range [][2]string{{"n.npy", "d.npy"}, {"n.ivecs", "d.fvecs"}, {"n.npy.gz", "d.fvecs.zst"}} {
		ids, dists := dir+"/"+f[0], dir+"/"+f[1]
		for _, args := range [][]string{
			{"knn", "--features", dir + "/x.csv", "--k", "6", "--weights", "uniform", "--symmetrize", "max", "--out", dir + "/a.tsv", "--neighbors-out", ids, "--distances-out", dists},
			{"knn", "--neighbors", ids, "--distances", dists, "--k", "6", "--weights", "uniform", "--symmetrize", "max", "--out", dir + "/b.tsv"},
		} {
			if code, _, errs := call(args...); code != 0 {
				t.Fatalf("%q: exit %d, %s", args, code, errs)
			}
		}
		if read(t, dir+"/a.tsv") != read(t, dir+"/b.tsv") {
			t.Errorf("%v: the graphs differ", f)
		}
		labels := make([]string, 2)
		for k, source := range [][]string{{"--features", dir + "/x.csv"}, {"--neighbors", ids, "--distances", dists}} {
			args := append([]string{"run", "--k", "6", "--weights", "uniform", "--symmetrize", "max", "--labels", dir + "/s", "--combine", "none", "--quiet"}, source...)
			code, out, errs := call(args...)
			if code != 0 {
				t.Fatalf("%q: exit %d, %s", args, code, errs)
			}
			labels[k] = out
		}
		if labels[0] != labels[1] {
			t.Errorf("%v: the labels differ", f)
		}
		if code, _, errs := call("knn", "--neighbors", sparseDistances(t, dir, ids, dists), "--k", "6", "--weights", "uniform", "--symmetrize", "max", "--out", dir+"/c.tsv"); code != 0 || read(t, dir+"/a.tsv") != read(t, dir+"/c.tsv") {
			t.Errorf("%v: the graph of a sparse matrix differs: exit %d, %s", f, code, errs)
		}
	}
}

// sparseDistances writes neighbours as a sparse matrix of their distances, and returns its name.
func sparseDistances(t *testing.T, dir, ids, dists string) string {
	t.Helper()
	nb, err := vecs.ReadNeighbors(vecs.Source{R: strings.NewReader(read(t, ids)), Name: ids, Size: -1}, vecs.Source{R: strings.NewReader(read(t, dists)), Name: dists, Size: -1})
	if err != nil {
		t.Fatal(err)
	}
	var e csr.Edges
	for at, id := range nb.IDs {
		if id < 0 {
			continue
		}
		e.Src, e.Dst, e.Weight = append(e.Src, uint32(at/nb.K)), append(e.Dst, uint32(id)), append(e.Weight, nb.Dists[at]+1) // 0 is no edge
	}
	m, _, err := csr.FromEdges(nb.N, &e, csr.BuildOptions{Directed: true})
	if err != nil {
		t.Fatal(err)
	}
	_, _, data := m.Arrays()
	for k := range data {
		data[k]--
	}
	var b bytes.Buffer
	if err := npz.Write(&b, m); err != nil {
		t.Fatal(err)
	}
	name := dir + "/m.npz"
	if err := os.WriteFile(name, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestGraphKinds: each kind makes a graph that separates the clusters.
func TestGraphKinds(t *testing.T) {
	dir := files(t, "x.csv", pointRows(), "s", "0 a\n1 b\n2 c\n")
	for _, args := range [][]string{
		{"--graph-kind", "lle"},
		{"--weights", "self-tuning", "--symmetrize", "mutual"},
		{"--weights", "uniform", "--connect", "mst"},
		{"--knn", "exact", "--metric", "l2", "--weights", "symmetric"},
	} {
		code, out, errs := call(append([]string{"run", "--features", dir + "/x.csv", "--k", "6", "--labels", dir + "/s", "--method", "lgc", "--verbose"}, args...)...)
		if code != 0 || !strings.Contains(errs, "features  60 points of 2 dimensions") {
			t.Fatalf("%v: exit %d, %s", args, code, errs)
		}
		for i, line := range strings.Split(strings.TrimSpace(out), "\n")[1:] {
			if label := strings.Split(line, "\t")[1]; label != string("abc"[i%3]) {
				t.Errorf("%v: point %d has label %q", args, i, label)
			}
		}
	}
}

// TestDefaultNeighbors: of few points, and of lists that are shorter than the default.
func TestDefaultNeighbors(t *testing.T) {
	dir := files(t, "x.csv", pointRows(), "few.csv", "0,1\n1,2\n3,4\n9,9\n", "s", "0 a\n1 b\n")
	found := []string{"--neighbors", dir + "/i.npy", "--distances", dir + "/d.npy"}
	for _, test := range []struct {
		args []string
		says string
	}{
		{[]string{"knn", "--features", dir + "/few.csv", "--out", dir + "/g.tsv"}, " 3 neighbours by"},
		{[]string{"knn", "--features", dir + "/x.csv", "--out", dir + "/g.tsv"}, " 10 neighbours by"},
		{[]string{"knn", "--features", dir + "/x.csv", "--k", "4", "--weights", "uniform", "--out", dir + "/g.tsv", "--neighbors-out", dir + "/i.npy", "--distances-out", dir + "/d.npy"}, " 4 neighbours by"},
		{append([]string{"knn", "--out", dir + "/g.tsv"}, found...), " 4 neighbours by"},
		{append([]string{"run", "--labels", dir + "/s"}, found...), " 4 nearest neighbours by"},
		{append([]string{"inspect"}, found...), ""},
		{[]string{"run", "--features", dir + "/few.csv", "--graph-kind", "lle", "--labels", dir + "/s"}, "read      4 points"},
	} {
		if code, _, errs := call(test.args...); code != 0 || !strings.Contains(errs, test.says) {
			t.Errorf("%v: exit %d, %s", test.args, code, errs)
		}
	}
}

// TestFeatureErrors: wrong features and wrong combinations of flags.
func TestFeatureErrors(t *testing.T) {
	dir := files(t,
		"x.csv", pointRows(), "one.csv", "1,2\n", "equal.csv", strings.Repeat("1,2\n", 20), "nan.csv", "1,2\nnan,3\n", "ragged.csv", "1,2\n3\n",
		"named.csv", "id,x,y\np,1,2\nq,3,4\nr,5,7\ns,9,9\n", "cut.npy", "\x93NUMPY\x01\x00", "x.bin", "?", "s", "0 a\n1 b\n",
		"two.ivecs", "\x01\x00\x00\x00\x01\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00", "one.fvecs", "\x01\x00\x00\x00\x00\x00\x00\x00",
		"two.fvecs", "\x01\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00")
	knn := func(args ...string) []string { return append([]string{"knn", "--out", dir + "/out.tsv"}, args...) }
	for _, test := range []struct {
		args []string
		code int
		says string
	}{
		{knn("--features", dir+"/one.csv"), 1, "point"},
		{knn("--features", dir+"/nan.csv"), 1, "nan.csv:2"},
		{knn("--features", dir+"/ragged.csv"), 1, "ragged.csv:2"},
		{knn("--features", dir+"/cut.npy"), 1, "cut.npy"},
		{knn("--features", dir+"/x.bin"), 1, "format"},
		{knn("--features", dir+"/x.csv", "--k", "60"), 2, "60"},
		{knn("--features", dir+"/x.csv", "--k", "0"), 2, "--k 0"},
		{knn("--features", dir+"/x.csv", "--metric", "taxi"), 2, "taxi"},
		{knn("--features", dir+"/x.csv", "--graph-kind", "magic"), 2, "magic"},
		{knn("--features", dir+"/none.npy"), 3, "none.npy"},
		{knn("--neighbors", dir+"/x.csv"), 2, "--distances"},
		{knn("--neighbors", dir+"/two.ivecs", "--distances", dir+"/one.fvecs"), 1, "one.fvecs"},
		{knn("--features", dir+"/x.csv", "--neighbors", dir+"/two.ivecs", "--distances", dir+"/two.fvecs"), 1, "x.csv"},
		{knn(), 2, "--features"},
		{[]string{"knn", "--features", dir + "/x.csv"}, 2, "--out"},
		{[]string{"run", "--graph", dir + "/x.csv", "--labels", dir + "/s"}, 2, "--edges"},
		{[]string{"knn", "--features", dir + "/named.csv", "--id-column", "id", "--k", "2", "--out", dir + "/out.mtx"}, 2, "\"p\""},
	} {
		before := listing(t, dir)
		code, stdout, errs := call(test.args...)
		if code != test.code || !strings.Contains(errs, test.says) || stdout != "" {
			t.Errorf("%q: exit %d, want %d; stderr %q, want it to say %q", test.args, code, test.code, errs, test.says)
		}
		if after := listing(t, dir); after != before {
			t.Errorf("%q left files behind: %s", test.args, after)
		}
	}
	// Equal points are no error: a sound graph.
	code, _, errs := call(knn("--features", dir+"/equal.csv", "--k", "3")...)
	if code != 0 || !strings.Contains(errs, "19 points are duplicates") {
		t.Errorf("equal points: exit %d, %s", code, errs)
	}
}
