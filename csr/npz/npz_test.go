package npz_test

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/npz"
)

func readFile(t *testing.T, name string) *csr.Matrix {
	t.Helper()
	content, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	m, err := npz.Read(bytes.NewReader(content), name, int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestRead reads files that scipy.sparse.save_npz (1.10.1) wrote.
//
// unsorted.npz, compressed=False, is csr_matrix((float32 [2, 1, 3.5, -4],
// indices [4, 1, 0, 2], indptr [0, 2, 2, 3, 4]), shape=(4, 5)), whose first
// row is out of order; int.npz is csr_matrix(int16 [[0, 3], [-7, 0]]).
func TestRead(t *testing.T) {
	want := must(csr.New(4, 5, []int64{0, 2, 2, 3, 4}, []uint32{1, 4, 0, 2}, []float32{1, 2, 3.5, -4}))
	if m := readFile(t, "unsorted.npz"); !equal(m, want) {
		t.Errorf("unsorted.npz is %v", m)
	}
	want = must(csr.New(2, 2, []int64{0, 1, 2}, []uint32{1, 0}, []float32{3, -7}))
	if m := readFile(t, "int.npz"); !equal(m, want) {
		t.Errorf("int.npz is %v", m)
	}
}

// TestWriteGolden compares with a file of this package that
// scipy.sparse.load_npz (1.10.1) was seen to read as the same matrix.
func TestWriteGolden(t *testing.T) {
	want, err := os.ReadFile("testdata/written.npz")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := npz.Write(&b, golden()); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b.Bytes(), want) {
		t.Errorf("the bytes differ from testdata/written.npz")
	}
}

func golden() *csr.Matrix {
	return must(csr.New(3, 4, []int64{0, 2, 2, 4}, []uint32{0, 3, 1, 2}, []float32{0.1, -2, 1e-40, 3.4028235e38}))
}

// TestRoundTrip writes and reads random matrices, one of them with columns
// past int32 and one without rows.
func TestRoundTrip(t *testing.T) {
	matrices := []*csr.Matrix{{}, csr.Identity(20000), must(csr.New(2, csr.MaxDim, []int64{0, 1, 1}, []uint32{math.MaxUint32 - 1}, []float32{1}))}
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 2))
		rows := 1 + rng.IntN(50)
		b := csr.NewRowBuffer(rows, 100, 2)
		for i := range rows {
			columns := []uint32{uint32(rng.IntN(50)), 50 + uint32(rng.IntN(50))}
			if rng.IntN(3) > 0 {
				b.Set(i, columns, []float32{rng.Float32(), -rng.Float32()})
			}
		}
		matrices = append(matrices, b.Matrix(1))
	}
	for k, m := range matrices {
		var b bytes.Buffer
		if err := npz.Write(&b, m); err != nil {
			t.Fatal(err)
		}
		back, err := npz.Read(bytes.NewReader(b.Bytes()), "x.npz", int64(b.Len()))
		if err != nil || !equal(m, back) {
			t.Errorf("matrix %d (PCG seeds from 0, 2): another one came back, %v", k, err)
		}
	}
}

// TestWriteErrors fails the writer at every byte count and wants the error.
func TestWriteErrors(t *testing.T) {
	var whole bytes.Buffer
	if err := npz.Write(&whole, golden()); err != nil {
		t.Fatal(err)
	}
	for n := range whole.Len() {
		if err := npz.Write(&full{left: n}, golden()); err != errFull {
			t.Fatalf("writer that is full after %d of %d bytes: %v", n, whole.Len(), err)
		}
	}
}

type full struct{ left int }

var errFull = errors.New("full")

func (f *full) Write(b []byte) (int, error) {
	n := min(len(b), f.left)
	if f.left -= n; n < len(b) {
		return n, errFull
	}
	return n, nil
}

func must(m *csr.Matrix, err error) *csr.Matrix {
	if err != nil {
		panic(err)
	}
	return m
}

func equal(a, b *csr.Matrix) bool {
	ar, ac := a.Dims()
	br, bc := b.Dims()
	ap, ai, ad := a.Arrays()
	bp, bi, bd := b.Arrays()
	return ar == br && ac == bc && (slices.Equal(ap, bp) || len(ap) == 0) && slices.Equal(ai, bi) && slices.Equal(ad, bd)
}

func TestWriteRefusesValues(t *testing.T) {
	for _, v := range []float64{math.Inf(1), math.Inf(-1), math.NaN()} {
		m := golden()
		_, _, data := m.Arrays()
		data = slices.Clone(data)
		data[len(data)-1] = float32(v)
		var out bytes.Buffer
		var fault *csr.StructureError
		if err := npz.Write(&out, m.WithData(data)); !errors.As(err, &fault) || out.Len() > 0 {
			t.Errorf("%v: %v, and %d bytes are written", v, err, out.Len())
		}
	}
}
