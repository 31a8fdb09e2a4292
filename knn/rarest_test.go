package knn

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// stories returns n texts of twelve words: a third of common ones, and others of one of many topics.
func stories(t *testing.T, n int) *csr.Matrix {
	t.Helper()
	rng := rand.New(rand.NewPCG(8, 8))
	topics, indptr := n/200, []int64{0}
	var columns []uint32
	var values []float32
	for range n {
		topic, row := rng.IntN(topics), map[uint32]bool{}
		for k := range 12 {
			if k < 4 {
				row[uint32(20*rng.Float64()*rng.Float64())] = true
			} else {
				row[uint32(20+10*topic+rng.IntN(10))] = true
			}
		}
		for q := range uint32(20 + 10*topics) {
			if row[q] {
				columns, values = append(columns, q), append(values, 1)
			}
		}
		indptr = append(indptr, int64(len(columns)))
	}
	x, err := csr.New(n, 20+10*topics, indptr, columns, values)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// recallOf returns the share of the k nearest by the definition that were found, and checks the distances of all that were.
func recallOf(t *testing.T, x *csr.Matrix, nb *Neighbors) float64 {
	t.Helper()
	rows := dense(x)
	at := weighted(rows, rows)
	hits, all := 0, 0
	for i := range at {
		var away []float64
		for j := range at {
			if i != j {
				away = append(away, angle(at[i], at[j]))
			}
		}
		slices.Sort(away)
		ids, dist := nb.Row(i)
		for p, j := range ids {
			if d := angle(at[i], at[j]); math.Abs(d-float64(dist[p])) > 1e-6 || p > 0 && dist[p] < dist[p-1] {
				t.Fatalf("row %d: neighbour %d at %v, by definition at %v", i, j, dist[p], d)
			} else if d <= away[nb.K-1]+1e-9 {
				hits++
			}
		}
		all += nb.K
	}
	return float64(hits) / float64(all)
}

// byRarest is an approximate search, whatever an exact one costs. Zero vectors take part if asked for.
func byRarest(t *testing.T, x *csr.Matrix, opt Options, zeros bool) (nb *Neighbors, met int, recall float64) {
	t.Helper()
	ctx := context.Background()
	n, _ := x.Dims()
	opt, err := opt.withDefaults(n)
	if err != nil {
		t.Fatal(err)
	}
	equal := findSparseGroups(x, opt.Threads)
	equal.leaveOut(opt.Metric, func(i int) bool {
		_, values := x.Row(i)
		return !zeros && isZero(values)
	})
	nb = newNeighbors(n, opt.K, opt.Metric)
	if opt.Distinct {
		nb.Of = equal.firsts(n)
	}
	r := newRarest(newSparsePoints(x, opt), equal.first, opt.Threads)
	if _, found, err := r.tune(ctx, opt); err != nil || !found {
		t.Fatalf("the recall was found: %t, %v", found, err)
	}
	if err := r.search(ctx, nb, equal, opt); err != nil {
		t.Fatal(err)
	}
	recall, sample, err := r.recall(ctx, nb, opt)
	if err != nil || sample != min(opt.RecallSample, len(equal.first)) {
		t.Fatalf("a sample of %d, %v", sample, err)
	}
	return nb, r.met, recall
}

// TestRarest: an approximate search has the recall that it was asked for, and reports it; its distances are exact, and it
// returns the same for any number of threads.
func TestRarest(t *testing.T) {
	racing.LongSum(t)
	x := stories(t, 1200)
	last := 0
	for _, recall := range []float64{0.3, 0.95} {
		var first *Neighbors
		met := 0
		for threads := 1; threads <= 3; threads++ {
			nb, entries, told := byRarest(t, x, Options{K: 6, Metric: HellingerIDF, Recall: recall, Threads: threads}, false)
			if found := recallOf(t, x, nb); found < recall-0.03 || math.Abs(found-told) > 0.03 {
				t.Errorf("recall of %v: %v are found, %v told, by %d entries", recall, found, told, entries)
			}
			if threads == 1 {
				first, met = nb, entries
			} else if !slices.Equal(nb.IDs, first.IDs) || !slices.Equal(nb.Dist, first.Dist) || entries != met {
				t.Errorf("%d threads: other neighbours", threads)
			}
		}
		if met <= last {
			t.Errorf("recall of %v by %d entries, less by %d", recall, met, last)
		}
		last = met
	}
}

// TestRarestOfCopies: copies are joined as by exact search, and zero vectors take no part.
func TestRarestOfCopies(t *testing.T) {
	x := stories(t, 800)
	indptr, columns, values := x.Arrays()
	n, d := x.Dims()
	last, ends := int64(len(columns)), slices.Clone(indptr)
	columns, values = slices.Concat(columns, columns[:indptr[50]]), slices.Concat(values, values[:indptr[50]])
	for i := 1; i <= 50; i++ { // copies of the first 50
		ends = append(ends, last+indptr[i])
	}
	ends = append(ends, ends[len(ends)-1]) // zeros
	all, err := csr.New(n+51, d, ends, columns, values)
	if err != nil {
		t.Fatal(err)
	}
	nb, _, distinct := byRarest(t, all, Options{K: 4, Metric: HellingerIDF, Recall: 0.9, Distinct: true}, false)
	for i := range 50 {
		if ids, _ := nb.Row(n + i); !slices.Equal(ids, []uint32{uint32(i)}) {
			t.Errorf("copy of %d has neighbours %v", i, ids)
		}
	}
	if ids, _ := nb.Row(n + 50); len(ids) > 0 {
		t.Errorf("zeros have neighbours %v", ids)
	}
	nb, _, recall := byRarest(t, all, Options{K: 4, Metric: HellingerIDF, Recall: 0.9}, false)
	for i := range 50 {
		if ids, dist := nb.Row(i); ids[0] != uint32(n+i) || dist[0] != 0 {
			t.Errorf("%d has neighbours %v at %v, expected its copy first", i, ids, dist)
		}
	}
	if !(recall > 0.8 && recall < distinct) { // a copy has the place of a neighbour
		t.Errorf("a recall of %v with copies, %v without", recall, distinct)
	}
}

// TestRarestOfStoredZeros: points of stored zeros alone are at distance 1 from all others, which is no neighbour's.
func TestRarestOfStoredZeros(t *testing.T) {
	x := stories(t, 400)
	n, _ := x.Dims()
	indptr, _, values := x.Arrays()
	values = slices.Clone(values)
	for i := 0; i < n; i += 10 {
		clear(values[indptr[i]:indptr[i+1]])
	}
	nb, _, recall := byRarest(t, x.WithData(values), Options{K: 5, Metric: HellingerIDF, Recall: 0.8}, true)
	for k, d := range nb.Dist {
		if d != d || nb.IDs[k] != Missing && d > 1 {
			t.Fatalf("row %d has distance %v", k/nb.K, d)
		}
	}
	if !(recall > 0.7 && recall <= 1) {
		t.Errorf("a recall of %v", recall)
	}
	for i := 10; i < n; i += 10 { // copies of the first
		if ids, dist := nb.Row(i); ids[0] != 0 || dist[0] != 1 {
			t.Errorf("zeros %d have neighbours %v at %v, expected copies at 1", i, ids, dist)
		}
	}
}

// TestRarestIsDue: approximate search is for cosines, where it costs less than exact search.
func TestRarestIsDue(t *testing.T) {
	ctx := context.Background()
	x := stories(t, 600)
	n, _ := x.Dims()
	cheap, dear := &sparseCosts{columns: 1, blocks: 1}, &sparseCosts{columns: 1e15, blocks: 1e15}
	for _, test := range []struct {
		opt   Options
		costs *sparseCosts
		want  bool
	}{
		{Options{Metric: HellingerIDF, Method: Approx, Recall: 0.5}, dear, true},
		{Options{Metric: Cosine, Method: Approx, Recall: 0.5}, dear, true},
		{Options{Metric: HellingerIDF, Recall: 0.98}, dear, true},
		{Options{Metric: HellingerIDF, Method: Approx, Recall: 0.5}, cheap, false},
		{Options{Metric: HellingerIDF, Recall: 0.5}, cheap, false},
		{Options{Metric: L2, Method: Approx, Recall: 0.5}, dear, false},
		{Options{Metric: InnerProduct, Method: Approx, Recall: 0.5}, dear, false},
		{Options{Metric: HellingerIDF, Method: Exact, Recall: 0.5}, dear, false},
	} {
		opt, err := test.opt.withDefaults(n)
		if err != nil {
			t.Fatal(err)
		}
		r, err := newSparsePoints(x, opt).approximate(ctx, allPoints(n), test.costs, opt)
		if err != nil || (r != nil) != test.want {
			t.Errorf("%+v at a price of %v: approximate %t, %v", test.opt, test.costs.blocks, r != nil, err)
		}
	}
}

// TestRarestOfManyPoints: sums are made of some points at a time, and none is lost where the next ones begin: with all entries
// met, the nearest of some points are those of all others. Farther ones than 1 share no column, or point away.
func TestRarestOfManyPoints(t *testing.T) {
	racing.LongSum(t)
	const n, words, tried = 2*sumsAtATime + 100, 8, 64
	rng := rand.New(rand.NewPCG(3, 3))
	indptr := []int64{0}
	var columns []uint32
	var values []float32
	first := make([]uint32, n)
	for i := range first {
		if first[i] = uint32(rng.IntN(n / 4)); i >= sumsAtATime { // the points of one place are met by the same ones
			first[i] = first[i-sumsAtATime]
		}
		for k := range uint32(words) {
			columns, values = append(columns, first[i]+k), append(values, rng.Float32()-0.3)
		}
		indptr = append(indptr, int64(len(columns)))
	}
	x, err := csr.New(n, n/4+words, indptr, columns, values)
	if err != nil {
		t.Fatal(err)
	}
	opt, err := Options{K: 3, Metric: HellingerIDF, Threads: 2}.withDefaults(n)
	if err != nil {
		t.Fatal(err)
	}
	d := newRarest(newSparsePoints(x, opt), allPoints(n), opt.Threads).desk(0)
	beyond := 0
	for q := range uint32(2 * tried) {
		i := q / 2 * (n / tried)
		if q%2 == 1 { // the first points share columns with the last ones
			i = q / 2
		}
		var want []candidate
		d.scatter(i)
		for j := range uint32(n) {
			if c := (candidate{d.rank(i, j), j}); j != i && c.rank < 1 {
				want = append(want, c)
			}
		}
		d.gather(i)
		slices.SortFunc(want, candidate.compare)
		want = want[:min(opt.K, len(want))]
		got, _ := d.nearest(i, math.MaxInt)
		if len(got) < len(want) || !slices.Equal(got[:len(want)], want) {
			t.Fatalf("point %d: neighbours %v, among all points %v", i, got, want)
		}
		for _, c := range want {
			if c.id/sumsAtATime != i/sumsAtATime {
				beyond++
			}
		}
	}
	if beyond < tried {
		t.Errorf("%d neighbours are among other points", beyond)
	}
}
