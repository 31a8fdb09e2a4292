//go:build unix

package machine

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
)

// PeakResident returns the largest resident memory of this process in bytes, 0 if
// the system does not tell.
//
// On Linux getrusage counts what the process that started this one held at
// that moment, however large it was; the high-water mark in /proc begins anew
// with the program.
func PeakResident() int64 {
	if text, err := os.ReadFile("/proc/self/status"); err == nil {
		if peak := highWater(string(text)); peak > 0 {
			return peak
		}
	}
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return int64(usage.Maxrss) // bytes there, KiB elsewhere
	}
	return int64(usage.Maxrss) << 10
}

// highWater returns the bytes of the line VmHWM of a process's status, 0 if
// there is none.
func highWater(status string) int64 {
	for line := range strings.Lines(status) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == "VmHWM:" && f[2] == "kB" {
			kib, err := strconv.ParseInt(f[1], 10, 64)
			if err == nil && kib > 0 && kib < 1<<50 {
				return kib << 10
			}
		}
	}
	return 0
}
