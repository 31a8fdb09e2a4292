package streams

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
)

// TestTerminal: a terminal gets names escaped, however the writes cut them; a file gets them as
// they are.
func TestTerminal(t *testing.T) {
	const text = "größe \u202e日本 \u009b31m \U000e0041 €"
	const want = `größe \u202e日本 \u009b31m \U000e0041 €`
	for size := 1; size <= len(text); size++ {
		var screen, file bytes.Buffer
		for _, o := range []*Output{{To: &screen, terminal: true}, {To: &file}} {
			for at := 0; at < len(text); at += size {
				part := text[at:min(at+size, len(text))]
				if n, err := o.Write([]byte(part)); n != len(part) || err != nil {
					t.Fatal(n, err)
				}
			}
		}
		if screen.String() != want || file.String() != text {
			t.Fatalf("writes of %d: %q on a terminal, %q in a file", size, screen.String(), file.String())
		}
	}
}

// failing fails from the second write on.
type failing struct {
	err  error
	text []string
}

func (f *failing) Write(b []byte) (int, error) {
	f.text = append(f.text, string(b))
	if len(f.text) > 1 {
		return 0, f.err
	}
	return len(b), nil
}

// TestOutputRemembers: after a write that failed there is no other, and its error stays known; a
// reader that has left has an error of its own.
func TestOutputRemembers(t *testing.T) {
	for _, cause := range []error{syscall.EPIPE, syscall.ENOSPC, io.ErrShortWrite} {
		to := &failing{err: &os.PathError{Op: "write", Path: "/dev/stdout", Err: cause}}
		o := NewOutput(to)
		for range 4 {
			fmt.Fprint(o, "x") // as who does not look at errors
		}
		if len(to.text) != 2 || !errors.Is(o.Failed(), cause) || errors.As(o.Failed(), new(*Gone)) != (cause == syscall.EPIPE) {
			t.Errorf("%v: %v after %s", cause, o.Failed(), strings.Join(to.text, " "))
		}
		if err := (Stdio{Out: o}).Lost(); !errors.Is(err, cause) {
			t.Errorf("%v: lost is %v", cause, err)
		}
	}
}
