// Package store reads and writes the .csr file: a matrix and the names of its nodes in the form
// that memory has them, to be opened by mmap.
//
// [Write] makes a file, [Read] reads one into memory and [Open] maps one, so that the graph may be
// larger than the memory and several processes share it. All three forms of the same matrix are
// equal, and equal matrices give equal bytes. docs/format-csr.md describes the format.
//
// A file is checked completely before any of it is returned: sizes against the file, with checked
// arithmetic and before memory is allocated; checksums, which find every change of up to 32
// neighbouring bits; and the structure itself, so that a file with good checksums and bad content
// is refused too. Faults are errors that wrap [ErrSyntax] and name the file.
package store

import (
	"fmt"

	"github.com/adp-sparse/adp-sparse/internal/lines"
)

// ErrSyntax is wrapped by every error about the content of a file.
var ErrSyntax = lines.ErrSyntax

// ErrName is wrapped when a name cannot be written: see [ids.Fits].
var ErrName = lines.ErrName

func faultf(name, format string, args ...any) error {
	return &lines.Error{File: name, Msg: fmt.Sprintf(format, args...)}
}
