package convert

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/iterator"
	"gonum.org/v1/gonum/graph/multi"
	"gonum.org/v1/gonum/graph/simple"
	"gonum.org/v1/gonum/mat"

	"github.com/adp-sparse/adp-sparse/csr"
)

// drawn is a random weighted digraph: ids in increasing order, and A with a row for each.
func drawn(seed uint64) (ids []int64, a *mat.Dense) {
	r := rand.New(rand.NewPCG(seed, 2))
	n := 2 + int(seed)
	for next := int64(-50); len(ids) < n; next += 1 + r.Int64N(3)*r.Int64N(1<<40) {
		ids = append(ids, next)
	}
	a = mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			if i != j && i%5 != 4 && j%5 != 4 && r.IntN(3) == 0 { // every fifth node is alone
				a.Set(i, j, float64(1+r.IntN(8))/4) // sums are exact
			}
		}
	}
	return ids, a
}

// shuffled returns 0 to n-1 in random order.
func shuffled(seed uint64, n int) []int { return rand.New(rand.NewPCG(seed, 3)).Perm(n) }

func TestFromGraphIsFromMat(t *testing.T) {
	for seed := range uint64(20) {
		ids, a := drawn(seed)
		n := len(ids)
		directed := simple.NewWeightedDirectedGraph(0, math.Inf(1))
		undirected := simple.NewWeightedUndirectedGraph(0, math.Inf(1))
		plain := simple.NewUndirectedGraph()
		lines := multi.NewUndirectedGraph()
		var sum, upper, ones, counts mat.Dense
		sum.Add(a, a.T())
		for _, to := range []*mat.Dense{&upper, &ones, &counts} {
			to.ReuseAs(n, n)
		}
		for _, i := range shuffled(seed, n) {
			directed.AddNode(simple.Node(ids[i]))
			undirected.AddNode(simple.Node(ids[i]))
			plain.AddNode(simple.Node(ids[i]))
			lines.AddNode(multi.Node(ids[i]))
		}
		for _, i := range shuffled(seed+1, n) {
			for _, j := range shuffled(seed+2, n) {
				w := a.At(i, j)
				if w == 0 {
					continue
				}
				from, to := simple.Node(ids[i]), simple.Node(ids[j])
				directed.SetWeightedEdge(simple.WeightedEdge{F: from, T: to, W: w})
				lines.SetLine(lines.NewLine(multi.Node(ids[i]), multi.Node(ids[j])))
				counts.Set(i, j, counts.At(i, j)+1)
				counts.Set(j, i, counts.At(j, i)+1)
				if i > j && a.At(j, i) != 0 {
					continue
				}
				undirected.SetWeightedEdge(simple.WeightedEdge{F: from, T: to, W: w})
				plain.SetEdge(simple.Edge{F: from, T: to})
				upper.Set(i, j, w)
				upper.Set(j, i, w)
				ones.Set(i, j, 1)
				ones.Set(j, i, 1)
			}
		}
		pairs := len(graph.WeightedEdgesOf(undirected.WeightedEdges()))
		both := len(graph.WeightedEdgesOf(directed.WeightedEdges())) - pairs
		for _, c := range []struct {
			name   string
			g      graph.Graph
			want   mat.Matrix
			merged int
		}{
			{"directed", directed, &sum, both},
			{"undirected", undirected, &upper, 0},
			{"without weights", plain, &ones, 0},
			{"lines", lines, &counts, both},
			{"larger", graph.UndirectWeighted{G: directed, Merge: func(x, y float64, _, _ graph.Edge) float64 { return max(x, y) }}, larger{a}, 0},
		} {
			got, err := FromGraph(c.g)
			if err != nil {
				t.Fatalf("seed %d, %s: %v", seed, c.name, err)
			}
			if !slices.Equal(got.IDs, ids) || !same(got.W, mustFromMat(t, c.want)) || got.Stats != (csr.BuildStats{Duplicates: c.merged}) {
				t.Errorf("seed %d, %s: nodes %v, %+v, W\n%v\nexpected nodes %v, %d merged, W\n%v", seed, c.name,
					got.IDs, got.Stats, mat.Formatted(View(got.W)), ids, c.merged, mat.Formatted(c.want))
			}
			if err := csr.CheckAffinity(got.W, 1); err != nil {
				t.Errorf("seed %d, %s: %v", seed, c.name, err)
			}
			for i, id := range ids {
				if row, ok := got.Row(id); row != i || !ok {
					t.Errorf("seed %d, %s: node %d has row %d, %t, expected %d", seed, c.name, id, row, ok, i)
				}
				if _, ok := got.Row(id + 1); ok != slices.Contains(ids, id+1) {
					t.Errorf("seed %d, %s: node %d: %t", seed, c.name, id+1, ok)
				}
			}
		}
	}
}

// larger is max(A, Aᵀ).
type larger struct{ mat.Matrix }

func (l larger) At(i, j int) float64 { return max(l.Matrix.At(i, j), l.Matrix.At(j, i)) }

