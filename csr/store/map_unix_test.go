//go:build unix

package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/filemap"
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
	mapped, err := filemap.Map(in, int64(len(content)), false)
	if err != nil {
		t.Fatal(err)
	}
	f := &File{name: "m.csr", mapped: mapped}
	defer f.Close()
	if err := os.Truncate(path, 4096); err != nil {
		t.Fatal(err)
	}
	if err := f.load(); !errors.Is(err, ErrSyntax) || !strings.Contains(err.Error(), "cut short") {
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

// TestGuard cuts a file short while it is in use, and reads it by all parallel
// loops: each must end in an error that names the file.
func TestGuard(t *testing.T) {
	const n = 1 << 18 // several buckets of a Builder
	path := filepath.Join(t.TempDir(), "m.csr")
	if err := os.WriteFile(path, written(t, csr.Identity(n), nil), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := os.Truncate(path, 4096); err != nil {
		t.Fatal(err)
	}
	m, x := f.Matrix(), csr.NewDense(n, 3)
	edges := &csr.Edges{}
	for i := range uint32(n - 1) {
		edges.Src, edges.Dst = append(edges.Src, i), append(edges.Dst, i+1)
	}
	var failed error
	for name, read := range map[string]func(threads int){
		"Degrees":        func(threads int) { csr.Degrees(m, threads) },
		"NormalizeSym":   func(threads int) { csr.NormalizeSym(m, threads) },
		"CheckSymmetric": func(threads int) { csr.CheckSymmetric(m, threads) },
		"MulDense":       func(threads int) { csr.MulDense(csr.NewDense(n, 3), m, x, threads) },
		"Transpose":      func(int) { csr.Transpose(m) },
		"Components":     func(threads int) { csr.Components(m, threads) },
		"Sum": func(threads int) {
			b := csr.NewBuilder(n, n, false, csr.BuildOptions{Threads: threads})
			b.Add(0, edges)
			_, failed = csr.NewSpace(t.TempDir()).Sum(context.Background(), b, make([]float32, n), 1, m)
		},
	} {
		for _, threads := range []int{1, 4} {
			failed = nil
			err := f.Guard(func() error {
				read(threads)
				return failed
			})
			if !errors.Is(err, ErrSyntax) || !strings.Contains(err.Error(), "m.csr: cut short") {
				t.Errorf("%s, %d threads: %v", name, threads, err)
			}
		}
	}
	// Other panics are not its business.
	defer func() {
		if recover() != "mine" {
			t.Error("another panic did not come through")
		}
	}()
	f.Guard(func() error { panic("mine") })
}
