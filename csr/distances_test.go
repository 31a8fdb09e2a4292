package csr

import (
	"math"
	"slices"
	"testing"
)

// nearest returns a matrix with the k nearest of n points on a spiral in each row, by a function of their distance.
func nearest(t *testing.T, n, k int, value func(i, j int, d float64) float32) *Matrix {
	t.Helper()
	at := func(i int) (x, y float64) {
		r, a := math.Sqrt(float64(i)+1), float64(i*i)*0.7
		return r * math.Cos(a), r * math.Sin(a)
	}
	var e Edges
	for i := range n {
		x, y := at(i)
		away := func(j int) float64 {
			a, b := at(j)
			return math.Hypot(a-x, b-y)
		}
		var order []int
		for j := range n {
			if j != i {
				order = append(order, j)
			}
		}
		slices.SortFunc(order, func(a, b int) int {
			if away(a) < away(b) {
				return -1
			}
			return 1
		})
		for _, j := range order[:k] {
			e.Src, e.Dst, e.Weight = append(e.Src, uint32(i)), append(e.Dst, uint32(j)), append(e.Weight, value(i, j, away(j)))
		}
	}
	m, _, err := FromEdges(n, &e, BuildOptions{Directed: true})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestAreDistances: distances to nearest neighbours, and values of neighbours and others that are none.
func TestAreDistances(t *testing.T) {
	distance := func(_, _ int, d float64) float32 { return float32(d) }
	cut := func(m *Matrix, rows int) *Matrix { // the first rows lose an entry
		e := &Edges{}
		for i := range m.rows {
			cols, vals := m.Row(i)
			for k, j := range cols {
				if k > 0 || i >= rows {
					e.Src, e.Dst, e.Weight = append(e.Src, uint32(i)), append(e.Dst, j), append(e.Weight, vals[k])
				}
			}
		}
		less, _, err := FromEdges(m.rows, e, BuildOptions{Directed: true})
		if err != nil {
			t.Fatal(err)
		}
		return less
	}
	first := func(m *Matrix, rows int) *Matrix { // the others are not known
		return &Matrix{rows: rows, cols: m.cols, indptr: m.indptr[:rows+1], indices: m.indices[:m.indptr[rows]], data: m.data[:m.indptr[rows]]}
	}
	for name, c := range map[string]struct {
		m    *Matrix
		want bool
	}{
		"distances":         {nearest(t, 100, 5, distance), true},
		"rounded":           {nearest(t, 100, 5, func(i, _ int, d float64) float32 { return float32(d * (1 + 1e-6*float64(i%3))) }), true},
		"some are cut":      {cut(nearest(t, 100, 5, distance), 9), true},
		"many are cut":      {cut(nearest(t, 100, 5, distance), 20), false},
		"similarities":      {nearest(t, 100, 5, func(_, _ int, d float64) float32 { return float32(math.Exp(-d)) }), false},
		"ones":              {nearest(t, 100, 5, func(_, _ int, _ float64) float32 { return 1 }), false},
		"of other kinds":    {nearest(t, 100, 5, func(i, j int, _ float64) float32 { return float32(1 + (i*j+i+j)%7) }), false},
		"by rank":           {nearest(t, 100, 5, func(i, _ int, d float64) float32 { return float32(d * float64(1+i%5)) }), false},
		"few":               {nearest(t, 12, 3, distance), false},
		"all of each other": {nearest(t, 20, 19, distance), false},
		"none":              {nearest(t, 20, 0, distance), false},
		"the first rows":    {first(nearest(t, 200, 5, distance), 100), true},
		"of similarities":   {first(nearest(t, 200, 5, func(_, _ int, d float64) float32 { return float32(math.Exp(-d)) }), 100), false},
		"more rows":         {&Matrix{rows: 3, cols: 2, indptr: []int64{0, 1, 1, 1}, indices: []uint32{1}, data: []float32{1}}, false},
		"of two kinds":      {&Matrix{rows: 2, cols: 3, indptr: []int64{0, 1, 1}, indices: []uint32{2}, data: []float32{1}}, false},
	} {
		if got := AreDistances(c.m); got != c.want {
			t.Errorf("%s: %t, expected %t", name, got, c.want)
		}
	}
}
