package diffuse

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/adp-sparse/adp-sparse/csr"
)

// TestRidgeOfSets: nodes with several labels have a target of 1 for each of them and count as much as others, in the kernel form and in
// the targets of the form by columns. The scores are those of a dense ridge in float64.
func TestRidgeOfSets(t *testing.T) {
	const n, d, c, m, ridge = 40, 6, 3, 15, 0.7
	rng := rand.New(rand.NewPCG(3, 8))
	x := csr.NewDense(n, d)
	for k := range x.Data {
		x.Data[k] = float32(rng.NormFloat64())
	}
	of, mean := mat.NewDense(m, c, nil), make([]float64, c)
	var list []Seed
	for i := range m {
		for j := range c {
			if i%c == j || rng.IntN(2) == 0 {
				list = append(list, Seed{Node: uint32(2 * i), Class: uint32(j), Weight: 1})
				of.Set(i, j, 1)
				mean[j] += 1.0 / m
			}
		}
	}
	y, err := NewSeeds(n, c, list)
	if err != nil {
		t.Fatal(err)
	}
	if y = y.AsSets(); y.Labelled() != m {
		t.Errorf("%d nodes have a seed, expected %d", y.Labelled(), m)
	}
	features, err := NewDiffused(Features{Dense: x}, nil, Hops{}, 2)
	if err != nil {
		t.Fatal(err)
	}
	k, err := NewKernel(t.Context(), features, y, 2)
	if err != nil {
		t.Fatal(err)
	}
	got, err := k.Scores(t.Context(), y, ridge)
	if err != nil {
		t.Fatal(err)
	}
	all, own := mat.NewDense(n, d, nil), mat.NewDense(m, d, nil)
	for i := range n {
		for j, v := range x.Row(i) {
			all.Set(i, j, float64(v))
			if i%2 == 0 && i < 2*m {
				own.Set(i/2, j, float64(v))
			}
		}
	}
	gram, b, similar, want := new(mat.Dense), new(mat.Dense), new(mat.Dense), new(mat.Dense)
	gram.Mul(own, own.T())
	for i := range m {
		gram.Set(i, i, gram.At(i, i)+ridge)
		for j := range c {
			of.Set(i, j, of.At(i, j)-mean[j])
		}
	}
	if err := b.Solve(gram, of); err != nil {
		t.Fatal(err)
	}
	similar.Mul(all, own.T())
	want.Mul(similar, b)
	for i := range n {
		for j := range c {
			if off := math.Abs(want.At(i, j) - float64(got.At(i, j))); off > 1e-4 {
				t.Errorf("node %d, class %d: off by %.1e", i, j, off)
			}
		}
	}
	targets, weights := SeedTargets(y)
	for i := range n {
		known := i%2 == 0 && i < 2*m
		if known != (weights[i] == 1) {
			t.Errorf("node %d has a weight of %v", i, weights[i])
		}
		for j := range c {
			if known && math.Abs(float64(targets.At(i, j))-of.At(i/2, j)) > 1e-6 {
				t.Errorf("node %d, class %d: a target of %v, expected %v", i, j, targets.At(i, j), of.At(i/2, j))
			}
		}
	}
}
