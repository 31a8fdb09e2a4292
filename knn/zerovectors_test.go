package knn

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// TestBlankPoints: by cosine and inner product, points of zeros are joined to none, not to each
// other either, and the others are joined as without them; by l2 they are points.
func TestBlankPoints(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 90))
	x := csr.NewDense(60, 8)
	for i := range x.Data {
		x.Data[i] = float32(rng.NormFloat64())
	}
	blank := []int{0, 7, 8, 59}
	for _, i := range blank {
		clear(x.Row(i))
	}
	copy(x.Row(20), x.Row(10))
	rest := &csr.Dense{Cols: 8}
	var at []uint32 // of the others in x
	for i := range x.Rows {
		if !slices.Contains(blank, i) {
			rest.Data = append(rest.Data, x.Row(i)...)
			rest.Rows++
			at = append(at, uint32(i))
		}
	}
	for _, metric := range sparseMetrics() {
		t.Run(metric.String(), func(t *testing.T) {
			opt := GraphOptions{Search: Options{K: 5, Metric: metric}}
			w, report, err := Graph(context.Background(), x, opt)
			if err != nil {
				t.Fatal(err)
			}
			sparse, sparseReport, err := GraphSparse(context.Background(), sparsify(t, x), opt)
			if err != nil {
				t.Fatal(err)
			}
			want, _, err := Graph(context.Background(), rest, opt)
			if err != nil {
				t.Fatal(err)
			}
			wantBlank, wantDistinct := len(blank), 59
			if metric == L2 {
				wantBlank, wantDistinct = 0, 56
			}
			for name, got := range map[string]*csr.Matrix{"dense": w, "sparse": sparse} {
				for _, i := range blank {
					if cols, _ := got.Row(i); (len(cols) == 0) != (metric != L2) {
						t.Errorf("%s: point %d of zeros is joined to %v", name, i, cols)
					}
				}
				if metric == L2 {
					continue
				}
				for k, i := range at {
					cols, vals := got.Row(int(i))
					wantCols, wantVals := want.Row(k)
					for p, j := range wantCols {
						if len(cols) != len(wantCols) || cols[p] != at[j] || vals[p] < 0.999*wantVals[p] || vals[p] > 1.001*wantVals[p] {
							t.Fatalf("%s: point %d is joined to %v by %v, without points of zeros to the points %v of %v by %v", name, i, cols, vals, wantCols, at, wantVals)
						}
					}
				}
			}
			for _, r := range []*GraphReport{report, sparseReport} {
				if r.ZeroVectors != wantBlank || r.Distinct != wantDistinct {
					t.Errorf("%d blank and %d distinct points, want %d and %d", r.ZeroVectors, r.Distinct, wantBlank, wantDistinct)
				}
			}
		})
	}
	// Among enough neighbours that some are further than points of zeros.
	w, _, err := Graph(context.Background(), x, GraphOptions{Search: Options{K: 40, Metric: Cosine}})
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range blank {
		if cols, _ := w.Row(i); len(cols) > 0 {
			t.Errorf("of 40 neighbours: point %d of zeros is joined to %v", i, cols)
		}
	}
	// New points.
	index, err := NewIndex(x, Cosine, 1)
	if err != nil {
		t.Fatal(err)
	}
	near, err := index.Nearest(context.Background(), &csr.Dense{Rows: 2, Cols: 8, Data: append(make([]float32, 8), x.Row(3)...)}, 5)
	if err != nil {
		t.Fatal(err)
	}
	if ids, _ := near.Row(0); len(ids) != 0 {
		t.Errorf("a new point of zeros has the neighbours %v", ids)
	}
	if ids, _ := near.Row(1); len(ids) != 5 || ids[0] != 3 {
		t.Errorf("a new point that equals the fourth has the neighbours %v", ids)
	}
	// All of them.
	none, report, err := Graph(context.Background(), csr.NewDense(4, 2), GraphOptions{Search: Options{K: 2, Metric: Cosine}})
	if err != nil || none.NNZ() != 0 || report.ZeroVectors != 4 {
		t.Errorf("%v, %+v, %v", none, report, err)
	}
}

// withBlank are points, some of them equal, and some zero vectors, of either sign, between
// them. Those of many coordinates have few other than 0, and share none with most others.
func withBlank(n, d, blank int) *csr.Dense {
	x := someDense(uint64(n+d+blank), n, d)
	for i := range n {
		row := x.Row(i)
		for p, key := 1, int(1e4*math.Abs(float64(row[0]))); p < d && d > 100; p++ {
			if row[0] = 0; (key+31*p)%41 != 0 {
				row[p] = 0
			}
		}
	}
	for k := range blank {
		row := x.Row((k*7 + 3) % n)
		for p := range row {
			row[p] = float32(math.Copysign(0, float64(k%2)-0.5))
		}
	}
	return x
}

