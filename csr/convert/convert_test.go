package convert

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/james-bowman/sparse"
	"gonum.org/v1/gonum/mat"

	"github.com/adp-sparse/adp-sparse/csr"
)

// random returns a random matrix, some of its rows empty, as gonum has it;
// values are float32.
func random(seed uint64, rows, cols int) *mat.Dense {
	r := rand.New(rand.NewPCG(seed, 1))
	d := mat.NewDense(rows, cols, nil)
	for i := range rows {
		for j := range cols {
			if i%5 != 2 && r.IntN(4) == 0 {
				d.Set(i, j, float64(float32(r.NormFloat64())))
			}
		}
	}
	return d
}

func mustFromMat(t *testing.T, m mat.Matrix) *csr.Matrix {
	t.Helper()
	got, err := FromMat(m)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func same(a, b *csr.Matrix) bool {
	ar, ac := a.Dims()
	br, bc := b.Dims()
	ap, ai, ad := a.Arrays()
	bp, bi, bd := b.Arrays()
	return ar == br && ac == bc && slices.Equal(ap, bp) && slices.Equal(ai, bi) && slices.Equal(ad, bd)
}

func TestFromMatAndView(t *testing.T) {
	for seed := range uint64(20) {
		want := random(seed, 1+int(seed)*3, 1+int(seed)*2)
		m := mustFromMat(t, want)
		nonzero := 0
		for _, v := range want.RawMatrix().Data {
			if v != 0 {
				nonzero++
			}
		}
		v := View(m)
		if !mat.Equal(v, want) || !mat.Equal(v.T(), want.T()) || m.NNZ() != nonzero {
			t.Errorf("seed %d: another matrix, %d entries of %d", seed, m.NNZ(), nonzero)
		}
		var product mat.Dense // gonum can calculate with it
		product.Mul(v.T(), v)
		var expected mat.Dense
		expected.Mul(want.T(), want)
		if !mat.EqualApprox(&product, &expected, 1e-12) {
			t.Errorf("seed %d: another product", seed)
		}
		if !same(mustFromMat(t, v), m) {
			t.Errorf("seed %d: the view reads back otherwise", seed)
		}
	}
}

func TestDenseView(t *testing.T) {
	d := csr.NewDense(3, 2)
	d.Set(2, 1, 7)
	d.Set(0, 1, -1.5)
	v := DenseView(d)
	if want := mat.NewDense(3, 2, []float64{0, -1.5, 0, 0, 0, 7}); !mat.Equal(v, want) || !mat.Equal(v.T(), want.T()) {
		t.Errorf("got %v", mat.Formatted(v))
	}
	d.Set(1, 0, 4) // a view, not a copy
	if v.At(1, 0) != 4 {
		t.Error("the view is a copy")
	}
}

// Views panic with gonum's errors out of range, as gonum's matrices do.
func TestViewsPanicOutOfRange(t *testing.T) {
	for name, v := range map[string]mat.Matrix{"View": View(csr.Identity(3)), "DenseView": DenseView(csr.NewDense(3, 3))} {
		for _, c := range []struct {
			i, j int
			want mat.Error
		}{{-1, 0, mat.ErrRowAccess}, {3, 0, mat.ErrRowAccess}, {0, -1, mat.ErrColAccess}, {0, 3, mat.ErrColAccess}} {
			func() {
				defer func() {
					if got := recover(); got != c.want {
						t.Errorf("%s(%d,%d): got %v, want %v", name, c.i, c.j, got, c.want)
					}
				}()
				v.At(c.i, c.j)
			}()
		}
	}
}

func TestFromMatFaults(t *testing.T) {
	for _, v := range []float64{math.NaN(), math.Inf(1), 1e39, -1e300} {
		d := mat.NewDense(3, 3, nil)
		d.Set(1, 2, v)
		_, err := FromMat(d)
		if !errors.Is(err, csr.ErrStructure) || !strings.HasPrefix(err.Error(), "csr: row 1: value ") || !strings.Contains(err.Error(), "in column 2") {
			t.Errorf("%v: got %v", v, err)
		}
	}
}

func TestSparseRoundTrip(t *testing.T) {
	for seed := range uint64(20) {
		want := random(seed, 1+int(seed)*2, 1+int(seed)*3)
		m := mustFromMat(t, want)
		s := ToSparse(m)
		if !mat.Equal(s, want) || s.NNZ() != m.NNZ() {
			t.Errorf("seed %d: james-bowman has another matrix", seed)
		}
		back, err := FromSparse(s)
		if err != nil || !same(back, m) {
			t.Errorf("seed %d: another matrix came back, %v", seed, err)
		}
		// A matrix that james-bowman built itself.
		dok := sparse.NewDOK(want.Dims())
		want.Apply(func(i, j int, v float64) float64 {
			if v != 0 {
				dok.Set(i, j, v)
			}
			return v
		}, want)
		if back, err = FromSparse(dok.ToCSR()); err != nil || !same(back, m) {
			t.Errorf("seed %d: another matrix came from a DOK, %v", seed, err)
		}
	}
}

func TestFromSparseSorts(t *testing.T) {
	ind, data := []int{2, 0, 1, 1}, []float64{3, 1, 2, 4}
	got, err := FromSparse(sparse.NewCSR(2, 3, []int{0, 3, 4}, ind, data))
	if err != nil || !mat.Equal(View(got), mat.NewDense(2, 3, []float64{1, 2, 3, 0, 4, 0})) {
		t.Errorf("got %v, %v", got, err)
	}
	if ind[0] != 2 || data[0] != 3 {
		t.Error("the argument was changed")
	}
}

func TestFromSparseFaults(t *testing.T) {
	for _, c := range []struct {
		name   string
		r, c   int
		indptr []int
		ind    []int
		data   []float64
		want   string
	}{
		{"column", 2, 2, []int{0, 1, 2}, []int{0, 99}, []float64{1, 1}, "csr: row 1: column 99, expected 0 to 1"},
		{"column at the end", 1, 2, []int{0, 1}, []int{2}, []float64{1}, "csr: row 0: column 2, expected 0 to 1"},
		{"negative column", 2, 2, []int{0, 1, 2}, []int{0, -1}, []float64{1, 1}, "csr: row 1: column -1"},
		{"column past uint32", 1, 1 << 40, []int{0, 1}, []int{1 << 33}, []float64{1}, "csr: row 0: column 8589934592"},
		{"duplicate", 2, 3, []int{0, 0, 3}, []int{2, 1, 2}, []float64{1, 1, 1}, "csr: row 1: column 2 follows column 2"},
		{"negative offset", 2, 2, []int{0, -1, 1}, []int{0}, []float64{1}, "csr: row 0: offset -1"},
		{"negative first offset", 1, 2, []int{-1, 1}, []int{0}, []float64{1}, "csr: row 0: offset -1"},
		{"first offset", 1, 2, []int{1, 1}, []int{0}, []float64{1}, "csr: first row offset is 1"},
		{"decreasing", 3, 2, []int{0, 1, 0, 1}, []int{0}, []float64{1}, "csr: row 1: offset 0, expected it not to decrease"},
		{"past the end", 2, 2, []int{0, 5, 1}, []int{0}, []float64{1}, "csr: row 0: offset 5, expected it not to decrease and to stay within 1 entries"},
		{"entries left over", 1, 2, []int{0, 1}, []int{0, 1}, []float64{1, 1}, "csr: last row offset is 1"},
		{"offsets", 2, 2, []int{0, 1}, []int{0}, []float64{1}, "csr: 2 row offsets for 2 rows"},
		{"no offsets", 0, 0, nil, nil, nil, "csr: 0 row offsets for 0 rows"},
		{"values", 1, 2, []int{0, 1}, []int{0}, nil, "csr: 2 row offsets for 1 rows, 1 columns and 0 values"},
		{"negative rows", -1, 2, nil, nil, nil, "csr: shape -1×2"},
		{"NaN", 1, 2, []int{0, 1}, []int{0}, []float64{math.NaN()}, "csr: row 0: value NaN in column 0"},
		{"past float32", 1, 2, []int{0, 1}, []int{0}, []float64{1e39}, "csr: row 0: value +Inf in column 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := FromSparse(sparse.NewCSR(c.r, c.c, c.indptr, c.ind, c.data))
			if m != nil || !errors.Is(err, csr.ErrStructure) || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

func TestDenseFromMat(t *testing.T) {
	m := random(9, 13, 7)
	d, err := DenseFromMat(m)
	if err != nil || !mat.Equal(DenseView(d), m) {
		t.Errorf("another matrix came back, %v", err)
	}
	for _, bad := range []float64{math.NaN(), math.Inf(-1), 1e39} {
		m.Set(5, 2, bad)
		var fault *csr.StructureError
		if _, err := DenseFromMat(m); !errors.As(err, &fault) || fault.Row != 5 {
			t.Errorf("%v: %v", bad, err)
		}
	}
}
