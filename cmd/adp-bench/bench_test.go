package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/cmd/internal/exits"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
)

// TestBenchAccuracyOutputs: figures, csv and draws appear where they were
// asked for; a figure of no known format is a usage error before any work.
func TestBenchAccuracyOutputs(t *testing.T) {
	dir := files(t, "t.edges.tsv", "a\tb\nb\tc\nc\ta\nc\td\nd\te\ne\tf\nf\td\n", "t.labels.tsv", "a\tx\nb\tx\nc\tx\nd\ty\ne\ty\nf\ty\n")
	at := func(name string) string { return filepath.Join(dir, name) }
	args := []string{"accuracy", "--data", dir, "--sets", "t", "--labels", "1,2", "--draws", "2", "--methods", "lgc,adp-none"}
	code, out, errs := call(append(args, "--plot", at("a.svg"), "--convergence", at("c.png"), "--collapse", at("l.svg"), "--rounds-csv", at("r.csv"), "--draws-out", at("draws"))...)
	if code != 0 || !strings.Contains(out, "| t ") {
		t.Fatalf("exit %d, stderr %s\n%s", code, errs, out)
	}
	for name, want := range map[string]string{
		"a.svg": ">adp-none</text>", "c.png": "\x89PNG", "l.svg": ">largest class, share</text>", "r.csv": "\nt,2,adp-none,1,1,", "draws/t-2-1.seeds.tsv": "\ty\n",
	} {
		if !strings.Contains(read(t, at(name)), want) {
			t.Errorf("%s has no %q", name, want)
		}
	}
	for _, flag := range []string{"--plot", "--convergence", "--collapse"} {
		code, out, errs := call(append(args, flag, at("a.pdf"))...)
		if code != 2 || out != "" || !strings.Contains(errs, ".svg or .png") {
			t.Errorf("%s a.pdf: exit %d, %s", flag, code, errs)
		}
	}
}

// TestBenchSensitivity: a row for each value of each option, and the figure.
func TestBenchSensitivity(t *testing.T) {
	var edges, labels strings.Builder
	for i := range 50 { // a ring of two halves
		for _, j := range []int{i + 1, i + 2} {
			fmt.Fprintf(&edges, "%d\t%d\n", i, j%50)
		}
		fmt.Fprintf(&labels, "%d\t%d\n", i, i/25)
	}
	dir := files(t, "t.edges.tsv", edges.String(), "t.labels.tsv", labels.String())
	figure := filepath.Join(dir, "s.svg")
	args := []string{"sensitivity", "--data", dir, "--sets", "t", "--labels", "2", "--draws", "2", "--plot"}
	code, out, errs := call(append(args, figure)...)
	if code != 0 || strings.Count(out, "| t ") != 25 || !strings.Contains(errs, "t the program, ζ 0.25: ") {
		t.Fatalf("exit %d, stderr %s\n%s", code, errs, out)
	}
	if text := read(t, figure); !strings.Contains(text, ">the program</text>") || !strings.Contains(text, ">rounds</text>") {
		t.Error("the figure lacks a form or an option")
	}
	for _, bad := range [][]string{{"s.pdf"}, {figure, "--draws", "0"}, {figure, "--sets", "missing"}} {
		if code, _, errs := call(append(args, bad...)...); code != exits.Usage {
			t.Errorf("%v: exit %d, %s", bad, code, errs)
		}
	}
}

