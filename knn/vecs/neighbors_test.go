package vecs_test

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/npz"
	"github.com/adp-sparse/adp-sparse/internal/notes"
	"github.com/adp-sparse/adp-sparse/internal/npy"
	"github.com/adp-sparse/adp-sparse/knn/vecs"
)

// floatArray returns a .npy file of n×k float32 numbers.
func floatArray(n, k int, values ...float32) []byte {
	b := npy.AppendHeader(nil, "<f4", int64(n), int64(k))
	for _, v := range values {
		b = floatBytes(b, v)
	}
	return b
}

// lists reads rows of ids and numbers, as .ivecs and .fvecs and as .npy, which must agree.
func lists(t *testing.T, ids [][]int, dists [][]float32) (*vecs.Neighbors, error) {
	t.Helper()
	flat := slices.Concat(dists...)
	byRows := rowFile(dists, floatBytes)
	nb, err := vecs.ReadNeighbors(source("i.ivecs", rowFile(ids, intBytes)), source("d.fvecs", byRows))
	again, err2 := vecs.ReadNeighbors(source("i.ivecs", rowFile(ids, intBytes)), source("d.npy", floatArray(len(dists), len(dists[0]), flat...)))
	if (err == nil) != (err2 == nil) || err == nil && (!slices.Equal(nb.IDs, again.IDs) || !slices.Equal(nb.Dists, again.Dists)) {
		t.Errorf("%v as .fvecs, %v as .npy: %+v, %+v", err, err2, nb, again)
	}
	return nb, err
}

// TestMissingNeighbors: what stands at -1 is not looked at, and places are counted.
func TestMissingNeighbors(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for _, mark := range []float32{math.MaxFloat32, -math.MaxFloat32, inf, -inf, nan, -1, 0} {
		nb, err := lists(t, [][]int{{1, -1}, {0, 2}, {2, -1}}, [][]float32{{1, mark}, {1, 2}, {0, mark}})
		if err != nil {
			t.Errorf("%v: %v", mark, err)
			continue
		}
		if !slices.Equal(nb.Dists, []float32{1, inf, 1, 2, 0, inf}) || nb.Notes.Count(notes.MissingNeighbors) != 2 || nb.Notes.Count(notes.SelfNeighbors) != 1 || len(nb.Notes.Doubtful()) != 0 {
			t.Errorf("%v: %+v", mark, nb)
		}
	}
	for _, bad := range []float32{math.MaxFloat32, -math.MaxFloat32, inf, nan} {
		if _, err := lists(t, [][]int{{1, 2}, {0, 2}, {0, 1}}, [][]float32{{1, bad}, {1, 2}, {1, 2}}); err == nil || !strings.Contains(err.Error(), "row 0, column 1: value ") {
			t.Errorf("%v of a neighbour: %v", bad, err)
		}
	}
}

// TestRepeatedNeighbors: the nearest of equal ids in a row is kept, wherever it stands.
func TestRepeatedNeighbors(t *testing.T) {
	nb, err := lists(t, [][]int{{1, 2, 1}, {0, 0, 0}, {1, 0, 1}}, [][]float32{{3, 2, 1}, {1, 2, 3}, {5, 6, 5}})
	inf := float32(math.Inf(1))
	if err != nil || !slices.Equal(nb.IDs, []int64{1, 2, -1, 0, -1, -1, 1, 0, -1}) || !slices.Equal(nb.Dists, []float32{1, 2, inf, 1, inf, inf, 5, 6, inf}) {
		t.Fatalf("%+v, %v", nb, err)
	}
	if d := nb.Notes.Doubtful(); len(d) != 1 || d[0].Count != 4 || d[0].First != "row 0, column 2" {
		t.Errorf("%+v", nb.Notes)
	}
}

