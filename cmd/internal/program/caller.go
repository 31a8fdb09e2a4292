package program

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
)

// callerVariable is set by a program that runs this one for itself, as the Python package does. Standard input is then
// a pipe that the caller holds and never writes to, so that it ends with the caller, however that ends. The value is
// the working folder, which the caller made for this run and would remove.
const callerVariable = "ADPSPARSE_HELD"

// caller is the program that runs this one for itself, if any.
type caller struct {
	folder string
	left   chan struct{} // closed when the caller has ended; nil without one
}

// callerOf watches for the end of the caller. The commands then have an empty standard input.
func callerOf(std *streams.Stdio) caller {
	folder := os.Getenv(callerVariable)
	if folder == "" {
		return caller{}
	}
	_ = os.Unsetenv(callerVariable) // programs that this one starts have other callers
	c, pipe := caller{folder, make(chan struct{})}, std.In
	std.In = strings.NewReader("")
	go func() {
		_, _ = io.Copy(io.Discard, pipe)
		close(c.left)
	}()
	return c
}

// callerPrefix starts the names of the folders that callers make.
const callerPrefix = "adp-sparse-"

// tidy removes the working folder of a caller that has ended, and no other folder: not one of another name, were the variable set by mistake.
func (c caller) tidy() {
	select {
	case <-c.left:
	default:
		return
	}
	here, err := os.Stat(".")
	folder, wrong := os.Stat(c.folder)
	if err == nil && wrong == nil && os.SameFile(here, folder) && strings.HasPrefix(filepath.Base(c.folder), callerPrefix) {
		_ = os.Chdir(os.TempDir()) // Windows keeps the folder that a program is in
		_ = os.RemoveAll(c.folder) // there is nobody to tell
	}
}
