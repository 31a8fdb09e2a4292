//go:build unix

package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

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
	mapped, err := filemap.Map(in, int64(len(content)), false)
	if err != nil {
		t.Fatal(err)
	}
	h, err := readHeader(in, path, int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	f := &File{name: "m.csr", mapped: mapped, header: h, in: in}
	defer f.Close()
	if err := os.Truncate(path, 4096); err != nil {
		t.Fatal(err)
	}
	if err := f.load(); !errors.Is(err, ErrSyntax) || !strings.Contains(err.Error(), "cut short") {
		t.Errorf("got %v", err)
	}
}

// TestUnchanged writes into a file in use: it must be told, by Guard too, and not
// where the content is the same again.
func TestUnchanged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.csr")
	content := written(t, csr.Identity(1000), nil)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	later := time.Now()
	write := func(b byte) {
		if _, err := out.WriteAt([]byte{b}, headerSize+8); err != nil {
			t.Fatal(err)
		}
		later = later.Add(time.Minute) // whatever the clock of the file system
		if err := os.Chtimes(path, later, later); err != nil {
			t.Fatal(err)
		}
	}
	nothing := func() error { return nil }
	was := content[headerSize+8]
	if err := f.Guard(nothing); err != nil {
		t.Errorf("nothing was written: %v", err)
	}
	write(was)
	if err := f.Guard(nothing); err != nil {
		t.Errorf("the same was written: %v", err)
	}
	write(was + 1)
	for range 2 {
		for _, err := range []error{f.Unchanged(), f.Guard(nothing), f.Guard(func() error { return errors.New("of nonsense") })} {
			if !errors.Is(err, ErrSyntax) || !strings.Contains(err.Error(), "m.csr: changed by another process") {
				t.Errorf("another byte was written: %v", err)
			}
		}
	}
	write(was)
	if err := f.Unchanged(); err != nil {
		t.Errorf("the old byte was written again: %v", err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Unchanged(); err != nil {
		t.Errorf("closed: %v", err)
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
