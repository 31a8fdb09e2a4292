package knn

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/racing"
)

// someDense returns n random points, some of them equal.
func someDense(seed uint64, n, d int) *csr.Dense {
	rng := rand.New(rand.NewPCG(seed, 11))
	x := csr.NewDense(n, d)
	for i := range n {
		if i > 4 && i%7 == 0 {
			copy(x.Row(i), x.Row(rng.IntN(i)))
			continue
		}
		for p := range d {
			x.Set(i, p, float32(rng.NormFloat64()))
		}
	}
	return x
}

// TestIndex compares with the definition of the metric, all distinct points, at sizes
// around the blocks of the search; the new points are asked for in one call and
// in several.
func TestIndex(t *testing.T) {
	racing.LongSum(t)
	const d, k = 9, 6
	for _, metric := range metrics() {
		for _, shape := range [][2]int{{7, 1}, {511, 3}, {513, 520}} {
			x, asked := someDense(1, shape[0], d), someDense(2, shape[1], d)
			copy(asked.Row(0), x.Row(3)) // a stored point
			if metric == L2 {
				for p := range d { // far out
					asked.Set(asked.Rows-1, p, 1e6*asked.At(asked.Rows-1, p))
				}
			}
			index, err := NewIndex(x, metric, 2)
			if err != nil {
				t.Fatal(err)
			}
			nb, err := index.Nearest(context.Background(), asked, k)
			if err != nil {
				t.Fatal(err)
			}
			name := fmt.Sprintf("%v, %d stored and %d new points", metric, shape[0], shape[1])
			for i := range asked.Rows {
				checkNearest(t, fmt.Sprintf("%s, point %d", name, i), x, asked.Row(i), nb, i)
			}
			one, err := NewIndex(x, metric, 1)
			if err != nil {
				t.Fatal(err)
			}
			for i := range min(asked.Rows, 40) {
				alone, err := one.Nearest(context.Background(), &csr.Dense{Rows: 1, Cols: d, Data: asked.Row(i)}, k)
				if err != nil || !slices.Equal(alone.IDs, nb.IDs[i*k:(i+1)*k]) || !slices.Equal(alone.Dist, nb.Dist[i*k:(i+1)*k]) {
					t.Errorf("%s: point %d alone has other neighbours, %v", name, i, err)
				}
			}
		}
	}
}

// checkNearest compares row i of nb with the nearest of y by definition. Points
// at one distance, to rounding, may stand in any order.
func checkNearest(t *testing.T, name string, x *csr.Dense, y []float32, nb *Neighbors, i int) {
	t.Helper()
	away := make([]float64, x.Rows)
	var sorted []float64
	_, of := distinctOf(x)
	for j := range away {
		away[j] = define(y, x.Row(j), nb.Metric)
		if of[j] == uint32(j) {
			sorted = append(sorted, away[j])
		}
	}
	slices.Sort(sorted)
	ids, dist := nb.Row(i)
	if len(ids) != nb.K {
		t.Fatalf("%s: %d neighbours, expected %d", name, len(ids), nb.K)
	}
	for p, j := range ids {
		close := 1e-6 * max(1, math.Abs(sorted[p]))
		if of[j] != j || math.Abs(away[j]-sorted[p]) > close || math.Abs(float64(dist[p])-away[j]) > close || slices.Index(ids, j) != p {
			t.Fatalf("%s: neighbour %d is %d at %v, expected one at %v", name, p, j, dist[p], sorted[p])
		}
	}
}

