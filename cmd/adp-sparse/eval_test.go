package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp/labelfile"
	"github.com/adp-sparse/adp-sparse/adp/labelparquet"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/tables"
)

// TestEval: figures of a file of five nodes, worked out by hand.
func TestEval(t *testing.T) {
	const head = "node\tlabel\tconfidence\tmargin\tstatus\n"
	dir := files(t,
		"p", head+"a\tx\t0.9\t0.8\tpredicted\nb\ty\t0.6\t0.2\tpredicted\nc\tx\t1\t1\tseed\nd\t\t0\t0\tunreached\ne\tz\t0.7\t0.4\tuncertain\n",
		"t", "a x\nb x\nc x\nd y\ne y\nq y\n",
		"twice", head+"a\tx\t1\t1\tseed\na\tx\t1\t1\tseed\n",
		"blank", head+"a\tx\t1\t1\tseed\n\n\na\tx\t1\t1\tseed\n",
		"none", "c x\n", "bad", "a b c\n")
	var rows bytes.Buffer
	must(t, labelparquet.Write(&rows, slices.Values([]labelfile.Prediction{{Node: "a", Label: "x", Status: "seed"}, {Node: "a", Label: "x", Status: "seed"}})))
	must(t, os.WriteFile(dir+"/rows.parquet", rows.Bytes(), 0o644))
	code, out, errs := call("eval", "--predictions", dir+"/p", "--truth", dir+"/t", "--json")
	var e tables.Evaluation
	if err := json.Unmarshal([]byte(out), &e); code != 0 || err != nil {
		t.Fatalf("exit %d, %s, %v", code, errs, err)
	}
	// Scored: a right, b wrong (y for x), d none (y), e wrong (z for y).
	if e.Nodes != 4 || e.Seeds != 1 || e.Unlabel != 1 || e.Unknown != 1 || e.Accuracy != 0.25 {
		t.Errorf("%+v", e)
	}
	want := [][]int{{1, 1, 0, 0}, {0, 0, 1, 1}, {0, 0, 0, 0}}
	for j, row := range e.Confusion {
		for k, v := range row {
			if v != want[j][k] {
				t.Errorf("confusion %v, expected %v", e.Confusion, want)
			}
		}
	}
	if len(e.Classes) != 3 || e.Classes[2].Label != "z" || e.Classes[0].Precision != 1 || e.Classes[0].Recall != 0.5 {
		t.Errorf("classes %+v", e.Classes)
	}
	if last := e.Coverage[len(e.Coverage)-1]; last.Share != 1 || last.Confidence != 0.6 || last.Accuracy < 0.333 || last.Accuracy > 0.334 || e.Coverage[0].Accuracy != 1 {
		t.Errorf("coverage %+v", e.Coverage)
	}
	if brier := (0.01 + 0.36 + 0.49) / 3; e.Brier < brier-1e-12 || e.Brier > brier+1e-12 {
		t.Errorf("Brier %v, expected %v", e.Brier, brier)
	}
	code, out, errs = call("eval", "--predictions", dir+"/p", "--truth", dir+"/t", "--with-seeds")
	if code != 0 || !strings.Contains(out, "accuracy      0.4000") || !strings.Contains(out, "none") {
		t.Errorf("exit %d, %s\n%s", code, errs, out)
	}
	for _, test := range []struct {
		predictions, truth string
		code               int
		says               string
	}{
		{"/twice", "/t", 1, `twice:3: node "a" has a row already; if nodes have several labels, say --multilabel`},
		{"/blank", "/t", 1, `blank:5: node "a" has a row already`},
		{"/rows.parquet", "/t", 1, `rows.parquet:2: node "a" has a row already`},
		{"/p", "/none", 1, "no node of "},
		{"/t", "/t", 1, "expected the header"},
		{"/p", "/bad", 1, "bad:1"},
		{"/gone", "/t", 3, "gone"},
	} {
		code, out, errs := call("eval", "--predictions", dir+test.predictions, "--truth", dir+test.truth)
		if code != test.code || !strings.Contains(errs, test.says) || out != "" {
			t.Errorf("%s %s: exit %d, %s%s", test.predictions, test.truth, code, errs, out)
		}
	}
	for name, line := range map[string]int{"/blank": 5, "/rows.parquet": 2} {
		want := fmt.Sprintf(`%s:%d: node "a" has label "x" already`, name, line)
		if code, _, errs := call("eval", "--predictions", dir+name, "--truth", dir+"/t", "--multilabel"); code != 1 || !strings.Contains(errs, want) {
			t.Errorf("exit %d, %s, expected %s", code, errs, want)
		}
	}
	if code, _, errs := call("eval", "--truth", dir+"/t"); code != 2 || !strings.Contains(errs, "--predictions FILE") {
		t.Errorf("exit %d, %s", code, errs)
	}
}

