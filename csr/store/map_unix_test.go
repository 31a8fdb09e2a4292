//go:build unix

package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
)

// TestCutWhileMapped cuts a file short between mapping and reading it, which
// raises SIGBUS: load must return an error.
func TestCutWhileMapped(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.csr")
	content := written(t, csr.Identity(10000), nil)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	in, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	mapped, err := mapFile(in, int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	f := &File{mapped: mapped}
	defer f.Close()
	if err := os.Truncate(path, 4096); err != nil {
		t.Fatal(err)
	}
	if err := f.load("m.csr"); !errors.Is(err, ErrSyntax) || !strings.Contains(err.Error(), "cut short") {
		t.Errorf("got %v", err)
	}
}

// TestMapped makes sure that Open maps here: that the matrix lies in the
// mapping and not in the heap.
func TestMapped(t *testing.T) {
	if !littleEndian() {
		return // Open reads into memory there
	}
	path := filepath.Join(t.TempDir(), "m.csr")
	if err := os.WriteFile(path, written(t, csr.Identity(100), nil), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if indptr := first(f.Matrix()); &view[int64](f.mapped[headerSize:])[0] != &indptr[0] {
		t.Error("the matrix is a copy, expected it to lie in the mapped file")
	}
}
