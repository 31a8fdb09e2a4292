package oracle

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// The golden files were made by numpy and networkx; testdata/README.md and
// testdata/golden/README.md say how. Both sides are float64 with condition
// numbers up to some thousands, so 1e-11 is rounding and nothing else.
const goldenTolerance = 1e-11

const (
	graphs = "../../testdata/graphs"
	golden = "../../testdata/golden"
)

// fields reads a tab-separated file without its comments.
func fields(t *testing.T, path ...string) [][]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]string
	for line := range strings.Lines(string(text)) {
		if line[0] != '#' {
			rows = append(rows, strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
		}
	}
	return rows
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// graph is a golden graph with its nodes in the order of its label file.
type graph struct {
	w      Mat
	row    map[string]uint32
	labels [][]string // the label file without its header
}

func readGraph(t *testing.T, name string) graph {
	t.Helper()
	g := graph{row: make(map[string]uint32)}
	g.labels = fields(t, golden, "lgc_peers", name+".labels.tsv")[1:]
	for i, f := range g.labels {
		g.row[f[0]] = uint32(i)
	}
	var src, dst []uint32
	var weight []float32
	for _, f := range fields(t, graphs, name+".edges.tsv") {
		w := 1.0
		if len(f) > 2 {
			w = number(t, f[2])
		}
		src, dst, weight = append(src, g.row[f[0]]), append(dst, g.row[f[1]]), append(weight, float32(w))
	}
	g.w = Affinity(len(g.labels), src, dst, weight)
	return g
}

// rows reads the columns of class scores, from column first on, and the class
// numbers of their header.
func (g graph) rows(t *testing.T, first int, path ...string) (f Mat, classes map[string]int) {
	t.Helper()
	table := fields(t, path...)
	classes = make(map[string]int)
	for c, name := range table[0][first:] {
		classes[name] = c
	}
	f = New(len(g.w), len(classes))
	for _, row := range table[1:] {
		for c, v := range row[first:] {
			f[g.row[row[0]]][c] = number(t, v)
		}
	}
	return f, classes
}

// seeds returns the class of each node, −1 where it has none.
func (g graph) seeds(t *testing.T, name string, classes map[string]int) []int {
	t.Helper()
	labels := make([]int, len(g.w))
	for i := range labels {
		labels[i] = -1
	}
	for _, f := range fields(t, golden, "lgc_peers", name+".seeds.tsv") {
		labels[g.row[f[0]]] = classes[f[1]]
	}
	return labels
}

func oneHot(labels []int, classes int) Mat {
	y := New(len(labels), classes)
	for i, c := range labels {
		if c >= 0 {
			y[i][c] = 1
		}
	}
	return y
}

// weightTolerance is used where weights have digits that float32 rounds by up
// to 6e-8 of their value.
const weightTolerance = 1e-6

func tolerance(name string) float64 {
	if strings.HasSuffix(name, "weighted") || name == "raw" {
		return weightTolerance
	}
	return goldenTolerance
}

func TestLGCGolden(t *testing.T) {
	for _, name := range []string{"path4", "karate", "lesmiserables", "raw"} {
		g := readGraph(t, name)
		for _, alpha := range []string{"0.5", "0.9", "0.99"} {
			want, classes := g.rows(t, 1, golden, "lgc", name+".alpha"+alpha+".tsv")
			y := oneHot(g.seeds(t, name, classes), len(classes))
			near(t, name+" "+alpha, LGC(g.w, y, number(t, alpha)), want, tolerance(name))
		}
	}
}

func TestHarmonicGolden(t *testing.T) {
	for _, name := range graphNames(t) {
		g := readGraph(t, name)
		want, classes := g.rows(t, 2, golden, "gfhf", name+".tsv")
		got := Harmonic(g.w, g.seeds(t, name, classes), len(classes))
		near(t, name, got, want, tolerance(name))
	}
}

// TestLGCPeers compares labels with networkx and scikit-learn at α = 0.99, and
// the label of unreached nodes, empty, with a row of zeros.
func TestLGCPeers(t *testing.T) {
	for _, name := range graphNames(t) {
		g := readGraph(t, name)
		_, classes := g.rows(t, 2, golden, "gfhf", name+".tsv")
		f := LGC(g.w, oneHot(g.seeds(t, name, classes), len(classes)), 0.99)
		for i, row := range g.labels {
			best := top(f[i])
			node, networkx, sklearn, scipy := row[0], row[1], row[2], row[3]
			if scipy == "" {
				if f[i][best] != 0 {
					t.Errorf("%s: node %s is reached", name, node)
				}
				continue
			}
			if best != classes[networkx] || best != classes[sklearn] || best != classes[scipy] {
				t.Errorf("%s: node %s has class %d, networkx %s, scikit-learn %s, scipy %s; classes %v",
					name, node, best, networkx, sklearn, scipy, classes)
			}
		}
	}
}

func TestScoresGolden(t *testing.T) {
	for _, row := range fields(t, golden, "scores.tsv")[1:] {
		g := readGraph(t, row[0])
		classes := make(map[string]int)
		labels := make([]int, len(g.w))
		for i, f := range g.labels {
			if _, seen := classes[f[3]]; !seen {
				classes[f[3]] = len(classes)
			}
			labels[i] = classes[f[3]]
		}
		got := Mat{{Modularity(g.w, labels), InsideShare(g.w, labels)}}
		near(t, row[0], got, Mat{{number(t, row[1]), number(t, row[2])}}, tolerance(row[0]))
	}
}

// top returns the first of the largest entries.
func top(row []float64) int {
	best := 0
	for c, v := range row {
		if v > row[best] {
			best = c
		}
	}
	return best
}

func graphNames(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(graphs, "*.edges.tsv"))
	if err != nil || len(paths) < 11 {
		t.Fatalf("%d graphs, %v", len(paths), err)
	}
	names := make([]string, len(paths))
	for i, p := range paths {
		names[i] = strings.TrimSuffix(filepath.Base(p), ".edges.tsv")
	}
	return names
}
