package knn

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
)

// meanOf is the mean of the first m distances, or of all.
func meanOf(dist []float64, m int) float64 {
	s := 0.0
	m = min(m, len(dist))
	for _, d := range dist[:m] {
		s += d
	}
	return s / float64(m)
}

// Each weighting against its formula, from brute-force distances.
func TestWeightsFollowTheirFormulas(t *testing.T) {
	const seed, k, wide = 4, 6, 30
	x := clustered(120, 5, 4, seed)
	for _, metric := range metrics() {
		nb, _ := mustSearch(t, x, Options{K: wide, Metric: metric})
		ids, dist := bruteForce(x, wide, metric)
		if metric == Manhattan {
			for _, row := range dist {
				for p, d := range row {
					row[p] = math.Sqrt(d)
				}
			}
		}
		global := 0.0
		for _, row := range dist {
			global += meanOf(row, 27) / float64(len(dist))
		}
		gauss := map[Weighting]func(i, j int, d float64) float64{
			Adaptive:          func(i, _ int, d float64) float64 { return math.Exp(-d * d / 2 / math.Pow(meanOf(dist[i], 27), 2)) },
			AdaptiveGlobal:    func(_, _ int, d float64) float64 { return math.Exp(-d * d / 2 / global / global) },
			SelfTuning:        func(i, j int, d float64) float64 { return math.Exp(-d * d / dist[i][6] / dist[j][6]) },
			SymmetricGaussian: func(i, j int, d float64) float64 { return math.Exp(-4 * d * d / dist[i][k-1] / dist[j][k-1]) },
			CosineWeight:      func(_, _ int, d float64) float64 { return max(0, 1-d) },
			Uniform:           func(int, int, float64) float64 { return 1 },
		}
		for weighting, formula := range gauss {
			w, err := Weights(nb, WeightOptions{K: k, Weighting: weighting})
			if !metric.byAngle() && weighting == CosineWeight || metric == InnerProduct && weighting < CosineWeight && weighting != SymmetricGaussian {
				if !errors.Is(err, ErrOptions) {
					t.Errorf("%v by %v: %v, expected ErrOptions", weighting, metric, err)
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if metric == InnerProduct && weighting != Uniform {
				formula = func(_, _ int, d float64) float64 { return max(0, -d) }
			}
			for i := range x.Rows {
				if cols, _ := w.Row(i); len(cols) != k {
					t.Fatalf("%v: %d weights for point %d", weighting, len(cols), i)
				}
				for p, j := range ids[i][:k] {
					want := formula(i, j, dist[i][p])
					if got := w.At(i, j); math.Abs(got-want) > 1e-5*want+MinWeight {
						t.Fatalf("%v by %v (%d,%d): %v, expected %v", weighting, metric, i, j, got, want)
					}
				}
			}
		}
	}
}

// Points that coincide must not make a bandwidth 0, a weight NaN or infinite,
// or a row without weight.
func TestWeightsOfDuplicates(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	equal := csr.NewDense(40, 3)
	many := csr.NewDense(200, 2) // half of the points at one place, others in pairs
	for i := 100; i < 200; i++ {
		many.Set(i, 0, float32(i/2)+1)
		many.Set(i, 1, rng.Float32())
		if i%2 == 1 {
			copy(many.Row(i), many.Row(i-1))
		}
	}
	far := csr.NewDense(60, 1) // a place of 50 points, and others very far away
	for i := 50; i < 60; i++ {
		far.Set(i, 0, float32(math.Exp(float64(i))))
	}
	for name, x := range map[string]*csr.Dense{"all equal": equal, "many": many, "far": far} {
		for _, k := range []int{3, 30} {
			nb, _ := mustSearch(t, x, Options{K: k})
			for _, weighting := range []Weighting{Adaptive, AdaptiveGlobal, SelfTuning, SymmetricGaussian, Uniform} {
				w, err := Weights(nb, WeightOptions{Weighting: weighting})
				if err != nil {
					t.Fatal(err)
				}
				for i := range x.Rows {
					cols, vals := w.Row(i)
					if len(cols) != k {
						t.Fatalf("%s, %v: point %d has %d neighbours, expected %d", name, weighting, i, len(cols), k)
					}
					for p, v := range vals {
						if !(v >= MinWeight && v <= 1) {
							t.Fatalf("%s, %v (%d,%d): weight %v", name, weighting, i, cols[p], v)
						}
						if define(x.Row(i), x.Row(int(cols[p])), L2) == 0 && v != 1 {
							t.Fatalf("%s, %v: duplicates %d, %d have weight %v, expected 1", name, weighting, i, cols[p], v)
						}
					}
				}
			}
		}
	}
}

func TestWeightsOfShortRows(t *testing.T) {
	nb, err := FromPrecomputed([]int32{1, 2, 0, -1, -1, -1}, []float32{1, 2, 1, 0, 0, 0}, 3, 2, L2)
	if err != nil {
		t.Fatal(err)
	}
	for weighting := SymmetricGaussian; weighting <= SelfTuning; weighting++ {
		w, err := Weights(nb, WeightOptions{Weighting: weighting})
		if err != nil {
			t.Fatal(err)
		}
		if w.NNZ() != 3 || !(w.At(1, 0) > 0) || w.At(1, 0) > 1 {
			t.Errorf("%v: %d weights, w_10 = %v", weighting, w.NNZ(), w.At(1, 0))
		}
	}
}

// TestGlobalBandwidth is the mean over the points that have neighbours, of zero vectors none.
func TestGlobalBandwidth(t *testing.T) {
	nb, err := FromPrecomputed([]int32{1, 2, 0, -1, -1, -1, -1, -1}, []float32{1, 2, 4, 0, 0, 0, 0, 0}, 4, 2, L2)
	if err != nil {
		t.Fatal(err)
	}
	x := someDense(1, 50, 3)
	clear(x.Row(4))
	clear(x.Row(30))
	opt := GraphOptions{Search: Options{K: 6, Metric: Cosine}, Weighting: AdaptiveGlobal}
	_, report, err := Graph(context.Background(), x, opt)
	if err != nil {
		t.Fatal(err)
	}
	first, _ := distinctOf(x)
	sum, points := 0.0, 0
	for _, i := range first {
		if normOf(x.Row(int(i))) > 0 {
			_, dist := nearestBut(x, first, x.Row(int(i)), int(i), adaptiveNeighbors, Cosine)
			for _, d := range dist {
				sum += d / float64(len(dist))
			}
			points++
		}
	}
	for _, test := range []struct {
		name string
		nb   *Neighbors
		want float64
	}{
		{"two of four", nb, (1.5 + 4) / 2},
		{"blank points", report.Found, sum / float64(points)},
		{"none", newNeighbors(3, 2, L2), 1},
	} {
		a, err := NewAttachment(test.nb, 0, opt)
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range a.Sigma {
			if !(math.Abs(float64(s)-test.want) <= 1e-6*test.want) {
				t.Errorf("%s: the bandwidth of point %d is %v, expected %v", test.name, i, s, test.want)
			}
		}
	}
}

func TestWeightsRefuse(t *testing.T) {
	nb, _ := mustSearch(t, clustered(30, 2, 2, 1), Options{K: 4})
	for _, opt := range []WeightOptions{{K: 5}, {K: -1}, {Weighting: -1}, {Weighting: Uniform + 1}} {
		if _, err := Weights(nb, opt); !errors.Is(err, ErrOptions) {
			t.Errorf("%+v: %v, expected ErrOptions", opt, err)
		}
	}
}

// TestFits: cosine weights are of cosines and inner products, and Gaussians of distances; the default suits all metrics.
func TestFits(t *testing.T) {
	unfit := map[Weighting][]Metric{
		CosineWeight: {L2, Manhattan}, Adaptive: {InnerProduct}, AdaptiveGlobal: {InnerProduct}, SelfTuning: {InnerProduct},
	}
	for w := SymmetricGaussian; w <= Uniform; w++ {
		for _, m := range []Metric{L2, Cosine, InnerProduct, Hellinger, HellingerIDF, Manhattan} {
			want := !slices.Contains(unfit[w], m)
			nb := &Neighbors{N: 2, K: 1, Metric: m, IDs: []uint32{1, 0}, Dist: []float32{0.5, 0.5}}
			if _, err := Weights(nb, WeightOptions{Weighting: w}); w.Fits(m) != want || errors.Is(err, ErrOptions) == want {
				t.Errorf("%v by %v: %v, %v, expected %v", w, m, w.Fits(m), err, want)
			}
		}
	}
	if Weighting(-1).Fits(L2) || (Uniform + 1).Fits(L2) {
		t.Error("an unknown weighting fits")
	}
}

// TestWeightsOfNoNeighbours: numbers that are no other point's are an error.
func TestWeightsOfNoNeighbours(t *testing.T) {
	for _, bad := range []uint32{0, 3, Missing - 1} {
		nb := &Neighbors{N: 3, K: 1, IDs: []uint32{bad, 0, 0}, Dist: []float32{1, 1, 1}}
		if _, err := Weights(nb, WeightOptions{}); !errors.Is(err, ErrNeighbors) {
			t.Errorf("neighbour %d of point 0: %v", bad, err)
		}
	}
}
