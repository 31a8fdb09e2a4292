package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/report"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/run"
	"github.com/adp-sparse/adp-sparse/cmd/internal/exits"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
	"github.com/adp-sparse/adp-sparse/internal/figures"
	"github.com/adp-sparse/adp-sparse/internal/gen"
	"github.com/adp-sparse/adp-sparse/internal/htmlreport"
	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// communities are the edges and seeds of a graph of three communities.
func communities(n int) (edges, seeds string) {
	src, dst, _, class := gen.PlantedPartition(n, 3, 0.3, 0.03, 4)
	var e, s strings.Builder
	for k := range src {
		fmt.Fprintln(&e, src[k], dst[k])
	}
	for i := range 15 {
		fmt.Fprintf(&s, "%d class%d\n", i, class[i])
	}
	return e.String(), s.String()
}

// TestReportPage: the page and the pictures are there beside the JSON, say the
// same, and have the same bytes for any number of threads.
func TestReportPage(t *testing.T) {
	if racing.On {
		t.Skip("pictures are drawn by one goroutine: the test runs without the race detector")
	}
	edges, seeds := communities(90)
	dir := files(t, "g", edges, "s", seeds)
	t.Chdir(dir)
	read1 := map[string]string{}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, threads := range []int{1, 3} {
		runtime.GOMAXPROCS(threads) // a flag would stand in the command
		code, out, errs := call("run", "--edges", "g", "--labels", "s", "--out", "out", "--report", "r.html", "--report", "r.json", "--pictures", "pictures", "--select", "none", "--quiet")
		if code != 0 || out != "" || errs != "" {
			t.Fatal(code, out, errs)
		}
		names := []string{"r.html"}
		for _, name := range htmlreport.Names {
			names = append(names, "pictures/"+name+".svg")
		}
		for _, name := range names {
			text := read(t, name)
			if first, ok := read1[name]; ok && first != text {
				t.Errorf("%s: other bytes", name)
			}
			read1[name] = text
			if strings.HasSuffix(name, ".png") {
				if _, err := png.Decode(strings.NewReader(text)); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
		if entries, err := os.ReadDir("pictures"); err != nil || len(entries) != len(htmlreport.Names) {
			t.Errorf("%d files of pictures, %v", len(entries), err)
		}
	}
	var r report.Run
	if err := json.Unmarshal([]byte(read(t, "r.json")), &r); err != nil {
		t.Fatal(err)
	}
	page := read1["r.html"]
	for _, want := range []string{
		figures.Count(r.Graph.Nodes) + " nodes with " + figures.Count(r.Graph.Edges) + " edges", "from 15 seeds in 3 classes", "class2",
		"adp-sparse run --edges g --labels s --out out --pictures pictures --quiet=true --report r.html --report r.json --select none",
		fmt.Sprintf("%.4f", r.Rounds[r.Chosen].Association),
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q", want)
		}
	}
}

// TestReportFilesRefused: a report that is an input or an output is refused, as
// is a folder of pictures that is a file, and no folder stays of a run that
// failed.
func TestReportFilesRefused(t *testing.T) {
	dir := files(t, "g", "a b\nb c\n", "s", "a x\nc y\n", "file", "", "bad", "a\n")
	for _, test := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"--labels", "s", "--report", "s"}, exits.Usage, "same file"},
		{[]string{"--labels", "s", "--report", "r.html", "--report", "r.html"}, exits.Usage, "same file"},
		{[]string{"--labels", "s", "--report", "-", "--report", "-"}, exits.Usage, "standard output"},
		{[]string{"--labels", "s", "--pictures", "file"}, exits.IO, "file"},
		{[]string{"--labels", "s", "--pictures", "none/there"}, exits.IO, "none/there"},
		{[]string{"--labels", "bad", "--pictures", "new"}, exits.Data, "bad:1"},
		{[]string{"--labels", "s", "--pictures", "new", "--report", "no/r.html"}, exits.IO, "no/r.html"},
	} {
		t.Chdir(dir)
		before := listing(t, dir)
		code, _, errs := call(append([]string{"run", "--edges", "g", "--out", "out"}, test.args...)...)
		if code != test.code || !strings.Contains(errs, test.says) {
			t.Errorf("%v: exit %d, %s, expected %d, %q", test.args, code, errs, test.code, test.says)
		}
		if after := listing(t, dir); after != before {
			t.Errorf("%v: left %s, before %s", test.args, after, before)
		}
	}
}

// TestCommandOfPage: --resume is not in the command of the page, so that the
// outputs of a resumed run are those of one without a stop.
func TestCommandOfPage(t *testing.T) {
	cmd := run.New(streams.Stdio{})
	if err := cmd.ParseFlags([]string{"--edges", "g", "--report", "a b.html", "--report", "c,d.json", "--resume", "--checkpoint", "c"}); err != nil {
		t.Fatal(err)
	}
	if got, want := usage.CommandLine(cmd), "run --checkpoint c --edges g --report "+usage.ShellQuote("a b.html")+" --report c,d.json"; got != want {
		t.Errorf("%s, expected %s", got, want)
	}
}

