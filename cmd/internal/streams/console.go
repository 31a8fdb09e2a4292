package streams

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/adp-sparse/adp-sparse/internal/visible"
)

// Console is standard error: text for people, or with --log json a JSON object
// a line, and nothing else.
type Console struct {
	mu      sync.Mutex
	to      io.Writer
	JSON    bool
	Quiet   bool // of text, errors alone are written
	Still   bool // no bars
	partial []byte
}

// ConsoleOf returns the console that w is, or one of text that writes to w.
func ConsoleOf(w io.Writer) *Console {
	if c, ok := w.(*Console); ok {
		return c
	}
	return &Console{to: w}
}

// Write writes text; as JSON a line of it is an event "message".
func (c *Console) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.Quiet:
		return len(b), nil
	case !c.JSON:
		return c.to.Write(b)
	}
	c.partial = append(c.partial, b...)
	for {
		line, rest, found := bytes.Cut(c.partial, []byte("\n"))
		if !found {
			return len(b), nil
		}
		c.partial = rest
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if err := c.write("message", map[string]string{"text": Clean(string(line))}); err != nil {
			return 0, err
		}
	}
}

// Flush ends the last line.
func (c *Console) Flush() {
	if c.JSON && len(c.partial) > 0 {
		_, _ = c.Write([]byte("\n"))
	}
}

// Event writes an event, with --log json only.
func (c *Console) Event(name string, data any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.JSON {
		_ = c.write(name, data) // standard error that cannot be written to is no fault of the run
	}
}

func (c *Console) write(name string, data any) error {
	line, err := json.Marshal(struct {
		Time  time.Time `json:"time"`
		Event string    `json:"event"`
		Data  any       `json:"data"`
	}{time.Now().UTC(), name, data})
	if err != nil {
		return err
	}
	_, err = c.to.Write(append(line, '\n'))
	return err
}

// Fail writes the error that the program ends with.
func (c *Console) Fail(program, message string, code int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.JSON {
		_ = c.write("error", map[string]any{"text": message, "exit_code": code})
		return
	}
	fmt.Fprintf(c.to, "%s: %s\n", program, message)
}

// Terminal returns the terminal that text goes to, nil if there is none.
func (c *Console) Terminal() *os.File {
	if f, ok := c.to.(*os.File); ok && !c.JSON && !c.Still && term.IsTerminal(int(f.Fd())) {
		return f
	}
	return nil
}

// Clean escapes in a message what a terminal would act on and not show, and
// bounds its length: it may quote names of files.
func Clean(message string) string {
	const most = 3500
	message = visible.Text(message)
	if len(message) > most {
		message = strings.ToValidUTF8(message[:most], "") + "…"
	}
	return message
}
