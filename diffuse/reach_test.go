package diffuse

import (
	"context"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
)

// TestFarNodes: on a path of two colours of seeds at its ends every node has a
// row, for every solver, also where the exact values are far below the tolerance
// and below float32: they fall by more than half with each node. The class is
// that of the nearer end, as it is in the exact solution, by symmetry. Nodes of
// a second path have none.
func TestFarNodes(t *testing.T) {
	const n = 1001
	e := &csr.Edges{}
	for i := range uint32(n - 1) {
		e.Src, e.Dst = append(e.Src, i, n+i), append(e.Dst, i+1, n+i+1)
	}
	w, _, err := csr.FromEdges(2*n, e, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	y, err := NewSeeds(2*n, 2, []Seed{{Node: 0, Class: 0, Weight: 1}, {Node: n - 1, Class: 1, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	for _, solver := range []Solver{CG, Power} {
		f, stats, err := LGC(context.Background(), Normalize(w, 2), y, Options{Alpha: 0.5, Solver: solver})
		if err != nil || !stats.Converged {
			t.Fatalf("%v: %+v, %v", solver, stats, err)
		}
		for i := range 2 * n {
			want := int32(0)
			switch {
			case i >= n:
				want = -1
			case i > n/2:
				want = 1
			}
			if got := TopOf(f.Row(i)).Class; got != want && i != n/2 || i == n/2 && got < 0 {
				t.Fatalf("solver %v: node %d has class %d, want %d (%v)", solver, i, got, want, f.Row(i))
			}
		}
	}
}
