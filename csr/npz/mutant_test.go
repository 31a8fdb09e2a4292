package npz

import (
	"bytes"
	"os"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/mutant"
)

// routes has a matrix in scipy's other formats, written by scipy 1.10.1.
const routes = "../../testdata/formats/routes/"

// TestLayouts: the formats of scipy hold one matrix, but for the 0 of a loop that only csr, csc and
// coo store.
func TestLayouts(t *testing.T) {
	read := func(name string) *csr.Matrix {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		m, err := Read(bytes.NewReader(b), name, int64(len(b)))
		if err != nil {
			t.Fatal(err)
		}
		m, _ = csr.WithoutZeros(m)
		return m
	}
	want := read("../../testdata/formats/tiny.npz")
	for _, name := range []string{"csc.npz", "coo.npz", "bsr.npz", "dia.npz"} {
		if !equal(read(routes+name), want) {
			t.Errorf("%s is another matrix", name)
		}
	}
}

// TestUneven: the formats of a matrix that is neither square nor symmetric. scipy 1.10.1 wrote
// csr_matrix([[0, 4, 0, 0], [7, 0, 5, -2]]) in each, of bsr in blocks of 2×2, and the diagonals also
// column by column.
func TestUneven(t *testing.T) {
	want, err := csr.New(2, 4, []int64{0, 1, 4}, []uint32{1, 0, 2, 3}, []float32{4, 7, 5, -2})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"csc", "coo", "bsr", "dia", "dia-fortran"} {
		b, err := os.ReadFile("testdata/uneven-" + name + ".npz")
		if err != nil {
			t.Fatal(err)
		}
		if m, err := Read(bytes.NewReader(b), name, int64(len(b))); err != nil || !equal(m, want) {
			t.Errorf("%s: got %v, %v", name, m, err)
		}
	}
}

// TestMutants: the archive's checksums cover the arrays, and not all of its
// directory; a changed file that is accepted holds the same matrix.
func TestMutants(t *testing.T) {
	var files [][]byte
	want := map[string]*csr.Matrix{}
	for _, name := range []string{"testdata/int.npz", "testdata/unsorted.npz", "testdata/written.npz", routes + "csc.npz", routes + "coo.npz", routes + "bsr.npz", routes + "dia.npz"} {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if want[string(b)], err = Read(bytes.NewReader(b), name, int64(len(b))); err != nil {
			t.Fatal(err)
		}
		files = append(files, b)
	}
	mutant.Check(t, files, func(original, damaged []byte) bool {
		m, err := Read(bytes.NewReader(damaged), "x.npz", int64(len(damaged)))
		if err == nil && !equal(m, want[string(original)]) {
			t.Errorf("a changed file was accepted with another matrix: %q", damaged)
		}
		return err == nil
	})
}

func equal(a, b *csr.Matrix) bool {
	rows, cols := a.Dims()
	if r, c := b.Dims(); r != rows || c != cols {
		return false
	}
	for i := range rows {
		indices, data := a.Row(i)
		others, values := b.Row(i)
		if !slices.Equal(indices, others) || !slices.Equal(data, values) {
			return false
		}
	}
	return true
}
