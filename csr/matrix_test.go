package csr

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/internal/oracle"
)

// sizes straddle the ends of row blocks.
var sizes = []int{0, 1, 2, 17, 511, 512, 513, 1024, 1025}

var threadCounts = []int{1, 2, 3, 16}

// randomMatrix returns a matrix with about perRow entries a row, values in
// ±[2^-spread, 2^spread], or only positive ones, with some rows empty.
func randomMatrix(random *rand.Rand, rows, cols int, perRow, spread float64, signed bool) *Matrix {
	m := &Matrix{rows: rows, cols: cols, indptr: make([]int64, rows+1)}
	for i := range rows {
		for j := range cols {
			if i%7 == 3 || random.Float64()*float64(cols) >= perRow {
				continue
			}
			v := math.Exp2(spread * (2*random.Float64() - 1))
			if signed && random.IntN(2) == 0 {
				v = -v
			}
			m.indices = append(m.indices, uint32(j))
			m.data = append(m.data, float32(v))
		}
		m.indptr[i+1] = int64(len(m.indices))
	}
	return m
}

func dense(m *Matrix) oracle.Mat {
	d := oracle.New(m.rows, m.cols)
	for i := range m.rows {
		cols, vals := m.Row(i)
		for k, j := range cols {
			d[i][j] = float64(vals[k])
		}
	}
	return d
}

// mustBeSound fails the test unless m passes the checks of New.
func mustBeSound(t *testing.T, m *Matrix) {
	t.Helper()
	if err := m.check(); err != nil {
		t.Errorf("structure: %v", err)
	}
}

func sameBits(a, b *Matrix) bool {
	return a.rows == b.rows && a.cols == b.cols && slices.Equal(a.indptr, b.indptr) &&
		slices.Equal(a.indices, b.indices) && sameFloats(a.data, b.data)
}

func sameFloats(a, b []float32) bool {
	return slices.EqualFunc(a, b, func(x, y float32) bool { return math.Float32bits(x) == math.Float32bits(y) })
}

func TestNew(t *testing.T) {
	m, err := New(3, 4, []int64{0, 2, 2, 3}, []uint32{1, 3, 0}, []float32{5, -6, 7})
	if err != nil {
		t.Fatal(err)
	}
	want := oracle.Mat{{0, 5, 0, -6}, {0, 0, 0, 0}, {7, 0, 0, 0}}
	for i := range want {
		for j := range want[i] {
			if got := m.At(i, j); got != want[i][j] {
				t.Errorf("(%d,%d) is %v, want %v", i, j, got, want[i][j])
			}
		}
	}
	rows, cols := m.Dims()
	if rows != 3 || cols != 4 || m.NNZ() != 3 || m.Bytes() != 4*8+3*8 {
		t.Errorf("%d×%d, %d entries, %d bytes", rows, cols, m.NNZ(), m.Bytes())
	}
	for _, shape := range [][2]int{{0, 0}, {0, 5}, {3, 0}} {
		if _, err := New(shape[0], shape[1], make([]int64, shape[0]+1), nil, nil); err != nil {
			t.Errorf("empty %v: %v", shape, err)
		}
	}
}