// TestBenchJournal: an experiment with a journal goes on from any part of it,
// cut within a line too, to the same table; it believes what is there, and
// does not go on from what is no journal.
func TestBenchJournal(t *testing.T) {
	dir := files(t, "t.edges.tsv", "a\tb\nb\tc\nc\ta\nc\td\nd\te\ne\tf\nf\td\n", "t.labels.tsv", "a\tx\nb\tx\nc\tx\nd\ty\ne\ty\nf\ty\n")
	journal := filepath.Join(dir, "j.csv")
	args := []string{"accuracy", "--data", dir, "--sets", "t", "--labels", "1,2", "--draws", "2", "--methods", "lgc,adp-none"}
	_, table, _ := call(args...)
	args = append(args, "--journal", journal)
	if code, out, errs := call(args...); code != 0 || out != table {
		t.Fatalf("exit %d, %s\n%s", code, errs, out)
	}
	write := func(text string) {
		if err := os.WriteFile(journal, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	whole := read(t, journal)
	if strings.Count(whole, "\n") != 8 || !strings.HasPrefix(whole, "t,1,lgc,1,0,") {
		t.Fatalf("journal is %q", whole)
	}
	for cut := range len(whole) {
		write(whole[:cut])
		if code, out, errs := call(args...); code != 0 || out != table || read(t, journal) != whole {
			t.Fatalf("from %d bytes: exit %d, %s\n%s\n%s", cut, code, errs, out, read(t, journal))
		}
	}
	write("t,1,lgc,1,0,0.125\nt,1,lgc,1,1,0.125\n")
	if _, out, _ := call(args...); !strings.Contains(out, "0.125 ± 0.000") {
		t.Errorf("the values of the journal are not in\n%s", out)
	}
	write(whole + "t,1,net,1,0,0.25\nt,1,net,1,1,0.75\nt,2,net,1,0,1\n")
	other := append(slices.Clone(args), "--methods", "journal:net")
	if code, _, errs := call(other...); code != 2 || !strings.Contains(errs, "expected a line t,2,net,1,1,") {
		t.Errorf("a value of another program is missing: exit %d, %s", code, errs)
	}
	if code, out, errs := call("accuracy", "--data", dir, "--sets", "t", "--labels", "1", "--draws", "2", "--methods", "lgc,journal:net", "--journal", journal); code != 0 || !strings.Contains(out, "| net ") || !strings.Contains(out, "0.500 ± 0.354") {
		t.Errorf("exit %d, %s\n%s", code, errs, out)
	}
	for _, line := range []string{"a\tx", "t,1,lgc,1,0,1.5", "t,1,lgc,1,0,NaN", "t,1,lgc,1,0,", "1,lgc,1,0,0.5"} {
		write(whole + line + "\n")
		if code, out, errs := call(args...); code != 1 || out != "" || !strings.Contains(errs, "j.csv:9: ") {
			t.Errorf("%q: exit %d, %s", line, code, errs)
		}
		if read(t, journal) != whole+line+"\n" {
			t.Errorf("%q: the file was changed", line)
		}
	}
	if code, _, errs := call(append(args, "--rounds-csv", "-")...); code != 2 {
		t.Errorf("--journal with --rounds-csv: exit %d, %s", code, errs)
	}
}

// TestBenchProcesses: the experiments whose runs are processes write their
// tables, and one row for each number of threads.
func TestBenchProcesses(t *testing.T) {
	dir := files(t, "t.edges.tsv", "a\tb\nb\tc\nc\ta\nc\td\nd\te\ne\tf\nf\td\n", "t.labels.tsv", "a\tx\nb\tx\nc\tx\nd\ty\ne\ty\nf\ty\n")
	for _, c := range []struct{ args, want string }{
		{"scaling --nodes 500,1000 --methods lgc --threads 1,2 --csv s.csv --plot s.svg", "| lgc, 2 threads | 1000  |"},
		{"stages --nodes 1000 --points 500 --dims 4 --rounds 1 --methods lgc", "| whole run, lgc "},
		{"stages --data . --set t --rounds 1 --methods adp --threads 2", "| whole run, adp "},
		{"stages --graph t.edges.tsv --rounds 1 --methods lgc --threads 1", "| A-step (top 5) "},
		{"fstep --data . --set t --rounds 1", "| adp-sparse whole "},
		{"knn --nodes 500 --dims 4 --rounds 1", "| adp-sparse exact "},
	} {
		cmd := exec.Command(built(t, "adp-bench"), strings.Fields(c.args)...)
		cmd.Dir = dir
		var errs strings.Builder
		cmd.Stderr = &errs
		out, err := cmd.Output()
		if err != nil || !strings.Contains(string(out), c.want) {
			t.Errorf("%s: %v, expected %q in\n%s\n%s", c.args, err, c.want, out, errs.String())
		}
	}
	if lines := strings.Count(read(t, filepath.Join(dir, "s.csv")), "\n"); lines != 5 {
		t.Errorf("s.csv has %d lines, expected a header and 4 runs", lines)
	}
	if !strings.Contains(read(t, filepath.Join(dir, "s.svg")), "</svg>") {
		t.Error("s.svg is no figure")
	}
}

// TestBenchSuggest: a row a set and number of batches; the same figures again; all labelled
// is no figure.
func TestBenchSuggest(t *testing.T) {
	dir := files(t, "t.edges.tsv", "a\tb\nb\tc\nc\ta\nc\td\nd\te\ne\tf\nf\td\n", "t.labels.tsv", "a\tx\nb\tx\nc\tx\nd\ty\ne\ty\nf\ty\n")
	args := []string{"suggest", "--data", dir, "--sets", "t", "--batches", "1,2", "--draws", "3"}
	code, table, errs := call(args...)
	for _, want := range []string{"| t   | 1       | 4      | 1.000  | 1.000          | 1.000   |", "| t   | 2       | 6      | –      | –              | –       |"} {
		if code != 0 || !strings.Contains(table, want) {
			t.Errorf("exit %d, %s: no %q in\n%s", code, errs, want, table)
		}
	}
	if _, again, _ := call(args...); again != table {
		t.Errorf("%s\nthen\n%s", table, again)
	}
	if code, cold, errs := call(append(args, "--cold")...); code != 0 || !strings.Contains(cold, "| t   | 1       | 2 ") {
		t.Errorf("exit %d, %s\n%s", code, errs, cold)
	}
}

// TestBenchPeers: methods that need features say which set has none; published splits are
// of files.
func TestBenchPeers(t *testing.T) {
	dir := files(t, "t.edges.tsv", "a\tb\nb\tc\nc\ta\nc\td\nd\te\ne\tf\nf\td\n", "t.labels.tsv", "a\tx\nb\tx\nc\tx\nd\ty\ne\ty\nf\ty\n",
		"s.edges.tsv", "a\tb\nb\tc\nc\ta\nc\td\nd\te\ne\tf\nf\td\n", "s.labels.tsv", "a\tx\nb\tx\nc\tx\nd\ty\ne\ty\nf\ty\n", "s.split.tsv", "a\ttrain\nf\ttrain\nb\tval\nc\ttest\nd\ttest\n")
	args := []string{"accuracy", "--data", dir, "--sets"}
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"t --methods lgc,sgc", 2, "method sgc on set t: no features, expected t@both"},
		{"t --methods sgc@first", 2, "expected it without @first"},
		{"t --methods magic", 2, "correct-smooth"},
		{"t --splits published", 2, "set t: no published split"},
		{"s --splits published --plot a.svg", 2, "no numbers of labels for --plot"},
		{"s --splits folds", 2, "drawn, published, random"},
		{"s --score f1", 2, "accuracy, balanced"},
		{"s --splits published --methods lgc", 0, "s 0 lgc: 1.0000"},
	} {
		code, _, errs := call(append(args, strings.Fields(c.args)...)...)
		if code != c.code || !strings.Contains(errs, c.want) {
			t.Errorf("%s: exit %d, expected %d and %q in %s", c.args, code, c.code, c.want, errs)
		}
	}
}

