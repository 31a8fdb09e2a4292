package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp/choice"
)

// unlikeClasses writes a graph of a class of 400 nodes and one of 80, and seeds drawn from it.
func unlikeClasses(t *testing.T) string {
	t.Helper()
	rng := rand.New(rand.NewPCG(5, 8))
	var edges, some strings.Builder
	for i := range 480 {
		for j := range i {
			p := 0.02
			if i < 400 || j >= 400 {
				p = 0.03
			}
			if rng.Float64() < p {
				fmt.Fprintf(&edges, "%d %d\n", i, j)
			}
		}
	}
	for i := range 60 {
		node, class := 7*i, "large"
		if i >= 50 {
			node, class = 400+5*(i-50), "small"
		}
		fmt.Fprintf(&some, "%d %s\n", node, class)
	}
	return files(t, "g", edges.String(), "some", some.String(), "more", some.String()+"1 large\n2 large\n3 large\n")
}

// TestClassSizes: seeds drawn from classes of unlike sizes choose them, the run says so, and it is
// the run with --class-prior seeds; models keep the choice, for the seeds of the run that begins there.
func TestClassSizes(t *testing.T) {
	dir := unlikeClasses(t)
	at := func(name string) string { return dir + "/" + name }
	run := func(name, labels string, args ...string) (facts struct {
		Options struct {
			Prior map[string]float64 `json:"class_prior"`
		}
		Trial *choice.PriorTrial `json:"class_prior_trial"`
	}, summary string,
	) {
		t.Helper()
		args = append([]string{"run", "--edges", at("g"), "--labels", at(labels), "--out", at(name), "--report", at(name + ".json"), "--verbose", "--combine", "none"}, args...)
		code, _, summary := call(args...)
		if code != 0 {
			t.Fatalf("%s: exit %d, %s", name, code, summary)
		}
		must(t, json.Unmarshal([]byte(read(t, at(name+".json"))), &facts))
		return facts, summary
	}
	auto, summary := run("auto", "some", "--model", at("m.npz"))
	if auto.Trial == nil || !auto.Trial.Chosen || auto.Options.Prior["large"] < 0.75 || !strings.Contains(summary, "the sizes of the known labels are taken (--class-prior seeds)") {
		t.Errorf("%+v, %s", auto, summary)
	}
	if seeds, _ := run("seeds", "some", "--class-prior", "seeds"); seeds.Trial != nil || seeds.Options.Prior["large"] != auto.Options.Prior["large"] || read(t, at("seeds")) != read(t, at("auto")) {
		t.Errorf("--class-prior seeds: %+v", seeds)
	}
	if equal, _ := run("equal", "some", "--class-prior", "equal"); equal.Trial != nil || equal.Options.Prior != nil || read(t, at("equal")) == read(t, at("auto")) {
		t.Errorf("--class-prior equal: %+v", equal)
	}
	if lgc, _ := run("lgc", "some", "--method", "lgc"); lgc.Trial != nil || lgc.Options.Prior != nil {
		t.Errorf("lgc: %+v", lgc)
	}
	warm, _ := run("warm", "more", "--warm", at("m.npz"))
	cold, _ := run("cold", "more", "--class-prior", "seeds")
	if warm.Trial != nil || warm.Options.Prior["large"] != cold.Options.Prior["large"] || warm.Options.Prior["large"] == auto.Options.Prior["large"] {
		t.Errorf("warm: %+v, expected %+v", warm, cold)
	}
	if lgc, _ := run("lgc", "more", "--warm", at("m.npz"), "--method", "lgc"); lgc.Options.Prior != nil {
		t.Errorf("lgc from the model: %+v", lgc)
	}

	// tune has adp as run has it: plain, and with a setting.
	rows, _ := tuned(t, "--edges", at("g"), "--labels", at("some"), "--methods", "lgc,adp", "--alphas", "0.99")
	if len(rows) != 3 || !strings.HasPrefix(rows[0], "--method adp ") || !strings.HasPrefix(rows[1], "--method adp ") {
		t.Errorf("%q", rows)
	}
}
