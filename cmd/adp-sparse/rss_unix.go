//go:build unix

package main

import (
	"runtime"
	"syscall"
)

// peakRSS returns the largest resident memory of this process in bytes, 0 if
// the system does not tell.
func peakRSS() int64 {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return int64(usage.Maxrss) // bytes there, KiB elsewhere
	}
	return int64(usage.Maxrss) << 10
}
