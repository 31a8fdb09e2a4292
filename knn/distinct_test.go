package knn

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
)

// distinctOf returns the distinct rows of x, and the first row that equals each.
func distinctOf(x *csr.Dense) (first, of []uint32) {
	of = make([]uint32, x.Rows)
	for i := range of {
		of[i] = uint32(i)
		for _, j := range first {
			if slices.Equal(x.Row(i), x.Row(int(j))) {
				of[i] = j
			}
		}
		if of[i] == uint32(i) {
			first = append(first, of[i])
		}
	}
	return first, of
}

// rowsOf returns some rows of x.
func rowsOf(x *csr.Dense, which []uint32) *csr.Dense {
	y := csr.NewDense(len(which), x.Cols)
	for k, i := range which {
		copy(y.Row(k), x.Row(int(i)))
	}
	return y
}

// withCopies are points with many copies: 27 copies of one, more than k
// neighbours, and some of others.
func withCopies() *csr.Dense {
	x := someDense(5, 120, 3)
	for i := 20; i < 120; i += 4 {
		copy(x.Row(i), x.Row(2))
	}
	return x
}

// fewShared are points that mostly share no coordinate, with copies.
func fewShared() *csr.Dense {
	x := csr.NewDense(90, 60)
	for i := range x.Rows {
		if i%3 == 2 {
			copy(x.Row(i), x.Row(i/6))
			continue
		}
		x.Set(i, i*7%60, 1+float32(i)/8)
		x.Set(i, i*11%60, 2)
	}
	return x
}

// found is what a search among the points of x returns.
func found(t *testing.T, x *csr.Dense, opt Options, sparse bool) (*Neighbors, *Report) {
	t.Helper()
	search := func() (*Neighbors, *Report, error) { return Search(context.Background(), x, opt) }
	if sparse {
		search = func() (*Neighbors, *Report, error) { return SearchSparse(context.Background(), sparsify(t, x), opt) }
	}
	nb, report, err := search()
	if err != nil {
		t.Fatal(err)
	}
	return nb, report
}

// TestSearchDistinct: the first of equal points have the neighbours that they have
// where there are no others, their copies have them.
func TestSearchDistinct(t *testing.T) {
	t.Run("some of them many times", func(t *testing.T) { testSearchDistinct(t, withCopies()) })
	t.Run("few coordinates shared", func(t *testing.T) { testSearchDistinct(t, fewShared()) })
	few := csr.NewDense(40, 2)
	for i := range few.Rows {
		few.Set(i, 0, float32(i%4))
	}
	t.Run("fewer than neighbours", func(t *testing.T) { testSearchDistinct(t, few) })
}

func testSearchDistinct(t *testing.T, x *csr.Dense) {
	first, of := distinctOf(x)
	y := rowsOf(x, first)
	for _, metric := range metrics() {
		for _, test := range []struct {
			method Method
			sparse bool
		}{{Exact, false}, {Approx, false}, {Exact, true}} {
			if test.sparse && metric == Manhattan {
				continue
			}
			name := fmt.Sprint(metric, test)
			opt := Options{K: min(6, len(first)-1), Metric: metric, Method: test.method, Threads: 2}
			want, _ := found(t, y, opt, test.sparse)
			opt.K, opt.Distinct = 6, true
			got, report := found(t, x, opt, test.sparse)
			if report.Distinct != len(first) || !slices.Equal(got.Of, of) {
				t.Fatalf("%s: %d distinct points of %d, firsts %v", name, report.Distinct, len(first), got.Of)
			}
			if test.method == Approx && report.Recall < 0.9 {
				t.Errorf("%s: recall %v", name, report.Recall)
			}
			for u, i := range first {
				ids, dist := want.Row(u)
				gotIDs, gotDist := got.Row(int(i))
				for p := range ids {
					if len(gotIDs) != len(ids) || gotIDs[p] != first[ids[p]] || gotDist[p] != dist[p] {
						t.Fatalf("%s: point %d: neighbour %d is %d at %v, without copies %d at %v", name, i, p, gotIDs[p], gotDist[p], first[ids[p]], dist[p])
					}
				}
			}
			if !slices.Equal(got.Nearest(2).Of, of) {
				t.Errorf("%s: the nearest two forget the firsts", name)
			}
			for i := range of {
				if ids, _ := got.Row(i); of[i] != uint32(i) && !slices.Equal(ids, of[i:i+1]) {
					t.Fatalf("%s: point %d has the neighbours %v, expected its first, %d", name, i, ids, of[i])
				}
			}
		}
	}
	plain, _ := found(t, y, Options{K: 1, Distinct: true}, false)
	if plain.Of != nil {
		t.Error("firsts of points that all differ")
	}
}

