package bench

import (
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// CPUTime returns the processor time of this process, of all its threads.
func CPUTime() time.Duration {
	var created, exited, kernel, user windows.Filetime
	if windows.GetProcessTimes(windows.CurrentProcess(), &created, &exited, &kernel, &user) != nil {
		return 0
	}
	return 100 * time.Duration(ticks(kernel)+ticks(user)) // ns
}

// ticks are units of 100 ns.
func ticks(t windows.Filetime) int64 { return int64(t.HighDateTime)<<32 | int64(t.LowDateTime) }

// largestResident returns 0: the system does not say of a process that has ended.
func largestResident(*os.ProcessState) int64 { return 0 }
