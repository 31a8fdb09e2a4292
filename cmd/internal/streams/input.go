package streams

import (
	"context"
	"io"
)

// Input is an input that may keep its reader waiting for as long as it likes:
// standard input, or a pipe. Its reads end with the context.
type Input struct {
	ctx     context.Context
	From    io.Reader
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

// NewInput returns an input whose reads end with a context.
func NewInput(ctx context.Context, from io.Reader) *Input { return &Input{ctx: ctx, From: from} }

// Read reads in a goroutine of its own, which is left behind where it waits when
// the context ends: the program is about to end too.
func (in *Input) Read(p []byte) (int, error) {
	if in.ctx.Done() == nil {
		return in.From.Read(p)
	}
	if in.buffer == nil {
		in.buffer, in.arrived = make([]byte, 256<<10), make(chan arrival, 1)
	}
	if len(in.rest) == 0 && in.err == nil && len(p) > 0 {
		if err := in.ctx.Err(); err != nil {
			return 0, err
		}
		go func() {
			n, err := in.From.Read(in.buffer)
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

// UntilDone is a writer that fails when its context ends.
type UntilDone struct {
	Ctx context.Context
	To  io.Writer
}

// Write writes unless the context has ended.
func (w UntilDone) Write(b []byte) (int, error) {
	if err := w.Ctx.Err(); err != nil {
		return 0, err
	}
	return w.To.Write(b)
}