// nearestBut returns the k nearest of y among those given of x that are not zero, and
// not point self, by definition, ties by number.
func nearestBut(x *csr.Dense, among []uint32, y []float32, self, k int, metric Metric) (ids []int, dist []float64) {
	away := map[int]float64{}
	for _, u := range among {
		if j := int(u); j != self && normOf(x.Row(j)) > 0 {
			ids = append(ids, j)
			away[j] = define(y, x.Row(j), metric)
		}
	}
	slices.SortFunc(ids, func(a, b int) int { return cmp.Or(cmp.Compare(away[a], away[b]), cmp.Compare(a, b)) })
	ids = ids[:min(k, len(ids))]
	for _, j := range ids {
		dist = append(dist, away[j])
	}
	return ids, dist
}

// checkRow compares row i of nb with neighbours and their distances.
func checkRow(t *testing.T, nb *Neighbors, i int, ids []int, dist []float64) {
	t.Helper()
	gotIDs, gotDist := nb.Row(i)
	if len(gotIDs) != len(ids) {
		t.Fatalf("point %d has %d neighbours, %v, expected %v", i, len(gotIDs), gotIDs, ids)
	}
	for p, j := range ids {
		if int(gotIDs[p]) != j || math.Abs(float64(gotDist[p])-dist[p]) > 1e-6*max(1, math.Abs(dist[p])) {
			t.Fatalf("point %d has the neighbours %v at %v, expected %v at %v", i, gotIDs, gotDist, ids, dist)
		}
	}
}

// TestBlankPointsTakeNoPlace: by cosine and inner product all points have the k nearest of
// those that are not zero, or all of fewer, however many are zero; new points too.
func TestBlankPointsTakeNoPlace(t *testing.T) {
	for _, shape := range []struct{ n, d, blank, k int }{
		{60, 2, 0, 5},
		{24, 2, 1, 14},
		{24, 3, 5, 12},
		{60, 3, 30, 14},
		{60, 3, 30, 40},
		{40, 2, 38, 3},
		{40, 2, 39, 3},
		{20, 2, 20, 3},
		{600, 4, 5, 12},
		{150, 150, 1, 7},
		{150, 150, 40, 7},
		{2, 1, 1, 1},
	} {
		x := withBlank(shape.n, shape.d, shape.blank)
		first, of := distinctOf(x)
		asked := withBlank(7, shape.d, 0)
		for _, metric := range []Metric{Cosine, InnerProduct} {
			t.Run(fmt.Sprintf("%+v %v", shape, metric), func(t *testing.T) {
				opt := GraphOptions{Search: Options{K: shape.k, Metric: metric}, Weighting: Uniform}
				wantIDs, wantDist := make([][]int, x.Rows), make([][]float64, x.Rows)
				for i := range x.Rows {
					switch {
					case normOf(x.Row(i)) == 0:
					case int(of[i]) != i:
						wantIDs[i], wantDist[i] = []int{int(of[i])}, []float64{define(x.Row(i), x.Row(i), metric)}
					default:
						wantIDs[i], wantDist[i] = nearestBut(x, first, x.Row(i), i, shape.k, metric)
					}
				}
				var graphs []*csr.Matrix
				for _, how := range []struct {
					sparse  bool
					method  Method
					threads int
				}{{false, Exact, 1}, {false, Exact, 3}, {false, Approx, 1}, {false, Approx, 3}, {true, Exact, 1}, {true, Exact, 3}} {
					opt.Search.Method, opt.Search.Threads, opt.Search.Recall = how.method, how.threads, 1
					var w *csr.Matrix
					var report *GraphReport
					var err error
					if how.sparse {
						w, report, err = GraphSparse(context.Background(), sparsify(t, x), opt)
					} else {
						w, report, err = Graph(context.Background(), x, opt)
					}
					if err != nil {
						t.Fatal(err)
					}
					if report.ZeroVectors != shape.blank || report.Recall != 1 {
						t.Errorf("%+v: %d points of zeros, recall %v", how, report.ZeroVectors, report.Recall)
					}
					graphs = append(graphs, w)
					if !sameMatrix(w, graphs[0]) {
						t.Errorf("%+v: another graph", how)
					}
					for i := range x.Rows {
						checkRow(t, report.Found, i, wantIDs[i], wantDist[i])
					}
				}
				index, err := NewIndex(x, metric, 2)
				if err != nil {
					t.Fatal(err)
				}
				near, err := index.Nearest(context.Background(), asked, shape.k)
				if err != nil {
					t.Fatal(err)
				}
				for q := range asked.Rows {
					ids, dist := nearestBut(x, first, asked.Row(q), -1, shape.k, metric)
					checkRow(t, near, q, ids, dist)
				}
			})
		}
	}
}