// TestGraphCopies: the graph of distinct points, with each copy joined to its first.
func TestGraphCopies(t *testing.T) {
	x := withCopies()
	first, of := distinctOf(x)
	y := rowsOf(x, first)
	for weighting := SymmetricGaussian; weighting <= Uniform; weighting++ {
		for _, symmetry := range []csr.Symmetry{csr.Mean, csr.Max, csr.Min} {
			opt := GraphOptions{Search: Options{K: 6, Metric: Cosine}, Weighting: weighting, Symmetry: symmetry}
			want, _, err := Graph(context.Background(), y, opt)
			if err != nil {
				t.Fatal(err)
			}
			got, _, err := Graph(context.Background(), x, opt)
			if err != nil {
				t.Fatal(err)
			}
			same, _, err := GraphSparse(context.Background(), sparsify(t, x), opt)
			if err != nil {
				t.Fatal(err)
			}
			if !sameMatrix(got, same) {
				t.Errorf("%v, symmetry %d: sparse points have another graph", weighting, symmetry)
			}
			copies := 0
			for i := range of {
				if of[i] == uint32(i) {
					continue
				}
				copies++
				u, _ := slices.BinarySearch(first, of[i])
				heaviest := float32(1)
				if _, weights := want.Row(u); len(weights) > 0 {
					heaviest = slices.Max(weights)
				}
				cols, vals := got.Row(i)
				if !slices.Equal(cols, of[i:i+1]) || vals[0] != heaviest {
					t.Fatalf("%v, symmetry %d: copy %d has %v %v, expected %d by %v", weighting, symmetry, i, cols, vals, of[i], heaviest)
				}
			}
			for u := range first {
				cols, vals := want.Row(u)
				for p, v := range cols {
					if got.At(int(first[u]), int(first[v])) != float64(vals[p]) {
						t.Fatalf("%v, symmetry %d: %d–%d weighs %v, without copies %v", weighting, symmetry, first[u], first[v], got.At(int(first[u]), int(first[v])), vals[p])
					}
				}
			}
			if got.NNZ() != want.NNZ()+2*copies {
				t.Errorf("%v, symmetry %d: %d entries, expected %d and two for each of %d copies", weighting, symmetry, got.NNZ(), want.NNZ(), copies)
			}
		}
	}
	equal := csr.NewDense(5, 2)
	star, _, err := Graph(context.Background(), equal, GraphOptions{Search: Options{K: 3}})
	if err != nil || star.NNZ() != 8 || star.At(0, 4) != 1 {
		t.Errorf("five equal points: %v, %v", star, err)
	}
}

// TestAttachmentOfCopies: a new point is weighed as if there were no copies.
func TestAttachmentOfCopies(t *testing.T) {
	x := withCopies()
	first, _ := distinctOf(x)
	asked := someDense(6, 10, 3)
	join := func(x *csr.Dense) *csr.Matrix {
		a, nb := joined(t, x, asked, GraphOptions{Search: Options{K: 6}})
		w, err := a.Weights(nb, 1)
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	got, want := join(x), join(rowsOf(x, first))
	for i := range asked.Rows {
		cols, vals := want.Row(i)
		gotCols, gotVals := got.Row(i)
		for p, u := range cols {
			if len(gotCols) != len(cols) || gotCols[p] != first[u] || gotVals[p] != vals[p] {
				t.Fatalf("point %d: %v %v, without copies %v %v", i, gotCols, gotVals, cols, vals)
			}
		}
	}
}

// sameMatrix reports whether two matrices have the same bits.
func sameMatrix(a, b *csr.Matrix) bool {
	ap, ai, ad := a.Arrays()
	bp, bi, bd := b.Arrays()
	return slices.Equal(ap, bp) && slices.Equal(ai, bi) && slices.Equal(ad, bd)
}
