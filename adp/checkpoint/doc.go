// Package checkpoint keeps the state of a run in a file. A run that was stopped at any time, by a
// signal, a crash or a loss of power, continues from the end of a round:
//
//	file, err := checkpoint.Create("run.state", program)
//	opt.Checkpoint = file.Save
//	result, err := adp.Run(ctx, w, y, opt)
//
// and later
//
//	file, snapshot, err := checkpoint.Open("run.state", program)
//	opt.Checkpoint = file.Save
//	result, err := adp.Resume(ctx, w, y, opt, snapshot)
//
// A file has two slots, used alternately: while a state is being written, the one before stays as
// it is, and a state counts only when it is whole and synced. docs/format-checkpoint.md describes
// the format.
//
// A file is checked completely before any of it is returned: sizes against the file, with checked
// arithmetic and before memory is allocated, and a checksum of every section.
// [github.com/adp-sparse/adp-sparse/adp.Resume] then checks that the state is possible, and of the
// same graph, seeds and options.
package checkpoint

import (
	"fmt"

	"github.com/adp-sparse/adp-sparse/internal/lines"
)

// ErrSyntax is wrapped by every error about the content of a file.
var ErrSyntax = lines.ErrSyntax

func faultf(name, format string, args ...any) error {
	return &lines.Error{File: name, Msg: fmt.Sprintf(format, args...)}
}
