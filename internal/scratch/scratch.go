// Package scratch makes temporary files that leave nothing behind.
package scratch

import (
	"errors"
	"os"
)

// File is a temporary file for reading and writing. Where the system allows
// it, its name is removed as soon as it is open, so that it is gone with the
// process, however that ends; elsewhere by Close.
type File struct {
	*os.File
	named bool
}

// New makes a file in the folder dir, which should be on the disk of the
// output that it is made for.
func New(dir string) (*File, error) {
	f, err := os.CreateTemp(dir, ".adp-sparse.*")
	if err != nil {
		return nil, err
	}
	return &File{File: f, named: os.Remove(f.Name()) != nil}, nil
}

// Close closes the file and frees its space.
func (f *File) Close() error {
	err := f.File.Close()
	if f.named {
		err = errors.Join(err, os.Remove(f.Name()))
	}
	return err
}
