package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
)

// TestConvert takes a graph through all formats and back: the .csr file at the
// end has the bytes of the one at the start.
func TestConvert(t *testing.T) {
	dir := files(t, "g", "0 1 0.5\n1 2\n2 0 3\n3 4 1e-3\n4 4\n3 4 2\n", "named", "a b 2\nb c\n")
	must := func(args ...string) {
		t.Helper()
		if code, out, errs := call(append([]string{"convert"}, args...)...); code != 0 || out != "" {
			t.Fatalf("%v: exit %d, %s", args, code, errs)
		}
	}
	must("--edges", dir+"/g", "--out", dir+"/0.csr", "--report", dir+"/report.json")
	from := dir + "/0.csr"
	for _, to := range []string{"1.mtx", "2.npz", "3.csr.zst", "4.mtx.gz", "5.csr"} {
		must("--graph", from, "--out", filepath.Join(dir, to), "--quiet")
		from = filepath.Join(dir, to)
	}
	must("--graph", from, "--out", dir+"/6.csv.gz")
	must("--edges", dir+"/6.csv.gz", "--out", dir+"/7.csr", "--memory-limit", "64MiB")
	want := read(t, dir+"/0.csr")
	for _, name := range []string{"/5.csr", "/7.csr"} {
		if read(t, dir+name) != want {
			t.Errorf("%s has other bytes than the first file", name)
		}
	}
	if report := read(t, dir+"/report.json"); !strings.Contains(report, `"nodes": 5`) || !strings.Contains(report, `"entries": 8`) || !strings.Contains(report, `"duplicates": 1`) {
		t.Errorf("report: %s", report)
	}
	must("--edges", dir+"/named", "--out", dir+"/named.csr")
	must("--graph", dir+"/named.csr", "--out", dir+"/named.tsv")
	if got := read(t, dir+"/named.tsv"); got != "a\tb\t2\nb\tc\t1\n" {
		t.Errorf("names came back as %q", got)
	}
	before := listing(t, dir)
	noFolder := "no/x.csr: "
	if runtime.GOOS != "windows" { // which has words of its own
		noFolder += "no such file"
	}
	for _, c := range []struct {
		says string
		code int
		args []string
	}{
		{"no names", 2, []string{"--graph", dir + "/named.csr", "--out", dir + "/x.mtx"}},
		{"--out", 2, []string{"--graph", dir + "/0.csr"}},
		{"once", 2, []string{"--graph", dir + "/0.csr", "--edges", dir + "/g", "--out", dir + "/x.csr"}},
		{"size", 2, []string{"--edges", dir + "/g", "--out", dir + "/x.csr", "--memory-limit", "lots"}},
		{"at least", 2, []string{"--edges", dir + "/g", "--out", dir + "/x.csr", "--memory-limit", "1MiB"}},
		{"other formats", 2, []string{"--edges", dir + "/g", "--out", dir + "/x.tsv", "--memory-limit", "1GiB"}},
		{"was given on line 4 already", 1, []string{"--edges", dir + "/g", "--out", dir + "/x.csr", "--duplicates", "error"}},
		{"none", 3, []string{"--edges", dir + "/none", "--out", dir + "/x.csr"}},
		{noFolder, 3, []string{"--edges", dir + "/g", "--out", dir + "/no/x.csr"}},
	} {
		if code, _, errs := call(append([]string{"convert"}, c.args...)...); code != c.code || !strings.Contains(errs, c.says) {
			t.Errorf("%v: exit %d, %s", c.args, code, errs)
		}
	}
	if after := listing(t, dir); after != before {
		t.Errorf("left behind: %s, before: %s", after, before)
	}
}

// TestConvertInterrupted: an ended context leaves no file.
func TestConvertInterrupted(t *testing.T) {
	dir := files(t, "g", strings.Repeat("1 2\n2 3\n", 1000))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out, errs bytes.Buffer
	code := execute(ctx, []string{"convert", "--edges", dir + "/g", "--out", dir + "/x.csr", "--memory-limit", "64MiB"}, streams.Stdio{In: strings.NewReader(""), Out: &out, Err: &errs})
	if code != 130 || listing(t, dir) != "g" {
		t.Errorf("exit %d, %s, files %s", code, errs.String(), listing(t, dir))
	}
}

// TestGen: a graph that is generated is labelled; the same options give the
// same bytes in both formats.
func TestGen(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, args := range [][]string{
		{"--out", at("g.tsv.gz"), "--labels-out", at("truth.tsv"), "--seeds-out", at("seeds.tsv"), "--threads", "1"},
		{"--out", at("g.csr"), "--threads", "3", "--memory-limit", "64MiB"},
	} {
		if code, _, errs := call(append([]string{"gen", "--nodes", "3000", "--classes", "3", "--degree", "12", "--inside", "0.9"}, args...)...); code != 0 {
			t.Fatalf("exit %d, %s", code, errs)
		}
	}
	if code, _, errs := call("convert", "--edges", at("g.tsv.gz"), "--out", at("h.csr")); code != 0 || read(t, at("g.csr")) != read(t, at("h.csr")) {
		t.Errorf("exit %d, %s; or other bytes by way of the edge list", code, errs)
	}
	code, _, errs := call("run", "--graph", at("g.csr"), "--labels", at("seeds.tsv"), "--out", at("labels.tsv"), "--method", "lgc", "--quiet")
	if code != 0 {
		t.Fatalf("exit %d, %s", code, errs)
	}
	truth := map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(read(t, at("truth.tsv"))), "\n") {
		id, class, _ := strings.Cut(line, "\t")
		truth[id] = class
	}
	right := 0
	for _, line := range strings.Split(read(t, at("labels.tsv")), "\n")[1:] {
		if f := strings.Split(line, "\t"); len(f) > 1 && truth[f[0]] == f[1] {
			right++
		}
	}
	if len(truth) != 3000 || right < 2700 {
		t.Errorf("%d of %d labels are right", right, len(truth))
	}
	attributed := strings.Fields("gen --kind csbm --nodes 150 --degree 8 --lambda 2 --mu 60 --dims 30 --quiet")
	if code, _, errs := call(append(attributed, "--out", at("c.edges.tsv"), "--features-out", at("c.features.npy.gz"), "--labels-out", at("c.labels.tsv"))...); code != 0 {
		t.Fatalf("exit %d, %s", code, errs)
	}
	code, out, errs := call("run", "--edges", at("c.edges.tsv"), "--features", at("c.features.npy.gz"), "--labels", at("c.labels.tsv"), "--quiet")
	if code != 0 || strings.Count(out, "\n") != 151 {
		t.Errorf("exit %d, %s\n%s", code, errs, out)
	}
	for _, args := range [][]string{
		{"--nodes", "10"},
		{"--nodes", "1", "--out", at("x.csr")},
		{"--nodes", "100", "--out", at("x.mtx")},
		{"--nodes", "100", "--kind", "ring", "--out", at("x.tsv")},
		{"--nodes", "100", "--kind", "rmat", "--out", at("x.tsv"), "--seeds-out", at("y")},
		{"--nodes", "100", "--out", at("x.csr"), "--memory-limit", "1B"},
	} {
		if code, _, errs := call(append([]string{"gen"}, args...)...); code != 2 {
			t.Errorf("%v: exit %d, %s", args, code, errs)
		}
	}
	if _, err := os.Stat(at("x.csr")); err == nil {
		t.Error("a refused run left a file")
	}
}
