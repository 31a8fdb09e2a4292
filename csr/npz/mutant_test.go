package npz

import (
	"bytes"
	"os"
	"slices"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/mutant"
)

// TestMutants: the archive's checksums cover the arrays, and not all of its
// directory; a changed file that is accepted holds the same matrix.
func TestMutants(t *testing.T) {
	var files [][]byte
	want := map[string]*csr.Matrix{}
	for _, name := range []string{"testdata/int.npz", "testdata/unsorted.npz", "testdata/written.npz"} {
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