func TestNewFaults(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, c := range []struct {
		name       string
		rows, cols int
		indptr     []int64
		indices    []uint32
		data       []float32
		row        int
		want       string
	}{
		{"negative rows", -1, 2, nil, nil, nil, -1, "csr: shape -1×2, expected 0 to 4294967295"},
		{"negative columns", 0, -2, []int64{0}, nil, nil, -1, "csr: shape 0×-2"},
		{"too many rows", MaxDim + 1, 1, nil, nil, nil, -1, "csr: shape 4294967296×1"},
		{"too many columns", 1, MaxDim + 1, []int64{0, 0}, nil, nil, -1, "csr: shape 1×4294967296"},
		{"no offsets", 0, 0, nil, nil, nil, -1, "csr: 0 row offsets for 0 rows, expected rows+1"},
		{"an offset too few", 2, 2, []int64{0, 1}, []uint32{0}, []float32{1}, -1, "csr: 2 row offsets for 2 rows"},
		{"an offset too many", 1, 2, []int64{0, 1, 1}, []uint32{0}, []float32{1}, -1, "csr: 3 row offsets for 1 rows"},
		{"lengths differ", 1, 2, []int64{0, 2}, []uint32{0, 1}, []float32{1}, -1, "csr: 2 columns but 1 values"},
		{"first offset", 1, 2, []int64{1, 1}, []uint32{0}, []float32{1}, -1, "csr: first row offset is 1, expected 0"},
		{"negative first offset", 1, 2, []int64{-1, 1}, []uint32{0}, []float32{1}, -1, "csr: first row offset is -1"},
		{"last offset", 1, 2, []int64{0, 2}, []uint32{0}, []float32{1}, -1, "csr: last row offset is 2, expected the number of entries 1"},
		{"entries past the last offset", 1, 2, []int64{0, 1}, []uint32{0, 1}, []float32{1, 1}, -1, "csr: last row offset is 1, expected the number of entries 2"},
		{"decreasing", 3, 2, []int64{0, 1, 0, 1}, []uint32{0}, []float32{1}, 1, "csr: row 1: offsets 1 to 0, expected them not to decrease"},
		{"negative", 2, 2, []int64{0, -1, 1}, []uint32{0}, []float32{1}, 0, "csr: row 0: offsets 0 to -1"},
		{"past the end", 3, 2, []int64{0, 0, 9, 1}, []uint32{0}, []float32{1}, 1, "csr: row 1: offsets 0 to 9, expected them not to decrease and to stay within 1 entries"},
		{"far past the end", 2, 2, []int64{0, math.MaxInt64, 1}, []uint32{0}, []float32{1}, 0, "csr: row 0: offsets 0 to 9223372036854775807"},
		{"column", 2, 2, []int64{0, 1, 2}, []uint32{0, 2}, []float32{1, 1}, 1, "csr: row 1: column 2, expected below 2"},
		{"largest column", 1, 2, []int64{0, 1}, []uint32{math.MaxUint32}, []float32{1}, 0, "csr: row 0: column 4294967295, expected below 2"},
		{"no columns", 1, 0, []int64{0, 1}, []uint32{0}, []float32{1}, 0, "csr: row 0: column 0, expected below 0"},
		{"equal columns", 2, 3, []int64{0, 0, 2}, []uint32{1, 1}, []float32{1, 1}, 1, "csr: row 1: column 1 follows column 1, expected increasing columns"},
		{"unsorted", 1, 3, []int64{0, 3}, []uint32{0, 2, 1}, []float32{1, 1, 1}, 0, "csr: row 0: column 1 follows column 2"},
		{"NaN", 2, 3, []int64{0, 1, 2}, []uint32{1, 2}, []float32{1, nan}, 1, "csr: row 1: value NaN in column 2, expected a finite number"},
		{"infinity", 1, 3, []int64{0, 1}, []uint32{1}, []float32{inf}, 0, "csr: row 0: value +Inf in column 1"},
		{"negative infinity", 1, 3, []int64{0, 1}, []uint32{1}, []float32{-inf}, 0, "csr: row 0: value -Inf in column 1"},
		{"the first of several", 3, 2, []int64{0, 0, 1, 2}, []uint32{5, 6}, []float32{1, nan}, 1, "csr: row 1: column 5"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := New(c.rows, c.cols, c.indptr, c.indices, c.data)
			var fault *StructureError
			if m != nil || !errors.As(err, &fault) || !errors.Is(err, ErrStructure) {
				t.Fatalf("got %v, %v, want a StructureError", m, err)
			}
			if fault.Row != c.row || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("row %d: %v; want row %d: %s", fault.Row, err, c.row, c.want)
			}
		})
	}
}

func mustPanic(t *testing.T, what string, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s: no panic", what)
		}
	}()
	f()
}

