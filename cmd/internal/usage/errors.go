// Package usage reports faults of a command line, and writes one.
package usage

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// Choose is a flag with a fixed set of values.
func Choose[T any](flag, value string, values map[string]T) (T, error) {
	v, ok := values[value]
	if !ok {
		return v, Errorf("--%s %q is not one of its values: %s", flag, value, strings.Join(slices.Sorted(maps.Keys(values)), ", "))
	}
	return v, nil
}

// Error marks errors of the command line.
type Error struct{ Err error }

// Error is the message of the error that is marked.
func (e Error) Error() string { return e.Err.Error() }

// Unwrap returns the error that is marked.
func (e Error) Unwrap() error { return e.Err }

// Errorf returns an error of the command line that says what was found and expected.
func Errorf(format string, args ...any) error { return Error{fmt.Errorf(format, args...)} }

// NoArgs refuses arguments that are no flags.
func NoArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return Error{fmt.Errorf("unexpected argument %q; see %s --help", args[0], cmd.CommandPath())}
	}
	return nil
}
