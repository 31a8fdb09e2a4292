package knn

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
)

// bruteNeighbors is an independent exact search in float64.
func bruteNeighbors(x *csr.Dense, k int) *Neighbors {
	nb := &Neighbors{N: x.Rows, K: k}
	for i := range x.Rows {
		type hit struct {
			id   uint32
			dist float64
		}
		var hits []hit
		for j := range x.Rows {
			sum := 0.0
			for c := range x.Cols {
				delta := float64(x.At(i, c)) - float64(x.At(j, c))
				sum += delta * delta
			}
			if j != i {
				hits = append(hits, hit{uint32(j), sum})
			}
		}
		slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Compare(a.dist, b.dist) })
		for _, h := range hits[:k] {
			nb.IDs = append(nb.IDs, h.id)
			nb.Dist = append(nb.Dist, float32(math.Sqrt(h.dist)))
		}
	}
	return nb
}

// directLLE solves the regularised local system by Gaussian elimination.
func directLLE(x *csr.Dense, i int, ids []uint32, r float64) []float64 {
	k := len(ids)
	g := localGram(x, i, ids, r)
	w := make([]float64, k)
	for p := range w {
		w[p] = 1
	}
	for p := range k {
		for q := p + 1; q < k; q++ {
			f := g[q][p] / g[p][p]
			for t := p; t < k; t++ {
				g[q][t] -= f * g[p][t]
			}
			w[q] -= f * w[p]
		}
	}
	total := 0.0
	for p := k - 1; p >= 0; p-- {
		for t := p + 1; t < k; t++ {
			w[p] -= g[p][t] * w[t]
		}
		w[p] /= g[p][p]
		total += w[p]
	}
	for p := range w {
		w[p] /= total
	}
	return w
}

func localGram(x *csr.Dense, i int, ids []uint32, r float64) [][]float64 {
	g := make([][]float64, len(ids))
	trace := 0.0
	for p := range g {
		g[p] = make([]float64, len(ids))
		for q := range g[p] {
			for c := range x.Cols {
				at := float64(x.At(i, c))
				g[p][q] += (at - float64(x.At(int(ids[p]), c))) * (at - float64(x.At(int(ids[q]), c)))
			}
		}
		trace += g[p][p]
	}
	for p := range g {
		g[p][p] += r * trace
	}
	return g
}

// rowsOf returns the weights before symmetrising, dense.
func lleRow(x *csr.Dense, nb *Neighbors, i int, sign LLESign) []float64 {
	s := newLLESolver(nb.K, x.Cols)
	s.gram(x, i, nb.IDs[i*nb.K:(i+1)*nb.K], 1e-3)
	if sign == LLEAbsolute {
		s.free()
	} else {
		s.nonNegative()
	}
	return s.w
}

func TestLLEFreeAgainstDirectSolve(t *testing.T) {
	for _, d := range []int{2, 5, 12} { // K = 7 above and below d
		x := randomPoints(uint64(d), 40, d)
		nb := bruteNeighbors(x, 7)
		for i := range x.Rows {
			got, want := lleRow(x, nb, i, LLEAbsolute), directLLE(x, i, nb.IDs[i*7:(i+1)*7], 1e-3)
			for k := range want {
				if math.Abs(got[k]-want[k]) > 1e-8*(1+math.Abs(want[k])) {
					t.Fatalf("d %d: weight %d of point %d is %v, expected %v", d, k, i, got[k], want[k])
				}
			}
		}
	}
}

// The conditions of the simplex problem, which is convex: w ≥ 0, Σw = 1 and
// (Gw)_k ≥ wᵀGw, equal where w_k > 0.
func TestLLENonNegativeOptimality(t *testing.T) {
	for _, d := range []int{1, 3, 20} {
		x := randomPoints(uint64(30+d), 60, d)
		const k = 9
		nb := bruteNeighbors(x, k)
		for i := range x.Rows {
			g := localGram(x, i, nb.IDs[i*k:(i+1)*k], 1e-3)
			w := lleRow(x, nb, i, LLENonNegative)
			sum, value := 0.0, 0.0
			gw := make([]float64, k)
			for p := range k {
				gw[p] = inner(g[p], w)
				value += w[p] * gw[p]
				sum += w[p]
				if w[p] < 0 {
					t.Fatalf("point %d: weight %v", i, w[p])
				}
			}
			if math.Abs(sum-1) > 1e-12 {
				t.Fatalf("point %d: weights add up to %v", i, sum)
			}
			for p := range k {
				if gap := gw[p] - value; gap < -1e-8*value || w[p] > 0 && gap > 1e-8*value {
					t.Fatalf("d %d, point %d: gradient %v at weight %v, optimum %v", d, i, gw[p], w[p], value)
				}
			}
		}
	}
}

// A point in the middle of two neighbours on a line is half of each; the far
// one behind gets nothing.
func TestLLEClosedForm(t *testing.T) {
	x := &csr.Dense{Rows: 4, Cols: 1, Data: []float32{0, 1, -1, 3}}
	nb := bruteNeighbors(x, 3)
	w := lleRow(x, nb, 0, LLENonNegative)
	// min (w1 − w2 + 3w3)² + 0.011 ‖w‖² over the simplex, G = aaᵀ + 0.011 I
	// with a = (1,−1,3), trace 11. With w3 = 0 it is (½, ½) and 0.0055; the
	// gradient along the third is a₃·(aᵀw) = 0 below that, so w3 > 0 pays a
	// little: solved by hand below.
	want := handSimplex([]float64{-1, 1, -3}, 0.011)
	for k := range want {
		if math.Abs(w[k]-want[k]) > 1e-9 {
			t.Errorf("weights %v, expected %v", w, want)
			break
		}
	}
}

