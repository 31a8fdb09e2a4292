package knn

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
)

// sparseIndexBy is NewSparseIndex by blocks or by columns.
func sparseIndexBy(t *testing.T, x *csr.Matrix, metric Metric, threads int, blocks bool) *SparseIndex {
	t.Helper()
	return sparseIndexAs(t, x, metric, metric, threads, blocks)
}

// sparseIndexAs is newSparseIndex by blocks or by columns.
func sparseIndexAs(t *testing.T, x *csr.Matrix, metric, as Metric, threads int, blocks bool) *SparseIndex {
	t.Helper()
	ctx := context.Background()
	made, err := newSparseIndex(ctx, x, metric, as, threads)
	if err != nil {
		t.Fatal(err)
	}
	ix := &SparseIndex{s: newSparsePoints(x, Options{Metric: metric}), first: made.first, threads: threads, as: as, most: made.most}
	costs := sparseCostsOf(ix.s.scaled)
	if costs.columns = 0; blocks {
		costs.columns = math.Inf(1)
	}
	if err := ix.prepare(ctx, costs); err != nil {
		t.Fatal(err)
	}
	return ix
}

// dense returns the rows of a sparse matrix.
func dense(x *csr.Matrix) *csr.Dense {
	n, d := x.Dims()
	out := csr.NewDense(n, d)
	for i := range n {
		cols, vals := x.Row(i)
		for k, j := range cols {
			out.Set(i, int(j), vals[k])
		}
	}
	return out
}

// cutRows returns the rows of x before lo, and those from lo on.
func cutRows(x *csr.Matrix, lo int) (before, after *csr.Matrix) {
	n, _ := x.Dims()
	return csr.Slice(x, 0, lo), csr.Slice(x, lo, n)
}

// checkSparseNearest compares all rows of nb with all stored points by the definition of the metric, in float64.
func checkSparseNearest(t *testing.T, name string, stored, asked *csr.Matrix, nb *Neighbors) {
	t.Helper()
	x, y := dense(stored), dense(asked)
	_, of := distinctOf(x)
	zero := func(row []float32) bool { return nb.Metric != L2 && isZero(row) }
	for q := range y.Rows {
		exact := make([]float64, x.Rows)
		var away []float64
		for j := range exact {
			exact[j] = math.Inf(1) // takes no part
			if of[j] == uint32(j) && !zero(x.Row(j)) && !zero(y.Row(q)) {
				exact[j] = define(y.Row(q), x.Row(j), nb.Metric)
				away = append(away, exact[j])
			}
		}
		slices.Sort(away)
		ids, dist := nb.Row(q)
		if len(ids) != min(len(away), nb.K) {
			t.Fatalf("%s: point %d has %d neighbours, expected %d of %d", name, q, len(ids), nb.K, len(away))
		}
		for p, j := range ids {
			near := 1e-6 * max(1, math.Abs(away[p]))
			if slices.Index(ids, j) != p || !(math.Abs(exact[j]-away[p]) <= near) || !(math.Abs(float64(dist[p])-exact[j]) <= near) {
				t.Fatalf("%s: point %d: neighbour %d is %d at %v (%v), expected one at %v", name, q, p, j, dist[p], exact[j], away[p])
			}
		}
	}
}

// TestSparseIndex compares with all distances in float64, by blocks and by columns, for sizes around the blocks of
// the search, new points with words that no stored one has, with no word, and equal to stored ones;
// the rows are the same for any threads, and for points that are asked alone.
func TestSparseIndex(t *testing.T) {
	ctx, all := context.Background(), words(1100, 400, 5)
	for _, metric := range sparseMetrics() {
		for _, stored := range []int{40, 513} {
			x, asked := cutRows(all, stored)
			_, asked = cutRows(asked, 60)
			if stored == 513 {
				asked, _ = cutRows(asked, 70)
			}
			m, _ := asked.Dims()
			var want *Neighbors
			for _, blocks := range []bool{false, true} {
				for _, threads := range []int{1, 2, 3, 8} {
					name := fmt.Sprintf("%v, %d stored, by blocks %t, %d threads", metric, stored, blocks, threads)
					ix := sparseIndexBy(t, x, metric, threads, blocks)
					nb, err := ix.Nearest(ctx, asked, 7)
					if err != nil {
						t.Fatal(name, err)
					}
					if want == nil {
						want = nb
						checkSparseNearest(t, name, x, asked, nb)
					}
					if !slices.Equal(nb.IDs, want.IDs) || !slices.Equal(nb.Dist, want.Dist) {
						t.Errorf("%s: other neighbours", name)
					}
					for q := 0; q < m && threads == 2; q += 13 {
						alone, err := ix.Nearest(ctx, csr.Slice(asked, q, q+1), 7)
						if err != nil || !slices.Equal(alone.IDs, want.IDs[7*q:7*q+7]) || !slices.Equal(alone.Dist, want.Dist[7*q:7*q+7]) {
							t.Errorf("%s: point %d alone has other neighbours, %v", name, q, err)
						}
					}
				}
			}
		}
	}
}

