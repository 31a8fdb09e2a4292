package adp

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/gen"
)

// TestOrderChangesOnlyRounding: with weights that are all different, every
// order has the same labels, trial, learned graph and observed labels, and F
// to within the tolerance.
func TestOrderChangesOnlyRounding(t *testing.T) {
	const n, c = 240, 4
	src, dst, weight, class := gen.PlantedPartition(n, c, 0.12, 0.02, 1)
	random := rand.New(rand.NewPCG(5, 5))
	for k := range weight {
		weight[k] = 0.5 + random.Float32()
	}
	w, _, err := csr.FromEdges(n, &csr.Edges{Src: src, Dst: dst, Weight: weight}, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var list []diffuse.Seed
	for i := range 40 {
		list = append(list, diffuse.Seed{Node: uint32(i * 5), Class: uint32(class[i*5]), Weight: 1})
	}
	y, err := diffuse.NewSeeds(n, c, list)
	if err != nil {
		t.Fatal(err)
	}
	run := func(order Order, method Method) (*Result, [][]int32) {
		var seen [][]int32
		r, err := Run(context.Background(), w, y, Options{
			Method: method, Order: order, Rounds: 3, Tolerance: 1e-7,
			Observer: func(r Round) { seen = append(seen, slices.Clone(r.Labels)) },
		})
		if err != nil {
			t.Fatal(err)
		}
		return r, seen
	}
	for _, method := range []Method{ADP, ADP1, LGC, GFHF} {
		want, wantSeen := run(GivenOrder, method)
		for _, order := range []Order{ClusterOrder, DegreeOrder} {
			got, seen := run(order, method)
			if !slices.Equal(got.Labels, want.Labels) || !slices.Equal(got.Status, want.Status) {
				t.Errorf("%v, order %d: other labels", method, order)
			}
			if len(seen) != len(wantSeen) {
				t.Fatalf("%v, order %d: %d rounds, %d", method, order, len(seen), len(wantSeen))
			}
			for k := range seen {
				if !slices.Equal(seen[k], wantSeen[k]) {
					t.Errorf("%v, order %d: round %d has other labels", method, order, k)
				}
			}
			if method == ADP && *got.Trial != *want.Trial {
				t.Errorf("order %d: trial %+v, %+v", order, got.Trial, want.Trial)
			}
			for i := range n {
				a, av := want.Graph.Row(i)
				b, bv := got.Graph.Row(i)
				if !slices.Equal(a, b) {
					t.Fatalf("%v, order %d: row %d has %v, expected %v", method, order, i, b, a)
				}
				for k := range av {
					if math.Abs(float64(av[k]-bv[k])) > 1e-4*float64(av[k]) {
						t.Errorf("%v, order %d: entry %d %d is %v, expected %v", method, order, i, a[k], bv[k], av[k])
					}
				}
				for j, v := range want.F.Row(i) {
					if math.Abs(float64(v-got.F.At(i, j))) > 1e-3*float64(v)+1e-6 {
						t.Errorf("%v, order %d: F %d %d is %v, expected %v", method, order, i, j, got.F.At(i, j), v)
					}
				}
			}
		}
	}
}

// TestOrderByItself: large graphs are worked on in clusters, by ADP alone.
func TestOrderByItself(t *testing.T) {
	for _, test := range []struct {
		n    int
		opt  Options
		want Order
	}{
		{OrderNodes - 1, Options{}, GivenOrder},
		{OrderNodes, Options{}, ClusterOrder},
		{OrderNodes, Options{Method: ADP1}, ClusterOrder},
		{OrderNodes, Options{Method: LGC}, GivenOrder},
		{OrderNodes, Options{Order: GivenOrder}, GivenOrder},
		{10, Options{Order: DegreeOrder}, DegreeOrder},
	} {
		if got := test.opt.orderOf(test.n); got != test.want {
			t.Errorf("%d nodes, %+v: order %d, expected %d", test.n, test.opt, got, test.want)
		}
	}
}

// TestOrderOfUnlikeDegrees: a ring with hubs, or without triangles, keeps the given order by itself, for ADP alone, and a
// run that repeats one works in the same order.
func TestOrderOfUnlikeDegrees(t *testing.T) {
	const n = OrderNodes
	ring := &csr.Edges{}
	for i := range uint32(n) {
		ring.Src, ring.Dst = append(ring.Src, i, i), append(ring.Dst, (i+1)%n, (i+2)%n)
	}
	open := &csr.Edges{} // alike, without triangles
	for i := range uint32(n) {
		open.Src, open.Dst = append(open.Src, i, i), append(open.Dst, (i+1)%n, (i+100)%n)
	}
	hubs := &csr.Edges{Src: slices.Clone(ring.Src), Dst: slices.Clone(ring.Dst)}
	for i := range uint32(n / 2) {
		hubs.Src, hubs.Dst = append(hubs.Src, 0), append(hubs.Dst, 2+i)
	}
	graph := func(e *csr.Edges) *csr.Matrix {
		w, _, err := csr.FromEdges(n, e, csr.BuildOptions{Duplicates: csr.DuplicatesMax})
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	alike, unlike, apart := graph(ring), graph(hubs), graph(open)
	for _, test := range []struct {
		name string
		w    *csr.Matrix
		opt  Options
		want Order
	}{
		{"alike", alike, Options{}, ClusterOrder},
		{"unlike", unlike, Options{}, GivenOrder},
		{"alike, few triangles", apart, Options{}, GivenOrder},
		{"unlike, adp1", unlike, Options{Method: ADP1}, ClusterOrder},
		{"unlike, asked for", unlike, Options{Order: ClusterOrder}, ClusterOrder},
		{"unlike, settings with a memory", unlike, Options{Settings: []Setting{{TopK: 5, GraphAlpha: 0.9}}}, ClusterOrder},
	} {
		if got := test.opt.orderOn(test.w); got != test.want {
			t.Errorf("%s: order %d, expected %d", test.name, got, test.want)
		}
		r := &Result{Labels: make([]int32, n), Graph: test.w, Rounds: []Round{{}}}
		if got := test.opt.orderBehind(r); got != test.want {
			t.Errorf("%s: order %d behind LGC, expected %d", test.name, got, test.want)
		}
	}
	fresh := &Result{Labels: make([]int32, n), Graph: alike, Rounds: []Round{{}, {Setting: Setting{TopK: 5, Fresh: true}}}, Chosen: 1}
	if got := (Options{}).orderBehind(fresh); got != GivenOrder {
		t.Errorf("order %d behind a fresh round, expected that given", got)
	}
}
