package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestBenchAccuracyOutputs: figures, csv and draws appear where they were
// asked for; a figure of no known format is a usage error before any work.
func TestBenchAccuracyOutputs(t *testing.T) {
	dir := files(t, "t.edges.tsv", "a\tb\nb\tc\nc\ta\nc\td\nd\te\ne\tf\nf\td\n", "t.labels.tsv", "a\tx\nb\tx\nc\tx\nd\ty\ne\ty\nf\ty\n")
	at := func(name string) string { return filepath.Join(dir, name) }
	args := []string{"bench", "accuracy", "--data", dir, "--sets", "t", "--labels", "1,2", "--draws", "2", "--methods", "lgc,adp-none"}
	code, out, errs := call(append(args, "--plot", at("a.svg"), "--convergence", at("c.png"), "--rounds-csv", at("r.csv"), "--draws-out", at("draws"))...)
	if code != 0 || !strings.Contains(out, "| t ") {
		t.Fatalf("exit %d, stderr %s\n%s", code, errs, out)
	}
	for name, want := range map[string]string{
		"a.svg": ">adp-none</text>", "c.png": "\x89PNG", "r.csv": "\nt,2,adp-none,1,1,", "draws/t-2-1.seeds.tsv": "\ty\n",
	} {
		if !strings.Contains(read(t, at(name)), want) {
			t.Errorf("%s has no %q", name, want)
		}
	}
	for _, flag := range []string{"--plot", "--convergence"} {
		code, out, errs := call(append(args, flag, at("a.pdf"))...)
		if code != 2 || out != "" || !strings.Contains(errs, ".svg or .png") {
			t.Errorf("%s a.pdf: exit %d, %s", flag, code, errs)
		}
	}
}

// TestBenchJournal: an experiment with a journal goes on from any part of it,
// cut within a line too, to the same table; it believes what is there, and
// does not go on from what is no journal.
func TestBenchJournal(t *testing.T) {
	dir := files(t, "t.edges.tsv", "a\tb\nb\tc\nc\ta\nc\td\nd\te\ne\tf\nf\td\n", "t.labels.tsv", "a\tx\nb\tx\nc\tx\nd\ty\ne\ty\nf\ty\n")
	journal := filepath.Join(dir, "j.csv")
	args := []string{"bench", "accuracy", "--data", dir, "--sets", "t", "--labels", "1,2", "--draws", "2", "--methods", "lgc,adp-none"}
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
		{"bench scaling --nodes 500,1000 --methods lgc --threads 1,2 --csv s.csv --plot s.svg", "| lgc, 2 threads | 1000  |"},
		{"bench stages --nodes 1000 --points 500 --dims 4 --rounds 1 --methods lgc", "| whole run, lgc "},
		{"bench stages --data . --set t --rounds 1 --methods adp --threads 2", "| whole run, adp "},
		{"bench stages --graph t.edges.tsv --rounds 1 --methods lgc --threads 1", "| A-step (top 5) "},
		{"bench fstep --data . --set t --rounds 1", "| adp-sparse whole "},
		{"bench knn --nodes 500 --dims 4 --rounds 1", "| adp-sparse exact "},
	} {
		cmd := exec.Command(built(t), strings.Fields(c.args)...)
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
	args := []string{"bench", "suggest", "--data", dir, "--sets", "t", "--batches", "1,2", "--draws", "3"}
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
	args := []string{"bench", "accuracy", "--data", dir, "--sets"}
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
		{"s --splits random", 2, "drawn, published"},
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
		"bench scaling --kind rmat", "bench scaling --nodes 1", "bench scaling --rounds 0", "bench scaling --threads 0", "bench scaling --plot a.pdf",
		"bench stages --set none", "bench stages --graph a --set b", "bench stages --recall 2", "bench stages --nodes 1", "bench stages --kind x",
		"bench fstep --set none", "bench astep --nodes 10 --topk 20", "bench suggest --set none", "bench suggest --sets none", "bench knn --nodes 1", "bench knn --set none", "bench knn --k 0",
	} {
		if code, out, _ := call(strings.Fields(args)...); code != 2 || out != "" {
			t.Errorf("%s: exit %d, expected 2, %s", args, code, out)
		}
	}
}
