package main

import (
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

func TestBenchUsage(t *testing.T) {
	for _, args := range []string{
		"bench scaling --kind rmat", "bench scaling --nodes 1", "bench scaling --rounds 0", "bench scaling --threads 0", "bench scaling --plot a.pdf",
		"bench stages --set none", "bench stages --graph a --set b", "bench stages --recall 2", "bench stages --nodes 1", "bench stages --kind x",
		"bench fstep --set none", "bench astep --nodes 10 --topk 20", "bench knn --nodes 1", "bench knn --set none", "bench knn --k 0",
	} {
		if code, out, _ := call(strings.Fields(args)...); code != 2 || out != "" {
			t.Errorf("%s: exit %d, expected 2, %s", args, code, out)
		}
	}
}
