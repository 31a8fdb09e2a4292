package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/opened"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
)

// directions writes points that differ by direction and not by distance, and
// labels of the first 40.
func directions(t *testing.T) string {
	t.Helper()
	random := rand.New(rand.NewPCG(2, 2))
	var points, labels, one strings.Builder
	for i := range 160 {
		length := 0.2 + 10*random.Float64()
		x, y := 1.0, 0.8+0.15*random.Float64()
		if i%2 == 1 {
			x, y = y, x
		}
		fmt.Fprintf(&points, "%g,%g\n", length*x, length*y)
		if i < 40 {
			fmt.Fprintf(&labels, "%d c%d\n", i, i%2)
		}
		if i < 2 {
			fmt.Fprintf(&one, "%d c%d\n", i, i%2)
		}
	}
	return files(t, "x.csv", points.String(), "s", labels.String(), "one", one.String())
}

// TestStartIsChosen: where nothing is said of the graph, left-out seeds find that
// the cosine metric tells the classes, with labels of a file and of a pipe, for new
// points and with what explain says; what is said stands.
func TestStartIsChosen(t *testing.T) {
	dir := directions(t)
	run := func(labels string, more ...string) (out string, built *opened.Built) {
		t.Helper()
		args := append([]string{"run", "--features", dir + "/x.csv", "--labels", dir + "/" + labels, "--method", "lgc", "--out", dir + "/out", "--report", dir + "/r.json", "--quiet"}, more...)
		if code, _, errs := call(args...); code != 0 {
			t.Fatalf("%v: exit %d, %s", more, code, errs)
		}
		var report struct {
			Graph struct {
				Built *opened.Built `json:"built"`
			} `json:"graph"`
		}
		must(t, json.Unmarshal([]byte(read(t, dir+"/r.json")), &report))
		return read(t, dir+"/out"), report.Graph.Built
	}
	right := func(out string) (count int) {
		for i, label := range column(out, 1) {
			if label == fmt.Sprintf("c%d", i%2) {
				count++
			}
		}
		return count
	}
	chosen, built := run("s")
	if built.KNN == nil || built.KNN.Metric.String() != "cosine" || len(built.Choice) != 3 || !built.Choice[1].Chosen || built.Choice[1].Graph != "knn cosine" || built.Choice[2].Graph != "knn manhattan scaled" {
		t.Fatalf("built %+v", built)
	}
	if same, _ := run("s", "--metric", "cosine"); same != chosen {
		t.Error("the chosen graph is not that of --metric cosine")
	}
	plain, built := run("s", "--graph-kind", "knn")
	if built.Choice != nil || built.KNN.Metric.String() != "l2" || right(plain) >= right(chosen) {
		t.Errorf("--graph-kind knn: %+v, %d right, %d by choice", built, right(plain), right(chosen))
	}
	if out, built := run("one"); len(built.Choice) != 0 || built.KNN.Metric.String() != "l2" || out == "" {
		t.Errorf("one label a class: %+v", built)
	}

	_, _, told := call("run", "--features", dir+"/x.csv", "--labels", dir+"/s", "--method", "lgc", "--out", dir+"/out", "--report", dir+"/r.html", "--verbose")
	if want := "knn cosine, by which 1.000 of 40 known labels are right in cross-validation; knn l2 0."; !strings.Contains(told, "graph chosen") || !strings.Contains(told, want) || !strings.Contains(read(t, dir+"/r.html"), want) {
		t.Errorf("the choice is not told: %s", told)
	}

	// New points join the chosen graph.
	if out, _ := run("s", "--model", dir+"/m.npz"); out != chosen {
		t.Error("another choice with --model")
	}
	code, out, errs := call("predict", "--model", dir+"/m.npz", "--points", dir+"/x.csv")
	if code != 0 || right(out) < 150 {
		t.Errorf("predict: exit %d, %d right, %s", code, right(out), errs)
	}

	// A pipe can be read once.
	var text, errors strings.Builder
	pipe := streams.Stdio{In: iotest.HalfReader(strings.NewReader(read(t, dir+"/s"))), Out: &text, Err: &errors}
	if code := execute(t.Context(), []string{"run", "--features", dir + "/x.csv", "--labels", "-", "--method", "lgc", "--quiet"}, pipe); code != 0 || text.String() != chosen {
		t.Errorf("labels from a pipe: exit %d, other labels; %s", code, errors.String())
	}
	said := func(more ...string) string {
		code, out, errs := call(append([]string{"explain", "--features", dir + "/x.csv", "--labels", dir + "/s", "--node", "101"}, more...)...)
		if code != 0 {
			t.Fatal(errs)
		}
		return out
	}
	if said() != said("--metric", "cosine") || said() == said("--graph-kind", "knn") {
		t.Error("explain has another graph than run")
	}
}
