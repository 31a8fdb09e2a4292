package fit

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// TestForm: a graph without structure foresees nothing of itself but by chance and is not stable, one of two blocks is most. Chance is more on a
// small one.
func TestForm(t *testing.T) {
	for _, c := range []struct {
		n           int
		inside      float64
		least, most float64
		stable      bool
	}{{2000, 0, 0, plainForm, false}, {240, 0, plainForm, 1, false}, {2000, 0.95, 0.5, 1, true}} {
		in, _ := society(t, c.n, 2, 12, c.inside, 0, false)
		f := formed(t, in.Edges, in.Seeds)
		if f.size < c.least || f.size > c.most || f.structured() != (c.inside > 0) || c.stable != (f.stability > 0.8) || !c.stable && f.stability > 0.2 {
			t.Errorf("%d nodes, inside %v: %+v", c.n, c.inside, f)
		}
	}
}

// formed returns the form of a graph.
func formed(t *testing.T, w *csr.Matrix, y *diffuse.Seeds) form {
	t.Helper()
	p := &pool{opt: Options{}.Run}
	p.opt.Alpha, p.opt.Threads = 0.99, 2
	p.whole = &trainer{pool: p, y: y}
	p.graphs[onEdges] = diffuse.Normalize(w, 2)
	f, err := p.formOf(t.Context(), onEdges)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestFormOfSeeds: seeds, which have their labels in both halves, are no sign of a stable graph.
func TestFormOfSeeds(t *testing.T) {
	in, truth := society(t, 240, 2, 12, 0.95, 0, false)
	labels := make([]int, len(truth))
	for i, class := range truth {
		labels[i] = int(class)
	}
	seeds, err := diffuse.HardSeeds(labels)
	if err != nil {
		t.Fatal(err)
	}
	if f := formed(t, in.Edges, seeds); f.stability != 0 || !f.structured() {
		t.Errorf("%+v", f)
	}
}

// TestLead: the graph with the stronger structure leads, by the geometric mean of size beyond chance and stability, and the edges where both
// are as strong. Where the size of the other is next to none, there is no lead.
func TestLead(t *testing.T) {
	for _, c := range []struct {
		edges, features form
		want            float64
	}{
		{form{0.5, 0.1, 0.4}, form{0.5, 0.1, 0.4}, 1},
		{form{0.5, 0.1, 0.4}, form{0.5, 0.1, 0.1}, 1},
		{form{0.5, 0.1, 0.1}, form{0.5, 0.1, 0.4}, 0.5},
		{form{0.2, 0.1, 0.4}, form{0.5, 0.1, 0.4}, 0.5},
		{form{0.2, 0.1, 0.1}, form{0.5, 0.1, 0.4}, 0.25},
		{form{0.2, 0.1, 0.4}, form{0.5, 0.1, 0.1}, 1},
		{form{0.5, 0.1, 0.01}, form{0.5, 0.1, 0.64}, 0.125},
		{form{0.5, 0.1, 0.004}, form{0.5, 0.1, 0.64}, 0},
		{form{0.5, 0.1, 0}, form{0.5, 0.1, 0.4}, 0},
		{form{0.5, 0.1, 0}, form{0.5, 0.1, 0}, 1},
		{form{0.9, 0.1, 0.3}, form{0.43, 0.1, 0.3}, 1},
		{form{0.9, 0.1, 0.3}, form{0.41, 0.1, 0.3}, -1},
		{form{0.3, 0.2, 0.3}, form{0.1, 0.1, 0.3}, -1},
	} {
		got := -1.0
		if lead := c.edges.lead(c.features); lead != nil {
			got = *lead
		}
		if math.Abs(got-c.want) > 1e-9 {
			t.Errorf("edges %v, features %v: lead %v, expected %v", c.edges, c.features, got, c.want)
		}
	}
}

// TestAgreement: κ of a table by hand, of equal labels and of independent ones, with the nodes that only one labels.
func TestAgreement(t *testing.T) {
	for name, c := range map[string]struct {
		a, b []int32
		want float64
	}{
		"by hand":     {[]int32{0, 0, 0, 1, 1, 1, 1, 2}, []int32{0, 0, 1, 1, 1, 1, 0, 2}, (0.75 - 26.0/64) / (1 - 26.0/64)},
		"equal":       {[]int32{0, 1, 2, 1}, []int32{0, 1, 2, 1}, 1},
		"half":        {[]int32{0, 1, -1, 1}, []int32{0, 1, 2, -1}, 0.5},
		"independent": {[]int32{0, 0, 1, 1}, []int32{0, 1, 0, 1}, 0},
		"opposite":    {[]int32{0, 1}, []int32{1, 0}, 0},
		"one class":   {[]int32{1, 1, 1}, []int32{1, 1, 1}, 0},
		"none":        {[]int32{-1, 0}, []int32{2, -1}, 0},
	} {
		if got := agreement(c.a, c.b, 3); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %v, expected %v", name, got, c.want)
		}
	}
}

