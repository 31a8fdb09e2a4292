package main

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/diffusion"
)

// TestExplain: the text names label, seeds and path; the JSON's contributions
// sum to its scores.
func TestExplain(t *testing.T) {
	dir := files(t, "g", "a b\nb c\nc d\nd e\nx y\n", "s", "a left\ne right\n")
	code, out, errs := call("explain", "--edges", dir+"/g", "--labels", dir+"/s", "--node", "b", "--node", "x")
	if code != 0 {
		t.Fatalf("exit %d, %s", code, errs)
	}
	for _, want := range []string{"b: left, ", "then right, ", "b – a", "b – c – d – e", "without the label of a it would be right", "x: no label"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	code, out, errs = call("explain", "--edges", dir+"/g", "--labels", dir+"/s", "--node", "c", "--json", "--combine", "none", "--class-prior", "none")
	var got diffusion.ExplainRecord
	if err := json.Unmarshal([]byte(out), &got); code != 0 || err != nil {
		t.Fatalf("exit %d, %s, %v", code, errs, err)
	}
	sums := map[string]float64{}
	for _, p := range got.Parts {
		sums[p.Label] += p.Amount
	}
	for label, v := range got.Scores {
		if math.Abs(sums[label]-v) > 1e-9 || !(v > 0) {
			t.Errorf("%s: contributions %v, score %v", label, sums[label], v)
		}
	}
	for _, test := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"--labels", dir + "/s", "--node", "q\x1b"}, 2, `--node "q\x1b" is not in the graph`},
		{[]string{"--labels", dir + "/s"}, 2, "--node ID"},
		{[]string{"--node", "a"}, 2, "--labels FILE"},
		{[]string{"--labels", dir + "/s", "--node", "a", "--alpha", "1"}, 2, "--alpha 1"},
		{[]string{"--labels", dir + "/s", "--node", "a", "--top", "0"}, 2, "--top 0"},
		{[]string{"--labels", dir + "/s", "--node", "a", "--balance", "x"}, 2, "say --class-prior none"},
	} {
		code, _, errs := call(append([]string{"explain", "--edges", dir + "/g"}, test.args...)...)
		if code != test.code || !strings.Contains(errs, test.says) {
			t.Errorf("%q: exit %d, %s", test.args, code, errs)
		}
	}
}

// TestExplainKnown: of a node with known labels of its own all are told, and which run keeps. A node that none reaches has no label,
// no runner-up and no reasons.
func TestExplainKnown(t *testing.T) {
	dir := files(t, "g", "a r1\na r2\na r3\nr1 r2\nr2 r3\nr1 r3\nl1 l2\nl2 r1\nx y\n", "one", "a L\nl1 L\nl2 L\nr1 R\nr2 R\nr3 R\n", "two", "a L 0.6\na R 0.4\nl1 L\nl2 L\nr1 R\nr2 R\nr3 R\n")
	for _, test := range []struct{ labels, more, begins, has, known string }{
		{"one", "", "a: L, its known label, confidence ", "a (known L) ", "[L]"},
		{"two", "", "a (known L and R): R, confidence ", "a (known L and R) ", "[L R]"},
		{"one", "--combine none", "a: R, ", " %\nrun keeps its known label, L\n", "[L]"},
		{"two", "--combine none", "a (known L and R): R, ", "", "[L R]"},
	} {
		args := append(strings.Fields("explain --node a --node x "+test.more), "--edges", dir+"/g", "--labels", dir+"/"+test.labels)
		code, out, errs := call(args...)
		if code != 0 || !strings.HasPrefix(out, test.begins) || !strings.Contains(out, test.has) || !strings.Contains(out, "\nx: no label, no ") {
			t.Errorf("%s %s: exit %d, %s%s", test.labels, test.more, code, out, errs)
		}
		code, out, errs = call(append(args, "--json")...)
		known, unreached, _ := strings.Cut(out, "\n")
		var got diffusion.ExplainRecord
		if err := json.Unmarshal([]byte(known), &got); code != 0 || err != nil || fmt.Sprint(got.Known) != test.known {
			t.Errorf("%s %s: exit %d, %v, %s%s", test.labels, test.more, code, err, known, errs)
		}
		want := `{"node":"x","label":"","scores":{"L":0,"R":0},"confidence":0,"methods":[]}` + "\n"
		if test.more != "" {
			want = `{"node":"x","label":"","scores":{"L":0,"R":0},"contributions":[],"converged":true}` + "\n"
		}
		if unreached != want {
			t.Errorf("%s %s: %s, expected %s", test.labels, test.more, unreached, want)
		}
	}
}

