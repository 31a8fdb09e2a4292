package adp

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// TestShape: the share of closed walks is tr S³/tr S² within the error of its estimate: on rings whose nodes
// are joined to the next few, with weights, and on graphs of random edges.
func TestShape(t *testing.T) {
	const n = 1500
	for _, test := range []struct {
		name   string
		reach  int // nodes that each is joined to
		random bool
		least  float64
		most   float64
	}{
		{"ring of one", 1, false, -0.02, 0.02},
		{"ring of three", 3, false, 0.3, 0.6},
		{"ring of eight", 8, false, 0.3, 0.8},
		{"random edges", 8, true, -0.02, 0.05},
	} {
		rng := rand.New(rand.NewPCG(1, 2))
		e := &csr.Edges{}
		for i := range n {
			for k := range test.reach {
				j := (i + k + 1) % n
				if test.random {
					j = rng.IntN(n)
				}
				if i != j {
					e.Src, e.Dst, e.Weight = append(e.Src, uint32(i)), append(e.Dst, uint32(j)), append(e.Weight, 0.5+rng.Float32())
				}
			}
		}
		w, _, err := csr.FromEdges(n, e, csr.BuildOptions{Duplicates: csr.DuplicatesMax})
		if err != nil {
			t.Fatal(err)
		}
		s := diffuse.Normalize(w, 1).S
		var square, cube float64
		for i := range n {
			cols, vals := s.Row(i)
			row := map[uint32]float64{}
			for k, j := range cols {
				row[j] = float64(vals[k])
				square += float64(vals[k]) * float64(vals[k])
			}
			for k, j := range cols {
				next, more := s.Row(int(j))
				for q, l := range next {
					cube += float64(vals[k]) * float64(more[q]) * row[l]
				}
			}
		}
		want := cube / square
		one, two := Options{Threads: 1}.shapeOf(w), Options{Threads: 3}.shapeOf(w)
		if one != two {
			t.Errorf("%s: %+v with one thread, %+v with three", test.name, one, two)
		}
		if math.Abs(one.closed-want) > 0.03 || want < test.least || want > test.most {
			t.Errorf("%s: %.3f of the walks closed, want %.3f, between %v and %v", test.name, one.closed, want, test.least, test.most)
		}
	}
}

// TestMeasuredOnce: options on a graph know its shape, and no other graph's; a graph that the settings
// depend on changes nothing else.
func TestMeasuredOnce(t *testing.T) {
	w, other := ringOf(t, 2000, 6), ringOf(t, 2000, 1)
	opt := Options{Threads: 2}
	on := opt.On(w)
	if got, want := on.shapeOf(w), opt.shapeOf(w); got != want || got.closed > 1 {
		t.Errorf("%+v, measured by itself %+v", got, want)
	}
	if got, want := on.shapeOf(other), opt.shapeOf(other); got != want || got == on.shapeOf(w) {
		t.Errorf("another graph: %+v, measured by itself %+v", got, want)
	}
	count := 0
	on.measured.shape = func() shape { count++; return shape{variation: 5, closed: 1} }
	if g := on.shapeOf(w); g.variation != 5 || count != 1 {
		t.Errorf("measured again: %+v", g)
	}
	if before, after := EstimateBytes(w, 3, opt), EstimateBytes(w, 3, on); before == after || count < 2 {
		t.Errorf("%d bytes by the known shape, %d by another", after, before)
	}
}

// ringOf joins each of n nodes to some after it on a ring.
func ringOf(t *testing.T, n, reach int) *csr.Matrix {
	t.Helper()
	var e csr.Edges
	for i := range n {
		for step := range reach {
			e.Src, e.Dst = append(e.Src, uint32(i)), append(e.Dst, uint32((i+step+1)%n))
		}
	}
	w, _, err := csr.FromEdges(n, &e, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return w
}
