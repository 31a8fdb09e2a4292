package main

import (
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
