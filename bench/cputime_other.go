//go:build !unix

package bench

import "time"

var started = time.Now()

// cpuTime returns the wall time: this system is not asked for more.
func cpuTime() time.Duration { return time.Since(started) }
