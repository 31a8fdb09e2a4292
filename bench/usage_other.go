//go:build !unix && !windows

package bench

import (
	"os"
	"time"
)

var started = time.Now()

// CPUTime returns the wall time: this system is not asked for more.
func CPUTime() time.Duration { return time.Since(started) }

// largestResident returns 0: this system is not asked.
func largestResident(*os.ProcessState) int64 { return 0 }
