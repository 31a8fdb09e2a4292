package knn

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
)

// sparsify returns the features as a sparse matrix.
func sparsify(t *testing.T, x *csr.Dense) *csr.Matrix {
	t.Helper()
	indptr, cols, vals := []int64{0}, []uint32(nil), []float32(nil)
	for i := range x.Rows {
		for p, v := range x.Row(i) {
			if v != 0 {
				cols, vals = append(cols, uint32(p)), append(vals, v)
			}
		}
		indptr = append(indptr, int64(len(cols)))
	}
	m, err := csr.New(x.Rows, x.Cols, indptr, cols, vals)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestSparseIsBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	for _, share := range []float64{0, 0.02, 0.2, 1} {
		for _, whole := range []bool{true, false} {
			x := csr.NewDense(150, 30)
			for i := range x.Data {
				if rng.Float64() < share {
					x.Data[i] = float32(rng.IntN(7) - 3)
					if !whole {
						x.Data[i] = float32(1e3 + rng.NormFloat64())
					}
				}
			}
			copy(x.Row(9), x.Row(100))
			for _, metric := range sparseMetrics() {
				t.Run(fmt.Sprintf("%v/%v/%v", share, whole, metric), func(t *testing.T) {
					for _, threads := range []int{1, 3} {
						nb, report, err := SearchSparse(context.Background(), sparsify(t, x), Options{K: 12, Metric: metric, Threads: threads})
						if err != nil {
							t.Fatal(err)
						}
						checkAgainst(t, x, nb, whole && metric != Cosine)
						if report.Points != 150 || report.Dims != 30 || report.Method != Exact {
							t.Errorf("report %+v", report)
						}
					}
				})
			}
		}
	}
}

func TestSparseScalesExtremeValues(t *testing.T) {
	for _, by := range []float32{1e36, 1e-36} {
		x := clustered(60, 4, 3, 1)
		for i := range x.Data {
			x.Data[i] *= by
		}
		want, _ := mustSearch(t, x, Options{K: 5})
		got, _, err := SearchSparse(context.Background(), sparsify(t, x), Options{K: 5})
		if err != nil || !slices.Equal(got.IDs, want.IDs) {
			t.Errorf("scaled by %v: other neighbours, %v", by, err)
		}
	}
}

// farColumns returns x with its columns spread over numbers up to 2^32.
func farColumns(t *testing.T, x *csr.Matrix) *csr.Matrix {
	t.Helper()
	n, d := x.Dims()
	indptr, cols, vals := x.Arrays()
	far := slices.Clone(cols)
	for k, j := range cols {
		far[k] = j * uint32(csr.MaxDim/d)
	}
	out, err := csr.New(n, csr.MaxDim, indptr, far, vals)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestSparseFarColumns: columns without entries cost nothing and change no bit. Their
// numbers go to 2^32; a transpose with a row for each would take 64 GB.
func TestSparseFarColumns(t *testing.T) {
	near := sparsify(t, clustered(60, 6, 3, 1))
	x := farColumns(t, near)
	for _, metric := range append(sparseMetrics(), HellingerIDF) {
		want, _, err := SearchSparse(context.Background(), near, Options{K: 5, Metric: metric})
		if err != nil {
			t.Fatal(err)
		}
		got, report, err := SearchSparse(context.Background(), x, Options{K: 5, Metric: metric})
		if err != nil || !slices.Equal(got.IDs, want.IDs) || !slices.Equal(got.Dist, want.Dist) || report.Dims != csr.MaxDim {
			t.Errorf("%v: other neighbours, or %d dimensions, %v", metric, report.Dims, err)
		}
	}
}

// TestSparseCopies: points are copies whatever zeros are stored, and are counted
// whether they take part or not.
func TestSparseCopies(t *testing.T) {
	x, err := csr.New(4, 3, []int64{0, 2, 3, 6, 7}, []uint32{0, 2, 2, 0, 1, 2, 1}, []float32{0, 2, 2, 0, 0, 2, 3})
	if err != nil {
		t.Fatal(err)
	}
	for _, distinct := range []bool{false, true} {
		nb, report, err := SearchSparse(context.Background(), x, Options{K: 1, Distinct: distinct})
		if err != nil || report.Distinct != 2 || distinct && !slices.Equal(nb.Of, []uint32{0, 0, 0, 3}) {
			t.Errorf("distinct %t: %d points that differ, %v, %v", distinct, report.Distinct, nb.Of, err)
		}
	}
}

func TestSparseRefuses(t *testing.T) {
	x := sparsify(t, clustered(5, 3, 1, 1))
	if _, _, err := SearchSparse(context.Background(), x, Options{K: 5}); !errors.Is(err, ErrOptions) {
		t.Errorf("k = n: %v", err)
	}
	for _, x := range []*csr.Matrix{{}, csr.Identity(1)} {
		if _, _, err := SearchSparse(context.Background(), x, Options{K: 1}); !errors.Is(err, ErrFeatures) {
			t.Errorf("too few points: %v", err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := SearchSparse(ctx, x, Options{K: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, expected context.Canceled", err)
	}
}