func TestBenchUsage(t *testing.T) {
	for _, args := range []string{
		"scaling --kind rmat", "scaling --nodes 1", "scaling --rounds 0", "scaling --threads 0", "scaling --plot a.pdf",
		"stages --set none", "stages --graph a --set b", "stages --recall 2", "stages --nodes 1", "stages --kind x",
		"fstep --set none", "astep --nodes 10 --topk 20", "suggest --set none", "suggest --sets none", "knn --nodes 1", "knn --set none", "knn --k 0",
	} {
		if code, out, _ := call(strings.Fields(args)...); code != 2 || out != "" {
			t.Errorf("%s: exit %d, expected 2, %s", args, code, out)
		}
	}
}

// TestNothingToDo: lists without values and numbers of nothing are usage errors, before
// any work.
func TestNothingToDo(t *testing.T) {
	dir := files(t, "karate.edges.tsv", read(t, "../../testdata/graphs/karate.edges.tsv"), "karate.labels.tsv", read(t, "../../testdata/graphs/karate.labels.tsv"))
	accuracy := []string{"accuracy", "--data", dir, "--methods", "lgc"}
	graphs := []string{"graphs", "--data", dir, "--sets", "karate"}
	confidence := []string{"confidence", "--data", dir, "--sets", "karate", "--method", "lgc"}
	for _, c := range []struct {
		of, args []string
		says     string
	}{
		{accuracy, []string{"--sets", "karate", "--labels", "-1"}, "--labels -1, expected at least 1"},
		{accuracy, []string{"--sets", "karate", "--labels", "1,0"}, "--labels 0, expected at least 1"},
		{accuracy, []string{"--sets", "karate", "--draws", "0"}, "--draws 0, expected at least 1"},
		{accuracy, []string{"--sets", "karate", "--draws", "-3"}, "--draws -3, expected at least 1"},
		{accuracy, []string{"--sets", "karate:99"}, `set "karate:99": only sets of features can be cut to some classes`},
		{accuracy, []string{"--sets", ""}, "no sets, expected some"},
		{accuracy[:3], []string{"--sets", "karate", "--methods", ""}, "no methods, expected some"},
		{graphs, []string{"--labels", "-1"}, "--labels -1, expected at least 1"},
		{graphs, []string{"--methods", ""}, "no methods, expected some"},
		{confidence, []string{"--labels", "-1"}, "--labels -1, expected at least 1"},
		{confidence, []string{"--draws", "0"}, "--draws 0, expected at least 1"},
	} {
		code, out, errs := call(append(c.of[:len(c.of):len(c.of)], c.args...)...)
		if code != exits.Usage || out != "" || !strings.Contains(errs, c.says) {
			t.Errorf("%q: exit %d, %s%s", c.args, code, out, errs)
		}
	}
}