// TestWords: what a reader is told of results of each kind.
func TestWords(t *testing.T) {
	edges, seeds := communities(60)
	dir := files(t, "g", edges, "s", seeds)
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"--select", "none"}, "in the learned one"},
		{[]string{"--method", "lgc"}, "The result is LGC on the original graph"},
		{[]string{"--method", "gfhf"}, "harmonic functions"},
		{[]string{"--method", "dense", "--rounds", "2"}, "in the learned one"},
		{[]string{"--method", "adp1"}, "in the learned one"},
	} {
		page := filepath.Join(dir, "r.html")
		code, _, errs := call(append([]string{"run", "--edges", dir + "/g", "--labels", dir + "/s", "--out", dir + "/out", "--report", page, "--quiet"}, test.args...)...)
		if code != 0 || !strings.Contains(read(t, page), test.want) || bytes.Contains([]byte(read(t, page)), []byte("NaN")) {
			t.Errorf("%v: exit %d, %s; no %q", test.args, code, errs, test.want)
		}
	}
}

// TestGraphAsGiven: a --graph-out that is the given graph is told, in the summary, the JSON
// and the page, with what gives a learned one; that is not said of a graph that was learned,
// and no warning is given where nobody asked for the graph.
func TestGraphAsGiven(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	must(t, os.WriteFile(at("g"), []byte(read(t, "../../testdata/graphs/karate.edges.tsv")), 0o644))
	must(t, os.WriteFile(at("s"), []byte("0\tMr.Hi\n33\tOfficer\n"), 0o644))
	const hint = "--select none gives the learned graph of the last round"
	for _, test := range []struct {
		args          string
		warning, line string
		learned       bool
	}{
		{"--graph-out G --model M", "--graph-out is the graph as given: the graph's part of the mixture is LGC; " + hint, hint, false},
		{"", "", hint, false},
		{"--graph-out G --warm M", "the result is LGC; --select none in place of --warm gives the learned", "--select none in place of --warm", false},
		{"--graph-out G --method lgc", "--graph-out is the graph as given: --method lgc learns none", "", false},
		{"--graph-out G --select none", "", "", true},
	} {
		args := strings.NewReplacer("G", at("learned.csr"), "M", at("model")).Replace(test.args)
		code, _, errs := call(append([]string{"run", "--edges", at("g"), "--labels", at("s"), "--out", at("out"), "--report", at("r.json"), "--report", at("r.html"), "--verbose"}, strings.Fields(args)...)...)
		if code != 0 {
			t.Fatalf("%s: exit %d, %s", test.args, code, errs)
		}
		var r report.Run
		must(t, json.Unmarshal([]byte(read(t, at("r.json"))), &r))
		warned := ""
		for _, w := range r.Warnings {
			if w.Code == report.WarnAsGiven {
				warned = w.Message
			}
		}
		if warned == "" != (test.warning == "") || !strings.Contains(warned, test.warning) || r.Learned.Learned != test.learned {
			t.Errorf("%s: warning %q, learned %v", test.args, warned, r.Learned.Learned)
		}
		summary := strings.ReplaceAll(errs, "warning ["+report.WarnAsGiven+"]: "+warned, "")
		page := strings.ReplaceAll(read(t, at("r.html")), warned, "")
		for what, text := range map[string]string{"summary": summary, "page": page} {
			if strings.Contains(text, "gives the learned graph") != (test.line != "") || !strings.Contains(text, test.line) {
				t.Errorf("%s: the %s has not %q alone", test.args, what, test.line)
			}
		}
	}
}

// TestAverageConfidence: the summary, the page and --help say of what a calibrated
// confidence holds, and of what it does not.
func TestAverageConfidence(t *testing.T) {
	edges, seeds := communities(90)
	for i := range 15 { // 30 seeds: enough to leave some out
		seeds += fmt.Sprintf("%d class%d\n", i+15, (i+15)%3)
	}
	dir := files(t, "g", edges, "s", seeds)
	_, manual, _ := call("man", "run")
	code, _, errs := call("run", "--edges", dir+"/g", "--labels", dir+"/s", "--method", "lgc", "--calibrate", "auto", "--out", dir+"/out", "--report", dir+"/r.html", "--verbose")
	if code != 0 {
		t.Fatal(errs)
	}
	spaced := func(text string) string { return strings.Join(strings.Fields(text), " ") }
	for text, want := range map[string]string{
		errs:                   "it is a probability on average over all nodes, and too high for nodes with the smallest margins",
		read(t, dir+"/r.html"): "which is the probability of being right on average over the nodes.",
		manual:                 "being right on average over all nodes. For nodes with the smallest margins it can be far too high.",
	} {
		if !strings.Contains(spaced(text), want) {
			t.Errorf("no %q in %s", want, text[:min(len(text), 3000)])
		}
	}
}

