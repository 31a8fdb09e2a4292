package knn

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
)

// joinedTexts returns n texts of three classes, and edges inside classes. Either a few frequent words tell the class and rare ones say nothing, or the
// other way round. One text is empty, and one has no edge.
func joinedTexts(t *testing.T, n int, frequent bool) (*csr.Dense, *csr.Matrix) {
	t.Helper()
	rng := rand.New(rand.NewPCG(4, uint64(n)))
	const common, rare = 30, 180
	x := csr.NewDense(n, common+rare)
	edges := &csr.Edges{}
	for i := range n {
		class := i % 3
		for q := range common {
			chance := 0.25
			if frequent && q%3 == class {
				chance = 0.6
			}
			if rng.Float64() < chance {
				x.Row(i)[q] = float32(1 + rng.IntN(2))
			}
		}
		for range 6 {
			q := rng.IntN(rare)
			if !frequent {
				q = q/3*3 + class
			}
			x.Row(i)[common+q] = 1
		}
		for range 4 {
			j := rng.IntN(n)/3*3 + class
			if j < n && i != n-1 && j != n-1 {
				edges.Src, edges.Dst = append(edges.Src, uint32(i)), append(edges.Dst, uint32(j))
			}
		}
	}
	clear(x.Row(7))
	w, _, err := csr.FromEdges(n+5, edges, csr.BuildOptions{}) // nodes without features come last
	if err != nil {
		t.Fatal(err)
	}
	return x, w
}

// leadByHand is the lead of all edges, with all points, in float64.
func leadByHand(x *csr.Dense, w *csr.Matrix) (edges int, lead float64) {
	n, d := x.Rows, x.Cols
	weight, full := make([]float64, d), 0
	for i := range n {
		some := 0.0
		for q, v := range x.Row(i) {
			if some += float64(v); v != 0 {
				weight[q]++
			}
		}
		if some > 0 {
			full++
		}
	}
	for q, with := range weight {
		weight[q] = math.Log(float64(1+full) / max(1, with))
	}
	cosine := func(i, j int, weighted bool) float64 {
		ij, ii, jj := 0.0, 0.0, 0.0
		for q := range d {
			by, a, b := 1.0, float64(x.Row(i)[q]), float64(x.Row(j)[q])
			if weighted {
				by = weight[q]
			}
			ij, ii, jj = ij+by*a*b, ii+by*a*a, jj+by*b*b
		}
		if ii*jj == 0 {
			return math.NaN()
		}
		return math.Round(1e6*ij/math.Sqrt(ii*jj)) / 1e6 // ties stay ties
	}
	sum, squares := 0.0, 0.0
	for i := range n {
		cols, _ := w.Row(i)
		for _, j := range cols {
			if int(j) == i || math.IsNaN(cosine(i, int(j), false)) {
				continue
			}
			var place [2]float64
			for m := range place {
				place[m] = 1
				own := cosine(i, int(j), m == 1)
				for p := range n {
					if of := cosine(i, p, m == 1); p != i && p != int(j) {
						switch {
						case of > own:
							place[m]++
						case of == own:
							place[m] += 0.5
						}
					}
				}
			}
			diff := math.Log(place[1]) - math.Log(place[0])
			edges, sum, squares = edges+1, sum+diff, squares+diff*diff
		}
	}
	return edges, sum / math.Sqrt(squares)
}

// TestTryEdges: the lead is that of a brute force in float64; the metric that it names is the one whose words tell of the edges; dense and
// sparse words and any number of threads agree; and there is none without an edge of two points.
func TestTryEdges(t *testing.T) {
	for frequent, want := range map[bool]Metric{true: Cosine, false: CosineIDF} {
		x, w := joinedTexts(t, 300, frequent)
		got := TryEdges(x, w, 1)
		if edges, lead := leadByHand(x, w); got.Edges != edges || got.Points != 300 || math.Abs(got.Lead-lead) > 0.05*math.Abs(lead) {
			t.Errorf("frequent words tell %v: %+v, by hand %d edges and a lead of %v", frequent, got, edges, lead)
		}
		if got.Metric() != want || (got.Cosine < got.Weighted) != frequent {
			t.Errorf("frequent words tell %v: %v of %+v", frequent, got.Metric(), got)
		}
		for _, threads := range []int{2, 3, 8} {
			if again := TryEdges(x, w, threads); !reflect.DeepEqual(again, got) {
				t.Errorf("%d threads: %+v, of one %+v", threads, again, got)
			}
			if again := TryEdgesSparse(sparsify(t, x), w, threads); !reflect.DeepEqual(again, got) {
				t.Errorf("sparse, %d threads: %+v, dense %+v", threads, again, got)
			}
		}
	}
	x, w := joinedTexts(t, 3000, true)
	if got := TryEdges(x, w, 2); got.Points != triedPoints || got.Edges > triedEdges || got.Edges < triedEdges/2 || got.Metric() != Cosine {
		t.Errorf("of many points: %+v", got)
	}
	// Edges of the first half that say nothing, more than are tried, do not hide those of the second: ends without any say are at 200 of 512.
	noisy := &csr.Edges{}
	for i := range uint32(1500) {
		for k := range uint32(5) {
			noisy.Src, noisy.Dst = append(noisy.Src, i), append(noisy.Dst, (i*31+k*211+1)%1500)
		}
		cols, _ := w.Row(int(i) + 1500)
		for _, j := range cols {
			if j >= 1500 {
				noisy.Src, noisy.Dst = append(noisy.Src, i+1500), append(noisy.Dst, j)
			}
		}
	}
	late, _, err := csr.FromEdges(3000, noisy, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got := TryEdges(x, late, 2); got.Cosine > 195 {
		t.Errorf("with noise first: %+v", got)
	}
	none, _, err := csr.FromEdges(3000, &csr.Edges{Src: []uint32{7}, Dst: []uint32{8}}, csr.BuildOptions{}) // 7 is empty
	if err != nil {
		t.Fatal(err)
	}
	if got := TryEdges(x, none, 2); got != nil || got.Metric() != CosineIDF {
		t.Errorf("without an edge between texts: %+v", got)
	}
}