// Disagreeing shapes are a fault of the caller.
func TestShapesPanic(t *testing.T) {
	wide, tall := randomMatrix(rand.New(rand.NewPCG(1, 1)), 3, 4, 2, 1, true), Identity(5)
	mustPanic(t, "WithData", func() { wide.WithData(make([]float32, wide.NNZ()+1)) })
	mustPanic(t, "At row", func() { wide.At(3, 0) })
	mustPanic(t, "At column", func() { wide.At(0, 4) })
	mustPanic(t, "At negative column", func() { wide.At(0, -1) })
	mustPanic(t, "Symmetrize", func() { Symmetrize(wide, Mean, 1) })
	mustPanic(t, "Add", func() { Add(wide, 1, tall, 1) })
	mustPanic(t, "AddRowTimes", func() { NewAccumulator(9).AddRowTimes(tall, 0, wide) })
	mustPanic(t, "AddProduct", func() { NewAccumulator(0).AddProduct(NewAccumulator(0), wide) })
	mustPanic(t, "MulRows", func() { _ = MulRows(t.Context(), wide, tall, 1, nil) })
	mustPanic(t, "MulDense rows", func() { MulDense(NewDense(2, 1), wide, NewDense(4, 1), 1) })
	mustPanic(t, "MulDense inner", func() { MulDense(NewDense(3, 1), wide, NewDense(3, 1), 1) })
	mustPanic(t, "MulDense columns", func() { MulDense(NewDense(3, 2), wide, NewDense(4, 1), 1) })
	mustPanic(t, "MulDense short data", func() { MulDense(NewDense(3, 1), wide, &Dense{Rows: 4, Cols: 1, Data: make([]float32, 3)}, 1) })
	mustPanic(t, "MulDense short result", func() { MulDense(&Dense{Rows: 3, Cols: 1}, wide, NewDense(4, 1), 1) })
	mustPanic(t, "CopyFrom", func() { NewDense(2, 2).CopyFrom(NewDense(4, 1)) })
	mustPanic(t, "Set width", func() { NewRowBuffer(1, 9, 1).Set(0, []uint32{1, 2}, []float32{1, 2}) })
	mustPanic(t, "Set column", func() { NewRowBuffer(1, 9, 1).Set(0, []uint32{9}, []float32{1}) })
	mustPanic(t, "Set row", func() { NewRowBuffer(1, 9, 1).Set(1, []uint32{1}, []float32{1}) })
}

// The zero Matrix is a valid 0×0 matrix for every kernel.
func TestZeroMatrix(t *testing.T) {
	m := &Matrix{}
	for name, got := range map[string]*Matrix{
		"Transpose": Transpose(m, 2), "Symmetrize": Symmetrize(m, Min, 2), "Add": Add(m, 1, m, 2), "WithData": m.WithData(nil), "Identity": Identity(0),
		"Slice": Slice(m, 0, 0), "UsedColumns": UsedColumns(m),
	} {
		if rows, cols := got.Dims(); rows != 0 || cols != 0 || got.NNZ() != 0 {
			t.Errorf("%s: %d×%d", name, rows, cols)
		}
	}
	s, d := NormalizeSym(m, 2)
	of, components := Components(m, 2)
	if len(d) != 0 || s.NNZ() != 0 || len(of) != 0 || len(components) != 0 || CheckSymmetric(m, 1) != nil {
		t.Error("not empty")
	}
	MulDense(NewDense(0, 3), m, NewDense(0, 3), 2)
}

func TestWithDataSharesPattern(t *testing.T) {
	m := randomMatrix(rand.New(rand.NewPCG(1, 1)), 20, 30, 5, 1, true)
	data := make([]float32, m.NNZ())
	for k := range data {
		data[k] = float32(k)
	}
	got := m.WithData(data)
	mustBeSound(t, got)
	if &got.indices[0] != &m.indices[0] || &got.indptr[0] != &m.indptr[0] || &got.data[0] != &data[0] {
		t.Error("an array was copied")
	}
}

func TestIdentity(t *testing.T) {
	for _, n := range sizes[:5] {
		m := Identity(n)
		mustBeSound(t, m)
		if diff := oracle.MaxAbsDiff(dense(m), oracle.Identity(n)); diff != 0 {
			t.Errorf("n %d: off by %v", n, diff)
		}
	}
}

func TestDense(t *testing.T) {
	d := NewDense(3, 2)
	d.Set(2, 1, 5)
	copied, other := d.Clone(), NewDense(3, 2)
	other.CopyFrom(d)
	d.Set(2, 1, 6)
	d.Row(1)[0] = 7
	if fmt.Sprint(d.Data, copied.Data, other.Data) != "[0 0 7 0 0 6] [0 0 0 0 0 5] [0 0 0 0 0 5]" || d.At(1, 0) != 7 {
		t.Errorf("got %v, %v, %v", d.Data, copied.Data, other.Data)
	}
	if row := d.Row(0); cap(row) != 2 {
		t.Errorf("a row can grow into the next: capacity %d", cap(row))
	}
}
