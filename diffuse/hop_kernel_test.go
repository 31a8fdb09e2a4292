package diffuse

import (
	"math"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
)

// TestHopKernel: blocks of hops that are never held score as formed ones do, over several strips of
// columns, with the same bits for any threads. Nodes without features or neighbours stay.
func TestHopKernel(t *testing.T) {
	ctx := t.Context()
	w, graph := randomGraph(t, 5)
	n := len(graph)
	dense, _, _ := drawFeatures(t, n, 2*formedColumns+5, 7)
	clear(dense.Dense.Row(n - 1))
	y, err := NewSeeds(n, 2, []Seed{{Node: 0, Class: 0, Weight: 1}, {Node: 2, Class: 1, Weight: 2}, {Node: 3, Class: 0, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	unit := func(d *Diffused, err error) *Diffused {
		if err == nil {
			d, err = d.Unit(ctx)
		}
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	scores := func(k *Kernel, err error) *csr.Dense {
		if err != nil {
			t.Fatal(err)
		}
		f, err := k.Scores(ctx, y, 1)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	first := func(threads int) *Diffused { return unit(mustDiffuse(t, dense, nil, Hops{}, threads), nil) }
	formed := Joined{first(1)}
	for steps := 1; steps <= 2; steps++ {
		formed = append(formed, unit(mustDiffuse(t, dense, w, Hops{Weight: 1, Steps: steps}, 1).Form(ctx)))
	}
	want := scores(NewKernel(ctx, formed, y, 1))
	one := scores(NewHopKernel(ctx, first(1), dense, Normalize(w, 1), 2, y, 1))
	for k, v := range want.Data {
		if math.Abs(float64(v-one.Data[k])) > 1e-5 {
			t.Errorf("score %d: %v, of formed hops %v", k, one.Data[k], v)
		}
	}
	if three := scores(NewHopKernel(ctx, first(3), dense, Normalize(w, 3), 2, y, 3)); !slices.Equal(three.Data, one.Data) {
		t.Error("3 threads: other bits")
	}
	// Rows of several blocks.
	n = 1100
	w, _ = pathOf(t, n)
	dense, _, _ = drawFeatures(t, n, 9, 7)
	if y, err = NewSeeds(n, 2, []Seed{{Node: 0, Class: 0, Weight: 1}, {Node: 600, Class: 1, Weight: 2}, {Node: 1099, Class: 0, Weight: 1}}); err != nil {
		t.Fatal(err)
	}
	one = scores(NewHopKernel(ctx, first(1), dense, Normalize(w, 1), 2, y, 1))
	if three := scores(NewHopKernel(ctx, first(3), dense, Normalize(w, 3), 2, y, 3)); !slices.Equal(three.Data, one.Data) {
		t.Error("1,100 rows, 3 threads: other bits")
	}
}

// TestRidgeOfFewRows: a ridge of unit rows, few of which have a weight, is that of these rows alone.
func TestRidgeOfFewRows(t *testing.T) {
	ctx := t.Context()
	const n, d = 700, 9
	dense, _, _ := drawFeatures(t, n, d, 11)
	times(dense.Dense.Row(3), 100)
	targets, weights := csr.NewDense(n, 2), make([]float32, n)
	for i := 3; i < n; i += 40 {
		weights[i] = 1 + float32(i)/n
		targets.Set(i, i%2, 1)
	}
	unit, err := mustDiffuse(t, dense, nil, Hops{}, 2).Unit(ctx)
	if err != nil {
		t.Fatal(err)
	}
	v, _, err := Ridge(ctx, unit, targets, weights, RidgeOptions{Lambda: 0.5})
	if err != nil {
		t.Fatal(err)
	}
	tiny := slices.Clone(weights) // too small to matter, so that all rows take part
	for i, w := range tiny {
		tiny[i] = max(w, 1e-30)
	}
	want, _, err := Ridge(ctx, mustDiffuse(t, dense.UnitRows(1), nil, Hops{}, 2), targets, tiny, RidgeOptions{Lambda: 0.5})
	if err != nil {
		t.Fatal(err)
	}
	for k, x := range want.Data {
		if math.Abs(float64(x-v.Data[k])) > 1e-5 {
			t.Errorf("coefficient %d: %v, of all rows %v", k, v.Data[k], x)
		}
	}
}
