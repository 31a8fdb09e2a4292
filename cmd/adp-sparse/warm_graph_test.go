package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/report"
)

// TestWarmGraph: a run that starts from a model has the graph that the model records, but for
// flags that are given, and left-out seeds choose nothing: by them points that differ by
// direction would go from l2 to cosine.
func TestWarmGraph(t *testing.T) {
	dir := directions(t)
	features := []string{"run", "--features", dir + "/x.csv", "--out", dir + "/out"}
	run := func(args ...string) (r *report.Run, graph, errs string) {
		t.Helper()
		code, _, errs := call(append(append(features[:len(features):len(features)], "--report", dir+"/r.json", "--graph-out", dir+"/g.tsv"), args...)...)
		if code != 0 {
			t.Fatalf("%q: exit %d, %s", args, code, errs)
		}
		r = &report.Run{}
		must(t, json.Unmarshal([]byte(read(t, dir+"/r.json")), r))
		return r, read(t, dir+"/g.tsv"), errs
	}
	warm := []string{"--labels", dir + "/s", "--method", "lgc", "--warm", dir + "/m.npz"}
	const said = "--metric cosine --scale columns --k 6 --weights adaptive --symmetrize max"
	for _, test := range []struct{ name, model, given, same string }{
		{"one label a class", "", "", "--graph-kind knn"},
		{"all settings", said, "", said},
		{"the metric is given", said, "--metric l2", strings.Replace(said, "cosine", "l2", 1)},
		{"k is given", said, "--k 3", strings.Replace(said, "--k 6", "--k 3", 1)},
		{"the kind is given", said, "--graph-kind lle", "--graph-kind lle --metric cosine --scale columns --k 6 --symmetrize max"},
		{"weights are of another metric", "--metric cosine --weights cosine", "--metric l2", "--metric l2"},
	} {
		run(append(strings.Fields(test.model), "--labels", dir+"/one", "--method", "lgc", "--model", dir+"/m.npz")...)
		r, got, errs := run(append(warm[:len(warm):len(warm)], strings.Fields(test.given)...)...)
		if _, want, _ := run(append(strings.Fields(test.same), warm[:4]...)...); got != want {
			t.Errorf("%s: the graph is not that of %s; %s", test.name, test.same, errs)
		}
		if r.Graph.Built.Choice != nil || !r.Warm.Graph.Recorded || r.Warm.Graph.Chosen || !strings.Contains(errs, "; of its graph were kept --") {
			t.Errorf("%s: %+v, %+v, %s", test.name, r.Graph.Built, r.Warm.Graph, errs)
		}
		for _, flag := range strings.Fields(test.given) {
			if strings.HasPrefix(flag, "--") && strings.Contains(strings.Join(r.Warm.Graph.Settings, " "), flag) {
				t.Errorf("%s: %s is given, and kept: %q", test.name, flag, r.Warm.Graph.Settings)
			}
		}
	}

	// Of few points, all others are neighbours.
	few := strings.Join(strings.SplitAfter(read(t, dir+"/x.csv"), "\n")[:5], "")
	small := files(t, "x.csv", few)
	if code, _, errs := call("run", "--features", small+"/x.csv", "--labels", dir+"/one", "--method", "lgc", "--warm", dir+"/m.npz"); code != 0 || !strings.Contains(errs, "4 nearest neighbours by cosine") {
		t.Errorf("five points: exit %d, %s", code, errs)
	}

	// Chosen anew where that is said; the summary says no more than is true.
	run("--labels", dir+"/one", "--select", "fast", "--model", dir+"/m.npz")
	for _, test := range []struct {
		args              string
		chosen, noLeftOut bool
	}{{"", false, true}, {"--calibrate auto", false, false}, {"--graph-kind auto", true, false}} {
		r, _, errs := run(append(strings.Fields(test.args), "--labels", dir+"/s", "--warm", dir+"/m.npz", "--verbose")...)
		if chosen := len(r.Graph.Built.Choice) > 1; chosen != test.chosen || r.Warm.Graph.Chosen != chosen || strings.Contains(errs, ", without cross-validation") != test.noLeftOut || strings.Contains(errs, "; the graph was chosen by cross-validation") != chosen {
			t.Errorf("%q: %+v, %s", test.args, r.Warm.Graph, errs)
		}
	}
}

// TestWarmOtherGraph: of a model that records no graph nothing is chosen either, and that
// adp's setting was chosen on another kind of graph is a warning.
func TestWarmOtherGraph(t *testing.T) {
	dir := directions(t)
	must(t, call0("knn", "--features", dir+"/x.csv", "--out", dir+"/edges.tsv"))
	x, edges := []string{"--features", dir + "/x.csv"}, []string{"--edges", dir + "/edges.tsv"}
	for _, test := range []struct {
		name          string
		model, run    []string
		settings, say string // in the summary; no warning where say is empty
	}{
		{"edges, then vectors", edges, x, "it records no graph of neighbours of vectors", "is not of neighbours of vectors, as this one is"},
		{"edges, then both", edges, append(x, edges...), "it records no graph", "is not of neighbours of vectors, as this one is"},
		{"edges, then edges", edges, edges, "", ""},
		{"vectors, then edges", x, edges, "", "a graph of vectors, and this one is of edges alone"},
		{"vectors, then LLE", x, append(x, "--graph-kind", "lle"), "were kept --scale none, --k 10", "of the kind lle"},
		{"LLE, then LLE", append(x, "--graph-kind", "lle"), append(x, "--graph-kind", "lle"), "it records no graph", ""},
		{"LLE, then vectors", append(x, "--graph-kind", "lle"), x, "it records no graph", "is not of neighbours of vectors"},
		{"lgc chooses nothing", append(edges, "--method", "lgc"), append(x, "--method", "lgc"), "it records no graph", ""},
	} {
		more := []string{"--labels", dir + "/s", "--out", dir + "/out", "--report", dir + "/r.json"}
		must(t, call0(append(append([]string{"run", "--model", dir + "/m.npz"}, more...), test.model...)...))
		code, _, errs := call(append(append([]string{"run", "--warm", dir + "/m.npz"}, more...), test.run...)...)
		var r report.Run
		must(t, json.Unmarshal([]byte(read(t, dir+"/r.json")), &r))
		warned := 0
		for _, w := range r.Warnings {
			if w.Code == report.WarnOtherGraph {
				warned = w.Count
			}
		}
		if code != 0 || r.Graph.Built != nil && r.Graph.Built.Choice != nil || (warned == 1) != (test.say != "") || !strings.Contains(errs, test.say) || !strings.Contains(errs, test.settings) {
			t.Errorf("%s: exit %d, %d warnings, %s", test.name, code, warned, errs)
		}
	}
}

// call0 is an error where a command fails.
func call0(args ...string) error {
	if code, _, errs := call(args...); code != 0 {
		return fmt.Errorf("%q: exit %d, %s", args, code, errs)
	}
	return nil
}
