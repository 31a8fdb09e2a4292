package knn

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
)

// TestWidest: against two-pass variances; a column far from 0 does not cancel.
func TestWidest(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 77))
	x := csr.NewDense(300, 4)
	scale, offset := []float64{1, 30, 0, 2}, []float64{0, 5, 1e4, 1e6}
	for i := range x.Rows {
		for j := range x.Cols {
			x.Set(i, j, float32(offset[j]+scale[j]*random.NormFloat64()))
		}
	}
	total, widest := 0.0, 0.0
	for j := range x.Cols {
		mean, v := 0.0, 0.0
		for i := range x.Rows {
			mean += float64(x.At(i, j)) / float64(x.Rows)
		}
		for i := range x.Rows {
			v += math.Pow(float64(x.At(i, j))-mean, 2)
		}
		total += v
		if j == 1 {
			widest = v
		}
	}
	if column, share := Widest(x); column != 1 || math.Abs(share-widest/total) > 1e-9 {
		t.Errorf("column %d with %v, expected 1 with %v", column, share, widest/total)
	}
	for _, flat := range []*csr.Dense{csr.NewDense(0, 3), csr.NewDense(5, 3), csr.NewDense(5, 0)} {
		if column, share := Widest(flat); column != 0 || share != 0 {
			t.Errorf("%d×%d of zeros: column %d with %v", flat.Rows, flat.Cols, column, share)
		}
	}
}
