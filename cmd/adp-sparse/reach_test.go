package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestReach: on random graphs in pieces, with weights of all sizes, loops,
// duplicates and edges of weight 0, no output has a NaN, and exactly the nodes
// that a seed reaches have a label, by a breadth-first search over the lines of
// the edge list. At full size 10,000 graphs.
func TestReach(t *testing.T) {
	graphs := 200
	if full() {
		graphs = 10000
	}
	nodes, unreached := 0, 0
	for seed := range uint64(graphs) {
		rng := rand.New(rand.NewPCG(seed, 7))
		g := randomGraph(rng)
		dir := files(t, "g", g.edges.String(), "s", g.seeds.String())
		args := append([]string{"run", "--edges", dir + "/g", "--labels", dir + "/s", "--proba", "--quiet", "--graph-out", dir + "/a.tsv"}, g.flags...)
		code, out, errs := call(args...)
		if code != 0 || errs != "" {
			t.Fatalf("graph %d, %q: exit %d, %s", seed, args, code, errs)
		}
		reached := g.search()
		rows := strings.Split(strings.TrimSpace(out), "\n")[1:]
		if len(rows) != len(g.neighbours) {
			t.Fatalf("graph %d: %d rows for %d nodes", seed, len(rows), len(g.neighbours))
		}
		for _, row := range rows {
			f := strings.Split(row, "\t")
			nodes++
			if !reached[f[0]] {
				unreached++
			}
			if (f[1] != "") != reached[f[0]] || (f[4] == "unreached") == reached[f[0]] {
				t.Errorf("graph %d, %q: node %s, reached: %v, has the row %q", seed, g.flags, f[0], reached[f[0]], row)
			}
			for _, text := range append(f[2:4:4], f[5:]...) {
				if v, err := strconv.ParseFloat(text, 64); err != nil || !(v >= 0 && v <= 1) {
					t.Errorf("graph %d, %q: node %s has the row %q", seed, g.flags, f[0], row)
				}
			}
		}
		for _, row := range strings.Split(strings.TrimSpace(read(t, dir+"/a.tsv")), "\n") {
			if f := strings.Split(row, "\t"); len(f) == 3 { // a loop of weight 0 is a node without edges
				if v, err := strconv.ParseFloat(f[2], 64); err != nil || !(v > 0 || v == 0 && f[0] == f[1]) || math.IsInf(v, 0) {
					t.Errorf("graph %d, %q: learned edge %q", seed, g.flags, row)
				}
			}
		}
	}
	t.Logf("%d graphs, %d nodes, %d of them unreached", graphs, nodes, unreached)
}

// pieces is a random graph as text and as lists of neighbours.
type pieces struct {
	edges, seeds strings.Builder
	flags        []string
	seeded       []string
	neighbours   map[string][]string
}

// randomGraph makes components of 1 to 12 nodes, some with seeds.
func randomGraph(rng *rand.Rand) *pieces {
	g := &pieces{neighbours: map[string][]string{}}
	method := []string{"adp", "adp", "lgc", "gfhf", "poisson"}[rng.IntN(5)]
	g.flags = []string{"--method", method}
	refused := map[string][]string{"lgc": {"--select", "--anchor"}, "gfhf": {"--alpha", "--select", "--anchor"}, "poisson": {"--alpha", "--select", "--anchor"}}
	for _, flag := range [][]string{{"--directed"}, {"--class-prior", "none"}, {"--alpha", "0.5"}, {"--select", "none"}, {"--threads", "3"}, {"--duplicates", "max"}, {"--anchor", "0", "--topk", "1"}} {
		if rng.IntN(4) == 0 && !slices.Contains(refused[method], flag[0]) {
			g.flags = append(g.flags, flag...)
		}
	}
	spread := []float64{0, 2, 6}[rng.IntN(3)] // powers of ten of the weights
	name := func(piece, node int) string { return fmt.Sprintf("%d.%d", piece, node) }
	classes := 1 + rng.IntN(4)
	for piece := range 2 + rng.IntN(6) {
		n := 1 + rng.IntN(12)
		g.edge(name(piece, 0), name(piece, 0), 1) // a loop: the node is there
		for i := 1; i < n; i++ {
			g.edge(name(piece, i), name(piece, rng.IntN(i)), math.Pow(10, spread*(rng.Float64()-0.5)))
		}
		for range rng.IntN(2 * n) {
			g.edge(name(piece, rng.IntN(n)), name(piece, rng.IntN(n)), math.Pow(10, spread*(rng.Float64()-0.5)))
		}
		if piece == 0 || rng.IntN(3) == 0 {
			for range 1 + rng.IntN(3) {
				node := name(piece, rng.IntN(n))
				g.seeded = append(g.seeded, node)
				fmt.Fprintf(&g.seeds, "%s c%d 1\n", node, rng.IntN(classes))
			}
		} else {
			g.edge(name(piece, 0), name(0, 0), 0) // joins nothing
		}
	}
	return g
}

func (g *pieces) edge(a, b string, weight float64) {
	fmt.Fprintf(&g.edges, "%s %s %g\n", a, b, weight)
	for _, end := range [][2]string{{a, b}, {b, a}} {
		g.neighbours[end[0]] = append(g.neighbours[end[0]], end[1])
		if weight == 0 {
			list := g.neighbours[end[0]]
			g.neighbours[end[0]] = list[:len(list)-1]
		}
	}
}

// search returns the nodes that a seed reaches.
func (g *pieces) search() map[string]bool {
	reached := map[string]bool{}
	queue := g.seeded
	for len(queue) > 0 {
		node := queue[0]
		queue = queue[1:]
		if !reached[node] {
			reached[node] = true
			queue = append(queue, g.neighbours[node]...)
		}
	}
	return reached
}
