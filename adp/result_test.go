package adp

import (
	"context"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp/internal/planted"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// TestOneOf: warnings of one thing have words for one.
func TestOneOf(t *testing.T) {
	for _, c := range []struct {
		seeds []int
		want  string
	}{
		{[]int{1, 1, 0}, "1 class has seeds but no other node was predicted in it"},
		{[]int{1, 1, 1}, "2 classes have seeds but no other node was predicted in them"},
	} {
		if got := JudgeClasses([]int{9, 0, 0}, c.seeds); len(got) != 1 || got[0].Message != c.want {
			t.Errorf("%v: %+v", c.seeds, got)
		}
	}
	for faint, want := range map[int]string{
		1: "1 node is so far from all seeds that its scores are below the smallest numbers: it has the shares of neighbours nearer to a seed",
		2: "2 nodes are so far from all seeds that their scores are below the smallest numbers: they have the shares of neighbours nearer to a seed",
	} {
		r := Result{Rounds: make([]Round, 1)}
		r.Rounds[0].Solve.Underflow = faint
		if r.warnUnderflow(true); r.Warnings[0].Message != want {
			t.Errorf("%+v", r.Warnings)
		}
	}
}

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
	w, y := planted.Graph(t, 600, 3, 5, 8)
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

// TestMakeShares: rows of a mean that sum to less or more than 1 do so no longer; others
// keep their bits.
func TestMakeShares(t *testing.T) {
	f := &csr.Dense{Rows: 4, Cols: 2, Data: []float32{0.3, 0.7000001, 0, 0, 0.1, 0.3, 1.5, 0.5}}
	makeShares(f, 1)
	if want := []float32{0.3, 0.7000001, 0, 0, 0.25, 0.75, 0.75, 0.25}; !slices.Equal(f.Data, want) {
		t.Errorf("shares %v, want %v", f.Data, want)
	}
}