// TestSparseIndexOfStored: a new point that equals a stored one has its neighbours of the search
// within the stored ones, to the bit, and that one.
func TestSparseIndexOfStored(t *testing.T) {
	const k = 6
	ctx, x := context.Background(), words(700, 300, 4)
	n, _ := x.Dims()
	for _, metric := range sparseMetrics() {
		within, _, _, err := searchSparse(ctx, x, Options{K: k, Metric: metric, Distinct: true}, true)
		if err != nil {
			t.Fatal(err)
		}
		for _, blocks := range []bool{false, true} {
			nb, err := sparseIndexBy(t, x, metric, 2, blocks).Nearest(ctx, x, k+1)
			if err != nil {
				t.Fatal(err)
			}
			for i := range n {
				first := within.Of[i]
				want, away := within.Row(int(first))
				ids, dist := nb.Row(i)
				if at := slices.Index(ids, first); at >= 0 {
					ids, dist = slices.Delete(slices.Clone(ids), at, at+1), slices.Delete(slices.Clone(dist), at, at+1)
				} else if metric == L2 {
					t.Fatalf("point %d is not among its neighbours", i)
				}
				if shown := min(k, len(ids)); len(want) > len(ids) || !slices.Equal(ids[:shown], want) || !slices.Equal(dist[:shown], away) {
					t.Fatalf("%v, by blocks %t: point %d has %v at %v, the search within has %v at %v", metric, blocks, i, ids, dist, want, away)
				}
			}
		}
	}
}

// TestSparseIndexExtremes: values near the ends of float32, and columns far apart, of which the new points have others.
func TestSparseIndexExtremes(t *testing.T) {
	ctx := context.Background()
	x, asked := cutRows(sparsify(t, clustered(90, 5, 3, 1)), 60)
	far := func(m *csr.Matrix, by float32) *csr.Matrix {
		n, _ := m.Dims()
		indptr, cols, vals := m.Arrays()
		cols, vals = slices.Clone(cols), slices.Clone(vals)
		for k := range cols {
			cols[k], vals[k] = cols[k]*(csr.MaxDim/6)+1, vals[k]*by
		}
		out, err := csr.New(n, csr.MaxDim, indptr, cols, vals)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	for _, metric := range sparseMetrics() {
		for _, blocks := range []bool{false, true} {
			want, err := sparseIndexBy(t, x, metric, 1, blocks).Nearest(ctx, asked, 5)
			if err != nil {
				t.Fatal(err)
			}
			for _, by := range []float32{1, 0x1p100, 0x1p-100} {
				if metric == InnerProduct && by > 1 { // products past float32
					continue
				}
				nb, err := sparseIndexBy(t, far(x, by), metric, 1, blocks).Nearest(ctx, far(asked, by), 5)
				if err != nil || !slices.Equal(nb.IDs, want.IDs) {
					t.Errorf("%v, by blocks %t, values times %v: other neighbours, %v", metric, blocks, by, err)
				}
			}
		}
	}
	// Words that are new, and a value far larger than the stored ones.
	stored, err := csr.New(3, 1000, []int64{0, 1, 2, 3}, []uint32{5, 7, 900}, []float32{1, 2, 1})
	if err != nil {
		t.Fatal(err)
	}
	strange, err := csr.New(3, 1000, []int64{0, 1, 3, 3}, []uint32{6, 6, 900}, []float32{3, 1e6, 1e5})
	if err != nil {
		t.Fatal(err)
	}
	for _, metric := range sparseMetrics() {
		for _, blocks := range []bool{false, true} {
			nb, err := sparseIndexBy(t, stored, metric, 1, blocks).Nearest(ctx, strange, 2)
			if err != nil {
				t.Fatal(err)
			}
			checkSparseNearest(t, fmt.Sprint(metric, ", by blocks ", blocks), stored, strange, nb)
		}
	}
}

func TestSparseIndexErrors(t *testing.T) {
	x := sparsify(t, someDense(1, 10, 3))
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	row := func(d int, v float32) *csr.Matrix {
		m, err := csr.New(1, d, []int64{0, 1}, []uint32{2}, []float32{1})
		if err != nil {
			t.Fatal(err)
		}
		return m.WithData([]float32{v})
	}
	for name, test := range map[string]struct {
		ctx  context.Context
		x    *csr.Matrix
		k    int
		want error
	}{
		"another d":  {context.Background(), row(4, 1), 2, ErrFeatures},
		"NaN":        {context.Background(), row(3, float32(math.NaN())), 2, ErrFeatures},
		"far out":    {context.Background(), row(3, 1e25), 2, ErrFeatures},
		"k above n":  {context.Background(), row(3, 1), 11, ErrOptions},
		"k of 0":     {context.Background(), row(3, 1), 0, ErrOptions},
		"an end":     {ended, row(3, 1), 2, context.Canceled},
		"all points": {context.Background(), row(3, 1), 10, nil},
	} {
		for _, blocks := range []bool{false, true} {
			if _, err := sparseIndexBy(t, x, L2, 1, blocks).Nearest(test.ctx, test.x, test.k); !errors.Is(err, test.want) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	one, _ := cutRows(x, 1)
	if _, err := NewSparseIndex(context.Background(), x, Metric(9), 1); !errors.Is(err, ErrOptions) {
		t.Errorf("an unknown metric: %v", err)
	}
	if _, err := NewSparseIndex(context.Background(), one, L2, 1); !errors.Is(err, ErrFeatures) {
		t.Errorf("one point: %v", err)
	}
}
