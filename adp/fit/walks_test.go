package fit

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// TestWalks: the scores are those of a dense ridge on Ẑ in float64, and the reasons for one are shares of the seeds whose sum it
// is. Nodes that walks from no cell reach have none.
func TestWalks(t *testing.T) {
	ctx := t.Context()
	in, _ := joined(t, 300, 4, 30, false)
	g := diffuse.Normalize(in.Edges, 2)
	k, z, err := newWalks(ctx, g, in.Seeds, 2)
	if err != nil {
		t.Fatal(err)
	}
	got, err := k.Scores(ctx, in.Seeds, seedRidge)
	if err != nil {
		t.Fatal(err)
	}
	const m = 30 // 15 of each class: targets are ½ and -½
	rows := mat.NewDense(300, z.Cols, nil)
	for i := range 300 {
		for j, v := range z.Row(i) {
			rows.Set(i, j, float64(v))
		}
	}
	own, gram, targets, b := rows.Slice(0, m, 0, z.Cols), new(mat.Dense), mat.NewDense(m, 1, nil), new(mat.Dense)
	gram.Mul(own, own.T())
	for i := range m {
		gram.Set(i, i, gram.At(i, i)+seedRidge)
		targets.Set(i, 0, 0.5-float64(i%2))
	}
	if err := b.Solve(gram, targets); err != nil {
		t.Fatal(err)
	}
	similar, want := new(mat.Dense), new(mat.Dense)
	similar.Mul(rows, own.T())
	want.Mul(similar, b)
	for i := range 300 {
		if off := math.Abs(want.At(i, 0) - float64(got.At(i, 0))); off > 1e-5 {
			t.Errorf("the score of node %d is off by %.1e", i, off)
		}
	}
	asked := member{method: walks, graph: onEdges}
	p := &pool{kernels: map[member]*diffuse.Kernel{asked.key(): k}, ends: [poolGraphs]*csr.Dense{onEdges: z}}
	of, err := (&trainer{pool: p, y: in.Seeds}).walkReasons(ctx, asked)
	if err != nil {
		t.Fatal(err)
	}
	var voice Voice
	if err := of(ctx, &Why{Node: 200, Label: 0, RunnerUp: 1}, &voice); err != nil {
		t.Fatal(err)
	}
	parts := make([]float64, 300)
	for _, part := range voice.Nodes.Parts {
		parts[part.Index] = part.Amount
	}
	for l, part := range parts {
		expected := 0.0
		if l < m {
			expected = 2 * similar.At(200, l) * b.At(l, 0) // the second class has the opposite
		}
		if math.Abs(part-expected) > 1e-5 {
			t.Errorf("node %d adds %v to the lead of node 200, expected %v", l, part, expected)
		}
	}
}

// TestWalksKnow: of a planted partition with a known label a class, where walks end tells more than label spreading does.
func TestWalksKnow(t *testing.T) {
	const n, c = 1200, 6
	rng, edges := rand.New(rand.NewPCG(1, 34)), &csr.Edges{}
	truth := make([]int32, n)
	for i := range n {
		truth[i] = int32(i % c)
		for range 6 {
			j := rng.IntN(n)
			if rng.Float64() < 0.55 {
				j = j/c*c + i%c
			}
			if j != i {
				edges.Src, edges.Dst, edges.Weight = append(edges.Src, uint32(i)), append(edges.Dst, uint32(j)), append(edges.Weight, 1)
			}
		}
	}
	w, _, err := csr.FromEdges(n, edges, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	in := Input{Edges: w}
	for _, name := range []string{"lgc:edges", "walks:edges"} {
		right := 0.0
		for first := range 5 {
			var seeds []diffuse.Seed
			for class := range c {
				seeds = append(seeds, diffuse.Seed{Node: uint32(first*c + class), Class: uint32(class), Weight: 1})
			}
			if in.Seeds, err = diffuse.NewSeeds(n, c, seeds); err != nil {
				t.Fatal(err)
			}
			r, err := Run(t.Context(), in, Options{Pool: []string{name}})
			if err != nil {
				t.Fatal(err)
			}
			right += share(r.Labels, truth, 0) / 5
		}
		t.Log(name, right)
		if name == "lgc:edges" && right > 0.56 || name == "walks:edges" && right < 0.6 {
			t.Errorf("%s: %.3f right", name, right)
		}
	}
}
