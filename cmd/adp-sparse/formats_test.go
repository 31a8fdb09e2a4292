package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/cmd/internal/exits"
	"github.com/adp-sparse/adp-sparse/internal/npy"
	"github.com/adp-sparse/adp-sparse/internal/parquet"
)

const tiny = "../../testdata/formats/"

// TestFormats: one graph in every format, written by the format's own programs
// (testdata/README.md), gives the same .csr file to the byte; and what is
// written of it in each format is as in testdata/formats/written, and comes back
// to the same bytes.
func TestFormats(t *testing.T) {
	dir := t.TempDir()
	convert := func(args ...string) {
		t.Helper()
		if code, _, errs := call(append([]string{"convert", "--quiet"}, args...)...); code != 0 {
			t.Fatalf("%v: exit %d, %s", args, code, errs)
		}
	}
	first := filepath.Join(dir, "first.csr")
	convert("--edges", tiny+"tiny.tsv", "--out", first)
	same := func(flag, name string, more ...string) {
		t.Helper()
		out := filepath.Join(dir, "again.csr")
		convert(append(more, flag, name, "--out", out)...)
		if read(t, out) != read(t, first) {
			t.Errorf("%s is another graph", name)
		}
	}
	same("--edges", tiny+"tiny.csv", "--header", "yes")
	same("--edges", tiny+"tiny.parquet")
	same("--edges", tiny+"tiny.jsonl")
	same("--edges", tiny+"tiny.parquet", "--columns", "target,source,weight")
	for _, name := range []string{"tiny.mtx", "tiny.npz", "tiny.graph", "tiny.graphml"} {
		same("--graph", tiny+name)
	}
	for _, name := range []string{"csc.npz", "coo.npz", "bsr.npz", "dia.npz", "array.mtx", "general-array.mtx"} {
		same("--graph", tiny+"routes/"+name)
	}
	same("--graph", tiny+"routes/igraph.graphml", "--name-key", "name")
	for _, name := range []string{"tiny.csv", "tiny.tsv", "tiny.mtx", "tiny.npz", "tiny.graph", "tiny.parquet", "tiny.jsonl"} {
		out := filepath.Join(dir, name)
		convert("--graph", first, "--out", out)
		golden := tiny + "written/" + name
		if os.Getenv("ADPSPARSE_GOLDEN") != "" {
			must(t, os.WriteFile(golden, []byte(read(t, out)), 0o644))
		}
		if read(t, out) != read(t, golden) {
			t.Errorf("%s is not as it was in %s", name, golden)
		}
		flag := map[bool]string{true: "--graph", false: "--edges"}[strings.Contains(".mtx.npz.graph", filepath.Ext(name))]
		same(flag, out)
		for _, ending := range []string{".gz", ".zst"} {
			convert("--graph", first, "--out", out+ending)
			same(flag, out+ending)
		}
		// Without an ending, by the content.
		if plain := filepath.Join(dir, "plain"); filepath.Ext(name) != ".graph" && filepath.Ext(name) != ".jsonl" {
			must(t, os.WriteFile(plain, []byte(read(t, out)), 0o644))
			convert(flag, plain, "--out", plain+".mtx")
			same("--graph", plain+".mtx")
		}
	}
}

// readBack reads the written files by the formats' own programs and compares
// them with the edges of tiny.tsv.
const readBack = `
import sys, numpy as np, scipy.io, scipy.sparse as sp
try:
    import networkx as nx
except ImportError:
    nx = None
tiny, written = sys.argv[1], sys.argv[2]
edges = np.loadtxt(tiny + 'tiny.tsv')
n = int(edges[:, :2].max()) + 1
W = np.zeros((n, n))
for a, b, w in edges:
    W[int(a), int(b)] = W[int(b), int(a)] = w
assert (scipy.io.mmread(written + 'tiny.mtx').toarray() == W).all(), 'mmread'
A = sp.load_npz(written + 'tiny.npz')
assert A.has_sorted_indices and A.dtype == np.float32 and (A.toarray() == W).all(), 'load_npz'
for name, separator in ('tiny.tsv', '\t'), ('tiny.csv', ','):
    if nx:
        g = nx.read_weighted_edgelist(written + name, delimiter=separator, nodetype=int)
        assert (nx.to_numpy_array(g, nodelist=range(n)) == W).all(), name
print('same')
`

