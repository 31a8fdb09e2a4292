// Package scratch makes temporary files that leave nothing behind.
package scratch

import (
	"errors"
	"io"
	"os"
)

// System is the file system as temporary files use it. Tests make its calls
// fail.
type System interface {
	// CreateTemp makes a file in a folder, with a name of its own.
	CreateTemp(dir string) (Handle, error)
	Remove(name string) error
}

// Handle is an open file of a System.
type Handle interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	Name() string
	Truncate(size int64) error
	// Map makes the file size bytes long, reserves their space, and returns them
	// as memory that is written and read.
	Map(size int64) ([]byte, error)
}

// Disk is where temporary files are made. Only tests set it.
var Disk System = machine{}

type machine struct{}

func (machine) CreateTemp(dir string) (Handle, error) {
	f, err := os.CreateTemp(dir, ".adp-sparse.*")
	if err != nil {
		return nil, err // not f, a nil pointer in an interface
	}
	return onDisk{f}, nil
}

func (machine) Remove(name string) error { return os.Remove(name) }

// File is a temporary file for reading and writing. Where the system allows
// it, its name is removed as soon as it is open, so that it is gone with the
// process, however that ends; elsewhere by Close.
type File struct {
	Handle
	named bool
}

// New makes a file in the folder dir, which should be on the disk of the
// output that it is made for.
func New(dir string) (*File, error) {
	f, err := Disk.CreateTemp(dir)
	if err != nil {
		return nil, err
	}
	return &File{Handle: f, named: Disk.Remove(f.Name()) != nil}, nil
}

// Close closes the file and frees its space.
func (f *File) Close() error {
	err := f.Handle.Close()
	if f.named {
		err = errors.Join(err, Disk.Remove(f.Name()))
	}
	return err
}
