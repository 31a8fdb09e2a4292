package knn

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestFromPrecomputed(t *testing.T) {
	inf := float32(math.Inf(1))
	// Point 0: itself first. 1: itself in the middle, unordered. 2: a missing
	// place, and a tie in the wrong order. 3: nothing but itself.
	ids := []int64{0, 2, 1, 3, 1, 0, 3, 0, -1, 3, -1, -1}
	dist := []float32{0, 1, 2, 4, 0, 1, 5, 5, inf, 0, inf, -3}
	nb, err := FromPrecomputed(ids, dist, 4, 3, Cosine)
	if err != nil {
		t.Fatal(err)
	}
	want := []uint32{2, 1, 0, 3, 0, 3, Missing, Missing}
	wantDist := []float32{1, 2, 1, 4, 5, 5, inf, inf}
	if nb.N != 4 || nb.K != 2 || nb.Metric != Cosine || !slices.Equal(nb.IDs, want) || !slices.Equal(nb.Dist, wantDist) {
		t.Errorf("%+v", nb)
	}
	if row, _ := nb.Row(3); len(row) != 0 {
		t.Errorf("point 3: %v, expected no neighbours", row)
	}
	if ids[0] != 0 || dist[3] != 4 {
		t.Error("arguments changed")
	}
}

func TestFromPrecomputedTypes(t *testing.T) {
	dist := []float32{2, 1}
	a, err := FromPrecomputed([]int32{1, 0}, dist, 2, 1, L2)
	b, err2 := FromPrecomputed([]uint32{1, Missing}, dist, 2, 1, L2)
	if err != nil || err2 != nil || !slices.Equal(a.IDs, []uint32{1, 0}) || !slices.Equal(b.IDs, []uint32{1, Missing}) {
		t.Errorf("%v %v %v %v", a, err, b, err2)
	}
}

func TestFromPrecomputedRefuses(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	cases := []struct {
		name     string
		ids      []int32
		dist     []float32
		n, width int
		metric   Metric
		want     error
		says     string
	}{
		{"too large", []int32{1, 0, 3}, []float32{1, 1, 1}, 3, 1, L2, ErrNeighbors, "row 2: neighbour 3"},
		{"negative", []int32{1, -2, 0}, []float32{1, 1, 1}, 3, 1, L2, ErrNeighbors, "row 1: neighbour -2"},
		{"NaN", []int32{1, 0, 0}, []float32{1, nan, 1}, 3, 1, L2, ErrNeighbors, "row 1: distance NaN"},
		{"Inf", []int32{1, 0, 0}, []float32{1, 1, inf}, 3, 1, L2, ErrNeighbors, "row 2: distance +Inf"},
		{"negative distance", []int32{1, 0, 0}, []float32{-1, 1, 1}, 3, 1, L2, ErrNeighbors, "row 0: distance -1"},
		{"twice", []int32{1, 2, 0, 0, 0, 1}, []float32{1, 1, 1, 2, 1, 1}, 3, 2, L2, ErrNeighbors, "row 1: neighbour 0 is given twice"},
		{"lengths", []int32{1, 0}, []float32{1}, 2, 1, L2, ErrNeighbors, "2 numbers and 1 distances"},
		{"no points", nil, nil, 0, 1, L2, ErrNeighbors, "0 points"},
		{"no width", nil, nil, 3, 0, L2, ErrNeighbors, "0 neighbours"},
		{"metric", []int32{0}, []float32{0}, 1, 1, 6, ErrOptions, "Metric(6)"},
	}
	for _, c := range cases {
		_, err := FromPrecomputed(c.ids, c.dist, c.n, c.width, c.metric)
		if !errors.Is(err, c.want) || !strings.Contains(fmt.Sprint(err), c.says) {
			t.Errorf("%s: %v, expected %q", c.name, err, c.says)
		}
	}
	if _, err := FromPrecomputed([]int32{1, 0}, []float32{-5, -5}, 2, 1, InnerProduct); err != nil {
		t.Errorf("negative distances by ip: %v", err)
	}
}

func TestNearest(t *testing.T) {
	nb := newNeighbors(2, 2, L2)
	copy(nb.IDs, []uint32{1, 5, 0, 7})
	copy(nb.Dist, []float32{1, 2, 3, 4})
	nearest := nb.Nearest(1)
	if nearest.K != 1 || !slices.Equal(nearest.IDs, []uint32{1, 0}) || !slices.Equal(nearest.Dist, []float32{1, 3}) {
		t.Errorf("%+v", nearest)
	}
	if nb.Nearest(2) != nb || nb.Nearest(9) != nb {
		t.Error("a copy where nothing is cut")
	}
}

// TestCheck: neighbours that a search or another program found pass, by any metric and with equal points; faults of hand-made ones are
// named.
func TestCheck(t *testing.T) {
	x := randomPoints(3, 200, 6)
	for k := range 20 { // equal points, and opposite ones
		copy(x.Row(180+k), x.Row(k))
	}
	for metric := L2; metric.Valid(); metric++ {
		nb, _, err := Search(t.Context(), x, Options{K: 9, Metric: metric})
		if err != nil {
			t.Fatal(err)
		}
		if err := nb.Check(); err != nil {
			t.Errorf("%v: %v", metric, err)
		}
	}
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for name, nb := range map[string]*Neighbors{
		"short":              {N: 3, K: 2, IDs: []uint32{1, 2}},
		"below none":         {N: -1, K: -1, IDs: []uint32{1}, Dist: []float32{1}},
		"metric":             {N: 1, K: 1, IDs: []uint32{Missing}, Dist: []float32{inf}, Metric: 99},
		"copies":             {N: 1, K: 1, IDs: []uint32{Missing}, Dist: []float32{inf}, Of: []uint32{0, 0}},
		"a copy of a later":  {N: 2, K: 1, IDs: []uint32{Missing, Missing}, Dist: []float32{inf, inf}, Of: []uint32{1, 1}},
		"a copy of a copy":   {N: 3, K: 1, IDs: []uint32{Missing, Missing, Missing}, Dist: []float32{inf, inf, inf}, Of: []uint32{0, 0, 1}},
		"itself":             {N: 2, K: 1, IDs: []uint32{0, 0}, Dist: []float32{1, 1}},
		"out of range":       {N: 2, K: 1, IDs: []uint32{2, 0}, Dist: []float32{1, 1}},
		"a hole":             {N: 3, K: 2, IDs: []uint32{Missing, 1, 0, 2, 0, 1}, Dist: []float32{1, 1, 1, 1, 1, 1}},
		"NaN":                {N: 2, K: 1, IDs: []uint32{1, 0}, Dist: []float32{nan, 1}},
		"infinite":           {N: 2, K: 1, IDs: []uint32{1, 0}, Dist: []float32{inf, 1}},
		"negative":           {N: 2, K: 1, IDs: []uint32{1, 0}, Dist: []float32{-1, 1}},
		"twice":              {N: 3, K: 2, IDs: []uint32{1, 1, 0, 2, 0, 1}, Dist: []float32{1, 1, 1, 1, 1, 1}},
		"the farthest first": {N: 3, K: 2, IDs: []uint32{1, 2, 0, 2, 0, 1}, Dist: []float32{2, 1, 1, 1, 1, 1}},
	} {
		if err := nb.Check(); !errors.Is(err, ErrNeighbors) {
			t.Errorf("%s: %v, expected an error", name, err)
		}
	}
}