// TestExplainOneClass: with labels of one class run does not mix, and explain tells of label spreading.
func TestExplainOneClass(t *testing.T) {
	dir := files(t, "g", "a b\nb c\nc d\n", "s", "a x\nb x\n")
	code, out, errs := call("explain", "--edges", dir+"/g", "--labels", dir+"/s", "--node", "c")
	if code != 0 || !strings.HasPrefix(out, "c: x, the only label that reaches it\n") || !strings.Contains(out, "c – b – a") {
		t.Errorf("exit %d, %s%s", code, out, errs)
	}
	code, out, errs = call("explain", "--edges", dir+"/g", "--labels", dir+"/s", "--node", "c", "--json")
	var got diffusion.ExplainRecord
	if err := json.Unmarshal([]byte(out), &got); code != 0 || err != nil || got.Label != "x" || got.SeedRecord == nil || len(got.Parts) != 2 {
		t.Errorf("exit %d, %s%s, %v", code, out, errs, err)
	}
}

// TestExplainRun: the graph that a run writes explains its labels, where the result is
// LGC too.
func TestExplainRun(t *testing.T) {
	dir := files(t, "g", "a b 3\nb c\nc d 2\nd e\nb e 5\nd f\n", "s", "a left\ne right\nf right\n")
	if code, _, errs := call("run", "--edges", dir+"/g", "--labels", dir+"/s", "--method", "lgc", "--proba", "--out", dir+"/out", "--graph-out", dir+"/w.csr"); code != 0 || strings.Contains(errs, "learned one") {
		t.Fatalf("exit %d, %s", code, errs)
	}
	for _, line := range strings.Split(strings.TrimSpace(read(t, dir+"/out")), "\n")[1:] {
		row := strings.Split(line, "\t")
		code, out, errs := call("explain", "--graph", dir+"/w.csr", "--labels", dir+"/s", "--node", row[0], "--json", "--combine", "none")
		var got diffusion.ExplainRecord
		if err := json.Unmarshal([]byte(out), &got); code != 0 || err != nil {
			t.Fatalf("exit %d, %s, %v", code, errs, err)
		}
		left, err := strconv.ParseFloat(row[5], 64)
		if share := got.Scores["left"] / (got.Scores["left"] + got.Scores["right"]); err != nil || math.Abs(share-left) > 1e-4 {
			t.Errorf("%s: a share of %v for left, by run %v, %v", row[0], share, left, err)
		}
	}
}

