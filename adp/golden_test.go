package adp_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/internal/planted"
	"github.com/adp-sparse/adp-sparse/adp/labelfile"
	"github.com/adp-sparse/adp-sparse/csr/edgelist"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

const testdata = "../testdata"

// goldenGraph is a graph of testdata with the seeds that its golden files
// were made with.
type goldenGraph struct {
	*edgelist.Graph
	classes []string
	seeds   *diffuse.Seeds
}

func readGolden(t *testing.T, name string) goldenGraph {
	t.Helper()
	f, err := os.Open(filepath.Join(testdata, "graphs", name+".edges.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	g := goldenGraph{}
	if g.Graph, err = edgelist.Read(f, name, edgelist.Options{}); err != nil {
		t.Fatal(err)
	}
	s, err := os.Open(filepath.Join(testdata, "golden", "lgc_peers", name+".seeds.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	labels, err := labelfile.Read(s, name, g.IDs, labelfile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	g.classes = labels.Classes
	if g.seeds, err = diffuse.NewSeeds(g.IDs.Len(), len(g.classes), labels.Seeds); err != nil {
		t.Fatal(err)
	}
	return g
}

// table reads a golden file: its header and its rows, without comments.
func table(t *testing.T, path ...string) (header []string, rows [][]string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(append([]string{testdata, "golden"}, path...)...))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if line[0] == '#' {
			continue
		}
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if header == nil {
			header = fields
		} else {
			rows = append(rows, fields)
		}
	}
	return header, rows
}

func goldenNames(t *testing.T) (names []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(testdata, "graphs", "*.edges.tsv"))
	if err != nil || len(files) == 0 {
		t.Fatal("no golden graphs", err)
	}
	for _, f := range files {
		names = append(names, strings.TrimSuffix(filepath.Base(f), ".edges.tsv"))
	}
	return names
}

// TestLGCLabelsOfPeers: unbalanced LGC gives the labels that networkx and
// scikit-learn give on the same W, run to convergence (testdata/golden says
// how). Nodes that no seed reaches have no label here; the peers give them
// their first class. Seeds keep their label here; the peers may give them
// another.
func TestLGCLabelsOfPeers(t *testing.T) {
	for _, name := range goldenNames(t) {
		g := readGolden(t, name)
		r, err := adp.Run(context.Background(), g.W, g.seeds, adp.Options{Method: adp.LGC, Balance: diffuse.Unbalanced})
		if err != nil {
			t.Fatal(err)
		}
		_, rows := table(t, "lgc_peers", name+".labels.tsv")
		if len(rows) != len(r.Labels) {
			t.Fatalf("%s: %d golden rows for %d nodes", name, len(rows), len(r.Labels))
		}
		for _, row := range rows {
			node, networkx, sklearn, solve := row[0], row[1], row[2], row[3]
			i, ok := g.IDs.Lookup([]byte(node))
			if !ok {
				t.Fatalf("%s: no node %q", name, node)
			}
			if r.Status[i] == adp.Seed {
				continue
			}
			got := ""
			if r.Labels[i] >= 0 {
				got = g.classes[r.Labels[i]]
			}
			if got != solve || solve != "" && (got != networkx || got != sklearn) {
				t.Errorf("%s node %s: label %q, networkx %q, scikit-learn %q, direct solve %q", name, node, got, networkx, sklearn, solve)
			}
		}
	}
}

// TestHarmonicOfPeers compares the rows of F with numpy's direct solve and
// its labels with networkx.
func TestHarmonicOfPeers(t *testing.T) {
	for _, name := range goldenNames(t) {
		g := readGolden(t, name)
		r, err := adp.Run(context.Background(), g.W, g.seeds, adp.Options{Method: adp.GFHF, Balance: diffuse.Unbalanced, Tolerance: 1e-8})
		if err != nil {
			t.Fatal(err)
		}
		compareRows(t, g, r, 2, 2e-5, "gfhf", name+".tsv")
	}
}

// TestLGCRowsOfNumpy compares F with numpy's dense inverse.
func TestLGCRowsOfNumpy(t *testing.T) {
	for _, name := range []string{"path4", "karate", "lesmiserables", "raw"} {
		g := readGolden(t, name)
		for _, alpha := range []string{"0.5", "0.9", "0.99"} {
			a, _ := strconv.ParseFloat(alpha, 64)
			r, err := adp.Run(context.Background(), g.W, g.seeds, adp.Options{Method: adp.LGC, Alpha: a, Balance: diffuse.Unbalanced, Tolerance: 1e-8})
			if err != nil {
				t.Fatal(err)
			}
			compareRows(t, g, r, 1, 2e-5, "lgc", name+".alpha"+alpha+".tsv")
		}
	}
}

// compareRows compares F with the columns of a golden file from column first
// on, relative to the largest entry.
func compareRows(t *testing.T, g goldenGraph, r *adp.Result, first int, tolerance float64, path ...string) {
	t.Helper()
	header, rows := table(t, path...)
	worst, scale := 0.0, 0.0
	for _, row := range rows {
		i, ok := g.IDs.Lookup([]byte(row[0]))
		if !ok {
			t.Fatalf("%v: no node %q", path, row[0])
		}
		for k, text := range row[first:] {
			want, err := strconv.ParseFloat(text, 64)
			if err != nil || header[first+k] != g.classes[k] {
				t.Fatalf("%v: %q in column %q for class %q", path, text, header[first+k], g.classes[k])
			}
			scale = max(scale, want)
			worst = max(worst, math.Abs(float64(r.F.At(int(i), k))-want))
		}
	}
	if !(worst <= tolerance*scale) {
		t.Errorf("%v: differs by %.1e of the largest entry", path, worst/scale)
	}
}

// TestScoresOfPeers: cut and modularity of the golden labels are those that
// networkx computes.
func TestScoresOfPeers(t *testing.T) {
	_, rows := table(t, "scores.tsv")
	for _, row := range rows {
		g := readGolden(t, row[0])
		r, err := adp.Run(context.Background(), g.W, g.seeds, adp.Options{Method: adp.LGC, Balance: diffuse.Unbalanced})
		if err != nil {
			t.Fatal(err)
		}
		modularity, _ := strconv.ParseFloat(row[1], 64)
		inside, _ := strconv.ParseFloat(row[2], 64)
		unlabelled := 0
		for _, label := range r.Labels {
			if label < 0 {
				unlabelled++
			}
		}
		if unlabelled > 0 {
			continue // networkx has a label for them
		}
		if got := r.Rounds[0]; math.Abs(got.Modularity-modularity) > 1e-6 || math.Abs(got.Association-inside) > 1e-6 {
			t.Errorf("%s: modularity %.9f and cut %.9f, networkx %.9f and %.9f", row[0], got.Modularity, got.Association, modularity, inside)
		}
	}
}

// BenchmarkRun is a whole run on a planted graph, for profiles.
func BenchmarkRun(b *testing.B) {
	g, seeds := planted.Graph(b, 5000, 10, 2, 7)
	for b.Loop() {
		if _, err := adp.Run(context.Background(), g, seeds, adp.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
