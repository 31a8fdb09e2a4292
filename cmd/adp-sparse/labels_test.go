package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/report"
)

// TestLabelColumns: labels of a csv file, of the features' own file, and of
// Parquet give what the same labels as lines give; predictions in Parquet score
// as those in text do.
func TestLabelColumns(t *testing.T) {
	dir := files(t,
		"lines", "p0\tred\np1\tblue\n",
		"table.csv", "name,x,y,colour\np0,1,1,red\np1,9,9,blue\np2,1,2,\np3,8,9,\np4,2,1,\np5,9,8,\n",
		"rows.csv", "x,y,colour\n1,1,red\n9,9,blue\n1,2,\n8,9,\n2,1,\n9,8,\n",
		"truth.csv", "who;colour;n\np2;red;1\np3;blue;2\np4;red;3\np5;blue;4\n")
	t.Chdir(dir)
	run := func(args string) {
		t.Helper()
		if code, _, errs := call(strings.Fields("run --quiet --method lgc " + args)...); code != 0 {
			t.Fatalf("%s: exit %d, %s", args, code, errs)
		}
	}
	run("--k 2 --features table.csv --id-column name --labels table.csv --label-column colour --out 1")
	run("--k 2 --features table.csv --id-column 1 --labels table.csv --label-column 4 --label-id name --out 2")
	run("--k 2 --features rows.csv --labels rows.csv --label-column colour --out 3")
	want := read(t, "1")
	if !strings.Contains(want, "p4\tred\t") || !strings.Contains(want, "p5\tblue\t") || read(t, "2") != want || strings.ReplaceAll(want, "\np", "\n") != read(t, "3") {
		t.Errorf("got\n%s%s%s", want, read(t, "2"), read(t, "3"))
	}
	run("--k 2 --features table.csv --id-column name --labels table.csv --label-column colour --out 4.parquet --graph-out g.parquet")
	// The same file under another name is the same file: its labels and their weights
	// are no features. Titles may be numbers, and the last column blank.
	must(t, os.WriteFile("numbers.tsv", []byte("1\t3\t2\t4\n1\t1\t0.5\t0\n9\t9\t1\t1\n1\t2\t\t\n8\t9\t\t\n2\t1\t\t\n9\t8\t\t\n"), 0o644))
	run("--k 2 --features numbers.tsv --labels ./numbers.tsv --label-column 4 --label-weight 2 --out 7 --model 7.npz")
	must(t, os.WriteFile("plain.csv", []byte("1,1\n9,9\n1,2\n8,9\n2,1\n9,8\n"), 0o644))
	must(t, os.WriteFile("weighted", []byte("0 0 0.5\n1 1 1\n"), 0o644))
	run("--k 2 --features plain.csv --labels weighted --out 8")
	if read(t, "7") != read(t, "8") {
		t.Errorf("got\n%swant\n%s", read(t, "7"), read(t, "8"))
	}
	// The model knows which columns are features.
	if code, out, errs := call("predict", "--quiet", "--model", "7.npz", "--points", "plain.csv"); code != 0 || !strings.Contains(out, "\n5\t1\t") {
		t.Errorf("exit %d, %s%s", code, out, errs)
	}
	// New points may have the column of labels too, or not.
	run("--k 2 --features rows.csv --labels rows.csv --label-column colour --out 9 --model 9.npz")
	_, with, errs := call("predict", "--quiet", "--model", "9.npz", "--points", "rows.csv")
	if _, without, _ := call("predict", "--quiet", "--model", "9.npz", "--points", "plain.csv"); with == "" || with != without {
		t.Errorf("new points with a column of labels: %s\n%s\nwithout:\n%s", errs, with, without)
	}
	run("--edges g.parquet --labels lines --out 5")
	run("--edges g.parquet --labels 4.parquet --label-weight confidence --out 6")
	var scores []string
	for _, predictions := range []string{"1", "4.parquet"} {
		code, out, errs := call("eval", "--predictions", predictions, "--truth", "truth.csv", "--label-column", "colour", "--label-id", "who")
		if code != 0 || !strings.Contains(out, "accuracy      1.0000") {
			t.Errorf("exit %d, %s%s", code, out, errs)
		}
		scores = append(scores, out)
	}
	if scores[0] != scores[1] {
		t.Error("Parquet scores otherwise than text")
	}
}

// TestMultilabelSummary: a summary of several labels a node names no flag that was not given, and counts known labels
// that the diffusion contradicts by the margins of the rows.
func TestMultilabelSummary(t *testing.T) {
	dir := files(t, "g", "a b\nb c\na c\nc d\nd e\ne f\nd f\nf g\n", "s", "a x\na z\ng y\ng z\n", "t", "a x\nb x\nb y\n")
	t.Chdir(dir)
	code, out, errs := call(strings.Fields("run --edges g --labels s --multilabel")...)
	if code != 0 || !strings.Contains(errs, "result    a mixture of 3 methods, with fixed weights") {
		t.Errorf("exit %d, %s", code, errs)
	}
	if code, _, errs := call(strings.Fields("run --edges g --labels s --multilabel --method lgc --out lgc")...); code != 0 || !strings.Contains(errs, "result    lgc, for several labels a node (--multilabel)\n") {
		t.Errorf("exit %d, %s", code, errs)
	}
	below := 0
	for _, line := range strings.Split(out, "\n") {
		if f := strings.Split(line, "\t"); len(f) == 5 && f[4] == "seed" && strings.HasPrefix(f[3], "-") {
			below++
		}
	}
	if want := fmt.Sprintf("[overruled]: %d known labels are not among those that the diffusion gives their nodes: they stand, with a margin of at most 0\n", below); below == 0 || !strings.Contains(errs, want) {
		t.Errorf("no %q in %s", want, errs)
	}
	must(t, os.WriteFile("p", []byte(out), 0o644))
	if code, _, errs := call(strings.Fields("eval --predictions p --truth t")...); code != 1 || !strings.Contains(errs, "node \"a\" has a row already; if nodes have several labels, say --multilabel\n") {
		t.Errorf("exit %d, %s", code, errs)
	}
	must(t, os.WriteFile("p", []byte("node\tlabel\tconfidence\tmargin\tstatus\nb\tx\t1\t1\tpredicted\n"), 0o644))
	if code, _, errs := call(strings.Fields("eval --predictions p --truth t")...); code != 1 || !strings.Contains(errs, "or eval --multilabel\n") {
		t.Errorf("exit %d, %s", code, errs)
	}
}

