package fit

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/knn"
)

// TestRebuild: S of the rebuilt graph is that of U + β W_z by dense float64 sums: the ten nearest by cosine of
// 32 columns, as a mean of both directions, with 3/4 of all weight. The same bits for any threads.
func TestRebuild(t *testing.T) {
	const n, cols = 90, 40
	in, _ := words(t, n, 3, 60, 0.7, 4)
	rng := rand.New(rand.NewPCG(3, 4))
	z := csr.NewDense(n, cols)
	for k := range z.Data {
		z.Data[k] = float32(rng.NormFloat64())
	}
	cosine := func(i, j int) float64 {
		dot, a, b := 0.0, 0.0, 0.0
		for k := range rebuiltColumns {
			x, y := float64(z.At(i, k)), float64(z.At(j, k))
			dot, a, b = dot+x*y, a+x*x, b+y*y
		}
		return dot / math.Sqrt(a*b)
	}
	want := make([]float64, n*n) // W_z
	ofZ, ofU := 0.0, 0.0
	for i := range n {
		var others []int
		for j := range n {
			if j != i {
				others = append(others, j)
			}
		}
		slices.SortFunc(others, func(a, b int) int {
			if cosine(i, a) > cosine(i, b) {
				return -1
			}
			return 1
		})
		for _, j := range others[:10] {
			want[i*n+j] += cosine(i, j) / 2
			want[j*n+i] += cosine(i, j) / 2
			ofZ += cosine(i, j)
		}
	}
	for i := range n {
		_, values := in.Edges.Row(i)
		for _, v := range values {
			ofU += float64(v)
		}
	}
	beta := 3 * ofU / ofZ
	degrees := make([]float64, n)
	for i := range n {
		for j := range n {
			want[i*n+j] = float64(in.Edges.At(i, j)) + beta*want[i*n+j]
			degrees[i] += want[i*n+j]
		}
	}
	var first *diffuse.Graph
	for _, threads := range []int{1, 2, 3, 8} {
		g, err := rebuild(t.Context(), in.Edges, z, knn.Cosine, threads)
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			for j := range n {
				s := want[i*n+j] / math.Sqrt(degrees[i]*degrees[j])
				if got := float64(g.S.At(i, j)); math.Abs(got-s) > 1e-5 {
					t.Fatalf("S(%d, %d) = %v, expected %v", i, j, got, s)
				}
			}
		}
		if first == nil {
			first = g
		}
		for i := range n {
			cols, values := g.S.Row(i)
			ofOne, ofOneToo := first.S.Row(i)
			if !slices.Equal(cols, ofOne) || !slices.Equal(values, ofOneToo) {
				t.Fatalf("%d threads: row %d is another than that of one", threads, i)
			}
		}
	}
}

// TestRebuiltOfMeasurements: standardised features are near by distance: a cluster about their mean has
// no direction, by which cosines would take it apart.
func TestRebuiltOfMeasurements(t *testing.T) {
	in := cloud(t, 300, 3, 8, 4)
	x, err := prepare(&in, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	if x.metric() != knn.L2 {
		t.Errorf("measurements are near by %v", x.metric())
	}
	words, _ := words(t, 90, 3, 60, 0.7, 4)
	if x, err = prepare(&words, nil, 1); err != nil || x.metric() != knn.Cosine {
		t.Errorf("words are near by %v, %v", x.metric(), err)
	}
	const n = 150 // three clusters in a row, the second at the origin
	rng, z := rand.New(rand.NewPCG(5, 6)), csr.NewDense(n, 2)
	for i := range n {
		z.Set(i, 0, float32(float64(4*(i%3-1))+rng.NormFloat64()/2))
		z.Set(i, 1, float32(rng.NormFloat64()/2))
	}
	ring := &csr.Edges{}
	for i := range n {
		ring.Src, ring.Dst = append(ring.Src, uint32(i)), append(ring.Dst, uint32((i+1)%n))
	}
	u, _, err := csr.FromEdges(n, ring, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	inside := func(metric knn.Metric) (share float64) {
		g, err := rebuild(t.Context(), u, z, metric, 1)
		if err != nil {
			t.Fatal(err)
		}
		all := 0.0
		for i := range n {
			cols, values := g.S.Row(i)
			for k, j := range cols {
				if all += float64(values[k]); i%3 == int(j)%3 {
					share += float64(values[k])
				}
			}
		}
		return share / all
	}
	if near, turned := inside(knn.L2), inside(knn.Cosine); near < turned+0.1 {
		t.Errorf("%.2f of the weight is inside clusters by distance, %.2f by cosine", near, turned)
	}
}

// TestRebuiltTells: labels that spread over the rebuilt graph are right more often than over the sum it
// was made of, where edges and features both tell a part.
func TestRebuiltTells(t *testing.T) {
	in, truth := words(t, 1200, 3, 300, 0.6, 3)
	p := &pool{w: in.Edges}
	p.graphs[onSum] = diffuse.Normalize(in.Edges, 1)
	x, err := prepare(&in, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.rebuildSum(t.Context(), x); err != nil {
		t.Fatal(err)
	}
	share := func(graph int) float64 {
		f, _, err := diffuse.LGC(t.Context(), p.graphs[graph], in.Seeds, diffuse.Options{Alpha: 0.99})
		if err != nil {
			t.Fatal(err)
		}
		return right(classesOf(f), truth)
	}
	if sum, rebuilt := share(onSum), share(onRebuilt); rebuilt < sum+0.1 {
		t.Errorf("%.3f right on the sum, %.3f on the rebuilt graph", sum, rebuilt)
	} else {
		t.Logf("%.3f right on the sum, %.3f on the rebuilt graph", sum, rebuilt)
	}
}