// TestExplainLearned: shares and labels on a learned graph, which parts what the given
// one joins and has a diagonal, are those of run: for a connected graph and one in two
// parts, and for all formats.
func TestExplainLearned(t *testing.T) {
	const n, size = 60, 10
	for _, parts := range []int{1, 2} {
		var edges strings.Builder
		seeds := ""
		for i := range n {
			for j := i - i%size; j < i; j++ {
				fmt.Fprintf(&edges, "n%d n%d 1\n", i, j)
			}
			if next := i + parts*size + 1; i%size == 0 && next < n {
				fmt.Fprintf(&edges, "n%d n%d 0.05\n", i, next)
			}
			if i%size == 0 { // two of one class in each clique, one of the other
				class := i / size % 2
				seeds += fmt.Sprintf("n%d c%d\nn%d c%d\nn%d c%d\n", i, class, i+7, class, i+3, 1-class)
			}
		}
		dir := files(t, "g", edges.String(), "s", seeds)
		run := func(out string) string {
			code, _, errs := call("run", "--edges", dir+"/g", "--labels", dir+"/s", "--select", "none", "--topk", "3", "--anchor", "0", "--proba", "--out", dir+"/out", "--graph-out", dir+"/"+out, "--nodes-out", dir+"/nodes", "--verbose")
			if code != 0 {
				t.Fatalf("exit %d, %s", code, errs)
			}
			return errs
		}
		if errs := run("a.csr"); !strings.Contains(errs, "of the learned one, which has 6 components\n") {
			t.Errorf("no 6 components in %s", errs)
		}
		run("a.mtx")
		run("a.npz")
		asked := []string{"explain", "--labels", dir + "/s", "--json"}
		var nodes []string
		var want []float64
		for _, line := range strings.Split(strings.TrimSpace(read(t, dir+"/out")), "\n")[1:] {
			row := strings.Split(line, "\t")
			v, err := strconv.ParseFloat(row[5], 64)
			must(t, err)
			asked, nodes, want = append(asked, "--node", row[0]), append(nodes, row[0]), append(want, v)
		}
		shares := func(args ...string) (all []float64) {
			t.Helper()
			code, out, errs := call(append(slices.Clone(asked), args...)...)
			records := strings.Split(strings.TrimSpace(out), "\n")
			if code != 0 || len(records) != n {
				t.Fatalf("exit %d, %s, %d records", code, errs, len(records))
			}
			for k, record := range records {
				var got diffusion.ExplainRecord
				if err := json.Unmarshal([]byte(record), &got); err != nil || got.Node != nodes[k] {
					t.Fatalf("record %d is of %s, expected %s, %v", k, got.Node, nodes[k], err)
				}
				all = append(all, got.Scores["c0"]/(got.Scores["c0"]+got.Scores["c1"]))
			}
			return all
		}
		for _, learned := range []string{"/a.csr", "/a.mtx", "/a.npz"} {
			for k, got := range shares("--edges", dir+"/g", "--learned", dir+learned) {
				if math.Abs(got-want[k]) > 1e-4 {
					t.Errorf("%d parts, %s by %s: a share of %v, by run %v", parts, nodes[k], learned, got, want[k])
				}
			}
		}
		alone := 0.0
		for k, got := range shares("--graph", dir+"/a.csr") {
			alone = max(alone, math.Abs(got-want[k]))
		}
		if alone < 0.01 {
			t.Errorf("%d parts: the learned graph alone is off by no more than %v, and the test says little", parts, alone)
		}
	}
}

// TestExplainLearnedRefuses: another graph's, an edge list, and a bad diagonal.
func TestExplainLearnedRefuses(t *testing.T) {
	dir := files(t, "g", "a b\nb c\nc d\n", "s", "a x\nd y\n", "other", "a b\nb c\nc e\n", "more", "a b\nb c\nc d\nd e\n",
		"bad.mtx", "%%MatrixMarket matrix coordinate real symmetric\n4 4 2\n1 1 -1\n2 1 1\n", "parted.mtx", "%%MatrixMarket matrix coordinate real symmetric\n4 4 3\n1 1 1\n2 1 1\n4 4 1\n")
	for _, name := range []string{"g", "other", "more"} {
		if code, _, errs := call("convert", "--edges", dir+"/"+name, "--out", dir+"/"+name+".csr"); code != 0 {
			t.Fatal(errs)
		}
	}
	for _, test := range []struct {
		learned string
		code    int
		says    string
	}{
		{"other.csr", 1, `other.csr: no node "d", which`},
		{"more.csr", 1, "more.csr: 5 nodes, expected the 4 of"},
		{"g", 2, "an edge list loses the diagonal"},
		{"bad.mtx", 1, "bad.mtx: row 0: value -1"},
		{"none.csr", 3, "none.csr"},
		{"g.csr", 0, ""},
		{"parted.mtx", 0, "c: no known label reaches it on the learned graph"},
	} {
		code, out, errs := call("explain", "--edges", dir+"/g", "--labels", dir+"/s", "--node", "c", "--learned", dir+"/"+test.learned)
		if code != test.code || !strings.Contains(out+errs, test.says) {
			t.Errorf("%s: exit %d, %s%s", test.learned, code, out, errs)
		}
	}
}
