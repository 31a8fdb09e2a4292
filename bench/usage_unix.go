//go:build unix

package bench

import (
	"os"
	"runtime"
	"syscall"
	"time"
)

// CPUTime returns the processor time that this process has used.
func CPUTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// largestResident returns the largest resident memory of a process that has
// ended, in bytes.
func largestResident(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return int64(usage.Maxrss) // bytes there, KiB elsewhere
	}
	return int64(usage.Maxrss) << 10
}
