package diffuse

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/oracle"
)

// TestAround: products and the ridge are those of the dense (X̂, D^-1 W X̂), on graphs with weights over decades and nodes without edges, the
// same bits for any number of threads.
func TestAround(t *testing.T) {
	ctx := t.Context()
	for seed := range uint64(12) {
		w, dense := randomGraph(t, seed)
		if seed == 11 { // no edges at all
			dense = oracle.New(len(dense), len(dense))
			var err error
			if w, err = csr.New(len(dense), len(dense), make([]int64, len(dense)+1), nil, nil); err != nil {
				t.Fatal(err)
			}
		}
		n, d, c := len(dense), 1+int(seed%7), 3
		inMemory, inRows, x := drawFeatures(t, n, d, seed)
		both := oracle.New(n, 2*d)
		for i := range n {
			unit, total := func(i int) []float64 {
				length, row := 0.0, make([]float64, d)
				for _, v := range x[i] {
					length += v * v
				}
				for j, v := range x[i] {
					row[j] = v / math.Sqrt(max(length, 1e-300))
				}
				return row
			}, 0.0
			copy(both[i], unit(i))
			for _, v := range dense[i] {
				total += v
			}
			for k, v := range dense[i] {
				if v > 0 {
					for j, u := range unit(k) {
						both[i][d+j] += v / total * u
					}
				}
			}
		}
		rng := rand.New(rand.NewPCG(seed, 11))
		v, r, wide, tall := csr.NewDense(2*d, c), csr.NewDense(n, c), oracle.New(2*d, c), oracle.New(n, c)
		fill := func(x *csr.Dense, to oracle.Mat) {
			for k := range x.Data {
				x.Data[k] = float32(rng.NormFloat64())
				to[k/c][k%c] = float64(x.Data[k])
			}
		}
		fill(v, wide)
		fill(r, tall)
		weights, known := make([]float32, n), make([]float64, n)
		for i := range weights {
			weights[i] = float32(rng.IntN(2))
			known[i] = float64(weights[i])
		}
		for form, x := range map[string]Features{"dense": inMemory, "sparse": inRows} {
			var first [3]*csr.Dense
			for _, threads := range []int{1, 2, 3, 8} {
				plain, err := NewDiffused(x, nil, Hops{}, threads)
				if err != nil {
					t.Fatal(err)
				}
				unit, err := plain.Unit(ctx)
				if err != nil {
					t.Fatal(err)
				}
				a := NewAround(unit, Normalize(w, threads))
				got := [3]*csr.Dense{csr.NewDense(n, c), csr.NewDense(2*d, c)}
				if err := a.Apply(ctx, got[0], v); err != nil {
					t.Fatal(err)
				}
				if err := a.ApplyT(ctx, got[1], r); err != nil {
					t.Fatal(err)
				}
				if got[2], _, err = Ridge(ctx, a, r, weights, RidgeOptions{Lambda: 1, MaxIterations: 100, Tolerance: 1e-6}); err != nil {
					t.Fatal(err)
				}
				if first[0] == nil {
					first = got
				}
				for k, want := range []oracle.Mat{oracle.Mul(both, wide), oracle.Mul(oracle.Transpose(both), tall), oracle.Ridge(both, tall, known, 1)} {
					if !slices.Equal(got[k].Data, first[k].Data) {
						t.Errorf("graph %d, %s, %d threads: other bits in result %d", seed, form, threads, k)
					}
					for at, v := range got[k].Data {
						if off := math.Abs(float64(v) - want[at/c][at%c]); !(off < 1e-4) {
							t.Fatalf("graph %d, %s: result %d is off by %v at %d", seed, form, k, off, at)
						}
					}
				}
			}
		}
	}
}
