package fit

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/knn"
)

// TestKernelRidge: the scores are those of a dense solve in float64, with s or s² a mean over all pairs, for seeds of several
// blocks, folds and all seeds side by side, by sums of differences in few columns and by distances in many; a node without features has
// none. The bits do not depend on the threads.
func TestKernelRidge(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 9))
	const n, d, c = 150, 6, 3
	x := csr.NewDense(n, d)
	for i := range n {
		for j := range d {
			x.Set(i, j, float32(100*float64(j)+math.Pow(3, float64(j))*(rng.NormFloat64()+float64(i%c))))
		}
	}
	wide := csr.NewDense(n, knn.MaxManhattan+1)
	for k := range wide.Data {
		wide.Data[k] = float32(rng.NormFloat64() + float64(k/wide.Cols%c))
	}
	words := csr.NewDense(n, 40)
	for k := range words.Data {
		if rng.IntN(10) == 0 {
			words.Data[k] = 1
		}
	}
	clear(words.Row(7))
	sparse, err := csr.FromDense(words)
	if err != nil {
		t.Fatal(err)
	}
	var seeds []diffuse.Seed
	for i := range 60 { // more than a block
		seeds = append(seeds, diffuse.Seed{Node: uint32(2*i + 1), Class: uint32((2*i + 1) % c), Weight: 1})
	}
	sets := make([]*diffuse.Seeds, 2)
	for k, some := range [][]diffuse.Seed{seeds[:40], seeds} {
		if sets[k], err = diffuse.NewSeeds(n, c, some); err != nil {
			t.Fatal(err)
		}
	}
	for name, in := range map[string]Input{"numbers": {Dense: x, Seeds: sets[1]}, "pictures": {Dense: wide, Seeds: sets[1]}, "words": {Sparse: sparse, Seeds: sets[1]}} {
		var want []*csr.Dense
		for _, threads := range []int{1, 3} {
			got := kernelScores(t, in, sets, threads)
			if want == nil {
				want = got
				checkKernel(t, name, map[string]*csr.Dense{"numbers": x, "pictures": wide, "words": words}[name], in, sets, got)
			}
			for k := range sets {
				if !slices.Equal(got[k].Data, want[k].Data) {
					t.Errorf("%s: other bits with %d threads", name, threads)
				}
			}
		}
	}
}

func kernelScores(t *testing.T, in Input, sets []*diffuse.Seeds, threads int) (scores []*csr.Dense) {
	t.Helper()
	ctx := context.Background()
	features, err := prepare(&in, nil, threads)
	if err != nil {
		t.Fatal(err)
	}
	p := &pool{members: []member{{kernelRidge, onSum, 1}}, opt: adp.Options{Threads: threads}}
	p.whole = &trainer{pool: p, y: sets[1]}
	p.folds = []*trainer{{pool: p, y: sets[0]}}
	if err := p.prepare(ctx, features, sets[1]); err != nil {
		t.Fatal(err)
	}
	for _, one := range []*trainer{p.folds[0], p.whole} {
		f, err := one.byKernel(ctx, p.kernels[p.members[0].key()])
		if err != nil {
			t.Fatal(err)
		}
		scores = append(scores, f)
	}
	return scores
}

// checkKernel compares scores with those of a dense solve on the rows of the features.
func checkKernel(t *testing.T, name string, rows *csr.Dense, in Input, sets []*diffuse.Seeds, scores []*csr.Dense) {
	t.Helper()
	n := in.Nodes()
	x, known := make([][]float64, n), make([]bool, n)
	for i := range n {
		size := 0.0
		for _, v := range rows.Row(i) {
			x[i] = append(x[i], float64(v))
			size += float64(v) * float64(v)
		}
		known[i] = size > 0
		for j := range x[i] {
			if in.Sparse != nil && known[i] { // rows of unit length
				x[i][j] /= math.Sqrt(size)
			}
		}
	}
	power := 2.0 // of the differences that are added up, and of the distances whose mean is taken
	if name == "numbers" {
		power = 1
	}
	distance := func(i, j int) float64 {
		sum := 0.0
		for k, v := range x[i] {
			sum += math.Pow(math.Abs(v-x[j][k]), power)
		}
		return sum
	}
	mean := 0.0
	for i := range n {
		for j := range n {
			mean += distance(i, j) / float64(n*n)
		}
	}
	kernel := func(i, j int) float64 {
		if !known[i] || !known[j] {
			return 0
		}
		return math.Exp(-math.Pow(distance(i, j)/mean, 1/power))
	}
	for set, y := range sets {
		list := y.List()
		m := len(list)
		k, targets, b := mat.NewDense(m, m, nil), mat.NewDense(m, y.Classes, nil), new(mat.Dense)
		share := make([]float64, y.Classes)
		for _, s := range list {
			share[s.Class] += 1 / float64(m)
		}
		for i, s := range list {
			for j, other := range list {
				k.Set(i, j, kernel(int(s.Node), int(other.Node)))
			}
			k.Set(i, i, k.At(i, i)+0.1)
			for class, mean := range share {
				targets.Set(i, class, -mean)
			}
			targets.Set(i, int(s.Class), 1-share[s.Class])
		}
		if err := b.Solve(k, targets); err != nil {
			t.Fatal(err)
		}
		for i := range n {
			for class := range y.Classes {
				want := 0.0
				for l, s := range list {
					want += kernel(i, int(s.Node)) * b.At(l, class)
				}
				if got := float64(scores[set].At(i, class)); math.Abs(got-want) > 2e-3 {
					t.Fatalf("%s, set %d, node %d, class %d: %.5f, expected %.5f", name, set, i, class, got, want)
				}
			}
		}
	}
}
