// Package inputs opens the files that a command reads, so that an interrupt ends their
// reading.
package inputs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/adp-sparse/adp-sparse/cmd/internal/progress"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/internal/lines"
)

// Read opens a file, or standard input for "-", and passes it to read
// with the name that messages use and its size, -1 where that is not known. An
// interrupt ends it, also where it waits for a pipe.
func Read(name string, std streams.Stdio, read func(r io.Reader, name string, size int64) error) error {
	if name == "-" {
		return read(std.In, "(standard input)", -1)
	}
	f, in, err := Open(std.Context(), name)
	if err != nil {
		return err
	}
	defer f.Close()
	size := Size(f)
	if size >= readingBar {
		shown := shownFile{Stoppable{f, std.Context()}, progress.New(std.Err, "reading "+streams.Clean(filepath.Base(name)), size, true)}
		defer shown.bar.End()
		in = shown
	}
	return advised(name, read(in, name, size))
}

// advised adds to the error of a file's content that it may be compressed by brotli, which
// begins with nothing that tells it: only the name does.
func advised(name string, err error) error {
	if err != nil && strings.EqualFold(filepath.Ext(name), ".br") && errors.Is(err, lines.ErrSyntax) {
		return fmt.Errorf("%w; a file of brotli, as the name says, must be unpacked first (brotli -d)", err)
	}
	return err
}

// Size returns the size of a regular file, else -1.
func Size(f *os.File) int64 {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return -1
	}
	return info.Size()
}

// Stoppable is a file whose reads end with a context.
type Stoppable struct {
	*os.File
	Ctx context.Context
}

// Read reads unless the context has ended.
func (s Stoppable) Read(b []byte) (int, error) {
	if err := s.Ctx.Err(); err != nil {
		return 0, err
	}
	return s.File.Read(b)
}

// ReadAt reads at an offset unless the context has ended.
func (s Stoppable) ReadAt(b []byte, at int64) (int, error) {
	if err := s.Ctx.Err(); err != nil {
		return 0, err
	}
	return s.File.ReadAt(b, at)
}

// Open opens a file, whose reads end with the context. A pipe by name is opened when another program writes to
// it, or not at all when the context ends.
func Open(ctx context.Context, name string) (*os.File, io.Reader, error) {
	info, err := os.Stat(name)
	if err == nil && info.IsDir() { // Windows does not say so
		return nil, nil, &fs.PathError{Op: "read", Path: name, Err: syscall.EISDIR}
	}
	if err != nil || info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket|fs.ModeCharDevice) == 0 {
		f, err := os.Open(name)
		return f, Stoppable{f, ctx}, err
	}
	type opened struct {
		f   *os.File
		err error
	}
	done := make(chan opened, 1)
	go func() {
		f, err := os.Open(name)
		done <- opened{f, err}
	}()
	select {
	case o := <-done:
		return o.f, streams.NewInput(ctx, o.f), o.err
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
}

// readingBar is the size of a file from which on a bar shows how much of it has been
// read.
const readingBar = 16 << 20

// shownFile is a file with a bar of the bytes that are read in order.
type shownFile struct {
	Stoppable
	bar progress.Bar
}

func (f shownFile) Read(b []byte) (int, error) {
	n, err := f.Stoppable.Read(b)
	f.bar.Add(n)
	return n, err
}
