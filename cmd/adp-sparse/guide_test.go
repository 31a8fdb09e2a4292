package main

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// TestDataPage: docs/data.md says of each set of the commands in the other pages where it comes
// from, and its Python makes a set that adp-bench reads.
func TestDataPage(t *testing.T) {
	page := read(t, "../../docs/data.md")
	sources := ""
	for line := range strings.Lines(page) {
		if strings.HasPrefix(line, "| ") {
			sources += strings.Replace(strings.SplitN(line, "|", 3)[1], " and ", ",", 1) + ","
		}
	}
	known := map[string]bool{}
	for name := range strings.SplitSeq(sources, ",") {
		known[strings.TrimSpace(name)] = true
	}
	sets := 0
	for _, name := range []string{"README.md", "docs/benchmarks.md", "docs/results.md", "docs/decisions/0020-measured.md", "docs/decisions/0021-paper.md"} {
		for _, m := range regexp.MustCompile(`--sets? ([\w,:@.-]+)`).FindAllStringSubmatch(read(t, "../../"+name), -1) {
			for set := range strings.SplitSeq(m[1], ",") {
				set, _, _ = strings.Cut(set, "@")
				set, _, _ = strings.Cut(set, ":")
				if set == "" || set == "NAME" || known[set] {
					sets++
					continue
				}
				if set != "wikipedia" { // of adp-bench paper: its images and texts
					t.Errorf("%s has the set %s, docs/data.md no source", name, set)
				}
			}
		}
	}
	if sets < 40 {
		t.Errorf("%d sets: the test says little", sets)
	}
	python := pythonWith("numpy, sklearn")
	if python == "" || racing.On {
		return // what is left needs scikit-learn, and runs in programs that have no race detector
	}
	_, rest, _ := strings.Cut(page, "```python\n")
	code, _, _ := strings.Cut(rest, "```")
	dir := t.TempDir()
	cmd := exec.Command(python, "-c", code)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	bench := exec.Command("go", "run", "../adp-bench", "accuracy", "--data", dir, "--sets", "digits", "--labels", "5", "--methods", "lgc", "--draws", "1")
	if out, err := bench.CombinedOutput(); err != nil || !strings.Contains(string(out), "| digits | 5") {
		t.Errorf("%v: %s", err, out)
	}
}

// TestSpreadingRecipe: the recipe for LabelSpreading whose nearness docs/comparison.md tells is
// the one that was measured, and runs as it stands.
func TestSpreadingRecipe(t *testing.T) {
	_, rest, _ := strings.Cut(read(t, "../../bench/peers/spreading_recipe.py"), "\nRECIPE = \"")
	recipe, _, found := strings.Cut(rest, "\"")
	if want := "`run --features x.npy " + recipe + "`"; !found || !strings.Contains(read(t, "../../docs/comparison.md"), want) {
		t.Errorf("docs/comparison.md has not %s, which was measured", want)
	}
	dir := files(t, "x.csv", pointRows(), "s", "0 a\n1 b\n")
	args := append([]string{"run", "--features", dir + "/x.csv", "--labels", dir + "/s", "--out", dir + "/out", "--verbose"}, strings.Fields(recipe)...)
	if code, _, errs := call(args...); code != 0 || !strings.Contains(errs, "6 neighbours by l2, exact") || !strings.Contains(errs, "uniform weights") {
		t.Errorf("exit %d, %s", code, errs)
	}
}
