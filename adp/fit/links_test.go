package fit

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// joined draws a graph of n nodes of two classes, i mod 2, each joined to degree others, most of the other class where
// unlike, else of its own. The last two nodes are joined to each other alone. The first seeded nodes have labels.
func joined(t *testing.T, n, degree, seeded int, unlike bool) (Input, []int32) {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, uint64(n)))
	edges := &csr.Edges{}
	join := func(i, j int) {
		edges.Src, edges.Dst, edges.Weight = append(edges.Src, uint32(i)), append(edges.Dst, uint32(j)), append(edges.Weight, 1)
	}
	truth := make([]int32, n)
	for i := range n {
		truth[i] = int32(i % 2)
	}
	for i := range n - 2 {
		for range degree {
			j := 2 * rng.IntN(n/2-1)
			class := i % 2
			if unlike != (rng.Float64() < 0.1) {
				class = 1 - class
			}
			if j += class; j != i {
				join(i, j)
			}
		}
	}
	join(n-2, n-1)
	w, _, err := csr.FromEdges(n, edges, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var seeds []diffuse.Seed
	for i := range seeded {
		seeds = append(seeds, diffuse.Seed{Node: uint32(i), Class: uint32(i % 2), Weight: 1})
	}
	y, err := diffuse.NewSeeds(n, 2, seeds)
	if err != nil {
		t.Fatal(err)
	}
	return Input{Edges: w, Seeds: y}, truth
}

// share is that of the nodes from a first one on, but the last two, which have their class.
func share(labels, truth []int32, from int) float64 {
	right := 0
	for i := from; i < len(truth)-2; i++ {
		if labels[i] == truth[i] {
			right++
		}
	}
	return float64(right) / float64(len(truth)-2-from)
}

// TestLinks: of edges alone that join unlike nodes the default finds the classes, where the graph alone does not, with few
// seeds and with more than a kernel takes; of edges that join alike ones it is as good as the graph alone. Nodes that no known
// label reaches have none, and the bits are the same for any threads.
func TestLinks(t *testing.T) {
	racing.LongSum(t)
	ctx := context.Background()
	for name, c := range map[string]struct {
		n, seeded   int
		unlike      bool
		least, most float64 // of the default, of the graph alone
	}{
		"unlike":             {600, 40, true, 0.88, 0.6},
		"unlike, many seeds": {6000, diffuse.MostDual + 10, true, 0.9, 0.6},
		"alike":              {600, 40, false, 0.97, 1},
	} {
		in, truth := joined(t, c.n, 4, c.seeded, c.unlike)
		got, err := Run(ctx, in, Options{})
		if err != nil {
			t.Fatal(err)
		}
		alone, err := Run(ctx, in, Options{Combine: NoCombine})
		if err != nil {
			t.Fatal(err)
		}
		right, before := share(got.Labels, truth, c.seeded), share(alone.Labels, truth, c.seeded)
		if right < c.least || before > c.most || right < before-0.01 {
			t.Errorf("%s: %.3f right, by the graph alone %.3f", name, right, before)
		}
		if !slices.Equal(got.Labels[c.n-2:], []int32{-1, -1}) || got.Confidence[c.n-1] != 0 {
			t.Errorf("%s: nodes that no label reaches have the labels %v", name, got.Labels[c.n-2:])
		}
		if (got.Graph == in.Edges) != (alone.Graph == in.Edges) || got.Rounds[got.Chosen].Setting != alone.Rounds[alone.Chosen].Setting {
			t.Errorf("%s: the graph is not that of the run", name)
		}
		edges, features, both := got.Combination.Shares()
		if edges < 1-1e-9 || features != 0 || both != 0 || got.Combination.Homophily != nil || got.Combination.Alike != 0 {
			t.Errorf("%s: shares %v, %v, %v of %+v", name, edges, features, both, got.Combination)
		}
		if c.n > 600 {
			continue
		}
		for _, threads := range []int{1, 3} {
			opt := Options{}
			opt.Run.Threads = threads
			other, err := Run(ctx, in, opt)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(other.F.Data, got.F.Data) {
				t.Errorf("%s: %d threads: other bits", name, threads)
			}
		}
	}
}

