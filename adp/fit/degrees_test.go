package fit

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// TestDegreeColumns: a star of four leaves, a pair, and a node alone. The mean of the logarithms over neighbours is
// that of the definition; nodes in the same place have the same row, that alone has none.
func TestDegreeColumns(t *testing.T) {
	ctx := context.Background()
	edges := &csr.Edges{Src: []uint32{0, 0, 0, 0, 5}, Dst: []uint32{1, 2, 3, 4, 6}, Weight: []float32{1, 1, 1, 1, 2}}
	w, _, err := csr.FromEdges(8, edges, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	columns := func(threads int) *csr.Dense {
		x, err := degreeColumns(ctx, diffuse.Normalize(w, threads), threads)
		if err != nil {
			t.Fatal(err)
		}
		sizes := csr.NewDense(8, 9)
		eye := csr.NewDense(9, 9)
		for j := range 9 {
			eye.Set(j, j, 1)
		}
		if err := x.Apply(ctx, sizes, eye); err != nil {
			t.Fatal(err)
		}
		return sizes
	}
	got := columns(1)
	// By hand, in float64.
	degrees := []float64{4, 1, 1, 1, 1, 2, 2, 0}
	means := make([][]float64, 3)
	for _, d := range degrees {
		means[0] = append(means[0], math.Log(1+d))
	}
	for k := range 2 {
		z := means[k]
		means[k+1] = []float64{(z[1] + z[2] + z[3] + z[4]) / 4, z[0], z[0], z[0], z[0], z[6], z[5], 0}
	}
	standard := func(x []float64) []float64 {
		mean, square := 0.0, 0.0
		for _, v := range x {
			mean += v / 8
		}
		for _, v := range x {
			square += (v - mean) * (v - mean) / 8
		}
		out := make([]float64, 8)
		for i, v := range x {
			out[i] = (v - mean) / math.Sqrt(square)
		}
		return out
	}
	var all [][]float64
	for _, x := range means {
		all = append(all, standard(x))
	}
	for a := range 3 {
		for b := a; b < 3; b++ {
			product := make([]float64, 8)
			for i := range product {
				product[i] = all[a][i] * all[b][i]
			}
			all = append(all, product)
		}
	}
	for j := range all {
		all[j] = standard(all[j])
	}
	for i := range 8 {
		size := 0.0
		for j := range all {
			size += all[j][i] * all[j][i]
		}
		for j := range all {
			want := all[j][i] / math.Sqrt(size)
			if i == 7 {
				want = 0
			}
			if math.Abs(float64(got.At(i, j))-want) > 1e-5 {
				t.Errorf("node %d, column %d: %v, expected %v", i, j, got.At(i, j), want)
			}
		}
	}
	if three := columns(3); !slices.Equal(three.Data, got.Data) {
		t.Error("3 threads: other bits")
	}
}

// TestNeighboursFeatures: classes that no node's own words tell, but the words of its neighbours do, are found by the centred
// features of neighbours, and not by a node's own; and classes of busy and quiet nodes by the degrees.
func TestNeighboursFeatures(t *testing.T) {
	ctx := context.Background()
	const n, each = 1200, 20
	rng := rand.New(rand.NewPCG(5, 6))
	x, edges := csr.NewDense(n, 40), &csr.Edges{}
	truth := make([]int32, n)
	for i := range n {
		// Nodes below n/2 have no words but what all have, and neighbours of their class above. Class 1 has thrice the edges.
		truth[i] = int32(i % 2)
		for j := range 20 {
			x.Set(i, j, 1)
		}
		if i >= n/2 {
			x.Set(i, 20+int(truth[i])*10+rng.IntN(10), 1)
			continue
		}
		for range 4 * (1 + 2*int(truth[i])) {
			edges.Src, edges.Dst = append(edges.Src, uint32(i)), append(edges.Dst, uint32(n/2+2*rng.IntN(n/4)+int(truth[i])))
		}
	}
	var in Input
	var err error
	if in.Edges, _, err = csr.FromEdges(n, edges, csr.BuildOptions{}); err != nil {
		t.Fatal(err)
	}
	if in.Sparse, err = csr.FromDense(x); err != nil {
		t.Fatal(err)
	}
	var list []diffuse.Seed
	for i := range 2 * each {
		list = append(list, diffuse.Seed{Node: uint32(i), Class: uint32(truth[i]), Weight: 1})
	}
	if in.Seeds, err = diffuse.NewSeeds(n, 2, list); err != nil {
		t.Fatal(err)
	}
	for name, bounds := range map[string][2]float64{"sign-centred:edges": {0.99, 1}, "degrees:edges": {0.9, 1}, "ridge:sum": {0, 0.6}} {
		got, err := Run(ctx, in, Options{Pool: []string{name}})
		if err != nil {
			t.Fatal(err)
		}
		if share := right(got.Labels[:n/2], truth[:n/2]); share < bounds[0] || share > bounds[1] {
			t.Errorf("%s: %.3f right", name, share)
		}
	}
}
