//go:build !unix

package mutant

import "time"

var started = time.Now()

// used returns the wall time: this system is not asked for more.
func used() time.Duration { return time.Since(started) }
