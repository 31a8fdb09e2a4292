package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/cmd/internal/figures"
)

// TestPythonGuide runs the Python of docs/python-r.md where scipy is installed.
// The commands that it runs are run without Python too.
func TestPythonGuide(t *testing.T) {
	if testing.Short() {
		return // it builds the program
	}
	text := read(t, "../../docs/python-r.md")
	_, rest, found := strings.Cut(text, "```python\n")
	code, _, closed := strings.Cut(rest, "```")
	if !found || !closed {
		t.Fatal("the guide has no Python")
	}
	python := pythonWith("numpy, scipy")
	dir := t.TempDir()
	if python == "" {
		var edges strings.Builder
		for i := range 10 {
			edges.WriteString(strings.Join([]string{figures.Count(i), figures.Count((i + 1) % 10), "\n" + figures.Count(i+10), figures.Count((i+1)%10 + 10), "\n"}, " "))
		}
		must(t, os.WriteFile(filepath.Join(dir, "g"), []byte(edges.String()+"0 10\n"), 0o644))
		must(t, os.WriteFile(filepath.Join(dir, "seeds.tsv"), []byte("5\tleft\n15\tright\n"), 0o644))
		t.Chdir(dir)
		for _, args := range []string{"convert --edges g --out graph.npz --quiet", "run --graph graph.npz --labels seeds.tsv --select none --out labels.tsv --graph-out learned.npz --quiet"} {
			if code, _, errs := call(strings.Fields(args)...); code != 0 {
				t.Fatalf("%s: exit %d, %s", args, code, errs)
			}
		}
		if labels := read(t, "labels.tsv"); strings.Count(labels, "\tleft\t") != 10 || strings.Count(labels, "\tright\t") != 10 {
			t.Errorf("labels: %s", labels)
		}
		return
	}
	cmd := exec.Command(python, "-c", code)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(built(t))+string(os.PathListSeparator)+os.Getenv("PATH"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// TestEstimator runs the estimator of docs/python-r.md where scikit-learn is installed. The
// commands that it runs are run without Python too.
func TestEstimator(t *testing.T) {
	parts := strings.Split(read(t, "../../docs/python-r.md"), "```python\n")
	if len(parts) != 3 {
		t.Fatalf("the guide has %d pieces of Python, expected 2", len(parts)-1)
	}
	code, _, closed := strings.Cut(parts[2], "```")
	for _, words := range []string{`"run", "--features", "--labels"`, `"predict", "--points", "--model"`, `"--proba", "--quiet"`} {
		if !closed || !strings.Contains(code, words) {
			t.Errorf("the estimator has no %s, which is run here", words)
		}
	}
	dir := files(t, "x.csv", pointRows(), "y", "0 0\n1 1\n2 2\n")
	run := []string{"run", "--features", dir + "/x.csv", "--labels", dir + "/y", "--model", dir + "/model", "--proba", "--quiet"}
	predict := []string{"predict", "--points", dir + "/x.csv", "--model", dir + "/model", "--features", dir + "/x.csv", "--proba", "--quiet"}
	for _, args := range [][]string{run, predict} {
		code, out, errs := call(args...)
		rows := strings.Split(strings.TrimSpace(out), "\n")
		if code != 0 || len(rows) != 61 || rows[0] != "node\tlabel\tconfidence\tmargin\tstatus\t0\t1\t2" {
			t.Fatalf("%s: exit %d, %s, %d rows, %s", args[0], code, errs, len(rows), rows[0])
		}
	}
	python := pythonWith("numpy, sklearn")
	if testing.Short() || python == "" {
		return // what is left builds the program, and needs scikit-learn
	}
	cmd := exec.Command(python, "-c", code)
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(built(t))+string(os.PathListSeparator)+os.Getenv("PATH"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

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
	if python == "" {
		return // what is left needs scikit-learn
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
