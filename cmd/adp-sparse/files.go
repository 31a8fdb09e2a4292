package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/adp-sparse/adp-sparse/internal/stream"
)

// readInput opens a file, or standard input for "-", and passes it to read
// with the name that messages use and its size, -1 where that is not known.
func readInput(name string, std stdio, read func(r io.Reader, name string, size int64) error) error {
	if name == "-" {
		return read(std.in, "(standard input)", -1)
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return read(f, name, fileSize(f))
}

// fileSize returns the size of a regular file, else -1.
func fileSize(f *os.File) int64 {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return -1
	}
	return info.Size()
}

// writeOutput lets write fill the output called name ("-": standard output),
// compressed as its ending says. A file appears whole or not at all: it is
// written beside its place, synced and renamed. What is there and is no regular
// file (a pipe, a device) is written to, not replaced.
func writeOutput(name string, std stdio, write func(w io.Writer) error) error {
	if name == "-" {
		out := bufio.NewWriter(std.out)
		return errors.Join(write(out), out.Flush())
	}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(fill(f, name, write), f.Close())
	}
	return writeFile(name, func(f *os.File) error { return fill(f, name, write) })
}

// writeFile is writeOutput for files that are written at several places.
func writeFile(name string, write func(f *os.File) error) error {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s: not a regular file; this output can be written to a file only", name)
	}
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	if err = f.Chmod(0o644); err == nil {
		err = write(f)
	}
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return syncDirectory(filepath.Dir(name))
}

// fill lets write fill f, compressed as the name's ending says.
func fill(f *os.File, name string, write func(w io.Writer) error) error {
	w, err := stream.Writer(f, name)
	if err != nil {
		return err
	}
	if err := write(w); err != nil {
		return err
	}
	return w.Close()
}

// syncDirectory makes a rename last.
func syncDirectory(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
