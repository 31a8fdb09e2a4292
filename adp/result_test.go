package adp

import (
	"context"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// TestConverged: rounds at their limit are a fault only where the result is the last of
// them, and none where there are none.
func TestConverged(t *testing.T) {
	path, _, err := csr.FromEdges(3, &csr.Edges{Src: []uint32{0, 1}, Dst: []uint32{1, 2}}, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	ends, err := diffuse.HardSeeds([]int{0, -1, 1})
	if err != nil {
		t.Fatal(err)
	}
	w, y := plantedGraph(t, 600, 3, 5, 8)
	for _, c := range []struct {
		name string
		w    *csr.Matrix
		y    *diffuse.Seeds
		opt  Options
		want bool
	}{
		{"no setting", path, ends, Options{}, true},
		{"no setting, jointly", path, ends, Options{Method: ADP1, Select: Full}, true},
		{"chosen", w, y, Options{Rounds: 1, MinChange: -1, Beta: 1e-30}, true},
		{"the last", w, y, Options{Rounds: 1, MinChange: -1, Beta: 1e-30, Select: None}, false},
		{"jointly", w, y, Options{Rounds: 1, MinChange: -1, Beta: 1e-30, Method: ADP1}, false},
		{"of iterations", w, y, Options{MaxIterations: 2}, false},
	} {
		r, err := Run(context.Background(), c.w, c.y, c.opt)
		if err != nil {
			t.Fatal(err)
		}
		warned := slices.ContainsFunc(r.Warnings, func(w Warning) bool { return w.Code == WarnNotConverged })
		if r.Converged != c.want || warned == c.want {
			t.Errorf("%s: converged %v, warned %v, %d rounds", c.name, r.Converged, warned, len(r.Rounds)-1)
		}
	}
}
