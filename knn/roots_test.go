package knn

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
)

// texts returns n texts of a few of d words, and every ninth of none. Word 0 is in most, the last ones in none.
func texts(seed uint64, n, d int) *csr.Dense {
	rng := rand.New(rand.NewPCG(seed, 4))
	x := csr.NewDense(n, d)
	for i := range n {
		if i%9 == 8 {
			continue
		}
		for range 6 {
			x.Set(i, int(float64(d-3)*math.Pow(rng.Float64(), 3)), float32(1+rng.IntN(3)))
		}
	}
	return x
}

// weighted returns rows of x changed as HellingerIDF says, by the points of stored, in float64.
func weighted(x, stored *csr.Dense) [][]float64 {
	n, count := 0.0, make([]float64, stored.Cols)
	for i := range stored.Rows {
		if !isZero(stored.Row(i)) {
			n++
		}
		for q, v := range stored.Row(i) {
			if v != 0 {
				count[q]++
			}
		}
	}
	out := make([][]float64, x.Rows)
	for i := range out {
		for q, v := range x.Row(i) {
			out[i] = append(out[i], math.Sqrt(float64(v)*math.Log((1+n)/max(1, count[q]))))
		}
	}
	return out
}

// angle returns 1 less the cosine of two rows.
func angle(x, y []float64) float64 {
	xy, xx, yy := 0.0, 0.0, 0.0
	for q := range x {
		xy, xx, yy = xy+x[q]*y[q], xx+x[q]*x[q], yy+y[q]*y[q]
	}
	return 1 - xy/math.Sqrt(xx*yy)
}

// checkByIDF compares the neighbours of asked points among the stored ones with those of the definition. Row i of the
// asked points is the stored point i where they are the same.
func checkByIDF(t *testing.T, name string, asked, stored *csr.Dense, nb *Neighbors) {
	t.Helper()
	if nb.Metric != HellingerIDF {
		t.Fatalf("%s: distances by %v", name, nb.Metric)
	}
	x, y := weighted(asked, stored), weighted(stored, stored)
	for i := range x {
		var away []float64
		for j := range y {
			if !(asked == stored && i == j) && !isZero(asked.Row(i)) && !isZero(stored.Row(j)) {
				away = append(away, angle(x[i], y[j]))
			}
		}
		slices.Sort(away)
		ids, dist := nb.Row(i)
		if len(ids) != min(nb.K, len(away)) {
			t.Fatalf("%s: row %d has %d neighbours", name, i, len(ids))
		}
		for p, j := range ids {
			if math.Abs(float64(dist[p])-away[p]) > 1e-6 || math.Abs(angle(x[i], y[j])-away[p]) > 1e-6 {
				t.Fatalf("%s: row %d: neighbour %d is %d at %v, by definition at %v, expected %v", name, i, p, j, dist[p], angle(x[i], y[j]), away[p])
			}
		}
	}
}

// TestHellingerIDF: neighbours are those of the definition: of dense and sparse points, in
// any number of threads, and of new points, which have the weights of the stored ones.
func TestHellingerIDF(t *testing.T) {
	ctx := context.Background()
	x, asked := texts(1, 300, 40), texts(2, 50, 40)
	asked.Set(0, 39, 2) // a word that no stored text has
	opt := Options{K: 7, Metric: HellingerIDF, Distinct: true}
	of := findGroups(x, 1)
	x = rowsOf(x, of.first) // without copies, which have one neighbour
	s, sAsked := sparsify(t, x), sparsify(t, asked)
	for threads := 1; threads <= 3; threads++ {
		opt.Threads = threads
		nb, _, zeros, err := search(ctx, x, opt, true)
		if err != nil || zeros != 1 {
			t.Fatalf("%d zero vectors, %v", zeros, err)
		}
		checkByIDF(t, "dense", x, x, nb)
		if share, err := Recall(ctx, x, nb, 7, 60, 1, threads); err != nil || share < 0.85 { // zeros have none
			t.Fatalf("a recall of %v of exact neighbours, %v", share, err)
		}
		sparse, _, _, err := searchSparse(ctx, s, opt, true)
		if err != nil {
			t.Fatal(err)
		}
		checkByIDF(t, "sparse", x, x, sparse)
		ix, err := NewIndex(x, HellingerIDF, threads)
		if err != nil {
			t.Fatal(err)
		}
		if nb, err = ix.Nearest(ctx, asked, 7); err != nil {
			t.Fatal(err)
		}
		checkByIDF(t, "new", asked, x, nb)
		sx, err := NewSparseIndex(ctx, s, HellingerIDF, threads)
		if err != nil {
			t.Fatal(err)
		}
		if nb, err = sx.Nearest(ctx, sAsked, 7); err != nil {
			t.Fatal(err)
		}
		checkByIDF(t, "new sparse", asked, x, nb)
	}
}

