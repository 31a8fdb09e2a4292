package knn

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// flat returns n points of d coordinates that are normal along some axes, turned
// at random and moved, and have little noise along all.
func flat(n, d, axes int, noise float64, seed uint64) *csr.Dense {
	rng := rand.New(rand.NewPCG(seed, 3))
	turn := make([]float64, axes*d)
	for k := range turn {
		turn[k] = rng.NormFloat64()
	}
	x := csr.NewDense(n, d)
	for i := range n {
		row := x.Row(i)
		for q := range row {
			row[q] = float32(5 + noise*rng.NormFloat64())
		}
		for a := range axes {
			at := rng.NormFloat64() / (1 + float64(a)/8)
			for q := range row {
				row[q] += float32(at * turn[a*d+q])
			}
		}
	}
	return x
}

// TestPlane: points near a plane are compared on it, by every metric of products; the wanted
// share of neighbours is found, at the distances that an exact search gives them,
// and by any number of threads the same.
func TestPlane(t *testing.T) {
	n, d, k := 4000, 256, 10
	x := flat(n, d, 20, 0.3, 1)
	for _, metric := range sparseMetrics() {
		if racing.On && metric != L2 { // the metric is not about threads
			continue
		}
		exact, _, err := Search(context.Background(), x, Options{K: k, Metric: metric, Method: Exact})
		if err != nil {
			t.Fatal(err)
		}
		opt := Options{K: k, Metric: metric, Method: Approx, Recall: 0.95, Threads: 1}
		got, report, err := Search(context.Background(), x, opt)
		if err != nil {
			t.Fatal(err)
		}
		if report.Axes == 0 || report.Axes >= d || report.Depth < k || report.Recall < 0.94 {
			t.Errorf("%v: %+v", metric, report)
		}
		hits := 0
		for i := range n {
			want, away := exact.Row(i)
			ids, dist := got.Row(i)
			for p, id := range ids {
				if at := slices.Index(want, id); at >= 0 {
					hits++
					if dist[p] != away[at] {
						t.Fatalf("%v: point %d: %v from %d, exactly %v", metric, i, dist[p], id, away[at])
					}
				}
				if p > 0 && dist[p] < dist[p-1] {
					t.Fatalf("%v: point %d: neighbours out of order", metric, i)
				}
			}
		}
		if share := float64(hits) / float64(n*k); share < 0.95 || math.Abs(share-report.Recall) > 0.02 {
			t.Errorf("%v: recall %v, reported as %v", metric, share, report.Recall)
		}
		opt.Threads = 3
		again, other, err := Search(context.Background(), x, opt)
		if err != nil || !reflect.DeepEqual(got, again) || !reflect.DeepEqual(report, other) {
			t.Errorf("%v: another result by three threads, %v", metric, err)
		}
	}
}

// TestNoPlane: points that no few axes tell apart are compared by all coordinates.
func TestNoPlane(t *testing.T) {
	x := flat(2000, 256, 1, 3, 2)
	_, report, err := Search(context.Background(), x, Options{Method: Approx, Recall: 0.99})
	if err != nil || report.Axes != 0 || report.Recall < 0.98 {
		t.Errorf("%+v, %v", report, err)
	}
}

// TestEnough: the least value with the wanted share, and a margin for points that
// differ.
func TestEnough(t *testing.T) {
	needs := [][]int{{1, 2}, {1, 3}, {2, 9}, {1, math.MaxInt}}
	for _, test := range []struct {
		wanted, errors float64
		want           int
	}{{0.5, 0, 2}, {0.375, 0, 1}, {0.75, 0, 3}, {0.8, 0, 9}, {0.9, 0, math.MaxInt}, {0.6, 1, 3}} {
		if got := enough(needs, test.wanted, test.errors); got != test.want {
			t.Errorf("%v of the needs, %v errors: %d, want %d", test.wanted, test.errors, got, test.want)
		}
	}
}

// TestAscendingBits: the order of numbers, and back.
func TestAscendingBits(t *testing.T) {
	values := []float32{float32(math.Inf(-1)), -math.MaxFloat32, -1, -math.SmallestNonzeroFloat32, 0, math.SmallestNonzeroFloat32, 1, math.MaxFloat32, float32(math.Inf(1))}
	for p, v := range values {
		if fromAscendingBits(ascendingBits(v)) != v || p > 0 && ascendingBits(values[p-1]) >= ascendingBits(v) {
			t.Errorf("%v", v)
		}
	}
}