// TestReportFields: docs/report.md names each field of the JSON of a run and of explain.
func TestReportFields(t *testing.T) {
	edges, seeds := communities(90)
	dir := files(t, "g", edges, "s", seeds)
	documented := read(t, "../../docs/report.md")
	in := []string{"run", "--edges", dir + "/g", "--labels", dir + "/s"}
	code, explained, errs := call("explain", "--edges", dir+"/g", "--labels", dir+"/s", "--node", "40", "--json")
	if code != 0 {
		t.Fatal(errs)
	}
	mixed, _ := mixedSet(t)
	code, both, errs := call("explain", "--edges", mixed+"/e", "--features", mixed+"/x.csv", "--labels", mixed+"/s", "--class-prior", "seeds", "--node", "40", "--json")
	if code != 0 {
		t.Fatal(errs)
	}
	code, alone, errs := call("explain", "--features", mixed+"/x.csv", "--labels", mixed+"/s", "--node", "40", "--json")
	if code != 0 {
		t.Fatal(errs)
	}
	var texts []string
	for _, flags := range [][]string{
		{"--select", "fast", "--threads", "3", "--class-prior", "class0=1,class1=2,class2=3", "--min-confidence", "0.5"},
		{"--multilabel", "--method", "lgc", "--max-iterations", "900"},
		{"--multilabel"},
	} {
		if code, _, errs := call(append(append(in, "--out", dir+"/out", "--report", dir+"/r.json"), flags...)...); code != 0 {
			t.Fatal(errs)
		}
		texts = append(texts, read(t, dir+"/r.json"))
	}
	many := strings.Builder{} // enough known labels for a calibration
	for i := 0; i < 90; i += 2 {
		fmt.Fprintf(&many, "%d class%d\n", i, i%3)
	}
	must(t, os.WriteFile(dir+"/many", []byte(many.String()), 0o600))
	code, _, errs = call("run", "--edges", dir+"/g", "--labels", dir+"/many", "--method", "lgc", "--calibrate", "auto", "--out", dir+"/out", "--report", dir+"/r.json")
	if calibrated := read(t, dir+"/r.json"); code != 0 || !strings.Contains(calibrated, `"share_right"`) || !strings.Contains(calibrated, `"slope"`) {
		t.Fatalf("exit %d, %s%s", code, errs, calibrated)
	} else {
		texts = append(texts, calibrated)
	}
	names := 0
	var look func(v any, name string)
	look = func(v any, name string) {
		switch v := v.(type) {
		case map[string]any:
			for key, inner := range v {
				if name != "class_prior" && name != "scores" && name != "mixed" { // by class
					names++
					if !strings.Contains(documented, "`"+key+"`") {
						t.Errorf("docs/report.md does not name %s of %s", key, name)
					}
				}
				look(inner, key)
			}
		case []any:
			for _, inner := range v {
				look(inner, name)
			}
		}
	}
	for _, text := range append([]string{explained, both, alone}, texts...) {
		var all any
		must(t, json.Unmarshal([]byte(text), &all))
		look(all, "the whole")
	}
	if names < 100 {
		t.Errorf("%d fields: the test says little", names)
	}
	var one, other report.Run
	must(t, json.Unmarshal([]byte(texts[0]), &one))
	must(t, json.Unmarshal([]byte(texts[1]), &other))
	if o := one.Options; o.Threads != 3 || o.Prior["class2"] != 3 || o.MinConfidence != 0.5 || o.Iterations != 2000 || o.Calibrate != "off" || o.Multilabel || !strings.HasPrefix(one.Command, "adp-sparse run --") {
		t.Errorf("%q, %+v", one.Command, o)
	}
	if o := other.Options; o.Threads < 1 || o.Iterations != 900 || !o.Multilabel || o.Share != 0.7 || len(o.Prior) != 3 {
		t.Errorf("%+v", o)
	}
}

// TestReportHubs: the report says whether rows over hubs are cut, for which there have to be some.
func TestReportHubs(t *testing.T) {
	dir := files(t, "star", star(20_000), "path", "0 1\n1 2\n", "seeds", "0 a\n1 b\n")
	for _, c := range []struct{ args, want string }{
		{"star --method adp1", "cut"}, {"path --method adp1", "whole"}, {"star", "whole"}, // A-steps of the last are on edges
	} {
		args := strings.Fields("run --select none --rounds 1 --quiet --edges " + dir + "/" + c.args)
		args = append(args, "--labels", dir+"/seeds", "--out", dir+"/out", "--report", dir+"/r.json")
		if code, _, errs := call(args...); code != 0 {
			t.Fatalf("%s: exit %d, %s", c.args, code, errs)
		}
		var report struct{ Options struct{ Hubs string } }
		if err := json.Unmarshal([]byte(read(t, dir+"/r.json")), &report); err != nil || report.Options.Hubs != c.want {
			t.Errorf("%s: rows over hubs are %q, expected %q (%v)", c.args, report.Options.Hubs, c.want, err)
		}
	}
}
