package knn

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
)

func mustGraph(t *testing.T, x *csr.Dense, opt GraphOptions) (*csr.Matrix, *GraphReport) {
	t.Helper()
	w, report, err := Graph(context.Background(), x, opt)
	if err != nil {
		t.Fatal(err)
	}
	return w, report
}

// islands returns points in groups far from each other, on a grid of whole
// numbers so that many distances are equal.
func islands(rng *rand.Rand, groups, each int) *csr.Dense {
	x := csr.NewDense(groups*each, 2)
	for i := range x.Rows {
		g := i % groups
		x.Set(i, 0, float32(100*(g%3)+rng.IntN(5)))
		x.Set(i, 1, float32(100*(g/3)+rng.IntN(5)))
	}
	return x
}

func TestGraphIsSymmetrised(t *testing.T) {
	x := clustered(200, 4, 3, 2)
	nb, _ := mustSearch(t, x, Options{K: 27})
	directed, err := Weights(nb, WeightOptions{K: 5, Weighting: Adaptive})
	if err != nil {
		t.Fatal(err)
	}
	for _, how := range []csr.Symmetry{csr.Mean, csr.Max, csr.Min} {
		w, report := mustGraph(t, x, GraphOptions{Search: Options{K: 5}, Weighting: Adaptive, Symmetry: how})
		want := csr.Symmetrize(directed, how, 1)
		_, gotCols, gotVals := w.Arrays()
		_, wantCols, wantVals := want.Arrays()
		if !slices.Equal(gotCols, wantCols) || !slices.Equal(gotVals, wantVals) {
			t.Errorf("symmetry %d: another graph", how)
		}
		if report.K != 27 || report.Neighbors != 5 || report.Points != 200 {
			t.Errorf("report %+v", report)
		}
		if err := csr.CheckSymmetric(w, 1); err != nil {
			t.Error(err)
		}
	}
}

// TestDefaultK: all other points where there are fewer than DefaultK.
func TestDefaultK(t *testing.T) {
	for n, want := range map[int]int{2: 1, 5: 4, 11: 10, 12: 10} {
		x := clustered(n, 2, 1, 2)
		if nb, _ := mustSearch(t, x, Options{}); nb.K != want {
			t.Errorf("%d points: %d neighbours, expected %d", n, nb.K, want)
		}
		if _, report := mustGraph(t, x, GraphOptions{}); report.Neighbors != want {
			t.Errorf("graph of %d points: %d neighbours, expected %d", n, report.Neighbors, want)
		}
	}
}

func TestGraphOfFewPoints(t *testing.T) {
	x := clustered(4, 2, 1, 2) // fewer than the 27 that bandwidths ask for
	w, report := mustGraph(t, x, GraphOptions{Search: Options{K: 3}, Weighting: Adaptive})
	if w.NNZ() != 12 || report.K != 3 {
		t.Errorf("%d weights, report %+v", w.NNZ(), report)
	}
	if _, _, err := Graph(context.Background(), x, GraphOptions{Search: Options{K: 4}}); !errors.Is(err, ErrOptions) {
		t.Errorf("k = n: %v", err)
	}
	if _, _, err := Graph(context.Background(), x, GraphOptions{Search: Options{K: 3}, Symmetry: 7}); !errors.Is(err, ErrOptions) {
		t.Errorf("symmetry 7: %v", err)
	}
}

// The links are as long in total as Kruskal's over all pairs of points.
func TestConnectIsMinimumSpanningTree(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 9))
		groups := 2 + rng.IntN(9)
		x := islands(rng, groups, 12)
		w, report := mustGraph(t, x, GraphOptions{Search: Options{K: 3}, Connect: true})
		plain, _ := mustGraph(t, x, GraphOptions{Search: Options{K: 3}})
		of, sizes := csr.Components(plain, 1)
		if report.Components != len(sizes) || len(sizes) < groups || len(report.Links) != len(sizes)-1 {
			t.Fatalf("seed %d: %d components, report %+v", seed, len(sizes), report)
		}
		if _, left := csr.Components(w, 1); len(left) != 1 {
			t.Fatalf("seed %d: %d components after links", seed, len(left))
		}
		got := 0.0
		for _, l := range report.Links {
			got += float64(l.Dist)
			if v := w.At(int(l.I), int(l.J)); !(v >= MinWeight/2) || v != w.At(int(l.J), int(l.I)) {
				t.Fatalf("seed %d: link %+v has weight %v", seed, l, v)
			}
		}
		if want := kruskal(x, of, len(sizes), L2, func(int) bool { return false }); math.Abs(got-want) > 1e-4*want {
			t.Fatalf("seed %d: links of length %v, expected %v", seed, got, want)
		}
	}
}

