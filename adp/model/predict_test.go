package model

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/knn"
)

// TestPredict: a new point has what the model has of it beside one step from F: by its features, scaled where they have a limit, by its
// edges, or by trees.
func TestPredict(t *testing.T) {
	ctx, vectors := context.Background(), csr.NewDense(4, 1)
	copy(vectors.Data, []float32{0, 1, 3, 9})
	w, err := csr.New(2, 4, []int64{0, 1, 2}, []uint32{1, 2}, []float32{1, 0.5})
	if err != nil {
		t.Fatal(err)
	}
	x := diffuse.Features{Dense: &csr.Dense{Rows: 2, Cols: 1, Data: []float32{0.5, 7}}}
	words := diffuse.Features{Dense: &csr.Dense{Rows: 2, Cols: 3, Data: []float32{1, 0, 0, 0, 0, 1}}}
	guessed := func(m *Model, x diffuse.Features) *adp.Result {
		r, err := m.Guess.Predict(ctx, m.F, m.Degrees, w, w, x, m.Alpha, 0.6, 1)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	step := func(m *Model) *adp.Result { return adp.Predict(m.F, m.Degrees, w, m.Alpha, 0.6, 1) }
	plain, asIs, edges, trees := small(t, true), guessing(t), linked(t), small(t, true)
	limited := guessing(t)
	limited.Features.Scaling = &knn.Scaling{Middle: []float32{1, 0, 2}, Spread: []float32{2, 1, 0.5}, Limit: 3}
	older := guessing(t)
	older.Features.Scaling = &knn.Scaling{Middle: []float32{1, 0, 2}, Spread: []float32{2, 1, 0.5}}
	trees.Trees = 0.5
	surrogate, err := trees.Surrogate(ctx, diffuse.Features{Dense: vectors}, 1)
	if err != nil || surrogate == nil {
		t.Fatalf("trees %v, %v", surrogate, err)
	}
	grown, err := surrogate.Predict(ctx, trees.F, trees.Degrees, w, x.Dense, trees.Alpha, 0.6, 1)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		m     *Model
		x     diffuse.Features
		trees *adp.Surrogate
		want  *adp.Result
	}{
		"one step":                  {plain, x, nil, step(plain)},
		"features":                  {asIs, words, nil, guessed(asIs, words)},
		"features that are limited": {limited, words, nil, guessed(limited, diffuse.Features{Dense: limited.Features.Scaling.Apply(words.Dense, 1)})},
		"features without a limit":  {older, words, nil, guessed(older, words)},
		"no features":               {asIs, diffuse.Features{}, nil, step(asIs)},
		"neighbours":                {nearing(t), words, nil, guessed(nearing(t), words)},
		"neighbours, no features":   {nearing(t), diffuse.Features{}, nil, guessed(nearing(t), diffuse.Features{})},
		"edges":                     {edges, diffuse.Features{}, nil, guessed(edges, diffuse.Features{Sparse: w})},
		"trees":                     {trees, x, surrogate, grown},
		"trees without features":    {trees, diffuse.Features{}, surrogate, step(trees)},
	} {
		got, err := c.m.Predict(ctx, Points{Edges: w, Features: c.x}, c.trees, 0.6, 1)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !slices.Equal(got.F.Data, c.want.F.Data) || !slices.Equal(got.Status, c.want.Status) {
			t.Errorf("%s: F %v, status %v, want %v, %v", name, got.F.Data, got.Status, c.want.F.Data, c.want.Status)
		}
	}
	if _, err := limited.Predict(ctx, Points{Edges: w, Features: x}, nil, 0, 1); !errors.Is(err, diffuse.ErrFeatures) {
		t.Errorf("one column in the place of three: %v", err)
	}
	for name, s := range map[string]struct {
		m *Model
		x diffuse.Features
	}{"no trees": {plain, diffuse.Features{Dense: vectors}}, "sparse": {trees, diffuse.Features{Sparse: w}}} {
		if got, err := s.m.Surrogate(ctx, s.x, 1); got != nil || err != nil {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

// TestPredictFaults: points that are joined to other nodes, or by weights that are none, are errors.
func TestPredictFaults(t *testing.T) {
	matrix := func(points, nodes int, weight float32) *csr.Matrix {
		m, err := csr.New(points, nodes, append(make([]int64, points), 1), []uint32{0}, []float32{1})
		if err != nil {
			t.Fatal(err)
		}
		return m.WithData([]float32{weight})
	}
	m := nearing(t)
	n := m.F.Rows
	x := diffuse.Features{Dense: csr.NewDense(2, m.Features.Dims)}
	for name, p := range map[string]Points{
		"nothing":           {},
		"other points":      {Edges: matrix(3, n, 1), Features: x},
		"other nodes":       {Edges: matrix(2, n+1, 1), Features: x},
		"other nodes, near": {Nearest: matrix(2, n-1, 1), Features: x},
		"two counts":        {Edges: matrix(2, n, 1), Nearest: matrix(3, n, 1)},
		"below 0":           {Edges: matrix(2, n, -1), Features: x},
		"infinite":          {Edges: matrix(2, n, float32(math.Inf(1)))},
		"no number":         {Nearest: matrix(2, n, float32(math.NaN()))},
	} {
		if _, err := m.Predict(context.Background(), p, nil, 0, 1); !errors.Is(err, ErrPoints) {
			t.Errorf("%s: %v, expected an ErrPoints", name, err)
		}
	}
}

// TestPredictorFaults: vectors of another run, none where points have some, and sparse points among dense vectors are errors.
func TestPredictorFaults(t *testing.T) {
	ctx, m := context.Background(), small(t, true)
	x := diffuse.Features{Dense: &csr.Dense{Rows: 4, Cols: 1, Data: []float32{0, 1, 3, 9}}}
	m.Features.Dims, m.Features.Sum = 1, Sum(x)
	other := diffuse.Features{Dense: &csr.Dense{Rows: 4, Cols: 1, Data: []float32{0, 1, 3, 8}}}
	if _, err := m.NewPredictor(ctx, other, 1); !errors.Is(err, knn.ErrFeatures) {
		t.Errorf("other vectors: %v", err)
	}
	without, err := m.NewPredictor(ctx, diffuse.Features{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := without.Predict(ctx, x, nil, 0); !errors.Is(err, knn.ErrFeatures) {
		t.Errorf("no vectors: %v", err)
	}
	edges, err := csr.New(1, 4, []int64{0, 1}, []uint32{2}, []float32{1})
	if err != nil {
		t.Fatal(err)
	}
	if r, err := without.Predict(ctx, diffuse.Features{}, edges, 0); err != nil || len(r.Labels) != 1 {
		t.Errorf("edges alone: %v, %v", r, err)
	}
	with, err := m.NewPredictor(ctx, x, 1)
	if err != nil {
		t.Fatal(err)
	}
	for name, points := range map[string]diffuse.Features{"sparse": {Sparse: edges}, "wide": {Dense: csr.NewDense(1, 2)}} {
		if _, err := with.Predict(ctx, points, nil, 0); !errors.Is(err, knn.ErrFeatures) {
			t.Errorf("%s points: %v", name, err)
		}
	}
	if r, err := with.Predict(ctx, x, nil, 0); err != nil || !slices.Equal(r.Labels, adp.Predict(m.F, m.Degrees, nearestOf(t, m, x), m.Alpha, 0, 1).Labels) {
		t.Errorf("points: %v", err)
	}
}

// nearestOf returns the weights of the nearest vectors, found anew.
func nearestOf(t *testing.T, m *Model, x diffuse.Features) *csr.Matrix {
	t.Helper()
	index, err := m.Joins.Index(x.Dense, 1)
	if err != nil {
		t.Fatal(err)
	}
	found, err := index.Nearest(context.Background(), x.Dense, m.Joins.Search)
	if err != nil {
		t.Fatal(err)
	}
	w, err := m.Joins.Weights(found, 1)
	if err != nil {
		t.Fatal(err)
	}
	return w
}
