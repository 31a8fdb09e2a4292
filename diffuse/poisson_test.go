package diffuse_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/gen"
)

// TestPoissonAgreesWithDense: on graphs of two components and an isolated node, with
// weights from 1e-3 to 1e3, F is that of a dense solve of L U = B in float64, with
// the constraint as one more equation of each component, for seeds that are plain, soft and
// several a node, with and without priors.
func TestPoissonAgreesWithDense(t *testing.T) {
	for k := range uint64(12) {
		rng := rand.New(rand.NewPCG(k, 7))
		const part, n, c = 60, 121, 3
		edges := &csr.Edges{}
		for side := range uint32(2) {
			src, dst, _, _ := gen.PlantedPartition(part, c, 0.3, 0.08, 2*k+uint64(side))
			for e := range src {
				edges.Src = append(edges.Src, 2*uint32(src[e])+side)
				edges.Dst = append(edges.Dst, 2*uint32(dst[e])+side)
				edges.Weight = append(edges.Weight, float32(math.Pow(10, 6*rng.Float64()-3)))
			}
		}
		w, _, err := csr.FromEdges(n, edges, csr.BuildOptions{})
		if err != nil {
			t.Fatal(err)
		}
		list := []diffuse.Seed{{Node: 120, Class: 2, Weight: 1}, {Node: 8, Class: 0, Weight: 0.25}, {Node: 8, Class: 1, Weight: 1.5}}
		for i := range uint32(8) {
			list = append(list, diffuse.Seed{Node: i, Class: i / 2 % 3, Weight: 1 + float32(i%2)/2})
		}
		y, err := diffuse.NewSeeds(n, c, list)
		if err != nil {
			t.Fatal(err)
		}
		opt := diffuse.Options{Tolerance: 1e-7, Threads: 1 + int(k%2)}
		switch k % 3 {
		case 1:
			opt.Prior = []float64{5, 1, 2}
		case 2:
			opt.Balance = diffuse.Unbalanced
		}
		f, stats, err := diffuse.Poisson(context.Background(), diffuse.Normalize(w, 1), y, opt)
		if err != nil || !stats.Converged {
			t.Fatalf("%d: %+v, %v", k, stats, err)
		}
		want := densePoisson(t, w, y, opt)
		for i := range n {
			for j, v := range f.Row(i) {
				if d := math.Abs(float64(v) - want.At(i, j)); !(d < 2e-5) {
					t.Fatalf("graph %d, node %d, class %d: %v, want %v", k, i, j, v, want.At(i, j))
				}
			}
		}
	}
}

// densePoisson is F by the equations alone.
func densePoisson(t *testing.T, w *csr.Matrix, y *diffuse.Seeds, opt diffuse.Options) *mat.Dense {
	t.Helper()
	of, sizes := csr.Components(w, 1)
	n, c := y.Nodes, y.Classes
	out := mat.NewDense(n, c, nil)
	mean := make([]float64, c) // of all seeds
	for _, seed := range y.List() {
		mean[seed.Class] += float64(seed.Weight)
	}
	for component := range sizes {
		var nodes []int
		place := map[int]int{}
		for i := range n {
			if int(of[i]) == component {
				place[i] = len(nodes)
				nodes = append(nodes, i)
			}
		}
		own, total := make([]float64, c), 0.0
		b := mat.NewDense(len(nodes)+1, c, nil)
		for _, seed := range y.List() {
			if at, here := place[int(seed.Node)]; here {
				own[seed.Class] += float64(seed.Weight)
				total += float64(seed.Weight)
				b.Set(at, int(seed.Class), b.At(at, int(seed.Class))+float64(seed.Weight))
			}
		}
		if len(nodes) == 1 {
			for j := range own {
				out.Set(nodes[0], j, own[j]/total)
			}
			continue
		}
		for at := range nodes {
			row := b.RawRowView(at)
			weight := 0.0
			for _, v := range row {
				weight += v
			}
			for j := range row {
				row[j] -= weight * own[j] / total
			}
		}
		l := mat.NewDense(len(nodes)+1, len(nodes), nil)
		for at, i := range nodes {
			cols, vals := w.Row(i)
			for k, j := range cols {
				l.Set(at, place[int(j)], l.At(at, place[int(j)])-float64(vals[k]))
				l.Set(at, at, l.At(at, at)+float64(vals[k]))
				l.Set(len(nodes), at, l.At(len(nodes), at)+float64(vals[k])) // Σ D U = 0
			}
		}
		var u mat.Dense
		if err := u.Solve(l, b); err != nil {
			t.Fatal(err)
		}
		var leads []float64
		seeds := y.Mask()
		for at, i := range nodes {
			row := u.RawRowView(at)
			for j := range row {
				switch {
				case own[j] == 0:
					row[j] = math.Inf(-1)
				case opt.Balance == diffuse.Balanced:
					row[j] *= 1 / mean[j]
					if opt.Prior != nil {
						row[j] *= opt.Prior[j]
					}
				}
			}
			if sorted := slices.Sorted(slices.Values(row)); !seeds[i] {
				leads = append(leads, sorted[c-1]-sorted[c-2])
			}
		}
		slices.Sort(leads)
		for at, i := range nodes {
			row, sum := u.RawRowView(at), 0.0
			top := slices.Max(row)
			for j, v := range row {
				row[j] = math.Exp((v - top) / leads[len(leads)/2])
				sum += row[j]
			}
			for j, v := range row {
				out.Set(i, j, v/sum)
			}
		}
	}
	return out
}

