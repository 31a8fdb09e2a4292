package edgelist

import (
	"fmt"
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
