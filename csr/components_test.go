package csr

import (
	"errors"
	"math"
	"slices"
	"testing"
)

// TestComponentsOnce: matrices of one pattern have the components that were found first, and what a caller
// does with the sizes changes nothing.
func TestComponentsOnce(t *testing.T) {
	w := randomAffinity(t, 300, 200, 3)
	of, sizes := Components(w, 1)
	if len(sizes) < 3 {
		t.Fatalf("%d components, expected several", len(sizes))
	}
	want := slices.Clone(sizes)
	clear(sizes)
	s, _ := NormalizeSym(w, 1)
	for _, m := range []*Matrix{w, s, s.WithData(s.data)} {
		again, sizes := Components(m, 2)
		if &again[0] != &of[0] || !slices.Equal(sizes, want) {
			t.Errorf("found again: %v, expected %v", sizes, want)
		}
	}
	grown := WithRows(w, 302)
	if _, sizes := Components(grown, 1); len(sizes) != len(want)+2 {
		t.Errorf("%d components with two more rows, expected %d", len(sizes), len(want)+2)
	}
}

// TestAffinityOnce: other values on the pattern of an affinity are checked anew.
func TestAffinityOnce(t *testing.T) {
	w := randomAffinity(t, 300, 200, 3)
	for range 2 {
		if err := CheckAffinity(w, 2); err != nil {
			t.Fatal(err)
		}
	}
	var fault *StructureError
	for _, value := range []float32{-1, float32(math.NaN()), float32(math.Inf(1)), 2 * w.data[7]} {
		data := slices.Clone(w.data)
		data[7] = value
		m := w.WithData(data)
		for range 2 {
			if err := CheckAffinity(m, 2); !errors.As(err, &fault) || fault.Row < 0 {
				t.Errorf("value %v: %v, expected a fault in a row", value, err)
			}
		}
	}
	if err := CheckAffinity(Identity(3), 1); !errors.As(err, &fault) || fault.Row != 0 {
		t.Errorf("a diagonal: %v, expected a fault in row 0", err)
	}
}