// TestEvalOfArrays: labels in an archive of numpy, compressed or not, score as the same in text.
func TestEvalOfArrays(t *testing.T) {
	dir := files(t, "g", "ann b\nb c\nc ann\nc d\nd e\ne f\nf d\n", "s", "ann x\nd y\n", "t", "ann x\nb x\nc x\nd y\ne y\nf x\n")
	scores := map[string]string{}
	for _, name := range []string{"l.tsv", "l.npz", "l.npz.gz"} {
		if strings.HasSuffix(name, ".gz") {
			plain, err := os.ReadFile(dir + "/l.npz")
			must(t, err)
			var b bytes.Buffer
			to := gzip.NewWriter(&b)
			_, err = to.Write(plain)
			must(t, cmp.Or(err, to.Close()))
			must(t, os.WriteFile(dir+"/"+name, b.Bytes(), 0o644))
		} else if code, _, errs := call("run", "--edges", dir+"/g", "--labels", dir+"/s", "--method", "lgc", "--out", dir+"/"+name); code != 0 {
			t.Fatalf("exit %d, %s", code, errs)
		}
		code, out, errs := call("eval", "--predictions", dir+"/"+name, "--truth", dir+"/t")
		if code != 0 || !strings.Contains(out, "nodes scored  4") {
			t.Errorf("%s: exit %d, %s%s", name, code, errs, out)
		}
		scores[name] = out
	}
	if scores["l.npz"] != scores["l.tsv"] || scores["l.npz.gz"] != scores["l.tsv"] {
		t.Errorf("other scores: %q", scores)
	}
	if code, _, errs := call("convert", "--edges", dir+"/g", "--out", dir+"/other.npz", "--nodes-out", dir+"/names"); code != 0 {
		t.Fatalf("exit %d, %s", code, errs)
	}
	if code, _, errs := call("eval", "--predictions", dir+"/other.npz", "--truth", dir+"/t"); code != 1 || !strings.Contains(errs, `other.npz: no array "about", expected the arrays of labels`) {
		t.Errorf("exit %d, %s", code, errs)
	}
}

// TestEvalOfTies: what the confidence is worth does not hang on the order of the lines,
// and rows of coverage end where a run of equal confidence does.
func TestEvalOfTies(t *testing.T) {
	const head = "node\tlabel\tconfidence\tmargin\tstatus\n"
	rows := make([]string, 0, 110)
	var truth strings.Builder
	for _, run := range []struct {
		confidence   float64
		right, wrong int
	}{{0.9, 10, 0}, {0.7, 30, 10}, {0.5, 15, 15}, {0.3, 5, 15}} {
		for k := range run.right + run.wrong {
			label := "x"
			if k >= run.right {
				label = "y"
			}
			rows = append(rows, fmt.Sprintf("n%d\t%s\t%.1f\t0.1\tpredicted\n", len(rows), label, run.confidence))
			fmt.Fprintf(&truth, "n%d x\n", len(rows)-1)
		}
	}
	for i := range 10 {
		rows = append(rows, fmt.Sprintf("u%d\t\t0\t0\tunreached\n", i))
		fmt.Fprintf(&truth, "u%d x\n", i)
	}
	dir := files(t, "t", truth.String())
	rng := rand.New(rand.NewPCG(1, 2))
	var first tables.Evaluation
	for turn := range 20 {
		must(t, os.WriteFile(dir+"/p", []byte(head+strings.Join(rows, "")), 0o644))
		code, out, errs := call("eval", "--predictions", dir+"/p", "--truth", dir+"/t", "--json")
		var e tables.Evaluation
		if err := json.Unmarshal([]byte(out), &e); code != 0 || err != nil {
			t.Fatalf("exit %d, %s, %v", code, errs, err)
		}
		if turn == 0 {
			first = e
		}
		if !reflect.DeepEqual(e.Coverage, first.Coverage) || !reflect.DeepEqual(e.Reliability, first.Reliability) || e.ECE != first.ECE || e.Brier != first.Brier {
			t.Fatalf("turn %d: coverage %v, reliability %v, ECE %v, Brier %v\nat first %v, %v, %v, %v", turn, e.Coverage, e.Reliability, e.ECE, e.Brier, first.Coverage, first.Reliability, first.ECE, first.Brier)
		}
		rng.Shuffle(len(rows), func(a, b int) { rows[a], rows[b] = rows[b], rows[a] })
	}
	want := []tables.Coverage{{Share: 0.1, Confidence: 0.9, Accuracy: 1}, {Share: 0.5, Confidence: 0.7, Accuracy: 0.8}, {Share: 0.8, Confidence: 0.5, Accuracy: 0.6875}, {Share: 1, Confidence: 0.3, Accuracy: 0.6}}
	if !reflect.DeepEqual(first.Coverage, want) || len(first.Reliability) != 4 {
		t.Errorf("coverage %v, expected %v; reliability %v", first.Coverage, want, first.Reliability)
	}
	if _, out, _ := call("eval", "--predictions", dir+"/p", "--truth", dir+"/t"); !strings.Contains(out, "the 100 nodes with a label") {
		t.Errorf("says not what the confidence is of:\n%s", out)
	}
}