func TestFromGraphDrops(t *testing.T) {
	g := multi.NewWeightedUndirectedGraph()
	for _, e := range []struct {
		from, to int64
		w        float64
	}{{1, 1, 3}, {1, 2, 0}, {2, 9, 1e-60}, {9, 1, 2}, {1, 9, 1}} {
		g.SetWeightedLine(g.NewWeightedLine(multi.Node(e.from), multi.Node(e.to), e.w))
	}
	got, err := FromGraph(g)
	if err != nil || got.Stats != (csr.BuildStats{SelfLoops: 1, ZeroWeight: 2}) || !same(got.W, mustFromMat(t, mat.NewDense(3, 3, []float64{0, 0, 3, 0, 0, 0, 3, 0, 0}))) {
		t.Errorf("got %+v, %v", got, err)
	}
	for _, g := range []graph.Graph{simple.NewUndirectedGraph(), simple.NewDirectedGraph()} {
		if got, err := FromGraph(g); err != nil || len(got.IDs) != 0 || got.W.NNZ() != 0 {
			t.Errorf("no nodes: got %+v, %v", got, err)
		}
	}
}

// lying is a graph that contradicts itself.
type lying struct {
	graph.WeightedDirected
	nodes, from []int64
}

func nodesOf(ids []int64) graph.Nodes {
	var list []graph.Node
	for _, id := range ids {
		list = append(list, simple.Node(id))
	}
	return iterator.NewOrderedNodes(list)
}

func (l lying) Nodes() graph.Nodes                         { return nodesOf(l.nodes) }
func (l lying) From(int64) graph.Nodes                     { return nodesOf(l.from) }
func (l lying) Weight(from, to int64) (float64, bool)      { return float64(from), from != 6 }
func (l lying) EdgeBetween(xid, yid int64) graph.Edge      { return nil }
func (l lying) HasEdgeBetween(xid, yid int64) (is bool)    { return true }
func (l lying) Edge(uid, vid int64) (of graph.Edge)        { return nil }
func (l lying) HasEdgeFromTo(uid, vid int64) (is bool)     { return true }
func (l lying) To(int64) graph.Nodes                       { return nodesOf(l.from) }
func (l lying) Node(id int64) graph.Node                   { return simple.Node(id) }
func (l lying) WeightedEdge(u, v int64) graph.WeightedEdge { return nil }

func TestFromGraphFaults(t *testing.T) {
	for _, w := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1e-9, 1e39} {
		g := simple.NewWeightedUndirectedGraph(0, 0)
		g.SetWeightedEdge(g.NewWeightedEdge(simple.Node(7), simple.Node(3), w))
		_, err := FromGraph(g)
		if !errors.Is(err, csr.ErrStructure) || !strings.HasPrefix(err.Error(), "csr: row 0: the edge of nodes 3 and 7 has weight ") {
			t.Errorf("weight %v: %v", w, err)
		}
	}
	both := simple.NewWeightedDirectedGraph(0, 0) // each weight is a float32, their sum is not
	both.SetWeightedEdge(both.NewWeightedEdge(simple.Node(7), simple.Node(3), 3e38))
	both.SetWeightedEdge(both.NewWeightedEdge(simple.Node(3), simple.Node(7), 3e38))
	if got, err := FromGraph(both); got != nil || err == nil {
		t.Errorf("a sum past float32: %v, %v", got, err)
	}
	for _, c := range []struct {
		name string
		g    graph.Graph
		want string
	}{
		{"twice", lying{nodes: []int64{4, 1, 4}}, "csr: row 1: node 4 is listed twice, expected once"},
		{"stranger", lying{nodes: []int64{4, 1}, from: []int64{4, 9}}, "csr: row 0: an edge of node 1 to node 9, which the graph does not list"},
		{"no weight", lying{nodes: []int64{6, 8}, from: []int64{8}}, "csr: row 0: the edge of nodes 6 and 8 has weight NaN"},
		{"one way", lying{nodes: []int64{1, 2}, from: []int64{2}}, "convert: an undirected graph, expected each edge both ways: csr: row 0: "},
		{"two weights", lying{nodes: []int64{1, 2}, from: []int64{1, 2}}, "convert: an undirected graph, expected each edge both ways: csr: row 0: "},
	} {
		if got, err := FromGraph(c.g); got != nil || !errors.Is(err, csr.ErrStructure) || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: got %v, %v", c.name, got, err)
		}
	}
}

// path is a path of n nodes.
func path(n int64) *simple.UndirectedGraph {
	g := simple.NewUndirectedGraph()
	for i := range n - 1 {
		g.SetEdge(simple.Edge{F: simple.Node(i), T: simple.Node(i + 1)})
	}
	return g
}

// TestFromGraphIsSparse: an n×n pass over the path would take ten minutes.
func TestFromGraphIsSparse(t *testing.T) {
	const n = 100_000
	g, start := path(n), time.Now()
	got, err := FromGraph(g)
	if err != nil || len(got.IDs) != n || got.W.NNZ() != 2*(n-1) {
		t.Fatalf("got %+v, %v", got, err)
	}
	if took := time.Since(start); took > time.Minute {
		t.Errorf("%d nodes in %v", n, took)
	}
}

// adjacency shows a graph as the matrix that [FromMat] took it for.
type adjacency struct{ *simple.UndirectedGraph }

func (a adjacency) Dims() (rows, cols int) { n := a.Nodes().Len(); return n, n }
func (a adjacency) T() mat.Matrix          { return a }
func (a adjacency) At(i, j int) float64 {
	if a.HasEdgeBetween(int64(i), int64(j)) {
		return 1
	}
	return 0
}

func BenchmarkPath(b *testing.B) {
	g := path(8000)
	b.Run("FromMat", func(b *testing.B) {
		for b.Loop() {
			if _, err := FromMat(adjacency{g}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("FromGraph", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := FromGraph(g); err != nil {
				b.Fatal(err)
			}
		}
	})
}
