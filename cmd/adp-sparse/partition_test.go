package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/run"
	"github.com/adp-sparse/adp-sparse/cmd/internal/exits"
	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// partitioned makes a graph of 4,500 nodes, which one process works on in another
// order, with names that are no numbers, and 30 seeds of it.
func partitioned(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if code, _, errs := call("gen", "--nodes", "4500", "--degree", "7", "--classes", "3", "--quiet", "--out", at("numbers.tsv"), "--seeds-out", at("seeds.tsv")); code != 0 {
		t.Fatal(errs)
	}
	var edges, seeds strings.Builder
	for line := range strings.Lines(read(t, at("numbers.tsv"))) {
		f := strings.Fields(line)
		fmt.Fprintf(&edges, "n%s\tn%s\n", f[0], f[1])
	}
	for line := range strings.Lines(read(t, at("seeds.tsv"))) {
		fmt.Fprintf(&seeds, "n%s", line)
	}
	must(t, os.WriteFile(at("g.tsv"), []byte(edges.String()), 0o644))
	must(t, os.WriteFile(at("seeds.tsv"), []byte(seeds.String()), 0o644))
	return dir
}

// TestRunOnParts: labels, their shares and the learned graph of a graph in parts
// are those of the whole one, byte for byte.
func TestRunOnParts(t *testing.T) {
	dir := partitioned(t)
	at := func(name string) string { return filepath.Join(dir, name) }
	run := func(graph string, flags ...string) (labels, learned string) {
		t.Helper()
		args := append([]string{"run", "--labels", at("seeds.tsv"), "--out", at("out.tsv"), "--graph-out", at("out.csr"), "--report", at("out.json"), "--proba", "--quiet"}, flags...)
		if code, _, errs := call(append(args, strings.Fields(graph)...)...); code != 0 || errs != "" {
			t.Fatalf("%v: exit %d, %s", args, code, errs)
		}
		return read(t, at("out.tsv")), read(t, at("out.csr"))
	}
	partition := func(name string, flags ...string) string {
		t.Helper()
		if code, _, errs := call(append([]string{"partition", "--edges", at("g.tsv"), "--out", at(name)}, flags...)...); code != 0 || !strings.Contains(errs, "halo") || !strings.Contains(errs, "rows are cut in blocks of 512\n") {
			t.Fatalf("exit %d, %s", code, errs)
		}
		return "--graph " + at(name)
	}
	one, three, given := partition("one", "--parts", "1"), partition("three", "--parts", "3"), partition("given", "--parts", "4", "--reorder", "none")
	for _, flags := range [][]string{
		{"--method", "adp1", "--rounds", "2"},
		{"--method", "adp", "--select", "fast", "--rounds", "1"},
		{"--method", "adp", "--select", "none", "--rounds", "1", "--calibrate", "auto", "--min-confidence", "0.8"},
	} {
		labels, learned := run("--edges "+at("g.tsv")+" --combine none --reorder cluster", flags...)
		for _, graph := range []string{one, three} {
			gotLabels, gotLearned := run(graph, flags...)
			if gotLabels != labels || gotLearned != learned {
				t.Errorf("%v on %s: other labels or another graph", flags, graph)
			}
		}
	}
	labels, _ := run("--edges "+at("g.tsv"), "--method", "lgc")
	if got, _ := run(given, "--method", "lgc"); got != labels {
		t.Error("other labels of LGC")
	}
	if report := read(t, at("out.json")); !strings.Contains(report, `"ranks": 4`) || !strings.Contains(report, `"chosen_round"`) {
		t.Errorf("report: %s", report)
	}

	// Another partition has another order of sums: the labels stay.
	var of strings.Builder
	for i := range 4500 {
		fmt.Fprintln(&of, i*i%3)
	}
	must(t, os.WriteFile(at("of"), []byte(of.String()), 0o644))
	got, _ := run(partition("squares", "--parts", "3", "--part-of", at("of")), "--method", "lgc")
	if classes(got) != classes(labels) {
		t.Error("other classes on the parts of a file")
	}
}