// TestEvalManyClasses: what is left out of the confusion of many classes is said, and a label
// for each row takes no square of memory.
func TestEvalManyClasses(t *testing.T) {
	for classes, test := range map[int]struct{ text, json string }{
		12:                        {"true \\ label", ""},
		13:                        {"the confusion of 13 classes is not shown", ""},
		tables.MostWritten:        {"--json has it up to 1000", ""},
		tables.MostWritten + 1:    {"the confusion of 1001 classes is not shown", "of 1001 classes, more than 1000"},
		200_000 /* or 298 GiB */ : {"the confusion of 200000 classes is not shown", "of 200000 classes, more than 1000"},
	} {
		if classes > 10_000 && !full() {
			continue
		}
		var p, truth strings.Builder
		p.WriteString("node\tlabel\tconfidence\tmargin\tstatus\n")
		for i := range classes {
			fmt.Fprintf(&p, "%d\tc%d\t1\t1\tpredicted\n", i, i)
			fmt.Fprintf(&truth, "%d\tc%d\n", i, i)
		}
		dir := files(t, "p", p.String(), "t", truth.String())
		if code, out, errs := call("eval", "--predictions", dir+"/p", "--truth", dir+"/t"); code != 0 || !strings.Contains(out, test.text) {
			t.Errorf("%d classes: exit %d, %s, no %q", classes, code, errs, test.text)
		}
		code, out, errs := call("eval", "--predictions", dir+"/p", "--truth", dir+"/t", "--json")
		var e tables.Evaluation
		if err := json.Unmarshal([]byte(out), &e); code != 0 || err != nil {
			t.Fatalf("exit %d, %s, %v", code, errs, err)
		}
		if e.LeftOut != test.json || (e.Confusion == nil) != (test.json != "") || e.Accuracy != 1 {
			t.Errorf("%d classes: %d rows, left out %q, expected %q", classes, len(e.Confusion), e.LeftOut, test.json)
		}
	}
}

// TestEvalWeights: of a truth with several labels of a node the heaviest counts, in any order of lines.
func TestEvalWeights(t *testing.T) {
	dir := files(t, "p", "node\tlabel\tconfidence\tmargin\tstatus\na\tp\t0.9\t0.8\tpredicted\n", "1", "a\tp\t9\na\tq\t1\n", "2", "a\tq\t1\na\tp\t9\n")
	for _, truth := range []string{"/1", "/2"} {
		if code, out, errs := call("eval", "--predictions", dir+"/p", "--truth", dir+truth); code != 0 || !strings.Contains(out, "accuracy      1.0000") {
			t.Errorf("%s: exit %d, %s%s", truth, code, out, errs)
		}
	}
}

// TestConfigCommas: an item of a list in a configuration may have commas.
func TestConfigCommas(t *testing.T) {
	dir := files(t, "e", "a b\nb c\nc d\nd e\n", "l", "a\tp\nb\tp\nc\tx,y\nd\tq\ne\tx\n", "c.toml", "[run]\nmissing = [\"x,y\"]\n")
	code, out, errs := call("run", "--config", dir+"/c.toml", "--edges", dir+"/e", "--labels", dir+"/l", "--quiet", "--method", "lgc")
	if code != 0 || !strings.Contains(out, "\ne\tx\t") || strings.Contains(out, "x,y") {
		t.Errorf("exit %d, %s%s", code, out, errs)
	}
}
