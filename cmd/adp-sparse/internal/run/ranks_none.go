//go:build !mpi

package run

import (
	"context"
	"runtime"

	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
	"github.com/adp-sparse/adp-sparse/diffuse/dist"
)

// onRanks runs body on ranks of this process, one for each part.
func onRanks(_ context.Context, parts int, body func(dist.Comm) error) error {
	if n := launched(); n > 1 {
		return usage.Errorf("%d processes were started, but this program is built without MPI; see docs/cluster.md", n)
	}
	return dist.Local(parts, body)
}

// libraryBytes is what MPI takes of a process.
const libraryBytes = 0

// ranksOfProcess returns how many of the ranks a process has.
func ranksOfProcess(all int) int { return all }

// threadsOfRank returns the number of workers of each of some ranks.
func threadsOfRank(threads, ranks int) int {
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	return max(1, threads/ranks)
}

// EndRanks returns the exit code of the program.
func EndRanks(code int) int { return code }
