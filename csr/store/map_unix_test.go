//go:build unix

package store

import (
	"context"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/filemap"
	"github.com/adp-sparse/adp-sparse/internal/kernel"
	"github.com/adp-sparse/adp-sparse/internal/rows"
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

// inUse writes a file and opens it.
func inUse(t *testing.T, path string) (content []byte, f *File) {
	content = written(t, csr.Identity(1000), nil)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return content, f
}

// TestUnchanged writes into a file in use: it must be told, by Guard too, and not
// where the content is the same again.
func TestUnchanged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.csr")
	content, f := inUse(t, path)
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

// TestUnchangedTimes: a write is told that sets the time back, and a file that others link,
// rename, replace or give another mode is the same one.
func TestUnchangedTimes(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "m.csr")
	content, f := inUse(t, path)
	if changeTime(f.seen).IsZero() {
		t.Skip("a system without the time of change")
	}
	first := f.seen
	// later does so until the system notes another time: its clock may be coarse.
	later := func(do func() error) {
		t.Helper()
		old := f.seen
		for {
			if err := do(); err != nil {
				t.Fatal(err)
			}
			if info, err := f.in.Stat(); err != nil || !changeTime(info).Equal(changeTime(old)) {
				return
			}
			time.Sleep(time.Millisecond)
		}
	}
	other, once := filepath.Join(dir, "other"), false
	for name, do := range map[string]func() error{
		"mode": func() error { return os.Chmod(path, 0o640) },
		"link": func() error { return errors.Join(os.Link(path, other), os.Remove(other)) },
		"name": func() error { return errors.Join(os.Rename(path, other), os.Rename(other, path)) },
	} {
		later(do)
		if err := f.Unchanged(); err != nil {
			t.Errorf("another %s: %v", name, err)
		}
		if info, err := f.in.Stat(); err != nil || !untouched(info, f.seen) {
			t.Errorf("another %s: the new time is not known, %v", name, err)
		}
	}
	later(func() error {
		out, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		_, err = out.WriteAt([]byte{content[headerSize+8] + 1}, headerSize+8)
		return errors.Join(err, out.Close(), os.Chtimes(path, first.ModTime(), first.ModTime()))
	})
	if err := f.Unchanged(); !errors.Is(err, ErrSyntax) || !strings.Contains(err.Error(), "m.csr: changed by another process") {
		t.Errorf("a write that sets the time back: %v", err)
	}
	later(func() error {
		if once {
			return nil
		}
		once = true
		return errors.Join(os.WriteFile(other, []byte("new"), 0o600), os.WriteFile(path, content, 0o600), os.Rename(other, path))
	})
	if err := f.Unchanged(); err != nil {
		t.Errorf("replaced by rename: %v", err)
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

// identity opens a file m.csr of an identity matrix.
func identity(t *testing.T, n int) (path string, f *File) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "m.csr")
	if err := os.WriteFile(path, written(t, csr.Identity(n), nil), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return path, f
}

// TestGuard cuts a file short while it is in use, and reads it by all parallel
// loops: each must end in an error that names the file.
func TestGuard(t *testing.T) {
	const n = 1 << 18 // several buckets of a Builder
	path, f := identity(t, n)
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
		"Transpose":      func(threads int) { csr.Transpose(m, threads) },
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
	// A panic too; see TestGuardPanic.
	if err := f.Guard(func() error { panic("of nonsense") }); !errors.Is(err, ErrSyntax) || !strings.Contains(err.Error(), "m.csr: cut short") {
		t.Errorf("a panic: %v", err)
	}
}

// TestGuardPanic rewrites a file in place while it is in use, as valid numbers in the wrong
// places, and reads it by all loops: a panic becomes the error that names the file. Where
// the file is as it was a panic goes on.
func TestGuardPanic(t *testing.T) {
	const n = 1 << 18 // several buckets of a Builder
	path, f := identity(t, n)
	func() {
		defer func() {
			if p, ok := recover().(*rows.Panic); !ok || p.Value != "mine" || !strings.Contains(string(p.Stack), "TestGuardPanic") {
				t.Errorf("another panic went on as %v", p)
			}
		}()
		f.Guard(func() error { panic("mine") })
	}()
	overwriteColumns(t, f, path, n+500)
	m := f.Matrix()
	edges := &csr.Edges{}
	for i := range uint32(n - 1) {
		edges.Src, edges.Dst = append(edges.Src, i), append(edges.Dst, i+1)
	}
	var failed error
	for name, read := range map[string]func(threads int){
		"Transpose": func(threads int) { csr.Transpose(m, threads) },
		"Each": func(threads int) {
			rows.Each(n, threads, func(lo, _ int) { cols, _ := m.Row(lo); _ = make([]byte, n)[cols[0]] })
		},
		"Permute": func(threads int) {
			order := make([]uint32, n)
			for i := range order {
				order[i] = uint32(n - 1 - i)
			}
			csr.Permute(m, order, threads)
		},
		"Rows": func(threads int) {
			b := csr.NewBuilder(n, n, false, csr.BuildOptions{Threads: threads})
			b.Add(0, edges)
			_, failed = b.Rows(context.Background(), func([]int, []uint32, []float32) error {
				cols, _ := m.Row(0)
				_ = make([]byte, n)[cols[0]]
				return nil
			})
		},
	} {
		for _, threads := range []int{1, 4} {
			failed = nil
			err := f.Guard(func() error {
				read(threads)
				return failed
			})
			if !errors.Is(err, ErrSyntax) || !strings.Contains(err.Error(), "m.csr: changed by another process") {
				t.Errorf("%s, %d threads: %v", name, threads, err)
			}
			if f.seen, err = f.in.Stat(); err != nil {
				t.Fatal(err)
			}
			if err := f.Guard(func() error { read(threads); return failed }); !errors.Is(err, ErrSyntax) {
				t.Errorf("%s, %d threads, with the times as they were: %v", name, threads, err)
			}
			if caught := rows.Catch(func() error { read(threads); return failed }); failed != nil || caught == nil {
				t.Errorf("%s, %d threads: without a guard %v, returned %v", name, threads, caught, failed)
			}
		}
	}
}

// TestGuardKernels: the assembly does not write past its arrays where columns of a file in
// use turn into others; that is an error, too.
func TestGuardKernels(t *testing.T) {
	const n = 1000
	path, f := identity(t, n)
	overwriteColumns(t, f, path, n+500)
	indptr, cols, vals := f.Matrix().Arrays()
	room, dense := make([]uint32, 2*n), make([]float32, 2*n*kernel.Width)
	for name, use := range map[string]func(){
		"AddRows": func() {
			s := kernel.Sum{Place: room[:n:n], Cols: make([]uint32, n), Vals: make([]float32, n), Base: 1}
			s.AddRows([]uint32{7}, []float32{1}, indptr, cols, vals)
		},
		"Spread": func() {
			kernel.Spread(dense[:n*kernel.Width:n*kernel.Width], cols, vals, &[kernel.Width]float32{1})
		},
	} {
		err := f.Guard(func() error {
			use()
			return nil
		})
		if !errors.Is(err, ErrSyntax) || !strings.Contains(err.Error(), "m.csr: changed by another process") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if slices.Max(room) != 0 || slices.Max(dense) != 0 {
		t.Error("something was written")
	}
}

// overwriteColumns writes a column into all entries of an open file.
func overwriteColumns(t *testing.T, f *File, path string, column uint32) {
	t.Helper()
	out, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	b := make([]byte, f.header.lengths()[indicesSection])
	for k := 0; k < len(b); k += 4 {
		binary.LittleEndian.PutUint32(b[k:], column)
	}
	_, err = out.WriteAt(b, f.header.offsets()[indicesSection])
	if err := errors.Join(err, out.Close()); err != nil {
		t.Fatal(err)
	}
}