// handSimplex solves min (aᵀw)² + r‖w‖², Σw = 1 by (aaᵀ + rI)w ∝ 1 with the
// Sherman–Morrison formula; all weights come out positive here.
func handSimplex(a []float64, r float64) []float64 {
	sumA, sumSquares := 0.0, 0.0
	for _, v := range a {
		sumA += v
		sumSquares += v * v
	}
	w := make([]float64, len(a))
	total := 0.0
	for k, v := range a {
		w[k] = 1 - v*sumA/(r+sumSquares)
		total += w[k]
	}
	for k := range w {
		w[k] /= total
	}
	return w
}

func TestLLEInvariance(t *testing.T) {
	const n, d, k, seed = 50, 3, 6, 21
	t.Logf("seed %d", seed)
	x := randomPoints(seed, n, d)
	nb := bruteNeighbors(x, k)
	rng := rand.New(rand.NewPCG(seed, 2))
	angle := rng.Float64() * 6
	moved := map[string]func(p []float64) []float64{
		"translated": func(p []float64) []float64 { return []float64{p[0] + 2, p[1] - 1, p[2] + 3} },
		"rotated": func(p []float64) []float64 {
			sin, cos := math.Sincos(angle)
			return []float64{cos*p[0] - sin*p[2], p[1], sin*p[0] + cos*p[2]}
		},
		"scaled up":   func(p []float64) []float64 { return []float64{p[0] * 1e30, p[1] * 1e30, p[2] * 1e30} },
		"scaled down": func(p []float64) []float64 { return []float64{p[0] * 1e-30, p[1] * 1e-30, p[2] * 1e-30} },
	}
	for _, sign := range []LLESign{LLENonNegative, LLEAbsolute} {
		want, err := LLE(t.Context(), x, nb, LLEOptions{Sign: sign})
		if err != nil {
			t.Fatal(err)
		}
		if err := csr.CheckSymmetric(want, 1); err != nil {
			t.Error(err)
		}
		for name, move := range moved {
			y := csr.NewDense(n, d)
			for i := range n {
				p := move([]float64{float64(x.At(i, 0)), float64(x.At(i, 1)), float64(x.At(i, 2))})
				for j, v := range p {
					y.Set(i, j, float32(v))
				}
			}
			got, err := LLE(t.Context(), y, nb, LLEOptions{Sign: sign, Threads: 3})
			if err != nil {
				t.Fatal(err)
			}
			for i := range n {
				for j := range n {
					if math.Abs(got.At(i, j)-want.At(i, j)) > 1e-3 { // float32 points, r = 1e-3
						t.Fatalf("%s, sign %d: weight (%d,%d) is %v, before %v", name, sign, i, j, got.At(i, j), want.At(i, j))
					}
				}
			}
		}
	}
}

func TestLLEDuplicates(t *testing.T) {
	x := csr.NewDense(5, 2)
	for k := range x.Data {
		x.Data[k] = 4
	}
	nb := bruteNeighbors(x, 4)
	for _, sign := range []LLESign{LLENonNegative, LLEAbsolute} {
		w, err := LLE(t.Context(), x, nb, LLEOptions{Sign: sign})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 5 {
			for j := range 5 {
				if want := 0.25; i != j && math.Abs(w.At(i, j)-want) > 1e-7 {
					t.Errorf("sign %d: weight (%d,%d) is %v among equal points, expected %v", sign, i, j, w.At(i, j), want)
				}
			}
		}
	}
}

func TestLLEErrors(t *testing.T) {
	x := randomPoints(1, 4, 2)
	nan := x.Clone()
	nan.Set(2, 1, float32(math.NaN()))
	line := csr.NewDense(4, 2) // on which the second neighbour of a point says nothing new
	for i := range 4 {
		line.Set(i, 0, float32(i*i))
	}
	for _, test := range []struct {
		x    *csr.Dense
		ids  []uint32
		opt  LLEOptions
		is   error
		want string
	}{
		{nan, []uint32{1, 2, 0, 2, 0, 1, 0, 1}, LLEOptions{}, ErrFeatures, "row 2, column 1: value NaN"},
		{x, []uint32{1, 2, 0, 2, 0, 4, 0, 1}, LLEOptions{}, ErrNeighbors, "point 2 has neighbour 4"},
		{x, []uint32{1, 2, 0, 1, 0, 1, 0, 1}, LLEOptions{}, ErrNeighbors, "point 1 is its own neighbour"},
		{x, []uint32{1, 1, 0, 2, 0, 1, 0, 1}, LLEOptions{}, ErrNeighbors, "point 0 has neighbour 1 twice"},
		{x, []uint32{1, 2, 0, 2, 0, 1, 0, 1}, LLEOptions{Regularization: -1}, ErrOptions, "regularization -1"},
		{x, []uint32{1, 2, 0, 2, 0, 1, 0, 1}, LLEOptions{Sign: 7}, ErrOptions, "sign 7"},
		{x, []uint32{1, 2, 0, 2, 0, 1, 0, 1}, LLEOptions{Symmetry: 7}, ErrOptions, "symmetry 7"},
		{line, []uint32{1, 2, 0, 2, 0, 1, 0, 1}, LLEOptions{Sign: LLEAbsolute, Regularization: 1e-300}, ErrOptions, "not independent"},
	} {
		_, err := LLE(t.Context(), test.x, &Neighbors{N: 4, K: 2, IDs: test.ids}, test.opt)
		if !errors.Is(err, test.is) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("error %v, expected %q", err, test.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := LLE(ctx, x, &Neighbors{N: 4, K: 1, IDs: []uint32{1, 0, 0, 0}}, LLEOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended: %v", err)
	}
}
