package edgelist

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
)

// TestGatherer: edges that are gathered give what the same edges as text give:
// numbers and names in any mixture, over several batches.
func TestGatherer(t *testing.T) {
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(seed, 8))
		opt := Options{Directed: seed%2 == 1, Duplicates: csr.Duplicates(seed / 2 % 2)}
		g := NewGatherer("f", opt)
		var text strings.Builder
		count := 10 + int(seed)*3000
		name := func() string {
			v := rng.IntN(count)
			switch {
			case seed%3 == 0 && rng.IntN(50) == 0:
				return fmt.Sprintf("n%d", v)
			case seed%3 == 1 && rng.IntN(5) == 0:
				return fmt.Sprint(-v * 1e9)
			}
			return fmt.Sprint(v)
		}
		for line := range count {
			src, dst, weight := name(), name(), 1.0
			if rng.IntN(3) > 0 && seed%4 > 1 {
				weight = float64(rng.IntN(5)) * 0.25
			}
			fmt.Fprintln(&text, src, dst, weight)
			if err := g.Edge([]byte(src), []byte(dst), weight, line+1); err != nil {
				t.Fatal(err)
			}
		}
		got, err := g.Graph()
		if err != nil {
			t.Fatal(err)
		}
		want, err := Read(strings.NewReader(text.String()), "f", opt)
		if err != nil || !same(got, want) || got.Stats != want.Stats {
			t.Fatalf("seed %d: %v, %+v, expected %+v", seed, err, got.Stats, want.Stats)
		}
	}
}

// TestGathererNodes: nodes may have no edge; a pair given twice is named with
// its lines; nothing is no graph.
func TestGathererNodes(t *testing.T) {
	g := NewGatherer("f", Options{Duplicates: csr.DuplicatesError})
	for _, err := range []error{g.Node([]byte("c")), g.Numbers(2, 1, 1, 4), g.Node([]byte("7")), g.Edge([]byte("1"), []byte("c"), 3, 5)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	graph, err := g.Graph()
	if err != nil || graph.IDs.Len() != 4 || graph.IDs.Name(2) != "7" || graph.W.At(0, 3) != 3 || graph.W.At(0, 1) != 1 || graph.W.NNZ() != 4 {
		t.Fatal(err, graph)
	}
	g = NewGatherer("f", Options{Duplicates: csr.DuplicatesError})
	for i := range int64(40000) {
		src := i
		if i == 39000 {
			src = 17999 // in another batch
		}
		if err := g.Numbers(src, src+1, 1, int(i)+1); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := g.Graph(); err == nil || !strings.HasPrefix(err.Error(), `f:39001: edge "17999" – "18000" was given on line 18000 already`) {
		t.Error(err)
	}
	if _, err := NewGatherer("f", Options{}).Graph(); err == nil || err.Error() != "f: no edges, expected at least one" {
		t.Error(err)
	}
}

// TestUsedUp: a list and a gatherer give their edges once. What comes after is an error that names
// the file, not an empty graph.
func TestUsedUp(t *testing.T) {
	ctx := context.Background()
	parse := func() *List {
		list, err := Parse(strings.NewReader("a b\nb c\n"), "f", Options{})
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	expect := func(what string, err error) {
		t.Helper()
		if !errors.Is(err, csr.ErrUsed) || !strings.Contains(err.Error(), "the edges of f ") {
			t.Errorf("%s: %v", what, err)
		}
	}
	list := parse()
	if graph, err := list.Graph(ctx); err != nil || graph.W.NNZ() != 4 {
		t.Fatal(graph, err)
	}
	_, err := list.Graph(ctx)
	expect("a second graph", err)
	list = parse()
	b, err := list.Builder(ctx)
	if err != nil {
		t.Fatal(err)
	}
	_, err = list.Graph(ctx)
	expect("a graph after the builder", err)
	m, stats, err := b.Matrix(ctx)
	if err := list.Built(stats, err); err != nil || m.NNZ() != 4 { // the builder goes on
		t.Error(m, err)
	}
	list = parse()
	if err := list.Close(); err != nil {
		t.Fatal(err)
	}
	_, err = list.Graph(ctx)
	expect("a graph of a closed list", err)

	g := NewGatherer("f", Options{})
	if err := g.Edge([]byte("a"), []byte("b"), 1, 1); err != nil {
		t.Fatal(err)
	}
	if _, err := g.Graph(); err != nil {
		t.Fatal(err)
	}
	_, err = g.Graph()
	expect("a gatherer's second graph", err)
	expect("an edge after the graph", g.Edge([]byte("a"), []byte("b"), 1, 1))
	expect("an edge of numbers after the graph", g.Numbers(1, 2, 1, 1))
	expect("a node after the graph", g.Node([]byte("a")))
}

// TestGathererWeights: the error of a weight has the weight as it was given, and its line.
func TestGathererWeights(t *testing.T) {
	for weight, want := range map[float64]string{
		-1:          "f:7: weight -1, expected a finite number of at least 0",
		math.NaN():  "f:7: weight NaN, expected a finite number of at least 0",
		math.Inf(1): "f:7: weight +Inf, expected a finite number of at least 0",
	} {
		g := NewGatherer("f", Options{})
		for _, err := range []error{g.Edge([]byte("a"), []byte("b"), weight, 7), g.Numbers(1, 2, weight, 7)} {
			if !errors.Is(err, ErrSyntax) || err.Error() != want {
				t.Errorf("%v: %v", weight, err)
			}
		}
	}
}
