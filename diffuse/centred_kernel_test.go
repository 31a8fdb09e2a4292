package diffuse

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/oracle"
)

// TestRidgeOfFewRows: a ridge of unit rows, few of which have a weight, is that of these rows alone.
func TestRidgeOfFewRows(t *testing.T) {
	ctx := t.Context()
	const n, d = 700, 9
	dense, _, _ := drawFeatures(t, n, d, 11)
	times(dense.Dense.Row(3), 100)
	targets, weights := csr.NewDense(n, 2), make([]float32, n)
	for i := 3; i < n; i += 40 {
		weights[i] = 1 + float32(i)/n
		targets.Set(i, i%2, 1)
	}
	unit, err := mustDiffuse(t, dense, nil, Hops{}, 2).Unit(ctx)
	if err != nil {
		t.Fatal(err)
	}
	v, _, err := Ridge(ctx, unit, targets, weights, RidgeOptions{Lambda: 0.5})
	if err != nil {
		t.Fatal(err)
	}
	tiny := slices.Clone(weights) // too small to matter, so that all rows take part
	for i, w := range tiny {
		tiny[i] = max(w, 1e-30)
	}
	want, _, err := Ridge(ctx, mustDiffuse(t, dense.UnitRows(1), nil, Hops{}, 2), targets, tiny, RidgeOptions{Lambda: 0.5})
	if err != nil {
		t.Fatal(err)
	}
	for k, x := range want.Data {
		if math.Abs(float64(x-v.Data[k])) > 1e-5 {
			t.Errorf("coefficient %d: %v, of all rows %v", k, v.Data[k], x)
		}
	}
}

// centredBy returns C·PX of the dense oracle.
func centredBy(graph, x oracle.Mat, hops Hops) oracle.Mat {
	p := oracle.Hops(graph, 0, 0)
	switch {
	case hops.Symmetric:
		p = symmetricHops(graph, hops)
	case !hops.none():
		p = oracle.Hops(graph, hops.Weight, hops.Steps)
	}
	px := oracle.Mul(p, x)
	for j := range px[0] {
		mean := 0.0
		for i := range px {
			mean += px[i][j] / float64(len(px))
		}
		for i := range px {
			px[i][j] -= mean
		}
	}
	return px
}

// symmetricHops are the powers of T̂, T̂_ij = (U_ij √(D_i/D_j) + ½δ_ij)/(D_i+½), of hops of weight 1.
func symmetricHops(graph oracle.Mat, hops Hops) oracle.Mat {
	degrees := make([]float64, len(graph))
	for i, row := range graph {
		for _, v := range row {
			degrees[i] += v
		}
	}
	one := oracle.Hops(graph, 0, 0)
	for i, row := range graph {
		for j, v := range row {
			one[i][j] *= 0.5
			if v > 0 {
				one[i][j] += v * math.Sqrt(degrees[i]/degrees[j])
			}
			one[i][j] /= degrees[i] + 0.5
		}
	}
	p := one
	for range hops.Steps - 1 {
		p = oracle.Mul(p, one)
	}
	return p
}

// TestCentred: every form of the centred map gives the products, rows, Gram matrix and terms of the dense CPX.
func TestCentred(t *testing.T) {
	ctx := t.Context()
	for seed := range uint64(12) {
		w, graph := randomGraph(t, seed)
		n, d, c := len(graph), 2+int(seed*5%37), 1+int(seed%5)
		dense, sparse, x := drawFeatures(t, n, d, seed)
		hops := []Hops{{}, TenHops, {Weight: 1, Steps: 2}, {Weight: 1, Steps: 3, Symmetric: true}}[seed%4]
		want := centredBy(graph, x, hops)
		v, vWant := drawBlock(d, c, seed)
		r, rWant := drawBlock(n, c, seed+1000)
		nodes := []uint32{0, uint32(n / 2), uint32(n - 1)}
		some := oracle.Mat{want[0], want[n/2], want[n-1]}
		for name, form := range everyForm(t, dense, sparse, w, hops, 2) {
			form = form.Centred()
			forward, back := csr.NewDense(n, c), csr.NewDense(d, c)
			points, err := form.Rows(ctx, nodes)
			if err := errors.Join(err, form.Apply(ctx, forward, v), form.ApplyT(ctx, back, r)); err != nil {
				t.Fatal(err)
			}
			formed, err := form.Form(ctx)
			if err != nil {
				t.Fatal(err)
			}
			gram, err := form.Gram(ctx, nodes)
			if err != nil {
				t.Fatal(err)
			}
			products := csr.NewDense(3, 3)
			for k, p := range gram {
				products.Data[k] = float32(p)
			}
			for what, off := range map[string]float64{
				"X̃V":    worstDifference(forward, oracle.Mul(want, vWant)),
				"X̃ᵀR":   worstDifference(back, oracle.Mul(oracle.Transpose(want), rWant)),
				"rows":   worstDifference(points, some),
				"formed": worstDifference(formed.x.Dense, want),
				"Gram":   worstDifference(products, oracle.Mul(some, oracle.Transpose(some))),
			} {
				if off > 1e-5 {
					t.Errorf("graph %d, %s: %s is off by %.1e", seed, name, what, off)
				}
			}
			one, only := csr.NewDense(n, 1), csr.NewDense(d, 1)
			one.Set(n/2, 0, 1)
			for j := range d {
				only.Set(j, 0, v.At(j, 0))
			}
			columns, own, err := form.Parts(ctx, one, only)
			if err != nil {
				t.Fatal(err)
			}
			score := float64(forward.At(n/2, 0))
			for what, amounts := range map[string][]float64{"columns": columns, "nodes": own} {
				sum := 0.0
				for _, a := range amounts {
					sum += a
				}
				if math.Abs(sum-score) > 1e-5 {
					t.Errorf("graph %d, %s: %s sum to %v, expected %v", seed, name, what, sum, score)
				}
			}
		}
	}
}

