package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"slices"
	"strings"
	"syscall"
	"unicode"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/model"
	"github.com/adp-sparse/adp-sparse/bench/gen"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/edgelist"
	"github.com/adp-sparse/adp-sparse/csr/metis"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/diffuse/dist"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/stream"
	"github.com/adp-sparse/adp-sparse/knn"
	"github.com/adp-sparse/adp-sparse/knn/vecs"
)

// The exit codes.
const (
	exitOK           = 0
	exitData         = 1
	exitUsage        = 2
	exitIO           = 3
	exitMemory       = 4
	exitInternal     = 5
	exitNotConverged = 6
	exitInterrupted  = 130 // and 143 for a termination
	// exitElsewhere is of a rank that ends because another one has an error; the
	// job has the exit code of that.
	exitElsewhere = 255
)

// usageError marks errors of the command line.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// errNotConverged ends a run with --require-converged.
var errNotConverged = errors.New("not converged")

// report prints an error and returns the exit code for it.
func report(ctx context.Context, w io.Writer, err error) int {
	if err == nil {
		return exitOK
	}
	code := codeOf(ctx, err)
	if code == exitElsewhere {
		return code
	}
	message := oneLine(asFlags.Replace(err.Error()))
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		message = "interrupted; no output was written"
	}
	var resumable resumableError
	if errors.As(err, &resumable) {
		message += "; " + resumable.advice
	}
	consoleOf(w).fail(clean(message), code)
	return code
}

// oneLine puts the lines of a message, several faults or the name of a file that has some, in
// one: the line that begins with the program's name says all that is wrong, and once what
// several steps met.
func oneLine(message string) string {
	var parts []string
	for part := range strings.FieldsFuncSeq(message, func(r rune) bool { return r == '\n' || r == '\r' }) {
		if part = strings.TrimSpace(part); part != "" && !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "; ")
}

func codeOf(ctx context.Context, err error) int {
	var usage usageError
	var path *fs.PathError
	var read *lines.ReadError
	var errno syscall.Errno
	var network *net.OpError
	var lost *dist.Lost
	switch {
	case errors.As(err, &lost):
		if lost.Why == "" {
			return exitElsewhere
		}
		return exitIO
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		if errors.Is(context.Cause(ctx), interrupted{syscall.SIGTERM}) {
			return 128 + int(syscall.SIGTERM)
		}
		return exitInterrupted
	case errors.As(err, &usage), errors.Is(err, gen.ErrOptions), errors.Is(err, diffuse.ErrOptions), errors.Is(err, knn.ErrOptions), errors.Is(err, metis.ErrWeight), strings.HasPrefix(err.Error(), "unknown command"):
		return exitUsage
	case errors.As(err, new(memoryError)), errors.Is(err, vecs.ErrMemory), errors.Is(err, edgelist.ErrMemory):
		return exitMemory
	case errors.Is(err, errNotConverged):
		return exitNotConverged
	case errors.As(err, &path), errors.As(err, &errno), errors.As(err, &network):
		return exitIO
	case errors.Is(err, stream.ErrDamaged), errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, &read), errors.Is(err, lines.ErrSyntax), errors.Is(err, csr.ErrStructure), errors.Is(err, csr.ErrDuplicate),
		errors.Is(err, diffuse.ErrSeeds), errors.Is(err, adp.ErrGraph), errors.Is(err, adp.ErrSnapshot), errors.Is(err, model.ErrModel), errors.Is(err, edgelist.ErrName),
		errors.Is(err, knn.ErrFeatures), errors.Is(err, knn.ErrNeighbors),
		errors.Is(err, vecs.ErrFormat):
		return exitData
	}
	return exitInternal
}

// asFlags says with flags what the errors of packages say with options of theirs.
var asFlags = strings.NewReplacer(
	"labelfile.Options.Header", "--labels-header",
	"labelfile.Options.SkipUnknown", "--unknown-labels skip",
	"labelfile.Options.Multi", "run --multilabel",
	"labelfile.Columns.ID", "--label-id",
	"to labelfile.ReadColumns", "as --labels",
	"labelfile.Columns.Label", "--label-column",
	"csr.DuplicatesError", "--duplicates error",
	"edgelist.HeaderYes", "--header yes",
	"edgelist.HeaderNo", "--header no",
	"edgelist.Options.Directed", "--directed",
	"edgeparquet.Options.Columns", "--columns",
	"vecs.Options.Array", "--array",
	"vecs.Options.IDColumn", "--id-column",
	"vecs.Options.Without", "--drop-columns",
	"vecs.Options.Titles", "the model",
)

// clean removes from a message what a terminal would act on and not show, and
// bounds its length: it may quote names of files.
func clean(message string) string {
	const most = 3500
	message = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f || r >= 0x80 && r < 0xa0 || unicode.Is(unicode.Cf, r) {
			return '\ufffd'
		}
		return r
	}, message)
	if len(message) > most {
		message = strings.ToValidUTF8(message[:most], "") + "…"
	}
	return message
}
