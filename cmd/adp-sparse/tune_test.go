package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestTune: points that differ by direction, not by distance, are best
// told by the cosine metric; the last line is a command that runs.
func TestTune(t *testing.T) {
	dir := directions(t)
	tune := func(more ...string) (rows []string, command string) {
		t.Helper()
		return tuned(t, append([]string{"--features", dir + "/x.csv", "--labels", dir + "/s"}, more...)...)
	}
	rows, command := tune("--methods", "lgc", "--alphas", "0.9", "--metric", "l2", "--metrics", "l2,cosine", "--ks", "4,12")
	if len(rows) != 4+1 || !strings.Contains(rows[0], "--metric cosine --method lgc --alpha 0.9   knn cosine  ") || !strings.Contains(rows[0], "1.0000") {
		t.Errorf("%q", rows)
	}
	if !strings.HasPrefix(command, "adp-sparse run --features=") || !strings.Contains(command, "--metric cosine") {
		t.Fatalf("%s", command)
	}
	args := strings.Fields(strings.Replace(command, "labels.tsv", dir+"/out", 1))[1:]
	if code, _, errs := call(args...); code != 0 || len(read(t, dir+"/out")) == 0 {
		t.Errorf("%s: exit %d, %s", command, code, errs)
	}
	for _, test := range []struct {
		says string
		args []string
	}{
		{"no seed can be left out", []string{"--features", dir + "/x.csv", "--labels", dir + "/one"}},
		{"--labels FILE", []string{"--features", dir + "/x.csv"}},
		{"adp-sparse: --ks 500 for 160 points, expected fewer neighbours than points\n", []string{"--features", dir + "/x.csv", "--labels", dir + "/s", "--ks", "5,500"}},
		{"--folds 1", []string{"--features", dir + "/x.csv", "--labels", dir + "/s", "--folds", "1"}},
		{"--methods \"dense\"", []string{"--features", dir + "/x.csv", "--labels", dir + "/s", "--methods", "dense"}},
		{"is no setting", []string{"--features", dir + "/x.csv", "--labels", dir + "/s", "--alphas", "2"}},
		{"is no setting", []string{"--features", dir + "/x.csv", "--labels", dir + "/s", "--topks", "0"}},
		{"standard input cannot be read again", []string{"--features", dir + "/x.csv", "--labels", "-", "--ks", "4,12"}},
		{"--graph-kinds auto", []string{"--features", dir + "/x.csv", "--labels", dir + "/s", "--graph-kinds", "auto"}},
		{"\"l2\" is not one of its values", []string{"--features", dir + "/x.csv", "--labels", dir + "/s", "--graph-kinds", "knn,l2"}},
		{"for graphs made of --features", []string{"--edges", dir + "/x.csv", "--labels", dir + "/s", "--graph-kinds", "knn"}},
		{"for graphs made of --features", []string{"--edges", dir + "/x.csv", "--labels", dir + "/s", "--metrics", "l2"}},
	} {
		if code, _, errs := call(append([]string{"tune"}, test.args...)...); code != 2 || !strings.Contains(errs, test.says) {
			t.Errorf("%q: exit %d, %s", test.args, code, errs)
		}
	}
}

// tuned returns the rows of tune's table and its last line, which has no flag twice.
func tuned(t *testing.T, args ...string) (rows []string, command string) {
	t.Helper()
	code, out, errs := call(append([]string{"tune"}, args...)...)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if code != 0 || len(lines) < 4 {
		t.Fatalf("%q: exit %d, %s%s", args, code, out, errs)
	}
	command = lines[len(lines)-1]
	seen := map[string]bool{}
	for _, word := range strings.Fields(command) {
		name, _, _ := strings.Cut(word, "=")
		if strings.HasPrefix(name, "--") && seen[name] {
			t.Errorf("%q: %s twice: %s", args, name, command)
		}
		seen[name] = true
	}
	return lines[1 : len(lines)-2], command
}

