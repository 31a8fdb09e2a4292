package streams

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
	"unicode/utf8"

	"golang.org/x/term"

	"github.com/adp-sparse/adp-sparse/internal/visible"
)

// Output is standard output. It remembers the first write that failed: the libraries that print
// help and tables do not look at errors, and an answer that is lost is no success.
//
// On a terminal names are escaped that it would act on, or show as others; a file or a pipe gets
// them as they are.
type Output struct {
	To       io.Writer
	failed   error
	closed   error // what each write fails with
	terminal bool
	cut      []byte // the beginning of a character, not shown yet
}

// NewOutput returns the standard output that is written to a file or a buffer. One that is closed
// fails when it is written to.
func NewOutput(to io.Writer) *Output {
	o := &Output{To: to}
	if f, ok := to.(*os.File); ok {
		o.terminal = term.IsTerminal(int(f.Fd()))
	}
	if to == io.Writer(os.Stdout) && isClosed() {
		o.closed = &fs.PathError{Op: "write", Path: "(standard output)", Err: errClosed}
	}
	return o
}

var errClosed = errors.New("it is closed")

// Write writes until a write has failed.
func (o *Output) Write(b []byte) (int, error) {
	if o.failed == nil {
		o.failed = o.closed
	}
	if o.failed != nil {
		return 0, o.failed
	}
	n, err := len(b), error(nil)
	if o.terminal {
		_, err = io.WriteString(o.To, o.shown(b))
	} else {
		n, err = o.To.Write(b)
	}
	if errors.Is(err, syscall.EPIPE) || errors.Is(err, pipeClosing) {
		err = &Gone{err}
	}
	o.failed = err
	return n, err
}

// shown returns what a terminal is given, up to the last whole character.
func (o *Output) shown(b []byte) string {
	b = append(o.cut, b...)
	whole := len(b)
	for k := 1; k < utf8.UTFMax && k <= len(b); k++ {
		if at := len(b) - k; utf8.RuneStart(b[at]) {
			if !utf8.FullRune(b[at:]) {
				whole = at
			}
			break
		}
	}
	o.cut = append([]byte(nil), b[whole:]...)
	return visible.Text(string(b[:whole]))
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
		return cmp.Or(o.failed, o.closed)
	}
	return nil
}
