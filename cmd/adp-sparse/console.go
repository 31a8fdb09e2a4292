package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"
)

// console is standard error: text for people, or with --log json a JSON object
// a line, and nothing else.
type console struct {
	mu      sync.Mutex
	to      io.Writer
	json    bool
	quiet   bool // of text, errors alone are written
	still   bool // no bars
	partial []byte
}

// consoleOf returns the console that w is, or one of text that writes to w.
func consoleOf(w io.Writer) *console {
	if c, ok := w.(*console); ok {
		return c
	}
	return &console{to: w}
}

// Write writes text; as JSON a line of it is an event "message".
func (c *console) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.quiet:
		return len(b), nil
	case !c.json:
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
		if err := c.write("message", map[string]string{"text": clean(string(line))}); err != nil {
			return 0, err
		}
	}
}

// flush ends the last line.
func (c *console) flush() {
	if c.json && len(c.partial) > 0 {
		_, _ = c.Write([]byte("\n"))
	}
}

// event writes an event, with --log json only.
func (c *console) event(name string, data any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.json {
		_ = c.write(name, data) // standard error that cannot be written to is no fault of the run
	}
}

func (c *console) write(name string, data any) error {
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

// fail writes the error that the program ends with.
func (c *console) fail(message string, code int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.json {
		_ = c.write("error", map[string]any{"text": message, "exit_code": code})
		return
	}
	fmt.Fprintf(c.to, "adp-sparse: %s\n", message)
}

// terminal returns the terminal that text goes to, nil if there is none.
func (c *console) terminal() *os.File {
	if f, ok := c.to.(*os.File); ok && !c.json && !c.still && term.IsTerminal(int(f.Fd())) {
		return f
	}
	return nil
}
