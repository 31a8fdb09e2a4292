package stream

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// endless repeats a text without end.
type endless struct {
	text string
	at   int
}

func (e *endless) Read(b []byte) (int, error) {
	n := copy(b, e.text[e.at:])
	e.at = (e.at + n) % len(e.text)
	return n, nil
}

// TestIdle: a run of lines that say nothing ends the reading; data between them begins another
// one, and data that begins like comments is read where it is less repetitive.
func TestIdle(t *testing.T) {
	if testing.Short() {
		return
	}
	for _, c := range []struct {
		line  string
		ended bool
	}{
		{"\n", true},
		{" \t\r\n", true},
		{"#\n", true},
		{"  % a comment of some length\n", true},
		{"#" + strings.Repeat("x", 1000) + "\n", true},
		{"a b\n", false},
		{strings.Repeat("\n", 1000) + "a b\n", false},
		{"\x00", false},
	} {
		for _, name := range []string{"f.gz", "f.zst"} {
			packed, w := io.Pipe()
			go func() {
				to, err := Writer(w, name)
				if err == nil {
					_, err = io.Copy(to, io.LimitReader(&endless{text: strings.Repeat(c.line, 1<<16/len(c.line)+1)}, mostIdle+64<<20))
				}
				if err == nil {
					err = to.Close()
				}
				w.CloseWithError(err)
			}()
			r, err := Reader(packed)
			if err != nil {
				t.Fatal(err)
			}
			n, err := io.Copy(io.Discard, r)
			if ended := errors.Is(err, ErrDamaged) && strings.Contains(err.Error(), "blank lines and comments"); ended != c.ended || !ended && err != nil || ended && n > mostIdle+1<<20 {
				t.Errorf("%.10q in %s: %d bytes, %v", c.line, name, n, err)
			}
			packed.Close()
		}
	}
}

// TestIdleStates: however a text is cut into reads, the run after it is that of its last lines
// without data; at most those that begin in the read of the last data do not count.
func TestIdleStates(t *testing.T) {
	const text = "a b\n\n# c\n d\n#e\n\t% f\n \n\r\n# g"
	after := int64(len(text) - strings.Index(text, "#e"))
	for size := 1; size <= len(text); size++ {
		var i idle
		for part := range chunks(text, size) {
			if err := i.take([]byte(part), 0); err != nil {
				t.Fatal(err)
			}
		}
		if i.run > after || i.run < after-int64(size) && size < len(text) || i.state != commentLine {
			t.Errorf("reads of %d: a run of %d, state %d", size, i.run, i.state)
		}
	}
	r := &decoder{ReadCloser: io.NopCloser(iotest.OneByteReader(bytes.NewReader([]byte(text)))), below: &watched{}}
	if got, err := io.ReadAll(r); string(got) != text || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

func chunks(text string, size int) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for len(text) > 0 {
			n := min(size, len(text))
			if !yield(text[:n]) {
				return
			}
			text = text[n:]
		}
	}
}
