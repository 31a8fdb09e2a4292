package knn

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
)

func TestMetricOf(t *testing.T) {
	for _, test := range []struct {
		columns, above, below int // of 1,000 numbers
		want                  Metric
	}{{100, 150, 0, CosineIDF}, {100, 151, 0, L2}, {50, 50, 0, CosineIDF}, {50, 51, 0, L2}, {100, 40, 1, L2}, {100, 0, 0, L2}, {100, 1000, 0, L2}} {
		n, d := 1000/test.columns, test.columns
		x := csr.NewDense(n, d)
		for k := range test.above {
			x.Data[k*7%1000] = 2
		}
		for k := range test.below {
			x.Data[999-k] = -1
		}
		indptr := []int64{0}
		var columns []uint32
		var values []float32
		for i := range x.Rows {
			for j, v := range x.Row(i) {
				if v != 0 {
					columns, values = append(columns, uint32(j)), append(values, v)
				}
			}
			indptr = append(indptr, int64(len(columns)))
		}
		sparse, err := csr.New(n, d, indptr, columns, values)
		if err != nil {
			t.Fatal(err)
		}
		if dense, of := MetricOf(x), MetricOfSparse(sparse); dense != test.want || of != test.want {
			t.Errorf("%+v: %v of dense rows, %v of sparse ones", test, dense, of)
		}
	}
}

func TestRivals(t *testing.T) {
	for _, test := range []struct {
		first  Start
		n, d   int
		sparse bool
		want   string
	}{
		{Start{}, MaxL1Rival, MinL1Dims, false, "[knn cosine knn manhattan scaled l1]"},
		{Start{Metric: Manhattan, Scaled: true}, MaxL1Rival, MinL1Dims, false, "[knn cosine scaled knn l2 l1 scaled]"},
		{Start{Scaled: true}, MaxL1Rival, MaxManhattan + 1, false, "[knn cosine scaled knn l2 l1 scaled]"},
		{Start{}, MaxL1Rival + 1, MaxManhattan + 1, false, "[knn cosine knn l2 scaled]"},
		{Start{Metric: Cosine, Scaled: true}, 100, 9, false, "[knn manhattan scaled]"},
		{Start{Metric: Cosine}, MaxL1Rival, 99, true, "[knn l2]"},
		{Start{Metric: CosineIDF}, MaxL1Rival, 99, true, "[knn cosine knn l2]"},
		{Start{Metric: CosineIDF}, MaxL1Rival + 1, 99, false, "[knn cosine knn l2]"},
		{Start{}, MaxL1Rival, 99, true, "[knn cosine]"},
		{Start{}, MaxL1Rival + 1, 99, false, "[knn cosine knn manhattan scaled]"},
		{Start{}, 100, MinL1Dims - 1, false, "[knn cosine knn manhattan scaled]"},
		{Start{}, 100, 1, false, "[knn cosine]"},
		{Start{}, MaxMetricRival + 1, 99, false, "[]"},
	} {
		if got := fmt.Sprint(test.first.Rivals(test.n, test.d, test.sparse)); got != test.want {
			t.Errorf("%+v: %s", test, got)
		}
	}
}

// TestSelfExpressiveSupport: points of a few planes have few coefficients, as many as
// the whole graph tells; points without structure have many.
func TestSelfExpressiveSupport(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	const n, d = 300, 60
	planes, noise := &csr.Dense{Rows: n, Cols: d, Data: make([]float32, n*d)}, &csr.Dense{Rows: n, Cols: d, Data: make([]float32, n*d)}
	for i := range n {
		for j := range d {
			noise.Row(i)[j] = float32(random.NormFloat64())
		}
		for j := range 3 {
			planes.Row(i)[i%5*3+j] = float32(random.NormFloat64())
		}
	}
	ctx := context.Background()
	if support, err := SelfExpressiveSupport(ctx, noise, SelfExpressiveOptions{}); err != nil || support <= MaxL1Support {
		t.Errorf("support %v without structure, %v", support, err)
	}
	support, err := SelfExpressiveSupport(ctx, planes, SelfExpressiveOptions{})
	if err != nil {
		t.Fatal(err)
	}
	_, whole, err := SelfExpressive(ctx, planes, SelfExpressiveOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(support-whole.Support) > 0.3*whole.Support {
		t.Errorf("support %v, of the whole graph %v", support, whole.Support)
	}
}
