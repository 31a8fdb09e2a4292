package score

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/edgelist"
	"github.com/adp-sparse/adp-sparse/internal/gen"
	"github.com/adp-sparse/adp-sparse/internal/oracle"
	"github.com/adp-sparse/adp-sparse/internal/panics"
)

func TestAccuracy(t *testing.T) {
	for _, c := range []struct {
		name          string
		labels, truth []int32
		exclude       []bool
		share         float64
		nodes         int
	}{
		{"all right", []int32{0, 1, 2}, []int32{0, 1, 2}, nil, 1, 3},
		{"one wrong", []int32{0, 1, 2, 0}, []int32{0, 1, 2, 3}, nil, 0.75, 4},
		{"a missing label is wrong", []int32{0, -1}, []int32{0, 1}, nil, 0.5, 2},
		{"an unknown truth does not count", []int32{0, 1, -1}, []int32{0, -1, -1}, nil, 1, 1},
		{"seeds do not count", []int32{0, 1, 1}, []int32{0, 1, 0}, []bool{true, false, false}, 0.5, 2},
		{"nothing to count", []int32{0, 1}, []int32{0, -1}, []bool{true, false}, 0, 0},
		{"no nodes", nil, nil, nil, 0, 0},
	} {
		if share, nodes := Accuracy(c.labels, c.truth, c.exclude); share != c.share || nodes != c.nodes {
			t.Errorf("%s: %v of %d, want %v of %d", c.name, share, nodes, c.share, c.nodes)
		}
	}
}

func TestOnGraphAgainstOracle(t *testing.T) {
	for seed := range uint64(100) {
		random := rand.New(rand.NewPCG(seed, 1))
		n := 1 + random.IntN(60)
		src, dst, weight := gen.RandomGraph(n, random.Float64()*0.3, seed, gen.Options{Isolated: n / 8, WeightSpread: 1 + 100*random.Float64()})
		dense := oracle.Affinity(n, src, dst, weight)
		w, _, err := csr.FromEdges(n, &csr.Edges{Src: src, Dst: dst, Weight: weight}, csr.BuildOptions{})
		if err != nil {
			t.Fatal(err)
		}
		c := 1 + random.IntN(5)
		labels, ints := make([]int32, n), make([]int, n)
		count := make([]int, c+1)
		for i := range labels {
			ints[i] = random.IntN(c+1) - 1
			labels[i] = int32(ints[i])
			count[ints[i]+1]++
		}
		fit := OnGraph(w, labels, c)
		if want := oracle.Modularity(dense, ints); math.Abs(fit.Modularity-want) > 1e-12 {
			t.Errorf("seed %d: modularity %v, want %v", seed, fit.Modularity, want)
		}
		if want := oracle.InsideShare(dense, ints); math.Abs(fit.Association-want) > 1e-12 {
			t.Errorf("seed %d: cut %v, want %v", seed, fit.Association, want)
		}
		largest := 0.0
		if labelled := n - count[0]; labelled > 0 {
			largest = float64(slices.Max(count[1:])) / float64(labelled)
		}
		if fit.Largest != largest {
			t.Errorf("seed %d: largest %v, want %v", seed, fit.Largest, largest)
		}
	}
}

// Nothing to divide by is 0, not NaN.
func TestOnGraphOfNothing(t *testing.T) {
	empty, _, err := csr.FromEdges(3, &csr.Edges{}, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if fit := OnGraph(empty, []int32{0, 1, -1}, 2); fit != (Fit{Largest: 0.5}) {
		t.Errorf("no edges: %+v", fit)
	}
	if fit := OnGraph(csr.Identity(2), []int32{-1, -1}, 2); fit != (Fit{}) {
		t.Errorf("no labels: %+v", fit)
	}
}

const testdata = "../../testdata"

// rowsOf returns the fields of a golden file, below its header.
func rowsOf(t *testing.T, path ...string) (table [][]string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(append([]string{testdata, "golden"}, path...)...))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		table = append(table, strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
	}
	return table[1:]
}

// The scores of networkx for the labels of the peers; 1e-7 is the rounding of
// weights to float32.
func TestOnGraphGolden(t *testing.T) {
	for _, want := range rowsOf(t, "scores.tsv") {
		f, err := os.Open(filepath.Join(testdata, "graphs", want[0]+".edges.tsv"))
		if err != nil {
			t.Fatal(err)
		}
		g, err := edgelist.Read(f, want[0], edgelist.Options{})
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		labels := make([]int32, g.IDs.Len())
		var classes []string
		for _, row := range rowsOf(t, "lgc_peers", want[0]+".labels.tsv") {
			i, ok := g.IDs.Lookup([]byte(row[0]))
			if !ok {
				t.Fatalf("%s: no node %q", want[0], row[0])
			}
			if !slices.Contains(classes, row[3]) {
				classes = append(classes, row[3])
			}
			labels[i] = int32(slices.Index(classes, row[3]))
		}
		fit := OnGraph(g.W, labels, len(classes))
		for k, got := range []float64{fit.Modularity, fit.Association} {
			v, err := strconv.ParseFloat(want[k+1], 64)
			if err != nil || math.Abs(got-v) > 1e-7 {
				t.Errorf("%s: got %v, want %v", want[0], got, v)
			}
		}
	}
}

// TestLabelsOfNoClass: a label that is no class is named.
func TestLabelsOfNoClass(t *testing.T) {
	two, three := []int32{1, 0, -1}, []int32{1, 2, -1}
	for name, count := range map[string]func(){
		"label":    func() { NewConfusion(three, two, 2, nil) },
		"truth":    func() { NewConfusion(two, three, 2, nil) },
		"on graph": func() { OnGraph(csr.Identity(3), three, 2) },
	} {
		func() {
			defer func() {
				if fault := recover(); fault != "score: node 1 has label 2, expected below 2" {
					t.Errorf("%s: panic %v", name, fault)
				}
			}()
			count()
		}()
	}
}

// TestLengths: labels of other nodes are no measure, and are named.
func TestLengths(t *testing.T) {
	two, three := []int32{1, 0}, []int32{1, 0, 1}
	for name, count := range map[string]func(){
		"fewer labels":    func() { Accuracy(two, three, nil) },
		"more labels":     func() { Accuracy(three, two, nil) },
		"fewer excluded":  func() { Accuracy(two, two, []bool{false}) },
		"confusion":       func() { NewConfusion(three, two, 2, nil) },
		"a larger graph":  func() { OnGraph(csr.Identity(3), two, 2) },
		"a smaller graph": func() { OnGraph(csr.Identity(2), three, 2) },
	} {
		if said := panics.Of(count); !strings.HasPrefix(said, "score: ") {
			t.Errorf("%s: %q", name, said)
		}
	}
}