// TestSimilar: inner products are told from distances, with and without the point itself, and
// rows in no order are not taken for them.
func TestSimilar(t *testing.T) {
	for name, c := range map[string]struct {
		ids     [][]int
		numbers [][]float32
		similar bool
	}{
		"distances":                 {[][]int{{1, 2}, {0, 2}, {1, 0}}, [][]float32{{1, 2}, {1, 3}, {3, 4}}, false},
		"products":                  {[][]int{{1, 2}, {0, 2}, {1, 0}}, [][]float32{{.9, .2}, {.9, .3}, {.3, -.4}}, true},
		"distances, itself first":   {[][]int{{0, 1}, {1, 2}, {2, 1}}, [][]float32{{0, 2}, {0, 3}, {0, 4}}, false},
		"distances, farthest first": {[][]int{{1, 0}, {2, 1}, {1, 2}}, [][]float32{{2, 0}, {3, 0}, {4, 0}}, false},
		"products, itself first":    {[][]int{{0, 1}, {1, 2}, {2, 1}}, [][]float32{{1, .2}, {1, .3}, {1, .4}}, true},
		"products, itself last":     {[][]int{{1, 0}, {2, 1}, {1, 2}}, [][]float32{{.2, 1}, {.3, 1}, {.4, 1}}, true},
		"products, some missing":    {[][]int{{1, -1}, {0, 2}, {1, 0}}, [][]float32{{.9, -math.MaxFloat32}, {.9, .3}, {.3, -.4}}, true},
		"no order":                  {[][]int{{1, 2}, {0, 2}, {1, 0}}, [][]float32{{2, 1}, {1, 3}, {4, 3}}, false},
		"all the same":              {[][]int{{1, 2}, {0, 2}, {1, 0}}, [][]float32{{1, 1}, {1, 1}, {1, 1}}, false},
		"one a row":                 {[][]int{{1}, {0}, {1}}, [][]float32{{3}, {2}, {1}}, false},
	} {
		nb, err := lists(t, c.ids, c.numbers)
		if err != nil || nb.Similar() != c.similar {
			t.Errorf("%s: similar %v, %v", name, nb.Similar(), err)
		}
	}
}

// TestSquared: squares of distances are told from distances, where the points are there.
func TestSquared(t *testing.T) {
	x := &csr.Dense{Rows: 3, Cols: 2, Data: []float32{0, 0, 3, 4, 0, 8}}
	for name, c := range map[string]struct {
		numbers [][]float32
		squared bool
	}{
		"distances": {[][]float32{{5, 8}, {5, 5}, {5, 8}}, false},
		"squares":   {[][]float32{{25, 64}, {25, 25}, {25, 64}}, true},
		"others":    {[][]float32{{9, 10}, {9, 9}, {9, 10}}, false},
		"one right": {[][]float32{{5, 64}, {25, 25}, {25, 64}}, false},
	} {
		nb, err := lists(t, [][]int{{1, 2}, {0, 2}, {1, 0}}, c.numbers)
		if err != nil || nb.Squared(x) != c.squared {
			t.Errorf("%s: %v, %v", name, nb.Squared(x), err)
		}
	}
	nb, err := lists(t, [][]int{{-1, 0}, {1, -1}, {2, -1}}, [][]float32{{0, 0}, {0, 0}, {0, 0}})
	if err != nil || nb.Squared(x) {
		t.Errorf("no neighbours: %v", err)
	}
}

// TestNeighborsFromOne: ids that count from 1 are refused where that shows.
func TestNeighborsFromOne(t *testing.T) {
	for _, c := range []struct {
		ids  [][]int
		want string
	}{
		{[][]int{{1, 2}, {2, 3}, {3, 2}}, "column 0 counts the rows from 1, expected ids from 0"},
		{[][]int{{2, 3}, {1, 3}, {2, 1}}, "id 3, expected 0 to 2, or -1 for none; no id is 0: if they count from 1, subtract 1 from all"},
		{[][]int{{2, 3}, {0, 2}, {0, 1}}, "id 3, expected 0 to 2, or -1 for none"},
	} {
		_, err := lists(t, c.ids, [][]float32{{0, 1}, {0, 1}, {0, 1}})
		if err == nil || !strings.HasSuffix(err.Error(), c.want) && !strings.Contains(err.Error(), c.want+":") {
			t.Errorf("%v: %v, expected %s", c.ids, err, c.want)
		}
	}
}

// TestWholeNumbersAsFloats: int32 numbers in an .fvecs file are refused.
func TestWholeNumbersAsFloats(t *testing.T) {
	file := rowFile([][]int{{1, 20}, {300, 0}}, intBytes)
	if _, err := vecs.Read(bytes.NewReader(file), "x.fvecs", int64(len(file)), vecs.Options{}); err == nil || !strings.Contains(err.Error(), "most values are below 1e-38") {
		t.Error(err)
	}
	if _, err := vecs.ReadNeighbors(source("i.ivecs", rowFile([][]int{{1}, {0}}, intBytes)), source("d.fvecs", rowFile([][]int{{1}, {2}}, intBytes))); err == nil || !strings.Contains(err.Error(), "most values are below 1e-38") {
		t.Error(err)
	}
}