func TestIndexErrors(t *testing.T) {
	x := someDense(1, 10, 3)
	index, err := NewIndex(x, L2, 1)
	if err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	far, bad := csr.NewDense(2, 3), csr.NewDense(2, 3)
	far.Set(1, 2, 1e25)
	bad.Set(1, 2, float32(math.NaN()))
	for name, test := range map[string]struct {
		ctx  context.Context
		x    *csr.Dense
		k    int
		want error
	}{
		"another d":  {context.Background(), csr.NewDense(2, 4), 2, ErrFeatures},
		"NaN":        {context.Background(), bad, 2, ErrFeatures},
		"far out":    {context.Background(), far, 2, ErrFeatures},
		"k above n":  {context.Background(), csr.NewDense(2, 3), 11, ErrOptions},
		"k of 0":     {context.Background(), csr.NewDense(2, 3), 0, ErrOptions},
		"an end":     {ended, csr.NewDense(2, 3), 2, context.Canceled},
		"all points": {context.Background(), csr.NewDense(2, 3), 10, nil},
	} {
		if _, err := index.Nearest(test.ctx, test.x, test.k); !errors.Is(err, test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := NewIndex(x, Metric(9), 1); !errors.Is(err, ErrOptions) {
		t.Errorf("an unknown metric: %v", err)
	}
	if _, err := NewIndex(csr.NewDense(1, 3), L2, 1); !errors.Is(err, ErrFeatures) {
		t.Errorf("one point: %v", err)
	}
}

// TestAttachment leaves a point out of a graph and joins it again: where the
// neighbours of the others are the same with and without it, its weights are
// those of the whole graph.
func TestAttachment(t *testing.T) {
	const d, k = 5, 6
	x := someDense(4, 200, d)
	checked, mutual := 0, 0
	for weighting := SymmetricGaussian; weighting <= Uniform; weighting++ {
		for _, symmetry := range []csr.Symmetry{csr.Mean, csr.Max, csr.Min} {
			opt := GraphOptions{Search: Options{K: k, Metric: Cosine, Threads: 1}, Weighting: weighting, Symmetry: symmetry}
			whole, _, err := Graph(context.Background(), x, opt)
			if err != nil {
				t.Fatal(err)
			}
			last := x.Rows - 1
			part := &csr.Dense{Rows: last, Cols: d, Data: x.Data[:last*d]}
			a, nb := joined(t, part, &csr.Dense{Rows: 1, Cols: d, Data: x.Row(last)}, opt)
			w, err := a.Weights(nb, 1)
			if err != nil {
				t.Fatal(err)
			}
			cols, vals := w.Row(0)
			if symmetry != csr.Min && len(cols) != k || len(cols) > k {
				t.Errorf("%v, symmetry %d: %d edges, expected %d", weighting, symmetry, len(cols), k)
			}
			ids, dist := nb.Row(0)
			for p, j := range cols {
				at := slices.Index(ids, j)
				if dist[at] < a.Radius[j] {
					mutual++
				}
				if weighting == AdaptiveGlobal || weighting == Adaptive || weighting == SelfTuning || weighting == SymmetricGaussian {
					// The bandwidth of j changes with the new point among its
					// nearest, and the mean of all does too.
					if want := whole.At(last, int(j)); vals[p] < 0.7*float32(want) || vals[p] > 1.4*float32(want) {
						t.Errorf("%v, symmetry %d: weight %v to %d, %v in the whole graph", weighting, symmetry, vals[p], j, want)
					}
					continue
				}
				checked++
				if want := float32(whole.At(last, int(j))); vals[p] != want {
					t.Errorf("%v, symmetry %d: weight %v to %d, %v in the whole graph", weighting, symmetry, vals[p], j, want)
				}
			}
		}
	}
	if checked < 20 || mutual < 10 {
		t.Errorf("%d weights compared, %d of mutual neighbours", checked, mutual)
	}
}

// joined returns how new points join the graph of x, and the neighbours of some.
func joined(t *testing.T, x, asked *csr.Dense, opt GraphOptions) (*Attachment, *Neighbors) {
	t.Helper()
	_, report, err := Graph(context.Background(), x, opt)
	if err != nil {
		t.Fatal(err)
	}
	a, err := NewAttachment(report.Found, report.Neighbors, opt)
	if err != nil {
		t.Fatal(err)
	}
	index, err := NewIndex(x, opt.Search.Metric, 1)
	if err != nil {
		t.Fatal(err)
	}
	nb, err := index.Nearest(context.Background(), asked, a.Search)
	if err != nil {
		t.Fatal(err)
	}
	return a, nb
}

// TestAttachmentThreads: the edges of new points in several blocks of rows are the same for any threads.
func TestAttachmentThreads(t *testing.T) {
	a, nb := joined(t, someDense(5, 300, 4), someDense(6, 1100, 4), GraphOptions{Search: Options{K: 6}})
	want, err := a.Weights(nb, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, threads := range []int{2, 5} {
		if got, err := a.Weights(nb, threads); err != nil || !sameMatrix(got, want) {
			t.Errorf("%d threads: other edges, %v", threads, err)
		}
	}
}

// TestAttachmentByHand: points 0, 1, 3 on a line, one neighbour each, and a new
// one at 1.5, whose nearest is 1 at 0.5: nearer than 1's neighbour at 1.
func TestAttachmentByHand(t *testing.T) {
	x := &csr.Dense{Rows: 3, Cols: 1, Data: []float32{0, 1, 3}}
	opt := GraphOptions{Search: Options{K: 1}}
	_, report, err := Graph(context.Background(), x, opt)
	if err != nil {
		t.Fatal(err)
	}
	// exp(−4 d²/(d_1(x) d_1(j))) with d = d_1(x) = 0.5, d_1(j) = 1.
	forward := math.Exp(-4 * 0.5 * 0.5 / (0.5 * 1))
	for symmetry, want := range map[csr.Symmetry]float64{csr.Mean: forward, csr.Max: forward, csr.Min: forward} {
		a, err := NewAttachment(report.Found, report.Neighbors, GraphOptions{Search: opt.Search, Symmetry: symmetry})
		if err != nil {
			t.Fatal(err)
		}
		w, err := a.Weights(&Neighbors{N: 2, K: 1, IDs: []uint32{1, 2}, Dist: []float32{0.5, 3}}, 1)
		if err != nil {
			t.Fatal(err)
		}
		if got := w.At(0, 1); math.Abs(got-want) > 1e-6 {
			t.Errorf("symmetry %d: %v, expected %v", symmetry, got, want)
		}
		// 3 away from point 2, whose neighbour is at 2: not its neighbour.
		lone := map[csr.Symmetry]float64{csr.Mean: math.Exp(-4*3/2.) / 2, csr.Max: math.Exp(-4 * 3 / 2.), csr.Min: 0}[symmetry]
		if got := w.At(1, 2); math.Abs(got-lone) > 1e-9 {
			t.Errorf("symmetry %d: %v for one that is not mutual, expected %v", symmetry, got, lone)
		}
	}
	// A point equal to its neighbours has the smallest bandwidth, not 0.
	a, _ := NewAttachment(report.Found, report.Neighbors, opt)
	w, err := a.Weights(&Neighbors{N: 1, K: 1, IDs: []uint32{1}, Dist: []float32{0}}, 1)
	if err != nil || w.At(0, 1) != 1 {
		t.Errorf("weight %v to an equal point, expected 1; %v", w.At(0, 1), err)
	}
	if _, err := a.Weights(&Neighbors{N: 1, K: 1, Metric: Cosine, IDs: []uint32{1}, Dist: []float32{0}}, 1); !errors.Is(err, ErrNeighbors) {
		t.Errorf("neighbours by another metric: %v", err)
	}
}

// TestJoinByProducts: new points join a graph of inner products by the points of the largest cosine, with their products,
// dense or sparse; and their labels are those of their neighbourhood, where all points have one direction in common.
func TestJoinByProducts(t *testing.T) {
	ctx := context.Background()
	const n, d = 60, 4
	rng := rand.New(rand.NewPCG(15, 1))
	x := csr.NewDense(n, d)
	for i := range n { // two classes, from the two halves of the columns, all far from the origin
		for j := range d {
			x.Set(i, j, 5+float32(rng.NormFloat64())/4)
			if j/2 == i%2 {
				x.Set(i, j, x.At(i, j)+2)
			}
		}
	}
	copy(x.Row(7), x.Row(5)) // equal points
	clear(x.Row(9))
	opt := GraphOptions{Search: Options{K: 5, Metric: InnerProduct}}
	_, report, err := Graph(ctx, x, opt)
	if err != nil {
		t.Fatal(err)
	}
	joins, err := NewAttachment(report.Found, report.Neighbors, opt)
	if err != nil {
		t.Fatal(err)
	}
	byCosine, err := NewIndex(x, Cosine, 1)
	if err != nil {
		t.Fatal(err)
	}
	index, err := joins.Index(x, 2)
	if err != nil {
		t.Fatal(err)
	}
	want, err := byCosine.Nearest(ctx, x, 5)
	if err != nil {
		t.Fatal(err)
	}
	got, err := index.Nearest(ctx, x, 5)
	if err != nil {
		t.Fatal(err)
	}
	found := []*Neighbors{got}
	sparse, err := csr.FromDense(x)
	if err != nil {
		t.Fatal(err)
	}
	for _, blocks := range []bool{false, true} {
		nb, err := sparseIndexAs(t, sparse, joins.RankedBy(), joins.Metric, 2, blocks).Nearest(ctx, sparse, 5)
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, nb)
	}
	for way, nb := range found {
		if !slices.Equal(nb.IDs, want.IDs) || nb.Metric != InnerProduct {
			t.Errorf("way %d: other neighbours than by cosine, by %v", way, nb.Metric)
		}
		same := 0
		for i := range n {
			ids, dist := nb.Row(i)
			for p, j := range ids {
				if product := InnerProduct.distance(InnerProduct.rank(x.Row(i), x.Row(int(j)), 0, 0)); math.Abs(float64(dist[p]-product)) > 1e-5 {
					t.Errorf("way %d: distance %v of %d and %d, expected %v", way, dist[p], i, j, product)
				}
				if int(j)%2 == i%2 {
					same++
				}
			}
		}
		if same < 5*(n-1)*9/10 {
			t.Errorf("way %d: %d of %d neighbours of the class", way, same, 5*(n-1))
		}
		if _, err := joins.Weights(nb, 1); err != nil {
			t.Errorf("way %d: %v", way, err)
		}
	}
	far := csr.NewDense(1, d)
	far.Set(0, 0, 1e25)
	if _, err := index.Nearest(ctx, far, 1); !errors.Is(err, ErrFeatures) {
		t.Errorf("a point far out: error %v", err)
	}
}

// TestFeaturesOfNoShape: features that are nil, or other than n·d numbers, are an error.
func TestFeaturesOfNoShape(t *testing.T) {
	ctx := context.Background()
	good := randomPoints(1, 4, 2)
	index, err := NewIndex(good, L2, 1)
	if err != nil {
		t.Fatal(err)
	}
	line, err := csr.New(4, 4, []int64{0, 1, 2, 3, 4}, []uint32{1, 0, 3, 2}, []float32{1, 1, 1, 1})
	if err != nil {
		t.Fatal(err)
	}
	for name, x := range map[string]*csr.Dense{
		"nil": nil, "short": {Rows: 4, Cols: 2, Data: make([]float32, 7)}, "long": {Rows: 4, Cols: 2, Data: make([]float32, 9)},
		"without numbers": {Rows: 4, Cols: 2}, "negative": {Rows: -4, Cols: -2, Data: make([]float32, 8)},
	} {
		calls := map[string]func() error{
			"Search":         func() error { _, _, err := Search(ctx, x, Options{K: 1}); return err },
			"Graph":          func() error { _, _, err := Graph(ctx, x, GraphOptions{}); return err },
			"ScalingOf":      func() error { _, err := ScalingOf(x, 1); return err },
			"NewIndex":       func() error { _, err := NewIndex(x, L2, 1); return err },
			"Nearest":        func() error { _, err := index.Nearest(ctx, x, 1); return err },
			"SelfExpressive": func() error { _, _, err := SelfExpressive(ctx, x, SelfExpressiveOptions{}); return err },
		}
		if x != nil && x.Rows == 4 { // another n panics
			calls["Connect"] = func() error { _, _, err := Connect(ctx, line, x, ConnectOptions{}); return err }
		}
		for call, err := range calls {
			if err := err(); !errors.Is(err, ErrFeatures) {
				t.Errorf("%s of features %s: %v", call, name, err)
			}
		}
	}
	if _, err := NewAttachment(nil, 1, GraphOptions{}); !errors.Is(err, ErrNeighbors) {
		t.Error(err)
	}
	_, _, err = Connect(ctx, line, good, ConnectOptions{Metric: 7})
	if !errors.Is(err, ErrOptions) || err.Error() != "knn: invalid options: Metric(7), expected one of the metrics of package knn" {
		t.Error(err)
	}
	_, _, err = Connect(ctx, line, good, ConnectOptions{Sample: -1})
	if !errors.Is(err, ErrOptions) || err.Error() != "knn: invalid options: sample of -1 points, expected at least 1, or 0 for the default" {
		t.Error(err)
	}
}
