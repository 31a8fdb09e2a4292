package fit

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// board returns a lattice of side×side nodes in two colours, each with the given number of known nodes.
func board(t *testing.T, side, known int) (in Input, truth []int32) {
	t.Helper()
	edges := &csr.Edges{}
	for i := range side * side {
		truth = append(truth, int32((i/side+i%side)%2))
		if i%side+1 < side {
			edges.Src, edges.Dst = append(edges.Src, uint32(i)), append(edges.Dst, uint32(i+1))
		}
		if i/side+1 < side {
			edges.Src, edges.Dst = append(edges.Src, uint32(i)), append(edges.Dst, uint32(i+side))
		}
	}
	var seeds []diffuse.Seed
	left := []int{known, known}
	for _, i := range rand.New(rand.NewPCG(3, 5)).Perm(side * side) {
		if c := truth[i]; left[c] > 0 {
			left[c]--
			seeds = append(seeds, diffuse.Seed{Node: uint32(i), Class: uint32(c), Weight: 1})
		}
	}
	var err error
	if in.Edges, _, err = csr.FromEdges(side*side, edges, csr.BuildOptions{}); err != nil {
		t.Fatal(err)
	}
	if in.Seeds, err = diffuse.NewSeeds(side*side, 2, seeds); err != nil {
		t.Fatal(err)
	}
	return in, truth
}

// TestUnlikeNeighbours: where each edge joins unlike classes, the known labels tell so, and nearly all nodes are right.
func TestUnlikeNeighbours(t *testing.T) {
	in, truth := board(t, 16, 10)
	r, err := Run(t.Context(), in, Options{})
	if err != nil {
		t.Fatal(err)
	}
	right := 0
	for i, label := range r.Labels {
		if label == truth[i] {
			right++
		}
	}
	if right < 245 {
		t.Errorf("%d of 256 right", right)
	}
}

// TestUnlikeReasons: the parts of known nodes add up to the lead of the score.
func TestUnlikeReasons(t *testing.T) {
	in, _ := board(t, 9, 6)
	tr := &trainer{pool: &pool{}, y: in.Seeds}
	tr.graphs[onEdges] = diffuse.Normalize(in.Edges, 1)
	f, err := tr.byUnlike(t.Context(), onEdges)
	if err != nil {
		t.Fatal(err)
	}
	known := in.Seeds.Mask()
	for _, node := range []int{0, 13, 40, 80} {
		var voice Voice
		if err := tr.unlikeReasons(onEdges)(t.Context(), &Why{Node: node, Label: 1, RunnerUp: 0}, &voice); err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for _, part := range voice.Nodes.Parts {
			sum += part.Amount
			if !known[part.Index] {
				t.Errorf("node %d: a reason by node %d, which is not known", node, part.Index)
			}
		}
		if math.Abs(sum-voice.Nodes.Total) > 1e-6 {
			t.Fatalf("parts add up to %v of %v", sum, voice.Nodes.Total)
		}
		if want := float64(f.At(node, 1)) - float64(f.At(node, 0)); math.Abs(sum-want) > 1e-5 {
			t.Errorf("node %d: reasons add up to %v, expected %v", node, sum, want)
		}
	}
}

// TestUnitOfWeights: labels and probabilities do not depend on the unit of the weights.
func TestUnitOfWeights(t *testing.T) {
	racing.LongSum(t)
	linked, _ := joined(t, 300, 4, 30, true)
	documents, _ := words(t, 240, 3, 60, 0.7, 8)
	for name, in := range map[string]Input{"edges": linked, "both": documents} {
		want, err := Run(t.Context(), in, Options{})
		if err != nil {
			t.Fatal(err)
		}
		_, _, values := in.Edges.Arrays()
		for _, by := range []float32{1e-3, 2, 1000} {
			scaled := make([]float32, len(values))
			for k, v := range values {
				scaled[k] = by * v
			}
			other := in
			other.Edges = in.Edges.WithData(scaled)
			got, err := Run(t.Context(), other, Options{})
			if err != nil {
				t.Fatal(err)
			}
			most := 0.0
			for k, v := range got.F.Data {
				most = max(most, math.Abs(float64(v)-float64(want.F.Data[k])))
			}
			if most > 1e-3 {
				t.Errorf("%s: with weights times %v a probability differs by %v", name, by, most)
			}
		}
	}
}

// TestEdgesOfNoWeight: edges whose weights are all 0, beside features, are no edges.
func TestEdgesOfNoWeight(t *testing.T) {
	in, _ := words(t, 240, 3, 60, 0.7, 8)
	_, _, values := in.Edges.Arrays()
	in.Edges = in.Edges.WithData(make([]float32, len(values)))
	if _, err := Run(t.Context(), in, Options{}); err != nil {
		t.Error(err)
	}
}
