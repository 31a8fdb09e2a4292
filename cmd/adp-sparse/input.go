package main

import (
	"context"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// input is an input that may keep its reader waiting for as long as it likes:
// standard input, or a pipe. Its reads end with the context.
type input struct {
	ctx     context.Context
	from    io.Reader
	buffer  []byte
	rest    []byte // of the buffer, not taken yet
	err     error  // that came with it
	arrived chan arrival
}

// arrival is what a read has brought.
type arrival struct {
	n   int
	err error
}

func newInput(ctx context.Context, from io.Reader) *input { return &input{ctx: ctx, from: from} }

// Read reads in a goroutine of its own, which is left behind where it waits when
// the context ends: the program is about to end too.
func (in *input) Read(p []byte) (int, error) {
	if in.ctx.Done() == nil {
		return in.from.Read(p)
	}
	if in.buffer == nil {
		in.buffer, in.arrived = make([]byte, 256<<10), make(chan arrival, 1)
	}
	if len(in.rest) == 0 && in.err == nil && len(p) > 0 {
		if err := in.ctx.Err(); err != nil {
			return 0, err
		}
		go func() {
			n, err := in.from.Read(in.buffer)
			in.arrived <- arrival{n, err}
		}()
		select {
		case a := <-in.arrived:
			in.rest, in.err = in.buffer[:a.n], a.err
		case <-in.ctx.Done():
			in.err = in.ctx.Err()
		}
	}
	n := copy(p, in.rest)
	if in.rest = in.rest[n:]; len(in.rest) == 0 {
		return n, in.err
	}
	return n, nil
}

// context is that of the program where standard input knows it.
func (s stdio) context() context.Context {
	if in, ok := s.in.(*input); ok {
		return in.ctx
	}
	return context.Background()
}

// stoppable is a file whose reads end with a context.
type stoppable struct {
	*os.File
	ctx context.Context
}

func (s stoppable) Read(b []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.File.Read(b)
}

func (s stoppable) ReadAt(b []byte, at int64) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.File.ReadAt(b, at)
}

// openInput opens a file, whose reads end with the context. A pipe by name is opened when another program writes to
// it, or not at all when the context ends.
func openInput(ctx context.Context, name string) (*os.File, io.Reader, error) {
	info, err := os.Stat(name)
	if err == nil && info.IsDir() { // Windows does not say so
		return nil, nil, &fs.PathError{Op: "read", Path: name, Err: syscall.EISDIR}
	}
	if err != nil || info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket|fs.ModeCharDevice) == 0 {
		f, err := os.Open(name)
		return f, stoppable{f, ctx}, err
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
		return o.f, newInput(ctx, o.f), o.err
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
}
