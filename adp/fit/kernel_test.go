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
	"github.com/adp-sparse/adp-sparse/internal/kernel"
)

// TestKernelRidge: the scores are those of a dense solve in float64, with s the mean over all pairs, for seeds of several
// blocks, folds and all seeds side by side; a node without features has none. The bits do not depend on the threads.
func TestKernelRidge(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 9))
	const n, d, c = 150, 6, 3
	x := csr.NewDense(n, d)
	for i := range n {
		for j := range d {
			x.Set(i, j, float32(100*float64(j)+math.Pow(3, float64(j))*(rng.NormFloat64()+float64(i%c))))
		}
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
	for name, in := range map[string]Input{"numbers": {Dense: x, Seeds: sets[1]}, "sparse": {Sparse: sparse, Seeds: sets[1]}} {
		var want []*csr.Dense
		for _, threads := range []int{1, 3} {
			got := kernelScores(t, in, sets, threads)
			if want == nil {
				want = got
				checkKernel(t, name, map[string]*csr.Dense{"numbers": x, "sparse": words}[name], in, sets, got)
			}
			for k := range sets {
				if !slices.Equal(got[k].Data, want[k].Data) {
					t.Errorf("%s: other bits with %d threads", name, threads)
				}
			}
		}
	}
}

// TestKernelOfFewColumns: the kernel regression takes part up to 100 columns, of dense and of sparse features.
func TestKernelOfFewColumns(t *testing.T) {
	for _, columns := range []int{mostDifferences, mostDifferences + 1} {
		in := cloud(t, 120, 3, columns, 4)
		in.Edges = nil
		sparse, err := csr.FromDense(in.Dense)
		if err != nil {
			t.Fatal(err)
		}
		for name, in := range map[string]Input{"dense": in, "sparse": {Sparse: sparse, Seeds: in.Seeds}} {
			r, err := Run(t.Context(), in, Options{})
			if err != nil {
				t.Fatal(err)
			}
			in := slices.ContainsFunc(r.Combination.Members, func(m Member) bool { return m.Method == methodTitles[kernelRidge] })
			if want := columns <= mostDifferences; in != want {
				t.Errorf("%s, %d columns: takes part %v, expected %v", name, columns, in, want)
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
	distance := func(i, j int) float64 {
		sum := 0.0
		for k, v := range x[i] {
			sum += math.Abs(v - x[j][k])
		}
		return sum
	}
	mean := 0.0
	for i := range n {
		for j := range n {
			mean += distance(i, j) / float64(n*n)
		}
	}
	similar := func(i, j int) float64 {
		if !known[i] || !known[j] {
			return 0
		}
		return math.Exp(-distance(i, j) / mean)
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
				k.Set(i, j, similar(int(s.Node), int(other.Node)))
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
					want += similar(i, int(s.Node)) * b.At(l, class)
				}
				if got := float64(scores[set].At(i, class)); math.Abs(got-want) > 2e-3 {
					t.Fatalf("%s, set %d, node %d, class %d: %.5f, expected %.5f", name, set, i, class, got, want)
				}
			}
		}
	}
}

// TestHugeValues: marks of missing values, as 1e30 or the largest float32, whose squares float32 does not hold, are as far as smaller
// ones are: labels are the same but for some that rounding decides, F is finite, and differences are as large beside their mean.
func TestHugeValues(t *testing.T) {
	marked := func(mark float32) Input {
		in := cloud(t, 120, 3, 4, 10)
		for k := range 12 {
			in.Dense.Data[(13+37*k)%len(in.Dense.Data)] = mark
		}
		in.Edges = nil
		return in
	}
	graph := GraphOptions{Scale: Unscaled}
	want, err := Run(context.Background(), marked(1e12), Options{Graph: graph})
	if err != nil {
		t.Fatal(err)
	}
	var huge []int32
	relative := 0.0 // δ over its mean
	for _, mark := range []float32{1e22, 1e30, math.MaxFloat32} {
		got, err := Run(context.Background(), marked(mark), Options{Graph: graph, Explain: []int{100}})
		if err != nil {
			t.Fatal(err)
		}
		for k, v := range got.F.Data {
			if math.IsNaN(float64(v)) {
				t.Fatalf("mark %v: F of node %d is NaN", mark, k/3)
			}
		}
		changed := 0
		for i, label := range want.Labels {
			if got.Labels[i] != label {
				changed++
			}
		}
		if changed > 3 { // all others are equally far from a marked row, but for rounding
			t.Errorf("mark %v: %d labels are not those of 1e12: %v, expected %v", mark, changed, got.Labels, want.Labels)
		}
		if huge == nil {
			huge = got.Labels
		}
		if !slices.Equal(got.Labels, huge) {
			t.Errorf("mark %v: labels %v, expected those of 1e22, %v", mark, got.Labels, huge)
		}
		in := marked(mark)
		x, err := prepare(&in, nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		decay := newDecay(x, in.Seeds, 1)
		// Row 3 has a mark, and row 2 none.
		apart := kernel.SumDifferences(decay.rows.Row(2), decay.rows.Row(3)) / decay.scale
		if relative == 0 {
			relative = apart
		}
		if math.Abs(apart/relative-1) > 1e-6 {
			t.Errorf("mark %v: rows are %v times the mean apart, expected %v", mark, apart, relative)
		}
		if !(decay.scale > 0) || math.IsInf(decay.scale, 0) || slices.ContainsFunc(decay.rows.Data, func(v float32) bool { return math.IsInf(float64(v), 0) }) {
			t.Errorf("mark %v: differences of %v in the mean", mark, decay.scale)
		}
	}
}
