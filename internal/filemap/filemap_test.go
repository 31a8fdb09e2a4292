package filemap

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestMap: a mapping has the bytes of the file, also after it was closed, and what
// is written to one is in the file.
func TestMap(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	text := bytes.Repeat([]byte("0123456789"), 1000) // more than a page, and not whole pages
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	size := int64(len(text))
	read, err := Map(f, size, false)
	if !Has {
		if !errors.Is(err, ErrNone) {
			t.Error(err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	written, err := Map(f, size, true)
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(read, text) || !bytes.Equal(written, text) {
		t.Error("other bytes than the file's")
	}
	written[size-1] = 'x'
	if err := errors.Join(Unmap(written), Unmap(read)); err != nil {
		t.Fatal(err)
	}
	text[size-1] = 'x'
	if got, err := os.ReadFile(path); !bytes.Equal(got, text) {
		t.Errorf("what was written is not in the file, %v", err)
	}
}
