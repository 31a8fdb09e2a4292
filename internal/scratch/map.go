package scratch

import (
	"errors"
	"fmt"
)

// ErrNoMaps says that the system has no files that are mapped.
var ErrNoMaps = errors.New("this system has no mapped files")

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

// Trim gives the space after the first size bytes back, which must not be used
// any more.
func (m *Mapped) Trim(size int64) error { return m.file.Truncate(size) }

// Free gives all of it back.
func (m *Mapped) Free() error {
	err := unmap(m.Bytes)
	m.Bytes = nil
	return errors.Join(err, m.file.Close())
}