// TestFormatsReadBack: scipy and networkx, METIS's graphchk and DuckDB, each
// where it is installed, read what TestFormats found to be what is written.
func TestFormatsReadBack(t *testing.T) {
	if python := pythonWith("numpy, scipy"); python != "" {
		if out, err := exec.Command(python, "-c", readBack, tiny, tiny+"written/").CombinedOutput(); err != nil || string(out) != "same\n" {
			t.Errorf("python: %v, %s", err, out)
		}
	}
	if graphchk, err := exec.LookPath("graphchk"); err == nil {
		if out, err := exec.Command(graphchk, tiny+"written/tiny.graph").CombinedOutput(); err != nil || !strings.Contains(string(out), "format of the graph is correct") {
			t.Errorf("graphchk: %v, %s", err, out)
		}
	}
	if duckdb, err := exec.LookPath("duckdb"); err == nil {
		query := "copy (select src, dst, weight::bigint from '" + tiny + "written/tiny.parquet' order by all) to '/dev/stdout' (format csv, header false)"
		want := "0,1,3\n0,2,1\n1,2,7\n2,3,1\n3,5,16777216\n4,5,2\n6,6,0\n"
		if out, err := exec.Command(duckdb, "-c", query).CombinedOutput(); err != nil || string(out) != want {
			t.Errorf("duckdb: %v, %s", err, out)
		}
	}
}

// pythonWith returns a Python that has the modules, empty if there is none.
func pythonWith(modules string) string {
	for _, name := range []string{"/usr/bin/python3", "python3"} {
		if path, err := exec.LookPath(name); err == nil && exec.Command(path, "-c", "import "+modules).Run() == nil {
			return path
		}
	}
	return ""
}

