package csr

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

// TestCheckAffinity: each fault is found and names the lowest row at fault,
// for any number of threads; W itself passes.
func TestCheckAffinity(t *testing.T) {
	const n = 1200 // several row blocks
	path := func() *Matrix {
		e := &Edges{}
		for i := range uint32(n - 1) {
			e.Src, e.Dst = append(e.Src, i), append(e.Dst, i+1)
		}
		m, _, err := FromEdges(n, e, BuildOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	with := func(row int, col uint32, v float32) *Matrix {
		base := path()
		indptr, indices, data := base.Arrays()
		at := int(indptr[row])
		for ; at < int(indptr[row+1]) && indices[at] < col; at++ {
		}
		if at < int(indptr[row+1]) && indices[at] == col {
			data = slices.Clone(data)
			data[at] = v
			return base.WithData(data)
		}
		moved := slices.Clone(indptr)
		for i := row + 1; i <= n; i++ {
			moved[i]++
		}
		m, err := New(n, n, moved, slices.Insert(slices.Clone(indices), at, col), slices.Insert(slices.Clone(data), at, v))
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	both := func(v float32) *Matrix {
		m := with(900, 901, v)
		m.data[m.indptr[901]] = v // 900 is the first in its row
		return m
	}
	rectangle, err := New(1, 2, []int64{0, 0}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		m    *Matrix
		row  int
		says string
	}{
		{"a path", path(), -2, ""},
		{"rectangle", rectangle, -1, "square"},
		{"diagonal", with(700, 700, 1), 700, "diagonal"},
		{"negative", with(900, 901, -1), 900, "below 0"},
		{"infinite", both(float32(math.Inf(1))), 900, "+Inf in column 901, expected a finite"},
		{"infinite, below 0", both(float32(math.Inf(-1))), 900, "below 0"},
		{"no number", both(float32(math.NaN())), 900, "NaN in column 901, expected a finite"},
		{"one way", with(1100, 3, 1), 1100, "mirrored"},
		{"other value back", with(600, 601, 2), 600, "mirrored"},
	} {
		for _, threads := range []int{1, 2, 8} {
			err := CheckAffinity(test.m, threads)
			var fault *StructureError
			switch {
			case test.says == "" && err != nil:
				t.Errorf("%s: %v", test.name, err)
			case test.says != "" && (!errors.As(err, &fault) || fault.Row != test.row || !strings.Contains(fault.Fault, test.says)):
				t.Errorf("%s: error %v, want row %d saying %q", test.name, err, test.row, test.says)
			}
		}
	}
}

// TestCheckWeights: as an affinity, but for the diagonal; values of any sign are finite.
func TestCheckWeights(t *testing.T) {
	m, err := New(2, 2, []int64{0, 2, 3}, []uint32{0, 1, 0}, []float32{3, 1, 1})
	if err != nil {
		t.Fatal(err)
	}
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for _, test := range []struct {
		data            []float32
		weights, finite string // said, if anything
	}{
		{[]float32{3, 1, 1}, "", ""},
		{[]float32{3, 1, 2}, "mirrored", ""},
		{[]float32{3, -1, -1}, "below 0", ""},
		{[]float32{inf, 1, 1}, "row 0: value +Inf in column 0, expected a finite", "row 0: value +Inf in column 0"},
		{[]float32{1, -inf, -inf}, "below 0", "row 0: value -Inf in column 1"},
		{[]float32{1, 1, nan}, "row 1: value NaN in column 0, expected a finite", "row 1: value NaN in column 0"},
	} {
		m := m.WithData(test.data)
		for _, one := range []struct {
			err  error
			says string
		}{{CheckWeights(m, 1), test.weights}, {CheckFinite(m, 1), test.finite}} {
			if (one.err == nil) != (one.says == "") || one.err != nil && !(errors.Is(one.err, ErrStructure) && strings.Contains(one.err.Error(), one.says)) {
				t.Errorf("%v: %v, want %q", test.data, one.err, one.says)
			}
		}
	}
}

// TestWithoutDiagonal: the diagonal goes, all else stays, and a matrix
// without one is returned as it is.
func TestWithoutDiagonal(t *testing.T) {
	m, err := New(3, 3, []int64{0, 2, 3, 5}, []uint32{0, 2, 0, 1, 2}, []float32{9, 1, 2, 3, 9})
	if err != nil {
		t.Fatal(err)
	}
	got, dropped := WithoutDiagonal(m)
	indptr, indices, data := got.Arrays()
	if dropped != 2 || !slices.Equal(indptr, []int64{0, 1, 2, 3}) || !slices.Equal(indices, []uint32{2, 0, 1}) || !slices.Equal(data, []float32{1, 2, 3}) {
		t.Errorf("%d dropped: %v %v %v", dropped, indptr, indices, data)
	}
	if again, dropped := WithoutDiagonal(got); again != got || dropped != 0 {
		t.Errorf("%d dropped of a matrix without diagonal", dropped)
	}
}

// TestWithoutZeros: zeros of both signs go, all else stays, and a matrix without them is
// returned as it is.
func TestWithoutZeros(t *testing.T) {
	minus := float32(math.Copysign(0, -1))
	m, err := New(3, 3, []int64{0, 2, 3, 5}, []uint32{0, 2, 0, 1, 2}, []float32{0, 1, minus, math.SmallestNonzeroFloat32, -9})
	if err != nil {
		t.Fatal(err)
	}
	got, dropped := WithoutZeros(m)
	indptr, indices, data := got.Arrays()
	if dropped != 2 || !slices.Equal(indptr, []int64{0, 1, 1, 3}) || !slices.Equal(indices, []uint32{2, 1, 2}) || !slices.Equal(data, []float32{1, math.SmallestNonzeroFloat32, -9}) {
		t.Errorf("%d dropped: %v %v %v", dropped, indptr, indices, data)
	}
	if again, dropped := WithoutZeros(got); again != got || dropped != 0 {
		t.Errorf("%d dropped of a matrix without zeros", dropped)
	}
}

// TestWhere: the entries that are kept keep their places and values; all of them are the same matrix.
func TestWhere(t *testing.T) {
	m, err := FromDense(&Dense{Rows: 2, Cols: 3, Data: []float32{1, 0, 2, 0, 3, 4}})
	if err != nil {
		t.Fatal(err)
	}
	got := m.Where(func(i int, j uint32) bool { return i+int(j) != 2 })
	for i := range 2 {
		for j := range 3 {
			want := m.At(i, j)
			if i+j == 2 {
				want = 0
			}
			if got.At(i, j) != want {
				t.Errorf("(%d, %d): %v, expected %v", i, j, got.At(i, j), want)
			}
		}
	}
	if got.NNZ() != 2 || m.Where(func(int, uint32) bool { return true }) != m {
		t.Errorf("%d entries", got.NNZ())
	}
}