// TestCentredKernel: the kernel of centred hops that are never held is that of the dense ones, over several strips of
// columns, divided by the lengths of the rows. Those of dense rows are exact, of sparse ones near; and the bits are the same for any threads. A node without features and neighbours
// stays 0, though the mean row is not.
func TestCentredKernel(t *testing.T) {
	ctx := t.Context()
	const n, d = 530, 2*formedColumns + 5
	edges := &csr.Edges{} // a path, and a node alone
	for i := range uint32(n - 2) {
		edges.Src, edges.Dst, edges.Weight = append(edges.Src, i), append(edges.Dst, i+1), append(edges.Weight, 1+float32(i%3))
	}
	graph := oracle.Affinity(n, edges.Src, edges.Dst, edges.Weight)
	w, _, err := csr.FromEdges(n, edges, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	dense, sparse, x := drawFeatures(t, n, d, 3)
	for i := range n - 1 { // a mean row that is not 0
		dense.Dense.Row(i)[0]++
		x[i][0]++
	}
	if sparse.Sparse, err = csr.FromDense(dense.Dense); err != nil {
		t.Fatal(err)
	}
	var seeds []Seed
	for k := range 24 {
		seeds = append(seeds, Seed{Node: uint32(22 * k), Class: uint32(k % 2), Weight: 1})
	}
	seeds = append(seeds, Seed{Node: n - 1, Class: 0, Weight: 1})
	y, err := NewSeeds(n, 2, seeds)
	if err != nil {
		t.Fatal(err)
	}
	hops := map[bool][]oracle.Mat{} // symmetric or not: centred, the row of nothing cleared
	for _, symmetric := range []bool{false, true} {
		for steps := 1; steps <= 2; steps++ {
			z := centredBy(graph, x, Hops{1, steps, symmetric})
			clear(z[n-1])
			hops[symmetric] = append(hops[symmetric], z)
		}
	}
	product := func(a, b []float64) (sum float64) {
		for j, v := range a {
			sum += v * b[j]
		}
		return sum
	}
	for name, f := range map[string]Features{"dense": dense, "sparse": sparse, "dense, symmetric": dense, "sparse, symmetric": sparse} {
		var one *csr.Dense
		symmetric := strings.HasSuffix(name, "symmetric")
		for _, threads := range []int{1, 3} {
			k, err := NewCentredKernel(ctx, f, Normalize(w, threads), Hops{1, 2, symmetric}, y, threads)
			if err != nil {
				t.Fatal(err)
			}
			for a, s := range seeds {
				for b, o := range seeds {
					want := 0.0
					for t, z := range hops[symmetric] {
						if size := k.x.(Joined)[t].norm[s.Node] * k.x.(Joined)[t].norm[o.Node]; size > 0 {
							want += product(z[s.Node], z[o.Node]) / size
						}
					}
					if got := k.k[a*len(seeds)+b]; math.Abs(got-want) > 1e-5 {
						t.Errorf("%s: the product of nodes %d and %d is %v, expected %v", name, s.Node, o.Node, got, want)
					}
				}
			}
			for step, z := range hops[symmetric] {
				for i, row := range z {
					exact := math.Sqrt(product(row, row))
					if off := math.Abs(k.x.(Joined)[step].norm[i] - exact); off > 1e-5 && (f.Dense != nil || off > 0.6*exact) {
						t.Errorf("%s: row %d of T^%dX has a length of %v, expected %v", name, i, step+1, k.x.(Joined)[step].norm[i], exact)
					}
				}
			}
			scores, err := k.Scores(ctx, y, 1)
			if err != nil {
				t.Fatal(err)
			}
			if scores.At(n-1, 0) != 0 || scores.At(n-1, 1) != 0 {
				t.Errorf("%s: a node of which nothing is known has %v", name, scores.Row(n-1))
			}
			if one == nil {
				one = scores
			}
			if !slices.Equal(scores.Data, one.Data) {
				t.Errorf("%s, %d threads: other bits", name, threads)
			}
		}
	}
}

// TestCentredRounding: features that all nodes share have nothing left once they are centred, and what rounding leaves is no length.
func TestCentredRounding(t *testing.T) {
	ctx := t.Context()
	w, _ := pathOf(t, 600)
	y, err := NewSeeds(600, 2, []Seed{{Node: 3, Class: 0, Weight: 1}, {Node: 500, Class: 1, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	x := csr.NewDense(600, 3)
	for i := range 600 {
		copy(x.Row(i), []float32{1. / 3, 0.7, 1e3})
	}
	sparse, err := csr.FromDense(x)
	if err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]Features{"dense": {Dense: x}, "sparse": {Sparse: sparse}} {
		k, err := NewCentredKernel(ctx, f, Normalize(w, 2), Hops{Weight: 1, Steps: 2}, y, 2)
		if err != nil {
			t.Fatal(err)
		}
		scores, err := k.Scores(ctx, y, 1)
		if err != nil {
			t.Fatal(err)
		}
		if most := max(slices.Max(scores.Data), -slices.Min(scores.Data)); most != 0 {
			t.Errorf("%s: scores up to %v of features that tell nothing", name, most)
		}
	}
}
