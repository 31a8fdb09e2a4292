package main

import (
	"strings"
	"testing"
)

// TestSuggest: the node between two labels comes first and its neighbours do not; without
// labels the hub does; what is left out is told; csv is quoted.
func TestSuggest(t *testing.T) {
	dir := files(t, "g", "a b\nb c\nc d\nd e\n", "s", "a left\ne right\n", "all", "a left\nb left\nc right\nd right\ne right\n", "one", "a left\n",
		"star.csv", "\"h,1\",a\n\"h,1\",b\n\"h,1\",c\nc,d\nd,e\n")
	const header = "node\tvalue\tuncertainty\tcoverage\tlabel\trunner_up\n"
	for _, test := range []struct {
		args, out, says string
	}{
		{"--edges g --labels s", header + "c\t1.000000\t1.000000\t1.000000\tleft\tright\n", "1 node of 10: all others have known labels or are neighbours of these"},
		{"--edges g --labels s --count 1", header + "c\t1.000000\t1.000000\t1.000000\tleft\tright\n", ""},
		{"--edges g --labels all", header, "0 nodes of 10"},
		{"--edges g --labels one --count 1", header + "e\t1.000000\t0.11", ""}, // the farthest
		{"--edges star.csv --count 1", header + "h,1\t1.000000\t1.000000\t1.000000\t\t\n", ""},
	} {
		code, out, errs := call(strings.Fields("suggest --quiet " + inDir(test.args, dir))...)
		if test.says != "" {
			code, out, errs = call(strings.Fields("suggest " + inDir(test.args, dir))...)
		}
		if code != 0 || !strings.HasPrefix(out, test.out) || test.says != "" && out != test.out || !strings.Contains(errs, test.says) || test.says == "" && errs != "" {
			t.Errorf("%s: exit %d, %q, %s", test.args, code, out, errs)
		}
	}
	code, _, errs := call("suggest", "--edges", dir+"/star.csv", "--out", dir+"/next.csv", "--count", "1")
	if got := read(t, dir+"/next.csv"); code != 0 || got != "node,value,uncertainty,coverage,label,runner_up\n\"h,1\",1.000000,1.000000,1.000000,,\n" {
		t.Errorf("exit %d, %q, %s", code, got, errs)
	}
}

// inDir puts the folder before names of files.
func inDir(args, dir string) string {
	words := strings.Fields(args)
	for k, word := range words {
		if k > 0 && strings.HasPrefix(words[k-1], "--") && words[k-1] != "--count" {
			words[k] = dir + "/" + word
		}
	}
	return strings.Join(words, " ")
}

// TestSuggestLearned: on the graph that run learned, whose labels and doubts are others.
func TestSuggestLearned(t *testing.T) {
	dir := files(t, "g", "a b\nb c\nc d\nd e\ne f\nb e 0.1\n", "s", "a left\nf right\n", "other", "a b\nb c\nc x\n")
	if code, _, errs := call("run", "--edges", dir+"/g", "--labels", dir+"/s", "--select", "none", "--topk", "2", "--out", dir+"/out", "--graph-out", dir+"/a.csr"); code != 0 {
		t.Fatalf("exit %d, %s", code, errs)
	}
	_, plain, _ := call("suggest", "--edges", dir+"/g", "--labels", dir+"/s")
	code, learned, errs := call("suggest", "--edges", dir+"/g", "--labels", dir+"/s", "--learned", dir+"/a.csr")
	if code != 0 || learned == plain || strings.Count(learned, "\n") < 2 {
		t.Errorf("exit %d, %s\n%s\nwithout: %s", code, errs, learned, plain)
	}
	if code, _, errs := call("suggest", "--edges", dir+"/other", "--labels", dir+"/s", "--unknown-labels", "skip", "--learned", dir+"/a.csr"); code != 1 || !strings.Contains(errs, "a.csr") {
		t.Errorf("the graph learned on another: exit %d, %s", code, errs)
	}
}
