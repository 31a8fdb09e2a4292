package knn

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
)

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
		{Start{Metric: Hellinger}, MaxL1Rival, 99, true, "[knn l2]"},
		{Start{Metric: HellingerIDF}, MaxL1Rival, 99, true, "[knn hellinger knn l2]"},
		{Start{Metric: HellingerIDF}, MaxL1Rival + 1, 99, false, "[knn hellinger knn l2]"},
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
