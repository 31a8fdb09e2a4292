//go:build mpi

package run

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/adp-sparse/adp-sparse/cmd/internal/exits"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
	"github.com/adp-sparse/adp-sparse/diffuse/dist"
	"github.com/adp-sparse/adp-sparse/diffuse/dist/mpi"
)

// process is this process under MPI; nil while that has not begun.
var process *mpi.Comm

// waitVariable is the environment variable with the longest wait of a rank for
// another, defaultWait what it is without.
const (
	waitVariable = "ADPSPARSE_MPI_WAIT"
	defaultWait  = 10 * time.Minute
)

// onRanks runs body as a rank of MPI. Once ctx has ended, no rank waits long for another
// one: srun sends SIGTERM to the ranks that a lost one has left, and kills them half a
// minute later.
func onRanks(ctx context.Context, _ int, body func(dist.Comm) error) error {
	wait := defaultWait
	if text := os.Getenv(waitVariable); text != "" {
		var err error
		if wait, err = time.ParseDuration(text); err != nil || wait <= 0 {
			return usage.Errorf("%s=%q, expected a time such as 90s or 10m", waitVariable, text)
		}
	}
	var err error
	if process, err = mpi.Init(wait, func() { stuck(ctx) }); err != nil {
		return err
	}
	defer context.AfterFunc(ctx, process.Hurry)()
	err = dist.Catch(func() error { return body(process) })
	if errors.As(err, new(*dist.Lost)) && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// stuck ends this process alone, as MPI does not come back.
func stuck(ctx context.Context) {
	err := ctx.Err()
	if err == nil {
		err = &dist.Lost{Rank: -1, Why: fmt.Sprintf("rank %d: MPI does not come back", process.Rank())}
	}
	os.Exit(exits.Report(ctx, os.Stderr, "adp-sparse", func(string) bool { return true }, err))
}

// libraryBytes is what MPI takes of a process: 20 MiB Open MPI 4.1, 24 MPICH 4.0, on
// one machine.
const libraryBytes = 24 << 20

// ranksOfProcess returns how many of the ranks a process has.
func ranksOfProcess(int) int { return 1 }

// threadsOfRank returns the number of workers of a rank.
func threadsOfRank(threads, _ int) int { return threads }

// endWait is how long MPI has to end, or to end all ranks. What it waits for may be
// behind a link that is down, or not listen any more: MPICH 4.0 over TCP waits in
// MPI_Finalize for a rank that has closed its side. Then it waits for ever.
const endWait = 5 * time.Second

// lastWords is how long what this rank has written has to pass the launcher before the
// ranks are ended: that of MPICH 4.0 does not read on once it hears of the end, and
// lost the message of one run in seven.
const lastWords = 500 * time.Millisecond

// abort ends all ranks, or at least this one.
func abort(code int) {
	time.Sleep(lastWords)
	time.AfterFunc(endWait, func() { os.Exit(code) })
	process.Abort(code)
}

// finalize ends MPI when all ranks are done, and outputs are written: rank 0 may be
// long about it.
func finalize(code int) error {
	if err := process.Barrier(); err != nil {
		return err
	}
	time.AfterFunc(endWait, func() { os.Exit(code) })
	return process.Finalize()
}

// EndRanks ends MPI, and all other ranks if this one failed. It returns the exit
// code of the program.
func EndRanks(code int) int {
	switch {
	case process == nil:
	case code == exits.OK || code == exits.NotConverged:
		if err := finalize(code); err != nil {
			fmt.Fprintln(os.Stderr, "adp-sparse:", err)
			abort(exits.Internal)
			return exits.Internal
		}
	case code == exits.Elsewhere:
		time.Sleep(3 * time.Second) // the rank that has the error ends the job
		abort(exits.Internal)
	default:
		abort(code)
	}
	return code
}
