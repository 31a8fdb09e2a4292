package streams

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// Output is standard output. It remembers the first write that failed: the libraries that print
// help and tables do not look at errors, and an answer that is lost is no success.
type Output struct {
	To     io.Writer
	failed error
}

// NewOutput returns the standard output that is written to a file or a buffer. One that is closed
// fails from the start.
func NewOutput(to io.Writer) *Output {
	o := &Output{To: to}
	if to == io.Writer(os.Stdout) && isClosed() {
		o.failed = &fs.PathError{Op: "write", Path: "(standard output)", Err: errClosed}
	}
	return o
}

var errClosed = errors.New("it is closed")

// Write writes until a write has failed.
func (o *Output) Write(b []byte) (int, error) {
	if o.failed != nil {
		return 0, o.failed
	}
	n, err := o.To.Write(b)
	if errors.Is(err, syscall.EPIPE) || errors.Is(err, pipeClosing) {
		err = &Gone{err}
	}
	o.failed = err
	return n, err
}

// Failed returns the error of the first write that failed, nil if there is none.
func (o *Output) Failed() error { return o.failed }

// Gone is the error of a write to standard output whose reader has left. It is the end of a
// program, and no fault.
type Gone struct{ Err error }

func (g *Gone) Error() string { return "the reader of standard output has left: " + g.Err.Error() }

// Unwrap returns the error of the write.
func (g *Gone) Unwrap() error { return g.Err }

// Lost returns why standard output cannot be written to, nil if it can as far as is known.
func (s Stdio) Lost() error {
	if o, ok := s.Out.(*Output); ok {
		return o.Failed()
	}
	return nil
}