// TestPartsResume: a run on parts goes on from each state that it saved, on another
// number of parts, to the same bytes.
func TestPartsResume(t *testing.T) {
	dir := partitioned(t)
	at := func(name string) string { return filepath.Join(dir, name) }
	for parts := 1; parts <= 3; parts++ {
		if code, _, errs := call("partition", "--edges", at("g.tsv"), "--out", at(fmt.Sprint(parts)), "--parts", fmt.Sprint(parts), "--quiet"); code != 0 {
			t.Fatal(errs)
		}
	}
	inParts := func(parts int, flags ...string) (code int, errs, outputs string) {
		t.Helper()
		args := []string{"run", "--graph", at(fmt.Sprint(parts)), "--labels", at("seeds.tsv"), "--select", "fast", "--rounds", "2", "--out", at("out.tsv"), "--graph-out", at("out.csr"), "--proba", "--quiet"}
		if code, _, errs = call(append(args, flags...)...); code != 0 {
			return code, errs, ""
		}
		return 0, errs, read(t, at("out.tsv")) + read(t, at("out.csr"))
	}
	_, _, want := inParts(3)
	var states []string
	run.AfterSave = func() { states = append(states, read(t, at("state"))) }
	code, errs, got := inParts(3, "--checkpoint", at("state"), "--checkpoint-every", "0s")
	run.AfterSave = nil
	if code != 0 || got != want || len(states) < 3 {
		t.Fatalf("exit %d, %s; %d states; the same outputs: %v", code, errs, len(states), got == want)
	}
	for k, state := range states {
		if racing.On && k%2 > 0 { // four of seven, of the rounds and of the folds, on 1, 2 and 3 parts
			continue
		}
		must(t, os.WriteFile(at("state"), []byte(state), 0o600))
		if code, errs, got := inParts(1+k%3, "--checkpoint", at("state"), "--resume"); code != 0 || got != want {
			t.Errorf("from state %d: exit %d, %s; the same outputs: %v", k, code, errs, got == want)
		}
		if _, err := os.Stat(at("state")); err == nil {
			t.Error("the state is still there")
		}
	}
	must(t, os.WriteFile(at("state"), []byte(states[0]), 0o600))
	if code, errs, _ := inParts(2, "--checkpoint", at("state"), "--resume", "--zeta", "0.3"); code != exits.Data || !strings.Contains(errs, "other options") {
		t.Errorf("other options: exit %d, %s", code, errs)
	}
	if code, errs, _ := inParts(2, "--checkpoint", at("state")); code != exits.Usage || !strings.Contains(errs, "--resume goes on from it") {
		t.Errorf("a state that is there: exit %d, %s", code, errs)
	}
}

// TestPartsMemory: the ranks of this process are refused where they do not fit
// together, with what would, which then does; and the estimate is said.
func TestPartsMemory(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, args := range [][]string{
		{"gen", "--kind", "geometric", "--nodes", "60000", "--degree", "20", "--classes", "3", "--out", at("g.csr"), "--seeds-out", at("s"), "--quiet"},
		{"partition", "--graph", at("g.csr"), "--parts", "3", "--out", at("parts"), "--quiet"},
	} {
		if code, _, errs := call(args...); code != 0 {
			t.Fatal(errs)
		}
	}
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1))
	run := func(flags ...string) (int, string) {
		code, _, errs := call(append([]string{"run", "--graph", at("parts"), "--labels", at("s"), "--out", at("out"), "--report", at("json")}, flags...)...)
		return code, errs
	}
	code, errs := run("--memory-limit", "60MiB", "--rounds", "2")
	for _, want := range []string{"all 3 ranks together need about", "the limit is 60 MiB (--memory-limit)", "more processes need less each", "partition --parts makes more", "--method lgc ("} {
		if code != exits.Memory || !strings.Contains(errs, want) || strings.Count(errs, "\n") != 1 {
			t.Fatalf("exit %d, %s, want %q", code, errs, want)
		}
	}
	if _, err := os.Stat(at("out")); err == nil {
		t.Error("an output")
	}
	if code, errs = run("--memory-limit", "60MiB", "--method", "lgc"); code != 0 {
		t.Errorf("lgc: exit %d, %s", code, errs)
	}
	var report struct {
		Estimated int64 `json:"estimated_bytes"`
	}
	must(t, json.Unmarshal([]byte(read(t, at("json"))), &report))
	if report.Estimated < 40<<20 || report.Estimated > 60<<20 {
		t.Errorf("%d bytes estimated", report.Estimated)
	}
}

// classes returns the nodes of a labels file with their classes.
func classes(labels string) string {
	var all strings.Builder
	for line := range strings.Lines(labels) {
		all.WriteString(strings.Join(strings.Split(line, "\t")[:2], " ") + "\n")
	}
	return all.String()
}