// TestLinksTaken: a graph of more nodes than [MostLinked], neighbours without features, and settings of one learned graph
// are labelled by the run alone.
func TestLinksTaken(t *testing.T) {
	in, _ := joined(t, 60, 4, 10, false)
	if !in.MayCombine() || !in.Combines() {
		t.Error("edges alone do not combine")
	}
	none := in
	none.Seeds = nil
	if none.Combines() || !none.MayCombine() {
		t.Error("edges without seeds combine")
	}
	opt := Options{}
	opt.Run.TopK = 5
	r, err := Run(context.Background(), in, opt)
	if err != nil || r.Combination != nil {
		t.Errorf("with a top-k of 5: %v, %+v", err, r)
	}
	const n = MostLinked + 1
	none.Edges, err = csr.New(n, n, make([]int64, n+1), nil, nil)
	if err != nil || none.MayCombine() {
		t.Error("a graph of more nodes combines")
	}
}

// TestLinkSize: scores of neighbours in common are divided by the size of the seeds' own, and do not grow as nodes are added of
// which they say next to nothing; those of other methods are divided by the size of all.
func TestLinkSize(t *testing.T) {
	in, _ := joined(t, 60, 4, 10, false)
	p := &pool{}
	p.opt.Threads = 2
	of := &trainer{pool: p, y: in.Seeds}
	f := csr.NewDense(60, 2)
	for i := range 60 {
		v := float32(1e-3)
		if i < 10 {
			v = 0.5
		}
		f.Set(i, 0, v)
		f.Set(i, 1, -v)
	}
	if size := of.size(member{links, onEdges, 1}, f); math.Abs(size-0.5) > 1e-6 {
		t.Errorf("a size of %v, expected that of the seeds, 0.5", size)
	}
	if size, want := of.size(member{lgc, onEdges, 1}, f), math.Sqrt((10*0.25+50e-6)/60); math.Abs(size-want) > 1e-6 {
		t.Errorf("a size of %v, expected %v", size, want)
	}
}

// TestStoredZeros: a stored zero is no edge, with features and without.
func TestStoredZeros(t *testing.T) {
	const n, lone = 40, 11
	e := &csr.Edges{}
	for i := range n {
		e.Src, e.Dst, e.Weight = append(e.Src, uint32(i), uint32(i)), append(e.Dst, uint32((i+2)%n), uint32((i+7)%n)), append(e.Weight, 2, 1)
	}
	w, _, err := csr.FromEdges(n, e, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	_, _, values := w.Arrays()
	some := make([]float32, len(values))
	for k, v := range values {
		some[k] = v - 1 // edges of weight 1 become zeros, which would join the two rings
	}
	zero := func(i, j int) {
		cols, _ := w.Row(i)
		offsets, _, _ := w.Arrays()
		some[int(offsets[i])+slices.Index(cols, uint32(j))] = 0
	}
	for _, j := range []int{(lone + 2) % n, (lone + n - 2) % n} { // zeros alone reach this node
		zero(lone, j)
		zero(j, lone)
	}
	stored := w.WithData(some)
	without, zeros := csr.WithoutZeros(stored)
	if zeros != 2*n+4 {
		t.Fatalf("%d zeros, expected %d", zeros, 2*n+4)
	}
	x := csr.NewDense(n, 3)
	for k := range x.Data {
		x.Data[k] = float32(math.Sin(float64(k * k)))
	}
	labels := make([]int, n)
	for i := range labels {
		labels[i] = -1
	}
	for i := range 5 { // of one ring
		labels[4*i], labels[20+4*i-i%2*2] = 0, 1
	}
	seeds, err := diffuse.HardSeeds(labels)
	if err != nil {
		t.Fatal(err)
	}
	if g, err := NewGraph(context.Background(), Input{Edges: stored}, GraphOptions{}); err != nil || csr.Zeros(g.W) > 0 {
		t.Errorf("a graph of %d zeros, %v", csr.Zeros(g.W), err)
	}
	for _, in := range []Input{{Seeds: seeds}, {Seeds: seeds, Dense: x}} {
		results := [2]*Result{}
		for k, edges := range []*csr.Matrix{stored, without} {
			in.Edges = edges
			if results[k], err = Run(context.Background(), in, Options{}); err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(results[0].F.Data, results[1].F.Data) || !slices.Equal(results[0].Labels, results[1].Labels) {
			t.Errorf("features: %t: the results differ", in.Dense != nil)
		}
	}
	for _, method := range []adp.Method{adp.LGC, adp.Poisson, adp.ADP} {
		r, err := adp.Run(context.Background(), stored, seeds, adp.Options{Method: method})
		if err != nil {
			t.Fatal(err)
		}
		if r.Labels[1] != -1 || r.Labels[2] < 0 {
			t.Errorf("%v: labels %v, expected none in the ring without seeds", method, r.Labels[:3])
		}
	}
}