// kruskal returns the length of the tree that joins the components of the points that are
// not left out.
func kruskal(x *csr.Dense, of []uint32, components int, metric Metric, left func(i int) bool) (total float64) {
	type edge struct {
		d    float64
		a, b uint32
	}
	var edges []edge
	for i := range x.Rows {
		for j := range i {
			if !left(i) && !left(j) {
				edges = append(edges, edge{define(x.Row(i), x.Row(j), metric), of[i], of[j]})
			}
		}
	}
	slices.SortFunc(edges, func(p, q edge) int { return cmp.Compare(p.d, q.d) })
	tree := make([]uint32, components)
	for c := range tree {
		tree[c] = uint32(c)
	}
	for _, e := range edges {
		if from, to := tree[e.a], tree[e.b]; from != to {
			total += e.d
			for c := range tree {
				if tree[c] == from {
					tree[c] = to
				}
			}
		}
	}
	return total
}

func TestConnectSamplesLargeComponents(t *testing.T) {
	x := islands(rand.New(rand.NewPCG(1, 1)), 4, 50)
	g, _ := mustGraph(t, x, GraphOptions{Search: Options{K: 5}})
	for _, opt := range []ConnectOptions{{Sample: 3, Seed: 1}, {Sample: 3, Seed: 1, Threads: 3, Metric: L2}} {
		w, links, err := Connect(context.Background(), g, x, opt)
		if err != nil {
			t.Fatal(err)
		}
		_, sizes := csr.Components(g, 1)
		if _, left := csr.Components(w, 1); len(left) != 1 || len(links) != len(sizes)-1 {
			t.Errorf("%d components, %d links between %d", len(left), len(links), len(sizes))
		}
		_, _, data := g.Arrays()
		if l := links[0]; w.At(int(l.I), int(l.J)) != float64(slices.Min(data)) {
			t.Errorf("link weight %v, expected the smallest, %v", w.At(int(l.I), int(l.J)), slices.Min(data))
		}
	}
}

func TestSeekersAreOutsideTheLargest(t *testing.T) {
	parts := &partition{of: []uint32{0, 1, 1, 1, 1, 2, 2, 2, 0}, sizes: []int{2, 4, 3}}
	for _, c := range []struct{ sample, want int }{{0, 5}, {3, 5}, {2, 4}, {1, 2}} {
		seekers := parts.seekers(c.sample, rand.New(rand.NewPCG(1, 2)))
		for _, i := range seekers {
			if parts.of[i] == 1 {
				t.Errorf("point %d of the largest component seeks", i)
			}
		}
		if len(seekers) != c.want {
			t.Errorf("sample %d: %d seekers, expected %d", c.sample, len(seekers), c.want)
		}
	}
}

func TestConnectLeavesConnectedAlone(t *testing.T) {
	x := clustered(50, 2, 1, 1)
	g, report := mustGraph(t, x, GraphOptions{Search: Options{K: 20}, Connect: true})
	w, links, err := Connect(context.Background(), g, x, ConnectOptions{})
	if err != nil || w != g || links != nil || report.Links != nil {
		t.Errorf("links %v, %v", links, err)
	}
	if _, _, err := Connect(context.Background(), g, x, ConnectOptions{Metric: 8}); !errors.Is(err, ErrOptions) {
		t.Errorf("metric 8: %v", err)
	}
}

func TestGraphOfPrecomputed(t *testing.T) {
	ids := []int64{0, 1, 1, 0, 2, 3, 3, 2}
	dist := []float32{0, 1, 0, 1, 0, 2, 0, 2}
	nb, err := FromPrecomputed(ids, dist, 4, 2, L2)
	if err != nil {
		t.Fatal(err)
	}
	w, report, err := GraphOf(context.Background(), nil, nb, 0, GraphOptions{Weighting: Uniform})
	if err != nil || w.NNZ() != 4 || w.At(2, 3) != 1 || report.Components != 2 || report.Neighbors != 1 {
		t.Errorf("%v, %+v, %v", w, report, err)
	}
	if _, _, err := GraphOf(context.Background(), nil, nb, 0, GraphOptions{Connect: true}); !errors.Is(err, ErrOptions) {
		t.Errorf("connected without features: %v", err)
	}
}
