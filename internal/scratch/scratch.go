// Package scratch makes temporary files that leave nothing behind.
package scratch

import (
	"errors"
	"io"
	"os"

	"github.com/adp-sparse/adp-sparse/internal/filemap"
)

// System is the file system as temporary files use it. Tests make its calls
// fail.
type System interface {
	// CreateTemp makes a file in a folder, which the system removes when it is
	// closed where it can (on Linux it never has a name), else with a name of its
	// own.
	CreateTemp(dir string) (Handle, error)
	Remove(name string) error
}

// Handle is an open file of a System.
type Handle interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	Name() string // of the folder, where the file has none
	Named() bool
	Truncate(size int64) error
	// Map makes the file size bytes long, reserves their space, and returns them
	// as memory that is written and read.
	Map(size int64) ([]byte, error)
}

// Disk is where temporary files are made. Only tests set it.
var Disk System = machine{}

// WithNames makes files that have names at first, as [Disk] does where the system
// knows no others. It is for tests.
var WithNames System = machine{named: true}

type machine struct{ named bool }

func (m machine) CreateTemp(dir string) (Handle, error) {
	if !m.named {
		if f, err := unnamed(dir); err == nil {
			return onDisk{f, false}, nil
		}
	}
	f, err := os.CreateTemp(dir, ".adp-sparse.*") // says what is wrong, too
	if err != nil {
		return nil, err // not f, a nil pointer in an interface
	}
	return onDisk{f, true}, nil
}

func (machine) Remove(name string) error { return os.Remove(name) }

type onDisk struct {
	*os.File
	named bool
}

func (f onDisk) Named() bool { return f.named }

func (f onDisk) Map(size int64) ([]byte, error) {
	if err := reserve(f.File, size); err != nil {
		return nil, err
	}
	return filemap.Map(f.File, size, true)
}

// File is a temporary file for reading and writing. On Linux it never has a name,
// and on Windows the system removes it when it is closed, so that it is gone with the
// process, however and whenever that ends. Else its name is removed as soon as it is
// open, where the system allows it, and elsewhere by Close.
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
	return &File{Handle: f, named: f.Named() && Disk.Remove(f.Name()) != nil}, nil
}

// Close closes the file and frees its space.
func (f *File) Close() error {
	err := f.Handle.Close()
	if f.named {
		err = errors.Join(err, Disk.Remove(f.Name()))
	}
	return err
}
