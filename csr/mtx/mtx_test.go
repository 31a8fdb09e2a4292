package mtx_test

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/mtx"
)

func mustRead(t *testing.T, text string) *csr.Matrix {
	t.Helper()
	m, err := mtx.Read(strings.NewReader(text), "x.mtx")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// expect compares a matrix with the same numbers written densely.
func expect(t *testing.T, m *csr.Matrix, nnz int, want [][]float64) {
	t.Helper()
	rows, cols := m.Dims()
	if rows != len(want) || cols != len(want[0]) || m.NNZ() != nnz {
		t.Fatalf("%d×%d with %d entries, expected %d×%d with %d", rows, cols, m.NNZ(), len(want), len(want[0]), nnz)
	}
	for i := range want {
		for j, v := range want[i] {
			if m.At(i, j) != v {
				t.Errorf("(%d, %d) is %v, expected %v", i, j, m.At(i, j), v)
			}
		}
	}
}

// TestReadKinds reads each field and symmetry. The texts are those that
// scipy.io.mmwrite (1.10.1) writes for these matrices, up to the order of
// lines, with what the format allows besides: case, blanks, CR and comments.
func TestReadKinds(t *testing.T) {
	expect(t, mustRead(t, "%%MatrixMarket matrix coordinate real general\n%\n2 3 3\n2 3 -1.5000000000000000e+00\n1 1 2.0000000000000000e+00\n1 2 0\n"), 3,
		[][]float64{{2, 0, 0}, {0, 0, -1.5}})
	expect(t, mustRead(t, "%%MatrixMarket MATRIX Coordinate Integer Symmetric\r\n% c\r\n\r\n3 3 3\r\n 2\t1  -7 \r\n3 2 16777217\r\n1 1 1"), 5,
		[][]float64{{1, -7, 0}, {-7, 0, 16777216}, {0, 16777216, 0}})
	expect(t, mustRead(t, "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n% c\n2 1\n"), 2, [][]float64{{0, 1}, {1, 0}})
	expect(t, mustRead(t, "%%MatrixMarket matrix coordinate real general\n1 2 0\n"), 0, [][]float64{{0, 0}})
	expect(t, mustRead(t, "%%MatrixMarket matrix coordinate unsigned-integer symmetric\n2 2 1\n2 1 3\n"), 2, [][]float64{{0, 3}, {3, 0}})
	// Arrays stand column by column; their zeros are no entries.
	expect(t, mustRead(t, "%%MatrixMarket matrix array real general\n%\n2 3\n2\n0\n0\n-1.5\n7\n0\n"), 3, [][]float64{{2, 0, 7}, {0, -1.5, 0}})
	expect(t, mustRead(t, "%%MatrixMarket matrix array integer symmetric\n3 3\n1\n-7\n0\n0\n5\n2\n"), 6, [][]float64{{1, -7, 0}, {-7, 0, 5}, {0, 5, 2}})
}

// TestWrite compares with the text that scipy.io.mmread (1.10.1) was seen to
// read back as the same matrices.
func TestWrite(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"real symmetric\n3 3 3\n3 3 1e-7\n2 1 0.1\n1 1 16777216\n", "real symmetric\n3 3 3\n1 1 1.6777216e+07\n2 1 0.1\n3 3 1e-07\n"},
		{"real general\n2 2 1\n1 2 -3\n", "real general\n2 2 1\n1 2 -3\n"},
		{"real general\n2 2 2\n1 2 0\n2 1 -0\n", "real general\n2 2 2\n1 2 0\n2 1 -0\n"}, // signs of zero differ
	} {
		const banner = "%%MatrixMarket matrix coordinate "
		var b bytes.Buffer
		if err := mtx.Write(&b, mustRead(t, banner+c.text)); err != nil || b.String() != banner+c.want {
			t.Errorf("wrote %s (%v), expected %s", b.String(), err, c.want)
		}
	}
}

// TestRoundTrip writes random matrices of random bit patterns and reads them
// back: the arrays must be the same bits.
func TestRoundTrip(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 1))
		m := randomMatrix(rng, 1+rng.IntN(40), 1+rng.IntN(40))
		if rows, cols := m.Dims(); seed%3 == 0 && rows == cols || seed%3 == 1 {
			m = csr.Symmetrize(randomMatrix(rng, 30, 30), csr.Mean, 1)
		}
		roundTrip(t, seed, m)
	}
	roundTrip(t, 0, &csr.Matrix{})
}

func roundTrip(t *testing.T, seed uint64, m *csr.Matrix) {
	var b bytes.Buffer
	if err := mtx.Write(&b, m); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	back := mustRead(t, text)
	if !equal(m, back) {
		t.Errorf("seed %d: another matrix came back from\n%s", seed, text)
	}
	if wantSymmetric := csr.CheckSymmetric(m, 1) == nil; wantSymmetric != strings.Contains(text, "symmetric") && m.NNZ() > 0 {
		t.Errorf("seed %d: symmetric is %v but the file says %.60s", seed, wantSymmetric, text)
	}
}

// TestWriteRefusesValues: what Read refuses is not written.
func TestWriteRefusesValues(t *testing.T) {
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		m := csr.Identity(2).WithData([]float32{1, float32(v)})
		var out bytes.Buffer
		var fault *csr.StructureError
		if err := mtx.Write(&out, m); !errors.As(err, &fault) || out.Len() > 0 {
			t.Errorf("%v: %v, and %d bytes are written", v, err, out.Len())
		}
	}
}

func equal(a, b *csr.Matrix) bool {
	ar, ac := a.Dims()
	br, bc := b.Dims()
	ap, ai, ad := a.Arrays()
	bp, bi, bd := b.Arrays()
	return ar == br && ac == bc && (slices.Equal(ap, bp) || len(ap) == 0) && slices.Equal(ai, bi) &&
		slices.EqualFunc(ad, bd, func(x, y float32) bool { return math.Float32bits(x) == math.Float32bits(y) })
}

func randomMatrix(rng *rand.Rand, rows, cols int) *csr.Matrix {
	b := csr.NewRowBuffer(rows, cols, cols)
	for i := range rows {
		columns, values := []uint32{}, []float32{}
		for j := range cols {
			v := math.Float32frombits(rng.Uint32())
			if rng.IntN(5) == 0 && v-v == 0 {
				columns, values = append(columns, uint32(j)), append(values, v)
			}
		}
		b.Set(i, columns, values)
	}
	return b.Matrix(1)
}

// FuzzMTX asks that no text makes Read panic, and that what it accepts comes
// back from Write.
func FuzzMTX(f *testing.F) {
	f.Add("%%MatrixMarket matrix coordinate real general\n% c\n2 3 2\n2 3 -1.5\n1 1 2\n")
	f.Add("%%MatrixMarket matrix coordinate integer symmetric\n3 3 2\n2 1 7\n3 3 1\n")
	f.Add("%%MatrixMarket matrix coordinate pattern symmetric\r\n2 2 1\r\n2 1\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := mtx.Read(strings.NewReader(text), "f")
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := mtx.Write(&b, m); err != nil {
			t.Fatal(err)
		}
		back, err := mtx.Read(&b, "f")
		if rows, _ := m.Dims(); rows > 1<<20 && m.NNZ() < 1000 {
			return // a file that Write made smaller may have too many rows an entry
		}
		if err != nil || !equal(m, back) {
			t.Fatalf("%v after writing what came from %q", err, text)
		}
	})
}