// TestPartitionErrors: what cannot be right is refused with the exit code for it.
func TestPartitionErrors(t *testing.T) {
	dir := files(t, "g.tsv", path(1500), "seeds.tsv", "0 a\n1400 b\n", "of", "0\n1\n2\n", "short", "0\n1\n")
	at := func(name string) string { return filepath.Join(dir, name) }
	fresh := func(name string) string {
		t.Helper()
		if code, _, errs := call("partition", "--edges", at("g.tsv"), "--parts", "2", "--out", at(name), "--quiet"); code != 0 {
			t.Fatal(errs)
		}
		return at(name)
	}
	good := fresh("good")
	damaged := func(name, file string, change func(text string) string) string {
		t.Helper()
		folder := fresh(name)
		text := change(read(t, filepath.Join(folder, file)))
		must(t, os.WriteFile(filepath.Join(folder, file), []byte(text), 0o644))
		return folder
	}
	lost := fresh("lost")
	must(t, os.Remove(filepath.Join(lost, "part-00001.csr")))
	swapped := fresh("swapped")
	must(t, os.WriteFile(filepath.Join(swapped, "part-00000.csr"), []byte(read(t, filepath.Join(good, "part-00001.csr"))), 0o644))
	flip := func(text string) string {
		b := []byte(text)
		b[len(b)/2] ^= 1
		return string(b)
	}
	partition := func(flags ...string) []string {
		return append([]string{"partition", "--edges", at("g.tsv"), "--out", at("new")}, flags...)
	}
	run := func(graph string, flags ...string) []string {
		return instead([]string{"run", "--graph", graph, "--labels", at("seeds.tsv"), "--out", at("out.tsv"), "--quiet"}, flags...)
	}
	for _, test := range []struct {
		args []string
		code int
		text string
	}{
		{partition(), exits.Usage, "--parts 0, expected 1 to"},
		{partition("--parts", "2", "--reorder", "best"), exits.Usage, "--reorder"},
		{[]string{"partition", "--edges", at("g.tsv"), "--parts", "2"}, exits.Usage, "--out FOLDER"},
		{[]string{"partition", "--edges", at("g.tsv"), "--parts", "2", "--out", good}, exits.IO, "exists"},
		{partition("--parts", "2", "--part-of", at("of")), exits.Data, "of:3: \"2\", expected a part from 0 to 1"},
		{partition("--parts", "2", "--part-of", at("short")), exits.Data, "2 lines, expected one for each of 1500 nodes"},
		{run(good, "--reorder", "none"), exits.Usage, "--reorder is not for a graph in parts"},
		{run(good, "--scratch", dir), exits.Usage, "--scratch is not for a graph in parts"},
		{run(good, "--diagnose"), exits.Usage, "--diagnose is not for a graph in parts"},
		{run(good, "--method", "gfhf"), exits.Usage, "expected adp, adp1 or lgc"},
		{run(good, "--labels", at("of")), exits.Data, "of"},
		{run(damaged("manifest", "parts.json", func(string) string { return "{}" })), exits.Data, "parts.json: version 0, expected 1"},
		{run(damaged("bounds", "parts.json", func(s string) string { return strings.Replace(s, "512", "500", 1) })), exits.Data, "expected a multiple of 512"},
		{run(damaged("nodes", "nodes.csr", flip)), exits.Data, "nodes.csr"},
		{run(damaged("part", "part-00001.csr", flip)), exits.Data, "part-00001.csr"},
		{[]string{"inspect", "--graph", good}, exits.Usage, "good is a graph in parts, which run alone takes"},
		{[]string{"suggest", "--graph", good, "--labels", at("seeds.tsv")}, exits.Usage, "good is a graph in parts, which run alone takes"},
		{run(lost), exits.IO, "part-00001.csr"},
		{run(swapped), exits.Data, "entries, expected the "},
	} {
		code, _, errs := call(test.args...)
		if code != test.code || !strings.Contains(errs, test.text) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%v: exit %d, %q, want %d, %q", test.args, code, errs, test.code, test.text)
		}
		if _, err := os.Stat(at("new")); err == nil {
			t.Errorf("%v: made a folder", test.args)
		}
	}
	if code, _, errs := call(run(good, "--method", "lgc")...); code != 0 {
		t.Errorf("a good folder: exit %d, %s", code, errs)
	}
}