// TestOutputsSpare: no output takes the place of a file of a set, or of another output.
func TestOutputsSpare(t *testing.T) {
	dir := files(t, "t.edges.tsv", "a\tb\nb\tc\nc\ta\nc\td\nd\te\ne\tf\nf\td\n", "t.labels.tsv", "a\tx\nb\tx\nc\tx\nd\ty\ne\ty\nf\ty\n")
	t.Chdir(dir)
	edges, labels := read(t, "t.edges.tsv"), read(t, "t.labels.tsv")
	draws := []string{"accuracy", "--data", ".", "--sets", "t", "--labels", "1", "--draws", "1", "--methods", "lgc"}
	for _, c := range []struct {
		of         []string
		args, says string
	}{
		{draws, "--out t.labels.tsv", "--out t.labels.tsv is the same file as --data t.labels.tsv"},
		{draws, "--csv t.edges.tsv", "--csv t.edges.tsv is the same file as --data t.edges.tsv"},
		{draws, "--journal t.edges.tsv", "--journal t.edges.tsv is the same file as --data t.edges.tsv"},
		{draws, "--out new --csv new", "--out new and --csv new are the same file"},
		{draws, "--out new --journal new", "--out new and --journal new are the same file"},
		{[]string{"confidence", "--data", ".", "--sets", "t", "--draws", "1"}, "--out t.labels.tsv", "--out t.labels.tsv is the same file as --data t.labels.tsv"},
	} {
		code, out, errs := call(append(c.of[:len(c.of):len(c.of)], strings.Fields(c.args)...)...)
		if code != exits.Usage || out != "" || !strings.Contains(errs, c.says) {
			t.Errorf("%s: exit %d, %s%s", c.args, code, out, errs)
		}
		if read(t, "t.edges.tsv") != edges || read(t, "t.labels.tsv") != labels {
			t.Fatalf("%s: a file of the set is no longer as it was", c.args)
		}
	}
}

