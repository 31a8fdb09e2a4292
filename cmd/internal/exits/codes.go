// Package exits gives each error that a program ends with its exit code and its message.
package exits

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"net"
	"strings"
	"syscall"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/model"
	"github.com/adp-sparse/adp-sparse/bench/gen"
	"github.com/adp-sparse/adp-sparse/cmd/internal/interrupt"
	"github.com/adp-sparse/adp-sparse/cmd/internal/limit"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
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
	OK           = 0
	Data         = 1
	Usage        = 2
	IO           = 3
	Memory       = 4
	Internal     = 5
	NotConverged = 6
	Interrupted  = 130 // and 143 for a termination
	// Gone is that of a program whose reader of standard output left, as shells tell it of
	// programs that SIGPIPE ended. It is the only failure that standard error is not told of.
	Gone = 141
	// Elsewhere is of a rank that ends because another one has an error; the
	// job has the exit code of that.
	Elsewhere = 255
)

// ErrNotConverged ends a run with --require-converged.
var ErrNotConverged = errors.New("not converged")

// codeOf returns the exit code of an error, by the errors that packages wrap.
func codeOf(ctx context.Context, err error) int {
	var usage usage.Error
	var path *fs.PathError
	var read *lines.ReadError
	var errno syscall.Errno
	var network *net.OpError
	var lost *dist.Lost
	switch {
	case errors.As(err, new(*streams.Gone)):
		return Gone
	case errors.As(err, &lost):
		if lost.Why == "" {
			return Elsewhere
		}
		return IO
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		if errors.Is(context.Cause(ctx), interrupt.Signal{Signal: syscall.SIGTERM}) {
			return 128 + int(syscall.SIGTERM)
		}
		return Interrupted
	case errors.As(err, &usage), errors.Is(err, gen.ErrOptions), errors.Is(err, diffuse.ErrOptions), errors.Is(err, knn.ErrOptions), errors.Is(err, metis.ErrWeight), strings.HasPrefix(err.Error(), "unknown command"):
		return Usage
	case errors.As(err, new(limit.Error)), errors.Is(err, vecs.ErrMemory), errors.Is(err, edgelist.ErrMemory):
		return Memory
	case errors.Is(err, ErrNotConverged):
		return NotConverged
	case errors.As(err, &path), errors.As(err, &errno), errors.As(err, &network):
		return IO
	case errors.Is(err, stream.ErrDamaged), errors.Is(err, stream.ErrForeign), errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, &read), errors.Is(err, lines.ErrSyntax), errors.Is(err, csr.ErrStructure), errors.Is(err, csr.ErrDuplicate),
		errors.Is(err, diffuse.ErrSeeds), errors.Is(err, adp.ErrGraph), errors.Is(err, adp.ErrSnapshot), errors.Is(err, model.ErrModel), errors.Is(err, edgelist.ErrName),
		errors.Is(err, knn.ErrFeatures), errors.Is(err, diffuse.ErrFeatures), errors.Is(err, knn.ErrNeighbors),
		errors.Is(err, vecs.ErrFormat):
		return Data
	}
	return Internal
}
