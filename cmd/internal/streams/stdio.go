// Package streams holds the standard streams of a program: where it reads and writes, and
// standard error as text for people or as events for programs.
package streams

import (
	"context"
	"io"
)

// Stdio is where a command reads and writes.
type Stdio struct {
	In       io.Reader
	Out, Err io.Writer
}

// Context is that of the program where standard input knows it.
func (s Stdio) Context() context.Context {
	if in, ok := s.In.(*Input); ok {
		return in.ctx
	}
	return context.Background()
}