// TestPoissonOfOneClass: a component of one class is of that class alone, and one whose
// sources cancel has the shares of its weights; only ratios of weights, of priors and of W count.
func TestPoissonOfOneClass(t *testing.T) {
	paths := func(weight float32) *csr.Matrix {
		w, _, err := csr.FromEdges(11, &csr.Edges{
			Src: []uint32{0, 1, 3, 4, 6, 7, 8}, Dst: []uint32{1, 2, 4, 5, 7, 8, 9}, Weight: slices.Repeat([]float32{weight}, 7),
		}, csr.BuildOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	w := paths(1)
	list := []diffuse.Seed{{Node: 0, Class: 1, Weight: 1}, {Node: 3, Class: 0, Weight: 0.1}, {Node: 3, Class: 2, Weight: 0.9}, {Node: 6, Class: 0, Weight: 1}, {Node: 9, Class: 2, Weight: 1}}
	solve := func(w *csr.Matrix, weight float32, opt diffuse.Options) *csr.Dense {
		scaled := slices.Clone(list)
		for k := range scaled {
			scaled[k].Weight *= weight
		}
		y, err := diffuse.NewSeeds(11, 3, scaled)
		if err != nil {
			t.Fatal(err)
		}
		f, stats, err := diffuse.Poisson(context.Background(), diffuse.Normalize(w, 1), y, opt)
		if err != nil || !stats.Converged {
			t.Fatalf("%+v, %v", stats, err)
		}
		return f
	}
	f := solve(w, 1, diffuse.Options{Alpha: 5})
	for i, want := range [][]float32{{0, 1, 0}, {0, 1, 0}, {0, 1, 0}, {0.1, 0, 0.9}, {0.1, 0, 0.9}, {0.1, 0, 0.9}} {
		if !slices.Equal(f.Row(i), want) {
			t.Errorf("node %d: %v, want %v", i, f.Row(i), want)
		}
	}
	if a, b := f.Row(7), f.Row(8); !(a[0] > a[2] && b[2] > b[0]) || a[1] != 0 {
		t.Errorf("between two classes: %v, %v", a, b)
	}
	if row := f.Row(10); slices.Max(row) != 0 {
		t.Errorf("a node without a seed: %v", row)
	}
	opt := diffuse.Options{Prior: []float64{3, 1, 2}}
	f = solve(w, 1, opt)
	for name, got := range map[string]*csr.Dense{
		"weights": solve(w, 0x1p-20, opt), "W": solve(paths(0x1p40), 1, opt), "prior": solve(w, 1, diffuse.Options{Prior: []float64{3 * 0x1p60, 0x1p60, 2 * 0x1p60}}),
	} {
		if !slices.Equal(got.Data, f.Data) {
			t.Errorf("with %s of another size: %v, want %v", name, got.Data, f.Data)
		}
	}
}

// TestPoissonRange: only ratios of the weights of seeds count, on edges of the least weight that joins far groups too. What float32 does
// not hold is an error, not NaN.
func TestPoissonRange(t *testing.T) {
	solve := func(edge, a, b float32) (*csr.Dense, error) {
		edges := &csr.Edges{Src: []uint32{0, 1, 2, 3, 4}, Dst: []uint32{1, 2, 3, 4, 5}, Weight: []float32{1, 2, edge, 2, 1}}
		w, _, err := csr.FromEdges(6, edges, csr.BuildOptions{})
		if err != nil {
			t.Fatal(err)
		}
		y, err := diffuse.NewSeeds(6, 2, []diffuse.Seed{{Node: 0, Class: 0, Weight: a}, {Node: 5, Class: 1, Weight: b}})
		if err != nil {
			t.Fatal(err)
		}
		f, _, err := diffuse.Poisson(context.Background(), diffuse.Normalize(w, 1), y, diffuse.Options{})
		return f, err
	}
	for _, edge := range []float32{1, 1e-20, 7.9e-31, 1e-37} {
		want, err := solve(edge, 1, 1.5)
		if err != nil {
			t.Fatal(err)
		}
		for _, factor := range []float32{1 << 30, 1 << 50, 1.0 / (1 << 50)} {
			got, err := solve(edge, factor, 1.5*factor)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.Data, want.Data) {
				t.Errorf("edge %v, seeds times %v: F is %v, expected %v", edge, factor, got.Data, want.Data)
			}
		}
	}
	if f, err := solve(1e-40, 1, 1); !errors.Is(err, diffuse.ErrRange) {
		t.Errorf("edge 1e-40: %v, F %v, expected an error", err, f)
	}
}
