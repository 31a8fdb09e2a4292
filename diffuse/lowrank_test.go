package diffuse

import (
	"math"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/oracle"
)

// TestLowRank: Z of as many columns as X has rank is X̃ but for a rotation, so that products of
// rows agree; fewer columns lose what is smallest; more than X has give X̃ itself. Sparse
// and dense, the same bits for any threads.
func TestLowRank(t *testing.T) {
	ctx := t.Context()
	w, graph := randomGraph(t, 3)
	n := len(graph)
	dense, sparse, x := drawFeatures(t, n, 17, 3)
	tilde := oracle.Mul(oracle.Hops(graph, 0.9, 10), x)
	want := oracle.Mul(tilde, oracle.Transpose(tilde))
	for _, c := range []struct {
		rank int
		off  float64 // of ‖ZZᵀ − X̃X̃ᵀ‖/‖X̃X̃ᵀ‖
	}{{16, 0.02}, {17, 1e-5}, {64, 1e-5}} {
		var first []float32
		for _, threads := range []int{1, 3} {
			for _, f := range []Features{dense, sparse} {
				tilde := mustDiffuse(t, f, w, TenHops, threads)
				z, q, err := tilde.LowRank(ctx, c.rank)
				if err != nil {
					t.Fatal(err)
				}
				if (q == nil) != (c.rank >= 17) {
					t.Errorf("rank %d: Q %v", c.rank, q)
				}
				if q != nil {
					again := csr.NewDense(n, c.rank)
					if err := tilde.Apply(ctx, again, q); err != nil {
						t.Fatal(err)
					}
					if !slices.Equal(again.Data, z.Data) {
						t.Errorf("rank %d: Z is not X̃Q", c.rank)
					}
				}
				if off := gramDifference(z, want); off > c.off {
					t.Errorf("rank %d: products of rows are off by %.2g", c.rank, off)
				}
				if f.Sparse == nil {
					if first == nil {
						first = z.Data
					}
					if !slices.Equal(first, z.Data) {
						t.Errorf("rank %d, %d threads: other bits", c.rank, threads)
					}
				}
			}
		}
	}
}

// gramDifference returns ‖ZZᵀ − K‖/‖K‖.
func gramDifference(z *csr.Dense, k oracle.Mat) float64 {
	off, all := 0.0, 0.0
	for i := range k {
		for j := range k {
			sum := 0.0
			for t, v := range z.Row(i) {
				sum += float64(v) * float64(z.At(j, t))
			}
			off += (sum - k[i][j]) * (sum - k[i][j])
			all += k[i][j] * k[i][j]
		}
	}
	return math.Sqrt(off / all)
}

// TestOrthonormal: columns become orthonormal, and those that others span 0.
func TestOrthonormal(t *testing.T) {
	x, _ := drawBlock(600, 5, 4)
	for i := range x.Rows {
		x.Set(i, 3, 2*x.At(i, 0)-x.At(i, 1))
	}
	if err := orthonormal(t.Context(), x, 2); err != nil {
		t.Fatal(err)
	}
	for a := range 5 {
		for b := range 5 {
			sum, want := 0.0, 0.0
			for i := range x.Rows {
				sum += float64(x.At(i, a)) * float64(x.At(i, b))
			}
			if a == b && a != 3 {
				want = 1
			}
			if math.Abs(sum-want) > 1e-5 {
				t.Errorf("columns %d and %d: %v, expected %v", a, b, sum, want)
			}
		}
	}
}

// TestSmooth: H of seeds gives what LGC gives for them without balance.
func TestSmooth(t *testing.T) {
	w, _ := randomGraph(t, 4)
	n, _ := w.Dims()
	g := Normalize(w, 2)
	labels := slices.Repeat([]int{-1}, n)
	labels[0], labels[n-1] = 0, 1
	y, err := HardSeeds(labels)
	if err != nil {
		t.Fatal(err)
	}
	opt := Options{Alpha: 0.8, Balance: Unbalanced, Threads: 2}
	want, _, err := LGC(t.Context(), g, y, opt)
	if err != nil {
		t.Fatal(err)
	}
	h := csr.NewDense(n, 2)
	h.Set(0, 0, 1)
	h.Set(n-1, 1, 1)
	got, stats, err := Smooth(t.Context(), g, h, opt)
	if err != nil || !stats.Converged {
		t.Fatal(stats, err)
	}
	for k, v := range got.Data {
		if math.Abs(float64(v-want.Data[k])) > 1e-5 {
			t.Fatalf("number %d: %v, expected %v", k, v, want.Data[k])
		}
	}
}
