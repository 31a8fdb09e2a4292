package adp

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
)

// steps returns n rows of two even columns, F of the classes that a rule gives, and a graph that joins each row to the ten before and
// after it, which has nothing to do with the features.
func steps(t *testing.T, n int, rule func(x, y float32) int) (x, f *csr.Dense, w *csr.Matrix) {
	t.Helper()
	rng := rand.New(rand.NewPCG(3, 4))
	x, f = csr.NewDense(n, 2), csr.NewDense(n, 2)
	edges := &csr.Edges{}
	for i := range n {
		x.Set(i, 0, rng.Float32())
		x.Set(i, 1, rng.Float32())
		f.Set(i, rule(x.At(i, 0), x.At(i, 1)), 1)
		for k := 1; k <= 10 && i+k < n; k++ {
			edges.Src, edges.Dst = append(edges.Src, uint32(i)), append(edges.Dst, uint32(i+k))
		}
	}
	w, _, err := csr.FromEdges(n, edges, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return x, f, w
}

// TestSurrogate: where a threshold tells the classes, and neighbours do not, they get a share, and new points the right label; where
// the neighbours tell, and the features do not, the share is 0.
func TestSurrogate(t *testing.T) {
	const n = 600
	cut := func(x, _ float32) int {
		if x > 0.5 {
			return 1
		}
		return 0
	}
	x, f, w := steps(t, n, cut)
	share, err := SurrogateShare(t.Context(), x, f, w, 2)
	if err != nil || share < 0.5 {
		t.Errorf("share %v, %v; expected at least ½", share, err)
	}
	s, err := NewSurrogate(t.Context(), x, f, share, 2)
	if err != nil {
		t.Fatal(err)
	}
	points, want, _ := steps(t, 900, cut) // of which the first 600 are those of the run
	to, err := csr.New(900, n, make([]int64, 901), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Predict(t.Context(), f, nil, to, points, 0.99, 0, 2)
	if err != nil {
		t.Fatal(err)
	}
	wrong := 0
	for i, label := range r.Labels {
		if want.At(i, int(label)) != 1 {
			wrong++
		}
	}
	if wrong > 5 {
		t.Errorf("%d of 900 points have another label than their threshold says", wrong)
	}

	blocks, inside := csr.NewDense(n, 2), &csr.Edges{} // no edge is between the blocks, where chance would decide
	for i := range n {
		blocks.Set(i, i/(n/2), 1)
		cols, _ := w.Row(i)
		for _, j := range cols {
			if int(j) > i && int(j)/(n/2) == i/(n/2) {
				inside.Src, inside.Dst = append(inside.Src, uint32(i)), append(inside.Dst, j)
			}
		}
	}
	apart, _, err := csr.FromEdges(n, inside, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if share, err := SurrogateShare(t.Context(), x, blocks, apart, 2); err != nil || share != 0 {
		t.Errorf("share %v, %v; expected 0 where neighbours tell", share, err)
	}
	if s, err := NewSurrogate(t.Context(), x, csr.NewDense(n, 2), 1, 2); s != nil || err != nil {
		t.Errorf("trees of no labels: %v, %v", s, err)
	}
	if _, err := NewSurrogate(t.Context(), x, csr.NewDense(n+1, 2), 1, 2); err == nil {
		t.Error("no error of another number of rows")
	}
}

// TestSurrogateBits: the same for any number of threads, and row by row.
func TestSurrogateBits(t *testing.T) {
	x, f, w := steps(t, 300, func(x, y float32) int {
		if x > y {
			return 1
		}
		return 0
	})
	var want []float32
	for _, threads := range []int{1, 2, 3, 8} {
		s, err := NewSurrogate(t.Context(), x, f, 0.5, threads)
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.Predict(t.Context(), f, nil, w, x, 0.99, 0, threads)
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = r.F.Data
		}
		if !slices.Equal(r.F.Data, want) {
			t.Errorf("%d threads: other bits", threads)
		}
	}
}

func TestEvery(t *testing.T) {
	for _, c := range []struct {
		n, count int
		want     []int
	}{{0, 3, nil}, {3, 5, []int{0, 1, 2}}, {6, 3, []int{0, 2, 4}}, {7, 3, []int{0, 3, 6}}} {
		if got := every(c.n, c.count); !slices.Equal(got, c.want) {
			t.Errorf("%d of %d: %v, expected %v", c.count, c.n, got, c.want)
		}
	}
}
