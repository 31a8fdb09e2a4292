package gen

import (
	"math"
	"slices"
	"testing"
)

// count returns the number of proper edges and of loops, after checking that
// every node is below n, the smaller node comes first and no pair comes twice.
func count(t *testing.T, n int, src, dst []uint32, weight []float32) (edges, loops int) {
	t.Helper()
	if len(src) != len(dst) || len(src) != len(weight) {
		t.Fatalf("lengths %d, %d, %d", len(src), len(dst), len(weight))
	}
	seen := make(map[[2]uint32]bool)
	for e := range src {
		pair := [2]uint32{src[e], dst[e]}
		if pair[0] > pair[1] || int(pair[1]) >= n || seen[pair] {
			t.Fatalf("edge %d: %v of %d nodes, seen %v", e, pair, n, seen[pair])
		}
		seen[pair] = true
		if pair[0] == pair[1] {
			loops++
		} else {
			edges++
		}
	}
	return edges, loops
}

// within checks a binomial count: 6 standard deviations, so a correct
// generator fails for one seed in 10^9.
func within(t *testing.T, what string, got, pairs int, p float64) {
	t.Helper()
	mean, sd := float64(pairs)*p, math.Sqrt(float64(pairs)*p*(1-p))
	if math.Abs(float64(got)-mean) > 6*sd {
		t.Errorf("%s: %d, expected %.0f ± %.0f", what, got, mean, sd)
	}
}

func TestRandomGraph(t *testing.T) {
	const n, p = 300, 0.1
	src, dst, weight := RandomGraph(n, p, 1, Options{})
	edges, loops := count(t, n, src, dst, weight)
	within(t, "edges", edges, n*(n-1)/2, p)
	if loops != 0 || slices.Min(weight) != 1 || slices.Max(weight) != 1 {
		t.Errorf("%d loops, weights %v to %v", loops, slices.Min(weight), slices.Max(weight))
	}
	src2, dst2, _ := RandomGraph(n, p, 1, Options{})
	if !slices.Equal(src, src2) || !slices.Equal(dst, dst2) {
		t.Error("the same seed gives another graph")
	}
	if other, _, _ := RandomGraph(n, p, 2, Options{}); slices.Equal(src, other) {
		t.Error("another seed gives the same graph")
	}
	// The first draws of PCG(1, …), kept so that graphs stay what they are.
	if want := []uint32{2, 4, 6, 8, 17}; !slices.Equal(dst[:5], want) {
		t.Errorf("first neighbours of node 0: %v, were %v", dst[:5], want)
	}
}

func TestRandomGraphExtremes(t *testing.T) {
	if src, _, _ := RandomGraph(20, 0, 3, Options{}); len(src) != 0 {
		t.Errorf("p = 0 gives %d edges", len(src))
	}
	if src, _, _ := RandomGraph(20, 1, 3, Options{}); len(src) != 190 {
		t.Errorf("p = 1 gives %d edges", len(src))
	}
	if src, _, _ := RandomGraph(0, 1, 3, Options{SelfLoops: 1}); len(src) != 0 {
		t.Errorf("no nodes give %d edges", len(src))
	}
}

func TestRandomGraphOptions(t *testing.T) {
	const n, p = 200, 0.2
	src, dst, weight := RandomGraph(n, p, 4, Options{Isolated: 50, TwoComponents: true, SelfLoops: 0.5, WeightSpread: 100})
	edges, loops := count(t, n, src, dst, weight)
	within(t, "edges", edges, 2*(75*74/2), p)
	within(t, "loops", loops, n, 0.5)
	below := 0
	for e := range src {
		if src[e] != dst[e] && (dst[e] >= 150 || (src[e]+dst[e])%2 == 1) {
			t.Fatalf("edge %d–%d", src[e], dst[e])
		}
		if weight[e] < 0.0099 || weight[e] > 101 {
			t.Fatalf("weight %v", weight[e])
		}
		if weight[e] < 1 {
			below++
		}
	}
	within(t, "weights below 1", below, len(src), 0.5)
}

func TestPlantedPartition(t *testing.T) {
	const n, c = 302, 3
	src, dst, weight, class := PlantedPartition(n, c, 0.3, 0.02, 5)
	count(t, n, src, dst, weight)
	sizes := make([]int, c)
	for _, k := range class {
		sizes[k]++
	}
	if !slices.Equal(sizes, []int{101, 101, 100}) {
		t.Fatalf("class sizes %v", sizes)
	}
	inside := 0
	for e := range src {
		if class[src[e]] == class[dst[e]] {
			inside++
		}
	}
	pairs := 2*(101*100/2) + 100*99/2
	within(t, "edges inside", inside, pairs, 0.3)
	within(t, "edges between", len(src)-inside, n*(n-1)/2-pairs, 0.02)
}

func TestPath(t *testing.T) {
	src, dst, weight := Path(4)
	if !slices.Equal(src, []uint32{0, 1, 2}) || !slices.Equal(dst, []uint32{1, 2, 3}) || !slices.Equal(weight, []float32{1, 1, 1}) {
		t.Errorf("%v %v %v", src, dst, weight)
	}
	if src, _, _ := Path(1); len(src) != 0 {
		t.Errorf("path of one node has %d edges", len(src))
	}
}

func TestSenselessArgumentsPanic(t *testing.T) {
	for what, f := range map[string]func(){
		"p > 1":             func() { RandomGraph(3, 1.1, 1, Options{}) },
		"p NaN":             func() { RandomGraph(3, math.NaN(), 1, Options{}) },
		"SelfLoops < 0":     func() { RandomGraph(3, 0.5, 1, Options{SelfLoops: -1}) },
		"Isolated > n":      func() { RandomGraph(3, 0.5, 1, Options{Isolated: 4}) },
		"WeightSpread 0.5":  func() { RandomGraph(3, 0.5, 1, Options{WeightSpread: 0.5}) },
		"no classes":        func() { PlantedPartition(3, 0, 0.5, 0.5, 1) },
		"pin not a chance":  func() { PlantedPartition(3, 1, 2, 0.5, 1) },
		"pout not a chance": func() { PlantedPartition(3, 1, 0.5, -2, 1) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", what)
				}
			}()
			f()
		}()
	}
}
