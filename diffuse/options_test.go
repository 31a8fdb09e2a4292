package diffuse

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
)

// TestRefusedArguments: numbers that make no sense, and factors that are not hardened, are errors about options; a tolerance of 0 is
// the default.
func TestRefusedArguments(t *testing.T) {
	ctx := t.Context()
	w, _, err := csr.FromEdges(3, &csr.Edges{Src: []uint32{0, 1}, Dst: []uint32{1, 2}}, csr.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	g, ones := Normalize(w, 1), &csr.Dense{Rows: 3, Cols: 1, Data: []float32{1, 2, 3}}
	fixed, soft := FixedFactor(ones), NewFactor(ones, Soft)
	star := func(alpha, zeta, tolerance float64) func(context.Context) (any, error) {
		return func(ctx context.Context) (any, error) { return AStar(ctx, g.S, fixed, zeta, alpha, tolerance, ones, 1) }
	}
	walks := func(cells, steps int) func(context.Context) (any, error) {
		return func(ctx context.Context) (any, error) { return Walks(ctx, g, cells, steps, 1) }
	}
	nan := math.NaN()
	for name, call := range map[string]func(context.Context) (any, error){
		"A* to a tolerance below 0": star(0.9, 1, -1), "A* to a tolerance of 1": star(0.9, 1, 1), "A* to no tolerance": star(0.9, 1, nan),
		"A* of α 0": star(0, 1, 0), "A* of α 1": star(1, 1, 0), "A* of α below 0": star(-0.5, 1, 0), "A* of no α": star(nan, 1, 0),
		"A* of no ζ'": star(0.9, nan, 0), "A* of an infinite ζ'": star(0.9, math.Inf(1), 0),
		"walks of 0 steps": walks(2, 0), "walks of -1 steps": walks(2, -1), "walks to 0 cells": walks(0, 2), "walks to -1 cells": walks(-1, 2),
		"votes of a fixed factor": func(ctx context.Context) (any, error) { return Votes(ctx, g, fixed, nil, 1) },
		"votes of a soft factor":  func(ctx context.Context) (any, error) { return Votes(ctx, g, soft, nil, 1) },
		"a fresh step of a soft factor": func(ctx context.Context) (any, error) {
			return FreshStep(ctx, g, soft, AffinityOptions{TopK: 1, Alpha: 0.9})
		},
	} {
		if _, err := call(ctx); !errors.Is(err, ErrOptions) {
			t.Errorf("%s: %v, expected an error about options", name, err)
		}
	}
	whole, err := star(0.9, 1, 0)(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if same, err := star(0.9, 1, 1e-7)(ctx); err != nil || !slices.Equal(whole.(*csr.Dense).Data, same.(*csr.Dense).Data) {
		t.Errorf("A* to a tolerance of 0 is %v, to 1e-7 %v, %v", whole, same, err)
	}
}
