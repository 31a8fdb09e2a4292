//go:build unix

package mutant

import (
	"syscall"
	"time"
)

// used returns the processor time that this process has used: it does not
// depend on what else the machine does.
func used() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