// TestEmptyNames: a file or folder that is named by an empty text is refused.
func TestEmptyNames(t *testing.T) {
	tried := map[string]bool{}
	for _, cmd := range newRoot(streams.Stdio{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}).Commands() {
		for _, name := range slices.Concat(fileFlags.Written, fileFlags.Others) {
			if cmd.Flags().Lookup(name) == nil {
				continue
			}
			tried[name] = true
			if code, out, errs := call(cmd.Name(), "--"+name, ""); code != exits.Usage || out != "" || !strings.Contains(errs, "--"+name+" has no name") {
				t.Errorf("%s --%s '': exit %d, %s%s", cmd.Name(), name, code, out, errs)
			}
		}
	}
	for _, name := range slices.Concat(fileFlags.Written, fileFlags.Others) {
		if !tried[name] {
			t.Errorf("no command has the flag %s of a file", name)
		}
	}
}

// TestLabelSpreading: the columns of scikit-learn are the classes that its process says, once a
// draw; what it lacks is an error. The process is a script in its place.
func TestLabelSpreading(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the script is one of Unix")
	}
	dir := files(t, "t.features.csv", "", "t.labels.tsv", "0\tx\n1\tx\n2\tx\n3\ty\n4\ty\n5\ty\n",
		"python", "#!/bin/sh\n[ $3 = 6 ] && [ $4 = 2 ] && [ $5 = 10 ] && [ $6 = 0.99 ] || exit 1\n[ $(wc -c < $2) = 48 ] || exit 1\necho ready labels\nwhile read draw; do echo \"$draw\" >> \"$DRAWS\"; echo 0 0 0 0 1 1; done\n",
		"short", "#!/bin/sh\necho ready labels\nwhile read draw; do echo 0 0 0; done\n",
		"none", "#!/bin/sh\nexit 1\n")
	for _, script := range []string{"python", "short", "none"} {
		if err := os.Chmod(filepath.Join(dir, script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	points := "\x93NUMPY\x01\x00\x76\x00{'descr': '<f4', 'fortran_order': False, 'shape': (6, 2), }" + strings.Repeat(" ", 58) + "\n" + strings.Repeat("\x00\x00\x80\xbf", 6) + strings.Repeat("\x00\x00\x80\x3f", 6)
	if err := os.WriteFile(filepath.Join(dir, "t.features.npy"), []byte(points), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("DRAWS", filepath.Join(dir, "drawn"))
	args := func(script string) []string {
		return []string{"accuracy", "--data", dir, "--sets", "t@knn", "--labels", "1", "--draws", "3", "--methods", "LabelSpreading-10-0.99", "--python", filepath.Join(dir, script)}
	}
	code, out, errs := call(args("python")...)
	if code != 0 || strings.Count(read(t, filepath.Join(dir, "drawn")), "\n") != 3 {
		t.Fatalf("exit %d, %s", code, errs)
	}
	// The process is wrong on node 3, which these draws leave among the four that are tested.
	if !strings.Contains(out, "| 0.750 ± 0.000 ") {
		t.Errorf("the classes of the process do not count:\n%s", out)
	}
	for script, want := range map[string]string{"short": "said 3 classes, expected 6", "none": "LabelSpreading"} {
		if code, out, errs := call(args(script)...); code == 0 || out != "" || !strings.Contains(errs, want) {
			t.Errorf("%s: exit %d, %s%s", script, code, out, errs)
		}
	}
}
