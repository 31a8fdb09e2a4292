package knn

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
)

// TestBlankPoints: by cosine and inner product, points of zeros are joined to none, not to each
// other either, and the others are joined as without them; by l2 they are points.
func TestBlankPoints(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 90))
	x := csr.NewDense(60, 8)
	for i := range x.Data {
		x.Data[i] = float32(rng.NormFloat64())
	}
	blank := []int{0, 7, 8, 59}
	for _, i := range blank {
		clear(x.Row(i))
	}
	copy(x.Row(20), x.Row(10))
	rest := &csr.Dense{Cols: 8}
	var at []uint32 // of the others in x
	for i := range x.Rows {
		if !slices.Contains(blank, i) {
			rest.Data = append(rest.Data, x.Row(i)...)
			rest.Rows++
			at = append(at, uint32(i))
		}
	}
	for _, metric := range metrics() {
		t.Run(metric.String(), func(t *testing.T) {
			opt := GraphOptions{Search: Options{K: 5, Metric: metric}}
			w, report, err := Graph(context.Background(), x, opt)
			if err != nil {
				t.Fatal(err)
			}
			sparse, sparseReport, err := GraphSparse(context.Background(), sparsify(t, x), opt)
			if err != nil {
				t.Fatal(err)
			}
			want, _, err := Graph(context.Background(), rest, opt)
			if err != nil {
				t.Fatal(err)
			}
			wantBlank, wantDistinct := len(blank), 59
			if metric == L2 {
				wantBlank, wantDistinct = 0, 56
			}
			for name, got := range map[string]*csr.Matrix{"dense": w, "sparse": sparse} {
				for _, i := range blank {
					if cols, _ := got.Row(i); (len(cols) == 0) != (metric != L2) {
						t.Errorf("%s: point %d of zeros is joined to %v", name, i, cols)
					}
				}
				if metric == L2 {
					continue
				}
				for k, i := range at {
					cols, vals := got.Row(int(i))
					wantCols, wantVals := want.Row(k)
					for p, j := range wantCols {
						if len(cols) != len(wantCols) || cols[p] != at[j] || vals[p] < 0.999*wantVals[p] || vals[p] > 1.001*wantVals[p] {
							t.Fatalf("%s: point %d is joined to %v by %v, without points of zeros to the points %v of %v by %v", name, i, cols, vals, wantCols, at, wantVals)
						}
					}
				}
			}
			for _, r := range []*GraphReport{report, sparseReport} {
				if r.Blank != wantBlank || r.Distinct != wantDistinct {
					t.Errorf("%d blank and %d distinct points, want %d and %d", r.Blank, r.Distinct, wantBlank, wantDistinct)
				}
			}
		})
	}
	// Among so many neighbours that some are further than points of zeros.
	w, _, err := Graph(context.Background(), x, GraphOptions{Search: Options{K: 40, Metric: Cosine}})
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range blank {
		if cols, _ := w.Row(i); len(cols) > 0 {
			t.Errorf("of 40 neighbours: point %d of zeros is joined to %v", i, cols)
		}
	}
	// New points.
	index, err := NewIndex(x, Cosine, 1)
	if err != nil {
		t.Fatal(err)
	}
	near, err := index.Nearest(context.Background(), &csr.Dense{Rows: 2, Cols: 8, Data: append(make([]float32, 8), x.Row(3)...)}, 5)
	if err != nil {
		t.Fatal(err)
	}
	if ids, _ := near.Row(0); len(ids) != 0 {
		t.Errorf("a new point of zeros has the neighbours %v", ids)
	}
	if ids, _ := near.Row(1); len(ids) != 5 || ids[0] != 3 {
		t.Errorf("a new point that equals the fourth has the neighbours %v", ids)
	}
	// All of them.
	none, report, err := Graph(context.Background(), csr.NewDense(4, 2), GraphOptions{Search: Options{K: 2, Metric: Cosine}})
	if err != nil || none.NNZ() != 0 || report.Blank != 4 {
		t.Errorf("%v, %+v, %v", none, report, err)
	}
}
