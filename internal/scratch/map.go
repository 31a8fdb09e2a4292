package scratch

import (
	"errors"
	"fmt"
	"os"

	"github.com/adp-sparse/adp-sparse/internal/filemap"
)

// Map returns size bytes that lie in a temporary file in the folder dir: the
// system keeps in memory what it has room for. All of it is reserved on the disk
// at once, so that writing to it later cannot fail for want of space.
func Map(dir string, size int64) (*Mapped, error) {
	f, err := New(dir)
	if err != nil {
		return nil, fmt.Errorf("temporary file: %w", err)
	}
	m := &Mapped{file: f}
	if m.Bytes, err = f.Map(size); err != nil {
		return nil, errors.Join(fmt.Errorf("temporary file of %d bytes in %s: %w", size, dir, err), f.Close())
	}
	return m, nil
}

// Mapped is memory in a temporary file.
type Mapped struct {
	Bytes []byte
	file  *File
}

// Trim gives the space after the first size bytes back, where the system can; they
// must not be used any more.
func (m *Mapped) Trim(size int64) error {
	if !filemap.Cuts {
		return nil
	}
	return m.file.Truncate(size)
}

// Free gives all of it back.
func (m *Mapped) Free() error {
	err := filemap.Unmap(m.Bytes)
	m.Bytes = nil
	return errors.Join(err, m.file.Close())
}

// fill writes zeros, which reserves their space on any system.
func fill(f *os.File, size int64) error {
	zeros := make([]byte, min(size, 1<<20))
	for at := int64(0); at < size; at += int64(len(zeros)) {
		if _, err := f.WriteAt(zeros[:min(int64(len(zeros)), size-at)], at); err != nil {
			return err
		}
	}
	return nil
}