// TestStrongerStructure: with one label a class, classes are those of the graph with the stronger structure, where edges and features tell of
// different ones that go together a little. Each is told by the answer of the same edges or features alone.
func TestStrongerStructure(t *testing.T) {
	racing.LongSum(t)
	for _, c := range []struct {
		name             string
		ofEdges, ofWords float64 // shares inside blocks of the edges, and of words of a topic
		byEdges          bool
		least            float64
	}{
		{"edges", 0.8, 0.4, true, 0.95},
		{"features", 0.7, 0.7, false, 0.95},
	} {
		in, blocks, topics := twoMeanings(t, 1500, 4, c.ofEdges, c.ofWords)
		truth := topics
		if c.byEdges {
			truth = blocks
		}
		var seeds []diffuse.Seed
		taken := map[int32]bool{}
		for i, class := range truth {
			if !taken[class] {
				taken[class] = true
				seeds = append(seeds, diffuse.Seed{Node: uint32(i), Class: uint32(class), Weight: 1})
			}
		}
		var err error
		if in.Seeds, err = diffuse.NewSeeds(len(truth), 4, seeds); err != nil {
			t.Fatal(err)
		}
		got, err := Run(t.Context(), in, Options{})
		if err != nil {
			t.Fatal(err)
		}
		m := got.Combination
		if share := right(got.Labels, truth); m.Alike > 0 || m.Formless || m.Independent > 0 || m.Lead == nil || (*m.Lead == 1) != c.byEdges || share < c.least {
			t.Errorf("%s: %.3f right, %+v", c.name, share, m)
		}
	}
}

// TestLeadFades: the lead counts the less, the more seeds are left out, and is not looked at where it would hardly count.
func TestLeadFades(t *testing.T) {
	racing.LongSum(t)
	lead := 0.7
	v := &views{lead: &lead}
	for trust, want := range map[float64]float64{1: 0.5, 0.4: 0.2} {
		if edges, share := v.alone(trust); edges != lead || math.Abs(share-want) > 1e-12 {
			t.Errorf("trust %v: %v of %v, expected %v of %v", trust, edges, share, lead, want)
		}
	}
	in, _, topics := twoMeanings(t, 1500, 4, 0.7, 0.7)
	for perClass, want := range map[int]bool{2: true, 8: false} {
		var seeds []diffuse.Seed
		for i := range 4 * perClass {
			seeds = append(seeds, diffuse.Seed{Node: uint32(i), Class: uint32(topics[i]), Weight: 1})
		}
		var err error
		if in.Seeds, err = diffuse.NewSeeds(len(topics), 4, seeds); err != nil {
			t.Fatal(err)
		}
		got, err := Run(t.Context(), in, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if m := got.Combination; m.Alike > 0 || m.Formless || (m.Lead != nil) != want {
			t.Errorf("%d labels a class: alike %v, formless %v, independent %v, lead %v", perClass, m.Alike, m.Formless, m.Independent, m.Lead)
		}
	}
}

// twoMeanings makes nodes of c blocks that edges tell and c topics that words tell. A quarter of the nodes has the topic of their block, so that
// edges and words are not independent.
func twoMeanings(t *testing.T, n, c int, inside, topic float64) (in Input, blocks, topics []int32) {
	t.Helper()
	rng := rand.New(rand.NewPCG(51, 52))
	const words = 2000
	x, edges := csr.NewDense(n, words), &csr.Edges{}
	for i := range n {
		block := i % c
		about := rng.IntN(c)
		if rng.Float64() < 0.25 {
			about = block
		}
		blocks, topics = append(blocks, int32(block)), append(topics, int32(about))
		for range 60 {
			word := rng.IntN(words)
			if rng.Float64() < topic {
				word = about + c*rng.IntN(words/c)
			}
			x.Set(i, word, 1)
		}
		for range 6 {
			other := rng.IntN(n)
			if rng.Float64() < inside {
				other = block + c*rng.IntN(n/c)
			}
			if other != i && other < n {
				edges.Src, edges.Dst = append(edges.Src, uint32(i)), append(edges.Dst, uint32(other))
			}
		}
	}
	var err error
	if in.Edges, _, err = csr.FromEdges(n, edges, csr.BuildOptions{}); err != nil {
		t.Fatal(err)
	}
	if in.Sparse, err = csr.FromDense(x); err != nil {
		t.Fatal(err)
	}
	return in, blocks, topics
}
