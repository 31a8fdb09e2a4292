package adp

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/gen"
)

// TestStart starts from the F of seeds in all of three components, with seeds in
// two of them only, and one class only in one: nodes that no seed reaches get no
// label, and F is 0 wherever it is 0 from nothing, in the caller's order.
func TestStart(t *testing.T) {
	const part, n = 200, 600
	edges := &csr.Edges{}
	for k := range uint32(3) {
		src, dst, _, _ := gen.PlantedPartition(part, 2, 0.08, 0.02, uint64(k))
		for e := range src { // numbered in turn, so that no component is in one piece
			edges.Src = append(edges.Src, 3*uint32(src[e])+k)
			edges.Dst = append(edges.Dst, 3*uint32(dst[e])+k)
		}
	}
	w, _, err := csr.FromEdges(n, edges, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	seeds := func(in ...int) *diffuse.Seeds {
		labels := slices.Repeat([]int{-1}, n)
		for _, i := range in {
			labels[i] = i / 3 % 2
		}
		labels[in[0]] = 1 // of the first component, so that there are two classes
		y, err := diffuse.HardSeeds(labels)
		if err != nil {
			t.Fatal(err)
		}
		return y
	}
	for _, order := range []Order{GivenOrder, ClusterOrder} {
		opt := Options{Method: LGC, Order: order, KeepFirst: true, Threads: 1}
		old, err := Run(context.Background(), w, seeds(0, 3, 1, 4, 7, 2, 5), opt)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(old.First.Data, old.F.Data) {
			t.Error("First is not F of LGC")
		}
		opt.Start = old.First
		same, err := Run(context.Background(), w, seeds(0, 3, 1, 4, 7, 2, 5), opt)
		if err != nil || same.Rounds[0].Solve.Iterations > 3 {
			t.Errorf("order %d: %+v from the solution, %v", order, same.Rounds[0].Solve, err)
		}
		opt.Start = nil
		fewer := seeds(0, 3, 1, 7)
		want, err := Run(context.Background(), w, fewer, opt)
		if err != nil {
			t.Fatal(err)
		}
		opt.Start = old.First
		got, err := Run(context.Background(), w, fewer, opt)
		if err != nil {
			t.Fatal(err)
		}
		unreached := 0
		for k, v := range want.F.Data {
			if (v == 0) != (got.F.Data[k] == 0) {
				t.Fatalf("order %d: F of node %d, class %d is %v, from nothing %v", order, k/2, k%2, got.F.Data[k], v)
			}
		}
		for i := range n {
			if got.Labels[i] != want.Labels[i] || got.Status[i] != want.Status[i] {
				t.Errorf("order %d: node %d is %d, %v, from nothing %d, %v", order, i, got.Labels[i], got.Status[i], want.Labels[i], want.Status[i])
			}
			if got.Status[i] == Unreached {
				unreached++
			}
		}
		if unreached < part {
			t.Errorf("%d nodes unreached, expected all of a component", unreached)
		}
	}
	for name, opt := range map[string]Options{
		"another shape": {Method: LGC, Start: csr.NewDense(n, 3)},
		"gfhf":          {Method: GFHF, Start: csr.NewDense(n, 2)},
		"power":         {Method: LGC, Solver: diffuse.Power, Start: csr.NewDense(n, 2)},
		"a checkpoint":  {Start: csr.NewDense(n, 2), Checkpoint: func(*Snapshot) error { return nil }},
	} {
		if _, err := Run(context.Background(), w, seeds(0, 3), opt); !errors.Is(err, ErrOptions) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestDegrees: what rows of F are scaled by, for each way to come by F.
func TestDegrees(t *testing.T) {
	src, dst, _, class := gen.PlantedPartition(60, 3, 0.5, 0.1, 1)
	w, _, err := csr.FromEdges(60, &csr.Edges{Src: src, Dst: dst}, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	labels := slices.Repeat([]int{-1}, 60)
	copy(labels, class[:15])
	y, err := diffuse.HardSeeds(labels)
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		opt   Options
		graph func(r *Result) *csr.Matrix // nil for shares
	}{
		"lgc":   {Options{Method: LGC}, func(*Result) *csr.Matrix { return w }},
		"gfhf":  {Options{Method: GFHF}, nil},
		"none":  {Options{Select: None, KeepFirst: true}, func(r *Result) *csr.Matrix { return r.Graph }},
		"adp1":  {Options{Method: ADP1, Rounds: 5, Select: None}, func(r *Result) *csr.Matrix { return r.Graph }},
		"dense": {Options{Method: DenseADP, Balance: diffuse.Unbalanced}, func(r *Result) *csr.Matrix { return r.Graph }},
	} {
		r, err := Run(context.Background(), w, y, test.opt)
		if err != nil {
			t.Fatal(err)
		}
		got := r.Degrees(w, test.opt.Method, 1)
		if test.graph == nil {
			if got != nil {
				t.Errorf("%s: degrees of shares", name)
			}
			continue
		}
		if !slices.Equal(got, csr.Degrees(test.graph(r), 1)) {
			t.Errorf("%s: degrees of another graph", name)
		}
		if name == "dense" { // a step from the solution is the solution, but for seeds
			step := Predict(r.F, got, r.Graph, r.Rounds[r.Chosen].Alpha, 0, 1).F
			for i := len(y.List()); i < step.Rows; i++ {
				for j, v := range step.Row(i) {
					if math.Abs(float64(v-r.F.At(i, j))) > 1e-3*float64(slices.Max(r.F.Row(i))) {
						t.Errorf("node %d has %v, a step gives %v", i, r.F.Row(i), step.Row(i))
						break
					}
				}
			}
		}
		// A copy of a node, with its edges, is labelled like it.
		if name == "lgc" {
			p := Predict(r.F, got, w, 0.99, 0, 1)
			for i := range labels {
				if labels[i] < 0 && p.Labels[i] != r.Labels[i] {
					t.Errorf("a copy of node %d is %d, expected %d", i, p.Labels[i], r.Labels[i])
				}
			}
		}
	}
}

// TestStartFarAway: a seed far from all others takes over nodes that have
// another class in the start, although all that reaches them is below the tolerance.
func TestStartFarAway(t *testing.T) {
	const n = 901
	src, dst, weight := gen.Path(n)
	w, _, err := csr.FromEdges(n, &csr.Edges{Src: src, Dst: dst, Weight: weight}, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	seeds := func(list ...diffuse.Seed) *diffuse.Seeds {
		y, err := diffuse.NewSeeds(n, 2, list)
		if err != nil {
			t.Fatal(err)
		}
		return y
	}
	first := seeds(diffuse.Seed{Node: 0, Class: 0, Weight: 1}, diffuse.Seed{Node: 300, Class: 1, Weight: 1})
	old, err := Run(context.Background(), w, first, Options{Method: LGC, KeepFirst: true})
	if err != nil {
		t.Fatal(err)
	}
	more := seeds(diffuse.Seed{Node: 0, Class: 0, Weight: 1}, diffuse.Seed{Node: 300, Class: 1, Weight: 1}, diffuse.Seed{Node: 700, Class: 0, Weight: 1})
	warm, err := Run(context.Background(), w, more, Options{Method: LGC, Start: old.First})
	if err != nil {
		t.Fatal(err)
	}
	cold, err := Run(context.Background(), w, more, Options{Method: LGC})
	if err != nil {
		t.Fatal(err)
	}
	taken := 0
	for i := range n {
		if math.Abs(float64(warm.Confidence[i]-cold.Confidence[i])) > 0.01 || warm.Labels[i] != cold.Labels[i] && cold.Margin[i] > 0.01 {
			t.Fatalf("node %d has label %d (%.3f), expected %d (%.3f)", i, warm.Labels[i], warm.Confidence[i], cold.Labels[i], cold.Confidence[i])
		}
		if old.Labels[i] == 1 && warm.Labels[i] == 0 {
			taken++
		}
	}
	if taken < 350 { // half of the way to the seed, and all that lies behind
		t.Errorf("the new seed took over %d nodes", taken)
	}
}
