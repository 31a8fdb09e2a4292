package scratch

import (
	"os"
	"path/filepath"
	"testing"
)

// TestNothingIsLeft: a file keeps the bytes written to it, and its folder is
// empty when it is closed.
func TestNothingIsLeft(t *testing.T) {
	dir := t.TempDir()
	f, err := New(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt([]byte("abc"), 5); err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 3)
	if _, err := f.ReadAt(b, 5); err != nil || string(b) != "abc" {
		t.Errorf("read %q, %v", b, err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
	if _, err := New(filepath.Join(dir, "none")); err == nil {
		t.Error("a file in a folder that is not there")
	}
}