// TestFarWords: new points with columns that no stored point has have the weight of these, where columns are more than
// entries.
func TestFarWords(t *testing.T) {
	ctx := context.Background()
	x, asked := texts(3, 60, 30), texts(4, 20, 30)
	asked.Set(1, 29, 1)
	near, nearAsked := sparsify(t, x), sparsify(t, asked)
	var found [2]*Neighbors
	for k, both := range [][2]*csr.Matrix{{near, nearAsked}, {farColumns(t, near), farColumns(t, nearAsked)}} {
		ix, err := NewSparseIndex(ctx, both[0], HellingerIDF, 2)
		if err != nil {
			t.Fatal(err)
		}
		if found[k], err = ix.Nearest(ctx, both[1], 5); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(found[0].IDs, found[1].IDs) || !slices.Equal(found[0].Dist, found[1].Dist) {
		t.Error("other neighbours by far columns")
	}
}

// TestConnectByIDF: links are the shortest by the weighted columns.
func TestConnectByIDF(t *testing.T) {
	x := &csr.Dense{Rows: 4, Cols: 4, Data: []float32{
		1, 1, 0, 0,
		1, 1, 0, 0,
		1, 0, 0, 2,
		0, 1, 1, 0,
	}}
	w, err := csr.New(4, 4, []int64{0, 1, 2, 2, 2}, []uint32{1, 0}, []float32{1, 1})
	if err != nil {
		t.Fatal(err)
	}
	_, links, err := Connect(context.Background(), w, x, ConnectOptions{Metric: HellingerIDF})
	if err != nil || len(links) != 2 {
		t.Fatalf("%v, %v", links, err)
	}
	at := weighted(x, x)
	for _, l := range links {
		if want := angle(at[l.I], at[l.J]); math.Abs(float64(l.Dist)-want) > 1e-6 {
			t.Errorf("link %+v, expected the distance %v", l, want)
		}
	}
}

// TestIDFOfHugeCounts: weights take no value out of float32's range.
func TestIDFOfHugeCounts(t *testing.T) {
	x := texts(5, 50, 20)
	want, _ := mustSearch(t, x, Options{K: 3, Metric: HellingerIDF})
	for k := range x.Data {
		x.Data[k] *= 0x1p126
	}
	got, _ := mustSearch(t, x, Options{K: 3, Metric: HellingerIDF})
	if !slices.Equal(got.IDs, want.IDs) || !slices.Equal(got.Dist, want.Dist) {
		t.Error("other neighbours of large counts")
	}
}

// TestIDFOfNothing: points of zeros alone have no neighbours, and no number that is not one.
func TestIDFOfNothing(t *testing.T) {
	x := csr.NewDense(5, 3)
	nb, report, zeros, err := search(context.Background(), x, Options{K: 2, Metric: HellingerIDF}, true)
	if err != nil || zeros != 5 || report.Points != 5 {
		t.Fatalf("%d zero vectors of %+v, %v", zeros, report, err)
	}
	for i := range x.Rows {
		if ids, _ := nb.Row(i); len(ids) > 0 {
			t.Errorf("row %d has neighbours %v", i, ids)
		}
	}
	for _, w := range weightedRoots(0, make([]int, 3), nil).weights {
		if w != w {
			t.Error("a weight is not a number")
		}
	}
}

// TestHellinger: distances are 1 less the Bhattacharyya coefficients of the shares of the words, of dense and sparse points and of new ones; and the
// same by HellingerIDF where no word is rarer than another.
func TestHellinger(t *testing.T) {
	ctx := context.Background()
	x, asked := texts(6, 120, 30), texts(7, 20, 30)
	share := func(row []float32) []float64 {
		sum, out := 0.0, make([]float64, len(row))
		for _, v := range row {
			sum += float64(v)
		}
		for q, v := range row {
			out[q] = float64(v) / sum
		}
		return out
	}
	check := func(name string, asked *csr.Dense, nb *Neighbors) {
		t.Helper()
		for i := range asked.Rows {
			ids, dist := nb.Row(i)
			for at, j := range ids {
				p, q, b := share(asked.Row(i)), share(x.Row(int(j))), 0.0
				for k := range p {
					b += math.Sqrt(p[k] * q[k])
				}
				if math.Abs(float64(dist[at])-(1-b)) > 1e-6 {
					t.Fatalf("%s: %d and %d are at %v, 1 less their coefficient is %v", name, i, j, dist[at], 1-b)
				}
			}
		}
	}
	nb, _ := mustSearch(t, x, Options{K: 5, Metric: Hellinger})
	check("dense", x, nb)
	s := sparsify(t, x)
	sparse, _, _, err := searchSparse(ctx, s, Options{K: 5, Metric: Hellinger}, false)
	if err != nil {
		t.Fatal(err)
	}
	check("sparse", x, sparse)
	ix, err := NewIndex(x, Hellinger, 2)
	if err != nil {
		t.Fatal(err)
	}
	if nb, err = ix.Nearest(ctx, asked, 5); err != nil {
		t.Fatal(err)
	}
	check("new", asked, nb)
	sx, err := NewSparseIndex(ctx, s, Hellinger, 2)
	if err != nil {
		t.Fatal(err)
	}
	if nb, err = sx.Nearest(ctx, sparsify(t, asked), 5); err != nil {
		t.Fatal(err)
	}
	check("new sparse", asked, nb)

	cyclic := csr.NewDense(12, 12) // each word is in three texts
	for i := range 12 {
		for k := range 3 {
			cyclic.Set(i, (i+k*k)%12, float32(1+(i+k)%4))
		}
	}
	nb, _ = mustSearch(t, cyclic, Options{K: 4, Metric: Hellinger})
	weighted, _ := mustSearch(t, cyclic, Options{K: 4, Metric: HellingerIDF})
	for k, d := range nb.Dist {
		if math.Abs(float64(d-weighted.Dist[k])) > 1e-6 {
			t.Errorf("distance %d: %v, %v with idf", k, d, weighted.Dist[k])
		}
	}
}

// TestRootsOfNegativeValues: they keep their sign, so that opposite rows are the farthest.
func TestRootsOfNegativeValues(t *testing.T) {
	x := &csr.Dense{Rows: 3, Cols: 3, Data: []float32{4, -9, 0, -4, 9, 0, 4, 9, 0}}
	nb, _ := mustSearch(t, x, Options{K: 2, Metric: Hellinger})
	for i, want := range [][2]float32{{1 + 5.0/13, 2}, {1 - 5.0/13, 2}, {1 - 5.0/13, 1 + 5.0/13}} {
		if _, dist := nb.Row(i); math.Abs(float64(dist[0]-want[0])) > 1e-6 || math.Abs(float64(dist[1]-want[1])) > 1e-6 {
			t.Errorf("row %d has distances %v, want %v", i, dist, want)
		}
	}
}
