package diffuse

import (
	"math"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/oracle"
)

// unitOf returns the rows of x divided by their lengths.
func unitOf(x oracle.Mat) oracle.Mat {
	out := make(oracle.Mat, len(x))
	for i, row := range x {
		square := 0.0
		for _, v := range row {
			square += v * v
		}
		for _, v := range row {
			if square > 0 {
				v /= math.Sqrt(square)
			}
			out[i] = append(out[i], v)
		}
	}
	return out
}

// oneHot returns I.
func oneHot(n int) oracle.Mat {
	x := make(oracle.Mat, n)
	for i := range x {
		x[i] = make([]float64, n)
		x[i][i] = 1
	}
	return x
}

// TestLinkKernel: the kernel of T and CT² is that of the dense ones with rows of unit length, lengths and products exact,
// and scores are those of the dense ridge; rows of nodes without edges are 0. The bits are the same for any threads.
func TestLinkKernel(t *testing.T) {
	ctx := t.Context()
	for seed := range uint64(12) {
		w, graph := randomGraph(t, seed)
		n := len(graph)
		one := unitOf(oracle.Mul(oracle.Hops(graph, 1, 1), oneHot(n)))
		two := unitOf(centredBy(graph, oneHot(n), Hops{Weight: 1, Steps: 2}))
		for i, row := range graph {
			if slices.Max(row) == 0 {
				clear(one[i])
				clear(two[i])
			}
		}
		var seeds []Seed
		for i := 0; i < n; i += 2 {
			seeds = append(seeds, Seed{Node: uint32(i), Class: uint32(i / 2 % 2), Weight: 1})
		}
		y, err := NewSeeds(n, 2, seeds)
		if err != nil {
			t.Fatal(err)
		}
		var first []float64
		for _, threads := range []int{1, 3} {
			k, err := NewLinkKernel(ctx, Normalize(w, threads), y, threads)
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = k.k
			}
			if !slices.Equal(first, k.k) {
				t.Errorf("graph %d, %d threads: other bits", seed, threads)
			}
			for a, s := range seeds {
				for b, o := range seeds {
					want := 0.0
					for j := range n {
						want += one[s.Node][j]*one[o.Node][j] + two[s.Node][j]*two[o.Node][j]
					}
					if got := k.k[a*len(seeds)+b]; math.Abs(got-want) > 1e-5 {
						t.Errorf("graph %d: the product of nodes %d and %d is %v, expected %v", seed, s.Node, o.Node, got, want)
					}
				}
			}
			f, err := k.Scores(ctx, y, 1)
			if err != nil {
				t.Fatal(err)
			}
			v, err := k.Solve(ctx, y, 1)
			if err != nil {
				t.Fatal(err)
			}
			vWant := make(oracle.Mat, 2*n)
			for j := range vWant {
				vWant[j] = []float64{float64(v.At(j, 0)), float64(v.At(j, 1))}
			}
			want := oracle.Mul(one, vWant[:n])
			for i, row := range oracle.Mul(two, vWant[n:]) {
				for j := range row {
					if off := math.Abs(want[i][j] + row[j] - float64(f.At(i, j))); off > 1e-5 {
						t.Errorf("graph %d: the score of node %d is off by %.1e", seed, i, off)
					}
				}
			}
		}
	}
}

// TestLinksBothWays: lengths and Gram matrices of sparse rows are those of dense blocks, which hubs and many seeds take.
func TestLinksBothWays(t *testing.T) {
	ctx := t.Context()
	const n = 700
	edges := &csr.Edges{}
	join := func(i, j uint32) {
		edges.Src, edges.Dst, edges.Weight = append(edges.Src, i), append(edges.Dst, j), append(edges.Weight, 1+float32(i%3))
	}
	for i := range uint32(n - 2) {
		join(i, i+1)
		if i > 1 && i%2 == 0 {
			join(0, i) // a hub
		}
	}
	w, _, err := csr.FromEdges(n, edges, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	few, all := []uint32{1, 3, 301, 699}, make([]uint32, n)
	for i := range all {
		all[i] = uint32(i)
	}
	for steps := 1; steps <= 2; steps++ {
		links, err := Links(Normalize(w, 2), Hops{Weight: 1, Steps: steps}, 2)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range []*Diffused{links, links.Centred()} {
			dense := *d
			dense.oneHot = false // rows of blocks, and X as a matrix
			formed, err := dense.Form(ctx)
			if err != nil {
				t.Fatal(err)
			}
			square, err := links.walkSquares(ctx)
			if err != nil {
				t.Fatal(err)
			}
			unit, err := d.Unit(ctx)
			if err != nil {
				t.Fatal(err)
			}
			for i := range n {
				want := squares(formed.x.Dense.Row(i))
				if !d.centred && math.Abs(square[i]-want) > 1e-5*want {
					t.Errorf("T^%d: row %d has a square of %v, expected %v", steps, i, square[i], want)
				}
				if i == n-1 {
					want = 0 // it is joined to none
				}
				if off := math.Abs(unit.norm[i] - math.Sqrt(want)); off > 1e-5 {
					t.Errorf("T^%d: row %d has a length of %v, expected %v", steps, i, unit.norm[i], math.Sqrt(want))
				}
			}
			gram, ok, err := d.walkGram(ctx, few)
			if err != nil || !ok {
				t.Fatal(ok, err)
			}
			want, err := dense.gram(ctx, few)
			if err != nil {
				t.Fatal(err)
			}
			for k, v := range gram {
				if math.Abs(v-want[k]) > 1e-6 {
					t.Errorf("T^%d, centred %v: product %d is %v, expected %v", steps, d.centred, k, v, want[k])
				}
			}
			if _, ok, _ := d.walkGram(ctx, all); ok && steps == 2 {
				t.Error("rows of all nodes of a graph with a hub are held")
			}
		}
	}
	// Of more steps lengths are estimated, and a node that is joined to none has none.
	links, err := Links(Normalize(w, 2), TenHops, 2)
	if err != nil {
		t.Fatal(err)
	}
	formed, err := links.Form(ctx)
	if err != nil {
		t.Fatal(err)
	}
	unit, err := links.Unit(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for i, got := range unit.norm {
		if exact := math.Sqrt(squares(formed.x.Dense.Row(i))); i < n-1 && math.Abs(got-exact) > 0.6*exact || i == n-1 && got != 0 {
			t.Errorf("ten hops: row %d has a length of %v, expected about %v", i, got, exact)
		}
	}
}
