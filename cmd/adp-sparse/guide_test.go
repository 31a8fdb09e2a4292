package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
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
			edges.WriteString(strings.Join([]string{count(i), count((i + 1) % 10), "\n" + count(i+10), count((i+1)%10 + 10), "\n"}, " "))
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