// TestNodes: a graph in a format without names and a file of them is the graph with
// names, for every command that reads one.
func TestNodes(t *testing.T) {
	dir := files(t, "g.tsv", "anna\tben\t2\nben\tcarla\nzoe\tcarla\nzoe\tmax\n", "s", "anna x\nmax y\n", "x.csv", pointRows())
	ok := func(args ...string) string {
		t.Helper()
		code, out, errs := call(args...)
		if code != 0 {
			t.Fatalf("%v: exit %d, %s", args, code, errs)
		}
		return out
	}
	read := func(name string) string {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for _, ending := range []string{".npz", ".mtx", ".graph", ".csr"} {
		ok("convert", "--edges", dir+"/g.tsv", "--out", dir+"/g"+ending, "--nodes-out", dir+"/names")
		if got := read("names"); got != "anna\nben\ncarla\nmax\nzoe\n" {
			t.Errorf("%s: names %q", ending, got)
		}
	}
	want := ok("run", "--edges", dir+"/g.tsv", "--labels", dir+"/s", "--graph-out", dir+"/learned.tsv")
	for _, ending := range []string{".npz", ".mtx", ".graph"} {
		got := ok("run", "--graph", dir+"/g"+ending, "--nodes", dir+"/names", "--labels", dir+"/s", "--graph-out", dir+"/learned.npz", "--nodes-out", dir+"/names2")
		if got != want || read("names2") != read("names") {
			t.Errorf("%s: %s, expected %s", ending, got, want)
		}
		ok("convert", "--graph", dir+"/learned.npz", "--nodes", dir+"/names", "--out", dir+"/back.tsv")
		if got, want := read("back.tsv"), read("learned.tsv"); got != want {
			t.Errorf("%s: learned %s, expected %s", ending, got, want)
		}
	}
	ok("partition", "--graph", dir+"/g.npz", "--nodes", dir+"/names", "--parts", "1", "--out", dir+"/parts")
	alone := ok("run", "--edges", dir+"/g.tsv", "--labels", dir+"/s", "--combine", "none", "--graph-out", dir+"/learned.tsv")
	if got := ok("run", "--graph", dir+"/parts", "--labels", dir+"/s", "--graph-out", dir+"/r.npz", "--nodes-out", dir+"/names3"); got != alone || read("names3") != read("names") {
		t.Errorf("in parts: %s, expected %s", got, alone)
	}
	if code, _, errs := call("run", "--graph", dir+"/parts", "--nodes", dir+"/names", "--labels", dir+"/s"); code != exits.Usage || !strings.Contains(errs, "--nodes is not for a graph in parts") {
		t.Errorf("in parts: exit %d, %s", code, errs)
	}

	// Points, and labels as a vector in their order.
	var names, vector []byte
	for i := range 60 {
		names = append(names, fmt.Sprintf("p%d\n", 59-i)...)
		vector = append(vector, []byte{0, 1, 255}[min(i, 2)])
	}
	for name, text := range map[string][]byte{"p": names, "y.npy": append(npy.AppendHeader(nil, "|i1", 60), vector...)} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	numbered := strings.Split(ok("run", "--features", dir+"/x.csv", "--labels", dir+"/y.npy"), "\n")
	named := strings.Split(ok("run", "--features", dir+"/x.csv", "--nodes", dir+"/p", "--labels", dir+"/y.npy"), "\n")
	for i := range 60 {
		if want := strings.Replace(numbered[1+i], fmt.Sprint(i), fmt.Sprint("p", 59-i), 1); named[1+i] != want {
			t.Fatalf("%q, expected %q", named[1+i], want)
		}
	}
	ok("knn", "--features", dir+"/x.csv", "--nodes", dir+"/p", "--out", dir+"/k.npz", "--nodes-out", dir+"/p2")
	if read("p2") != string(names) {
		t.Error("knn writes other names than it was given")
	}
}

// TestFeaturesInParquet: a table in Parquet gives the same bytes as in csv, its labels with it, and
// the points of predict too.
func TestFeaturesInParquet(t *testing.T) {
	type item struct {
		Name string  `parquet:"name"`
		A    float64 `parquet:"a"`
		B    float32 `parquet:"b"`
		Kind *string `parquet:"kind,optional"`
		Note string  `parquet:"note"`
	}
	random := rand.New(rand.NewPCG(1, 2))
	var table bytes.Buffer
	w := parquet.NewWriter[item](&table)
	csv := "name,a,b,kind,note\n"
	for i := range 90 {
		kind := []string{"x", "y", "z"}[i%3]
		row := item{Name: fmt.Sprint("p", i), A: random.NormFloat64() + float64(4*(i%3)), B: random.Float32(), Note: "none"}
		if csv += fmt.Sprintf("%s,%v,%v,", row.Name, row.A, row.B); i < 30 {
			row.Kind = &kind
			csv += kind
		}
		csv += ",none\n"
		must(t, w.Add(row))
	}
	must(t, w.Close())
	dir := files(t, "t.parquet", table.String(), "t.csv", csv)
	out := map[string]string{}
	for _, name := range []string{"t.parquet", "t.csv"} {
		for _, args := range [][]string{
			{"run", "--features", dir + "/" + name, "--labels", dir + "/" + name, "--label-column", "kind", "--id-column", "name", "--drop-columns", "note", "--model", dir + "/" + name + ".model", "--out", dir + "/out", "--quiet"},
			{"predict", "--model", dir + "/" + name + ".model", "--points", dir + "/" + name, "--id-column", "name", "--drop-columns", "note", "--out", dir + "/more", "--block", "7"},
		} {
			if code, _, errs := call(args...); code != 0 {
				t.Fatalf("%q: exit %d, %s", args, code, errs)
			}
		}
		out[name] = read(t, dir+"/out") + read(t, dir+"/more")
	}
	if out["t.parquet"] != out["t.csv"] || strings.Count(out["t.csv"], "\n") != 182 {
		t.Errorf("Parquet\n%s\ncsv\n%s", out["t.parquet"], out["t.csv"])
	}
}
