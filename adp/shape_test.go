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