// TestMultilabel: two groups that overlap in a node, which gets both labels.
func TestMultilabel(t *testing.T) {
	documented := read(t, "../../docs/formats.md")
	dir := files(t,
		"g", "a b\na c\nb c\nc m\nb m\nm x\nm y\nx y\nx z\ny z\n",
		"s", "a left\nz right\nz far\n", "new", "q z\nq y\n", "truth", "b left\nc left\nm left\nm right\nm far\nx right\nx far\ny right\ny far\n")
	t.Chdir(dir)
	if code, _, errs := call(strings.Fields("run --edges g --labels s --out out")...); code != 1 || !strings.Contains(errs, "or run --multilabel") {
		t.Errorf("exit %d, %s", code, errs)
	}
	code, _, errs := call(strings.Fields("run --edges g --labels s --multilabel --alpha 0.9 --label-share 0.5 --quiet --out out --report json --model m")...)
	if code != 0 {
		t.Fatalf("exit %d, %s", code, errs)
	}
	if code, out, errs := call(strings.Fields("predict --model m --edges new --quiet")...); code != 0 || !slices.Equal(column(out, 0), []string{"q", "q"}) || !slices.Contains(column(out, 1), "far") || !slices.Contains(column(out, 1), "right") {
		t.Errorf("predict: exit %d, %s%s", code, out, errs)
	}
	for command, args := range map[string]string{"explain": "--node b", "serve": "--listen 127.0.0.1:0", "tune": "--methods lgc"} {
		if code, _, errs := call(strings.Fields(command + " --edges g --labels s " + args)...); code != 1 || !strings.Contains(errs, "s:3: node \"z\" has label \"far\", but \"right\" on line 2; "+command+" takes one label a node, or a weight with each\n") {
			t.Errorf("%s: exit %d, %s", command, code, errs)
		}
	}
	var report struct {
		Classes []report.Class `json:"classes"`
	}
	must(t, json.Unmarshal([]byte(read(t, "json")), &report))
	for _, c := range report.Classes {
		if want := strings.Count(read(t, "out"), "\t"+c.Label+"\t") - c.Seeds; c.Predicted != want {
			t.Errorf("class %s: %d predicted, the output has %d", c.Label, c.Predicted, want)
		}
	}
	got := map[string][]string{}
	for _, line := range strings.Split(strings.TrimSpace(read(t, "out")), "\n")[1:] {
		f := strings.Split(line, "\t")
		got[f[0]] = append(got[f[0]], f[1])
	}
	for node, want := range map[string]string{"a": "left", "b": "left", "c": "left", "x": "far right", "y": "far right", "z": "far right"} {
		if strings.Join(got[node], " ") != want {
			t.Errorf("node %s has %v, expected %s", node, got[node], want)
		}
	}
	if len(got["m"]) == 0 {
		t.Error("no label for the node between")
	}
	code, out, errs := call(strings.Fields("eval --predictions out --truth truth --multilabel --json")...)
	if code != 0 || !strings.Contains(out, `"nodes": 5`) || !strings.Contains(out, `"micro_f1"`) {
		t.Errorf("exit %d, %s%s", code, out, errs)
	}
	_, manual, _ := call("man", "run")
	manual = strings.ReplaceAll(manual, `\-`, "-")
	for _, flag := range []string{"--method adp", "--calibrate", "--min-confidence", "--report FILE.html", "--pictures"} {
		_, inManual, _ := strings.Cut(manual, "fB--multilabel")
		inManual, _, _ = strings.Cut(inManual, ".TP")
		_, inDocs, _ := strings.Cut(documented, "It does not go with")
		if !strings.Contains(inManual, flag) || !strings.Contains(inDocs, flag) {
			t.Errorf("the manual of --multilabel, or docs/formats.md, does not name %s", flag)
		}
	}
	for args, want := range map[string]string{
		"--multilabel --method adp":        "expected lgc, gfhf or poisson",
		"--multilabel --proba":             "--proba is written to .npz where nodes may have several labels (--multilabel), and --out is -",
		"--multilabel --calibrate auto":    "does not go with --calibrate",
		"--multilabel --label-share 0":     "--label-share 0, expected above 0",
		"--multilabel --report r.html":     "which are of one label a node",
		"--multilabel --pictures p":        "which are of one label a node",
		"--label-share 0.5":                "--label-share is for --multilabel",
		"--proba --out x.parquet":          "--proba is written as text and to .npz",
		"--label-id 1":                     "need --label-column",
		"--label-column 1 --labels-header": "needs no --labels-header",
	} {
		if code, _, errs := call(strings.Fields("run --edges g --labels s " + args)...); code != 2 || !strings.Contains(errs, want) {
			t.Errorf("%s: exit %d, %s", args, code, errs)
		}
	}
}
