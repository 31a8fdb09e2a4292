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

// TestCounting: a column that counts points, and none that only begins so, or goes
// otherwise; past 2^24 in steps that float32 has.
func TestCounting(t *testing.T) {
	of := func(n int, columns ...func(i int) float32) *csr.Dense {
		x := csr.NewDense(n, len(columns))
		for i := range n {
			for j, column := range columns {
				x.Set(i, j, column(i))
			}
		}
		return x
	}
	count := func(i int) float32 { return float32(i) }
	broken := func(i int) float32 { return float32(i + i/39) }
	for name, test := range map[string]struct {
		x    *csr.Dense
		want int
	}{
		"from 0":      {of(40, count), 0},
		"second":      {of(40, broken, func(i int) float32 { return float32(i + 1) }, count), 1},
		"negative":    {of(40, func(i int) float32 { return float32(i - 7) }), 0},
		"few":         {of(9, count), -1},
		"broken":      {of(40, broken), -1},
		"down":        {of(40, func(i int) float32 { return float32(40 - i) }), -1},
		"by twos":     {of(40, func(i int) float32 { return float32(2 * i) }), -1},
		"constant":    {of(40, func(int) float32 { return 3 }), -1},
		"past 2^24":   {of(40, func(i int) float32 { return float32(1<<24 - 20 + i) }), 0},
		"no points":   {of(0, count), -1},
		"no features": {of(40), -1},
	} {
		if got := Counting(test.x); got != test.want {
			t.Errorf("%s: column %d, expected %d", name, got, test.want)
		}
	}
}
