package knn

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
)

// bruteForce ranks all points by the definition of the metric, in float64,
// one pair at a time.
func bruteForce(x *csr.Dense, k int, metric Metric) (ids [][]int, dist [][]float64) {
	ids, dist = make([][]int, x.Rows), make([][]float64, x.Rows)
	for i := range x.Rows {
		all := make([]float64, x.Rows)
		var order []int
		for j := range x.Rows {
			if j != i {
				all[j] = define(x.Row(i), x.Row(j), metric)
				order = append(order, j)
			}
		}
		slices.SortStableFunc(order, func(a, b int) int {
			switch {
			case all[a] < all[b]:
				return -1
			case all[a] > all[b]:
				return 1
			}
			return a - b
		})
		ids[i] = order[:k]
		for _, j := range ids[i] {
			dist[i] = append(dist[i], all[j])
		}
	}
	return ids, dist
}

func define(x, y []float32, metric Metric) float64 {
	var xy, xx, yy, away, sum float64
	for p := range x {
		a, b := float64(x[p]), float64(y[p])
		xy, xx, yy, away = xy+a*b, xx+a*a, yy+b*b, away+(a-b)*(a-b)
		sum += math.Abs(a - b)
	}
	switch {
	case metric == L2:
		return math.Sqrt(away)
	case metric == InnerProduct:
		return -xy
	case metric == Manhattan:
		return sum
	case xx == 0 || yy == 0:
		return 1
	}
	return 1 - xy/math.Sqrt(xx)/math.Sqrt(yy)
}

// checkAgainst compares nb with the brute force: the same distances, each the
// true one of the point named, and, with exact, the same numbers.
func checkAgainst(t *testing.T, x *csr.Dense, nb *Neighbors, exact bool) {
	t.Helper()
	ids, dist := bruteForce(x, nb.K, nb.Metric)
	checkRows(t, x, nb, ids, dist, exact)
}

// checkRows is checkAgainst for at least nb.K neighbours of the brute force.
func checkRows(t *testing.T, x *csr.Dense, nb *Neighbors, ids [][]int, dist [][]float64, exact bool) {
	t.Helper()
	for i := range x.Rows {
		gotIDs, gotDist := nb.Row(i)
		if len(gotIDs) != nb.K {
			t.Fatalf("point %d: %d neighbours, expected %d", i, len(gotIDs), nb.K)
		}
		seen := map[uint32]bool{uint32(i): true}
		for p, j := range gotIDs {
			if seen[j] {
				t.Fatalf("point %d: neighbour %d is itself or repeated in %v", i, j, gotIDs)
			}
			seen[j] = true
			if exact && int(j) != ids[i][p] {
				t.Fatalf("point %d: neighbours %v, expected %v", i, gotIDs, ids[i][:nb.K])
			}
			own := define(x.Row(i), x.Row(int(j)), nb.Metric)
			scale := 1e-12*math.Abs(dist[i][p]) + 1e-15
			if nb.Metric == InnerProduct {
				scale = 1e-12 * normOf(x.Row(i)) * normOf(x.Row(int(j)))
			}
			if math.Abs(own-dist[i][p]) > scale {
				t.Fatalf("point %d: neighbour %d at %v in place %d, expected one at %v", i, j, own, p, dist[i][p])
			}
			stored := max(-math.MaxFloat32, min(own, math.MaxFloat32))
			if e := math.Abs(float64(gotDist[p]) - stored); e > 1e-7*math.Abs(own)+1e-15+scale {
				t.Fatalf("point %d: stored distance %v to %d, expected %v", i, gotDist[p], j, own)
			}
		}
	}
}

func normOf(x []float32) float64 {
	s := 0.0
	for _, v := range x {
		s += float64(v) * float64(v)
	}
	return math.Sqrt(s)
}

// dataset is features with a name; ties says that distances are exact and
// many are equal, so that the numbers must agree with the oracle's.
type dataset struct {
	name string
	x    *csr.Dense
	ties bool
}

func datasets(seed uint64) []dataset {
	rng := rand.New(rand.NewPCG(seed, 7))
	fill := func(n, d int, f func(i, p int) float64) *csr.Dense {
		x := csr.NewDense(n, d)
		for i := range n {
			for p := range d {
				x.Set(i, p, float32(f(i, p)))
			}
		}
		return x
	}
	centre := fill(20, 12, func(int, int) float64 { return 1e4 * rng.NormFloat64() })
	normal := func(int, int) float64 { return rng.NormFloat64() }
	sets := []dataset{
		{"gaussian", fill(150, 33, normal), false},
		{"two blocks", fill(600, 5, normal), false},
		{"deep", fill(40, 300, normal), false},
		{"far clusters", fill(200, 12, func(i, p int) float64 { return float64(centre.At(i%20, p)) + 0.01*rng.NormFloat64() }), false},
		{"far from zero", fill(120, 8, func(int, int) float64 { return 1e5 + rng.NormFloat64() }), false},
		{"huge", fill(60, 4, func(int, int) float64 { return 1e37 * rng.NormFloat64() }), false},
		{"tiny", fill(60, 4, func(int, int) float64 { return 1e-37 * rng.NormFloat64() }), false},
		{"wide", fill(80, 6, func(int, int) float64 { return math.Exp(20 * rng.NormFloat64()) }), false},
		{"integers", fill(300, 4, func(int, int) float64 { return float64(rng.IntN(4)) }), true},
		{"few distinct", fill(260, 2, func(int, int) float64 { return float64(rng.IntN(2)) }), true},
		{"line", fill(90, 1, func(i, _ int) float64 { return float64(i / 2) }), true},
		{"all equal", fill(50, 3, func(int, int) float64 { return 7 }), true},
		{"zeros", fill(30, 3, func(int, int) float64 { return 0 }), true},
		{"two", fill(2, 3, normal), true},
		{"ring", fill(64, 2, func(i, p int) float64 { return math.Cos(float64(i)*math.Pi/32 - float64(p)*math.Pi/2) }), false},
	}
	giant := fill(300, 4, normal) // beside it the products of the others nearly vanish
	giant.Set(11, 0, 1e22)
	sets = append(sets, dataset{"giant", giant, false})
	signs := fill(90, 3, func(int, int) float64 { return float64(rng.IntN(3)-1) * 0 })
	for i := range signs.Data { // −0 equals 0
		if rng.IntN(2) == 0 {
			signs.Data[i] = float32(math.Copysign(0, -1))
		}
	}
	return append(sets, dataset{"signed zeros", signs, true})
}

func metrics() []Metric { return append(sparseMetrics(), Manhattan) }

// sparseMetrics are those of sparse points.
func sparseMetrics() []Metric { return []Metric{L2, Cosine, InnerProduct} }

func (d dataset) run(t *testing.T, f func(t *testing.T, metric Metric)) {
	for _, metric := range metrics() {
		t.Run(fmt.Sprintf("%s/%v", d.name, metric), func(t *testing.T) { f(t, metric) })
	}
}
