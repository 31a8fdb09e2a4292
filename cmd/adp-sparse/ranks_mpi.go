//go:build mpi

package main

import (
	"fmt"
	"os"
	"time"

	"github.com/adp-sparse/adp-sparse/diffuse/dist"
	"github.com/adp-sparse/adp-sparse/diffuse/dist/mpi"
)

// ranks is this process under MPI; nil while that has not begun.
var ranks *mpi.Comm

// waitVariable is the environment variable with the longest wait of a rank for
// another, defaultWait what it is without.
const (
	waitVariable = "ADPSPARSE_MPI_WAIT"
	defaultWait  = 10 * time.Minute
)

// onRanks runs body as a rank of MPI.
func onRanks(_ int, body func(dist.Comm) error) error {
	wait := defaultWait
	if text := os.Getenv(waitVariable); text != "" {
		var err error
		if wait, err = time.ParseDuration(text); err != nil || wait <= 0 {
			return usagef("%s=%q, expected a time such as 90s or 10m", waitVariable, text)
		}
	}
	var err error
	if ranks, err = mpi.Init(wait); err != nil {
		return err
	}
	return dist.Catch(func() error { return body(ranks) })
}

// libraryBytes is what MPI takes of a process: 20 MiB Open MPI 4.1, 24 MPICH 4.0, on
// one machine.
const libraryBytes = 24 << 20

// ranksOfProcess returns how many of the ranks a process has.
func ranksOfProcess(int) int { return 1 }

// threadsOfRank returns the number of workers of a rank.
func threadsOfRank(threads, _ int) int { return threads }

// endRanks ends MPI, and all other ranks if this one failed. It returns the exit
// code of the program.
func endRanks(code int) int {
	switch {
	case ranks == nil:
	case code == exitOK || code == exitNotConverged:
		if err := ranks.Finalize(); err != nil {
			fmt.Fprintln(os.Stderr, "adp-sparse:", err)
			return exitInternal
		}
	case code == exitElsewhere:
		time.Sleep(3 * time.Second) // the rank that has the error ends the job
		ranks.Abort(exitInternal)
	default:
		ranks.Abort(code)
	}
	return code
}