// TestReadDistances: a sparse matrix has the neighbours that lists of them have.
func TestReadDistances(t *testing.T) {
	matrix := func(n, columns int, entries ...float32) ([]byte, *csr.Matrix) { // i, j, distance
		t.Helper()
		indptr, cols, vals := make([]int64, n+1), []uint32(nil), []float32(nil)
		for at := 0; at < len(entries); at += 3 {
			cols, vals = append(cols, uint32(entries[at+1])), append(vals, entries[at+2])
			for i := int(entries[at]) + 1; i <= n; i++ {
				indptr[i]++
			}
		}
		m, err := csr.New(n, columns, indptr, cols, vals)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := npz.Write(&b, m); err != nil {
			t.Fatal(err)
		}
		return b.Bytes(), m
	}
	inf := float32(math.Inf(1))
	file, _ := matrix(3, 3, 0, 1, 5, 0, 2, 4, 1, 0, 5, 1, 1, 0, 2, 0, 4)
	nb, err := vecs.ReadDistances(source("d.npz", file))
	if err != nil || !slices.Equal(nb.IDs, []int64{1, 2, 0, 1, 0, -1}) || !slices.Equal(nb.Dists, []float32{5, 4, 5, 0, 4, inf}) {
		t.Fatalf("%+v, %v", nb, err)
	}
	if nb.Notes.Count(notes.SelfNeighbors) != 1 || nb.Notes.Count(notes.MissingNeighbors) != 0 {
		t.Errorf("%v", nb.Notes)
	}
	wide := make([]float32, 0, 6*5000) // a row of all others
	for j := 1; j < 5000; j++ {
		wide = append(wide, 0, float32(j), 1)
	}
	for i := 1; i < 5000; i++ {
		wide = append(wide, float32(i), 0, 1)
	}
	for _, c := range []struct {
		says       string
		n, columns int
		entries    []float32
	}{
		{"a matrix of 2×3, expected", 2, 3, []float32{0, 1, 5}},
		{"no entries", 2, 2, nil},
		{"row 0 has 4999 entries, and rows have 2 in the mean", 5000, 5000, wide},
		{"a matrix of similarities", 3, 3, []float32{0, 0, 1, 0, 1, .5, 1, 1, 1, 1, 2, .25, 2, 1, .25, 2, 2, 1}},
	} {
		file, _ := matrix(c.n, c.columns, c.entries...)
		if _, err := vecs.ReadDistances(source("d.npz", file)); err == nil || !strings.Contains(err.Error(), "d.npz: "+c.says) {
			t.Errorf("%v, expected %q", err, c.says)
		}
	}
	// Connectivities of UMAP are symmetric, each row reaches 1, and rows are unlike. Distances of which one of these does not hold are taken.
	umap := []float32{0, 1, 1, 0, 2, .3, 1, 0, 1, 2, 0, .3, 2, 3, 1, 3, 2, 1}
	for at, value := range map[int]float32{-1: 0, 5: .4, 2: 1.5} {
		entries := slices.Clone(umap)
		if at >= 0 {
			entries[at] = value
		}
		if at == 2 {
			entries[8] = value
		}
		file, _ := matrix(4, 4, entries...)
		if _, err := vecs.ReadDistances(source("c.npz", file)); (err != nil) != (at == -1) || err != nil && !strings.Contains(err.Error(), "c.npz: a symmetric matrix of at most 1, which most rows reach, as connectivities") {
			t.Errorf("connectivities with place %d changed: %v", at, err)
		}
	}
	// Without their own, mutual pairs tell: of points in pairs, each row has the other one and the pair before.
	for _, similar := range []bool{false, true} {
		var entries []float32
		for i := 2; i < 100; i++ {
			before, other := []float32{float32(i), float32(i/2*2 - 1), float32(i)}, []float32{float32(i), float32(i ^ 1), 1}
			if similar {
				before[2], other[2] = 1/before[2], 2
			}
			entries = slices.Concat(entries, before, other)
		}
		file, _ := matrix(100, 100, entries...)
		if _, err := vecs.ReadDistances(source("d.npz", file)); (err != nil) != similar {
			t.Errorf("similarities: %t: %v", similar, err)
		}
	}
}