// TestTunePlain: the graph that run takes by itself is tried, whatever the lists say, and what
// it is is told; plain run is what tune recommends where nothing is better.
func TestTunePlain(t *testing.T) {
	dir := directions(t)
	given := []string{"--features", dir + "/x.csv", "--labels", dir + "/s"}
	plain := func(first, more string) string {
		return "adp-sparse run --features=" + dir + "/x.csv" + first + " --labels=" + dir + "/s" + more + " --out labels.tsv"
	}
	for _, test := range []struct {
		name, command string
		rows          int
		first         string // row
		args          []string
	}{
		{"by itself", plain("", ""), 5, "--method adp  *knn cosine, run's own  *1.0000", nil},
		{"auto is said", plain(" --graph-kind=auto", ""), 5, "--method adp  *knn cosine, run's own  *1.0000", []string{"--graph-kind", "auto"}},
		{"a worse metric is listed", plain("", ""), 2, "--method adp  *knn cosine, run's own  *1.0000", []string{"--metrics", "l2", "--methods", "adp"}},
		{"of no list of alpha", plain("", ""), 2, "--method adp  *knn cosine, run's own  *1.0000", []string{"--methods", "adp", "--alphas", "0.5"}},
		{"its graph is listed", plain("", ""), 3, "--graph-kind knn --metric cosine --method adp  *knn cosine, run's own  *1.0000", []string{"--metrics", "cosine", "--alphas", "0.9", "--methods", "lgc,adp"}},
		{"kinds", plain("", ""), 7, "--method adp  *knn cosine, run's own  *1.0000", []string{"--graph-kinds", "knn,lle", "--methods", "lgc,adp", "--alphas", "0.9"}},
		{"another k is better", plain("", " --metric=l2 --graph-kind knn --k 4 --method lgc --alpha 0.9"), 2, "--graph-kind knn --k 4 --method lgc --alpha 0.9  *knn l2  ", []string{"--k", "12", "--metric", "l2", "--ks", "4", "--methods", "lgc", "--alphas", "0.9"}},
		{"a kind is said", plain(" --graph-kind=lle", " --method lgc --alpha 0.9"), 1, "--method lgc --alpha 0.9  *lle l2, run's own  ", []string{"--graph-kind", "lle", "--methods", "lgc", "--alphas", "0.9"}},
		{"a kind is said, beside lists", "", 3, "", []string{"--graph-kind", "lle", "--ks", "4,12", "--methods", "lgc", "--alphas", "0.9"}},
	} {
		rows, command := tuned(t, append(given[:4:4], test.args...)...)
		if len(rows) != test.rows || test.command != "" && command != test.command || !regexp.MustCompile("^"+test.first).MatchString(rows[0]) {
			t.Errorf("%s: %s\nexpected %s\n%s, expected %d rows, the first %s", test.name, command, test.command, strings.Join(rows, "\n"), test.rows, test.first)
		}
	}
	_, _, errs := call(append([]string{"tune", "--methods", "lgc", "--alphas", "0.9"}, given...)...)
	if !strings.Contains(errs, "graph chosen: knn cosine, by which 1.000 of 40") || !strings.Contains(errs, "plain run uses adp") {
		t.Errorf("without adp: %s", errs)
	}
}

// TestTuneOut: the command that tune prints writes no labels over an input.
func TestTuneOut(t *testing.T) {
	dir := directions(t)
	must(t, os.Rename(dir+"/s", dir+"/labels.tsv"))
	t.Chdir(dir)
	_, command := tuned(t, "--features", "x.csv", "--labels", "labels.tsv", "--methods", "lgc", "--alphas", "0.9")
	if !strings.HasSuffix(command, " --out labels-2.tsv") {
		t.Errorf("%s", command)
	}
	if code, _, errs := call(strings.Fields(command)[1:]...); code != 0 {
		t.Errorf("%s: exit %d, %s", command, code, errs)
	}
}
