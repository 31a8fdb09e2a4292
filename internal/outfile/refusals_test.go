package outfile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// lockless is a file system without locks.
type lockless struct{ OS }

func (lockless) Lock(string) (io.Closer, error) { return nil, errors.ErrUnsupported }

// TestWithoutLocks: where there are no locks, partial files have names of their
// own, and outputs are whole all the same.
func TestWithoutLocks(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	o, err := Create(lockless{}, path)
	if err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 || !strings.HasPrefix(left[0].Name(), ".out.partial-") {
		t.Errorf("%v", left)
	}
	if _, err := o.WriteAt([]byte("text"), 0); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(o.Truncate(3), o.Finish(), o.Replace(), o.Discard()); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); string(got) != "tex" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

// TestRefusals: what cannot be an output is refused with its name, and so are
// writes that do not reach the disk.
func TestRefusals(t *testing.T) {
	dir := t.TempDir()
	for name, want := range map[string]error{
		dir:                            syscall.EISDIR,
		filepath.Join(dir, "none/out"): fs.ErrNotExist,
	} {
		_, err := Create(OS{}, name)
		var named *fs.PathError
		if !errors.As(err, &named) || named.Path != name || !errors.Is(err, want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := (OS{}).Open(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("opened what is not there: %v", err)
	}
	if err := (OS{}).SyncFolder(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) && runtime.GOOS != "windows" {
		t.Errorf("synced a folder that is not there: %v", err)
	}
	o, err := Create(OS{}, filepath.Join(dir, "out"))
	if err != nil {
		t.Fatal(err)
	}
	if n, err := o.ReadAt(make([]byte, 4), 0); n != 0 || err != io.EOF {
		t.Errorf("read %d bytes of an empty output, %v", n, err)
	}
	o.file.Close()
	_, write := o.Write([]byte("x"))
	_, read := o.ReadAt(make([]byte, 1), 0)
	for _, err := range []error{write, read, o.Finish(), o.Discard()} {
		if err != nil && !strings.Contains(err.Error(), "write "+filepath.Join(dir, "out")) {
			t.Errorf("%v", err)
		}
	}
	if write == nil || read == nil {
		t.Errorf("a closed file: %v, %v", write, read)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
}

// TestLoop: a link in a circle is no output.
func TestLoop(t *testing.T) {
	dir := t.TempDir()
	loop := filepath.Join(dir, "loop")
	linked(t, "loop", loop)
	var named *fs.PathError
	if _, err := Create(OS{}, loop); !errors.As(err, &named) || named.Path != loop || !strings.Contains(err.Error(), "too many levels of symbolic links") {
		t.Error(err)
	}
	o, err := Create(OS{}, filepath.Join(dir, "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer o.Discard()
	if _, err := o.Is(loop); err == nil {
		t.Error("a loop of links leads somewhere")
	}
}
