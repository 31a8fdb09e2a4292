// Package limit is the limit of memory of a program, and refuses what needs more.
package limit

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/cmd/internal/machine"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
	"github.com/adp-sparse/adp-sparse/internal/figures"
)

// Error says that a run would not fit.
type Error struct{ Message string }

// Error says what does not fit.
func (e Error) Error() string { return e.Message }

// Memory is what a run may use, and who says so.
type Memory struct {
	Bytes   int64
	From    string
	Machine bool // it is for all processes of the machine together
}

// Bind binds --memory-limit; more is a clause about it.
func Bind(cmd *cobra.Command, to *string, more string) {
	cmd.Flags().StringVar(to, "memory-limit", "", "refuse what needs more memory than this, such as 8GiB\nBy an estimate before the work"+more+". Default: nine tenths of the memory of the control group or machine.")
}

// Parse reads --memory-limit; without it the limit is nine tenths of what
// the control group or the machine has. What the process may not exceed
// (ulimit) is a limit in any case.
func Parse(text string) (l Memory, err error) {
	if text != "" {
		bytes, err := ParseBytes(text, RuntimeBytes)
		if err != nil {
			return Memory{}, err
		}
		l = Memory{Bytes: bytes, From: "--memory-limit"}
	} else {
		has, from := machine.Memory("/")
		l = Memory{has / 10 * 9, "nine tenths of " + from + "; --memory-limit sets another", true}
	}
	if left, from := machine.ProcessMemory(); left < l.Bytes {
		l = Memory{Bytes: left, From: from}
	}
	return l, nil
}

// ParseBytes reads the bytes of a --memory-limit.
func ParseBytes(text string, least int64) (int64, error) {
	bytes, err := figures.ParseBytes(text)
	switch {
	case err != nil:
		return 0, usage.Errorf("--memory-limit %q, expected a size such as 8GiB: %v", text, err)
	case bytes < least:
		return 0, usage.Errorf("--memory-limit %s, expected at least %s", text, figures.Bytes(least))
	}
	return bytes, nil
}

// LeastStreamed is the smallest --memory-limit of commands that make a .csr file part by part.
const LeastStreamed = 64 << 20

// RuntimeBytes is what the program holds before it has data, its own pages included.
const RuntimeBytes = 23 << 20

// programBytes are the pages of the program's own file that are resident in any case.
const programBytes = 16 << 20

// leastBytes is what the collector leaves in peace, if the limit allows it.
const leastBytes = 40 << 20

// Data is the memory left for data; 0 for no limit.
func (l Memory) Data() int64 {
	if l.Bytes == 0 {
		return 0
	}
	return max((l.Bytes-RuntimeBytes)/13*12, 1)
}

// Collect lets the collector of garbage work as hard as it takes to stay below
// a number of bytes, which is no more than the limit. It does not count the pages of
// the program's own file. Below leastBytes it would collect without end to save nothing:
// the runtime itself holds some of them.
func (l Memory) Collect(bytes int64) {
	if l.Bytes > 0 {
		debug.SetMemoryLimit(min(max(bytes, leastBytes), l.Bytes) - programBytes)
	}
}

// Allows refuses what needs more than the limit.
func (l Memory) Allows(what string, bytes int64) error {
	return l.AllowsInAll(what, WithRuntime(bytes))
}

// AllowsInAll is Allows for what the program takes in all.
func (l Memory) AllowsInAll(what string, bytes int64) error {
	return l.refuse(what+" needs about", bytes)
}

// AllowsLeast is Allows for bytes that are the least that it may take.
func (l Memory) AllowsLeast(what string, bytes int64) error {
	return l.refuse(what+" needs at least", WithRuntime(bytes))
}

func (l Memory) refuse(what string, bytes int64) error {
	if l.Bytes == 0 || bytes <= l.Bytes {
		return nil
	}
	return Error{fmt.Sprintf("%s %s, the limit is %s (%s)", what, figures.Bytes(bytes), figures.Bytes(l.Bytes), l.From)}
}

// Admits refuses what needs more than the limit, and lets the collector keep to it.
func (l Memory) Admits(what string, bytes int64) error {
	if err := l.Allows(what, bytes); err != nil {
		return err
	}
	l.Collect(WithRuntime(bytes))
	return nil
}

// WithRuntime adds to the bytes of data what the program takes without data,
// and a twelfth for data of no more use that is not collected yet.
func WithRuntime(bytes int64) int64 { return RuntimeBytes + bytes + bytes/12 }