// TestBlankPointsOfApproximation: with cells that are not all compared, and on a plane, no
// point of zeros is a neighbour and none lacks one.
func TestBlankPointsOfApproximation(t *testing.T) {
	racing.LongSum(t)
	for _, d := range []int{3, 250} {
		x := withBlank(1500, d, 60)
		_, of := distinctOf(x)
		for _, metric := range []Metric{Cosine, InnerProduct} {
			_, report, err := Graph(context.Background(), x, GraphOptions{
				Search: Options{K: 8, Metric: metric, Method: Approx, Recall: 0.9}, Weighting: Uniform,
			})
			if err != nil {
				t.Fatal(err)
			}
			if report.Method != Approx || report.Recall < 0.85 {
				t.Errorf("%d coordinates, %v: %v with recall %v", d, metric, report.Method, report.Recall)
			}
			for i := range x.Rows {
				ids, _ := report.Found.Row(i)
				want := 8
				if normOf(x.Row(i)) == 0 {
					want = 0
				} else if int(of[i]) != i {
					want = 1
				}
				if len(ids) != want || slices.ContainsFunc(ids, func(j uint32) bool { return normOf(x.Row(int(j))) == 0 }) {
					t.Fatalf("%d coordinates, %v: point %d has the neighbours %v, expected %d", d, metric, i, ids, want)
				}
			}
		}
	}
}

// TestConnectLeavesBlankPointsAlone: by cosine and inner product no link goes to a point of
// zeros; the components of the others are joined as by Kruskal over all their pairs.
func TestConnectLeavesBlankPointsAlone(t *testing.T) {
	for seed := range uint64(10) {
		for _, metric := range metrics() {
			for _, blank := range []int{0, 1, 3, 12} {
				x := islands(rand.New(rand.NewPCG(seed, 12)), 5, 12)
				for k := range blank {
					clear(x.Row(k * 5)) // the first among them
				}
				opt := GraphOptions{Search: Options{K: 3, Metric: metric}, Weighting: Uniform}
				plain, _ := mustGraph(t, x, opt)
				opt.Connect = true
				w, report := mustGraph(t, x, opt)
				of, sizes := csr.Components(plain, 1)
				left := func(i int) bool { return metric.byAngle() && normOf(x.Row(i)) == 0 }
				got := 0.0
				for _, l := range report.Links {
					got += float64(l.Dist)
					if left(int(l.I)) || left(int(l.J)) {
						t.Fatalf("seed %d, %v, %d points of zeros: a link between %d and %d", seed, metric, blank, l.I, l.J)
					}
				}
				alone := 0
				for i := range x.Rows {
					if cols, _ := w.Row(i); left(i) {
						alone++
						if len(cols) > 0 {
							t.Fatalf("seed %d, %v: point %d of zeros is joined to %v", seed, metric, i, cols)
						}
					}
				}
				_, after := csr.Components(w, 1)
				if len(after) != alone+1 || len(report.Links) != len(sizes)-alone-1 {
					t.Fatalf("seed %d, %v: %d components and %d links, expected %d of zeros and one of %d others", seed, metric, len(after), len(report.Links), alone, len(sizes)-alone)
				}
				want := kruskal(x, of, len(sizes), metric, left)
				if math.Abs(got-want) > 1e-4*math.Abs(want) {
					t.Fatalf("seed %d, %v: links of length %v, expected %v", seed, metric, got, want)
				}
			}
		}
	}
	none := csr.NewDense(4, 2)
	w, links, err := Connect(context.Background(), mustEdgeless(t, 4), none, ConnectOptions{Metric: Cosine})
	if err != nil || w.NNZ() != 0 || links != nil {
		t.Errorf("all of zeros: %v, links %v, %v", w, links, err)
	}
	// Neighbours found elsewhere may have a point of zeros between others.
	bridge := &csr.Dense{Rows: 5, Cols: 2, Data: []float32{1, 0, 0, 0, 1, 1, 0, 0, 0, 1}}
	nb, err := FromPrecomputed([]int32{1, 2, 1, -1, -1}, []float32{1, 1, 1, 0, 0}, 5, 1, Cosine)
	if err != nil {
		t.Fatal(err)
	}
	_, report, err := GraphOf(context.Background(), bridge, nb, 0, GraphOptions{Connect: true})
	if want := []Link{{2, 4, float32(1 - math.Sqrt(0.5))}}; err != nil || !slices.Equal(report.Links, want) {
		t.Errorf("beside a point of zeros between others: %v, %v, expected %v", report, err, want)
	}
}

// mustEdgeless returns a graph of n points without edges.
func mustEdgeless(t *testing.T, n int) *csr.Matrix {
	t.Helper()
	w, _, err := csr.FromEdges(n, &csr.Edges{}, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return w
}
