//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd || solaris

package store

import (
	"os"
	"syscall"
	"time"
)

// changeTime returns the time when the system last recorded a write to a file, or a change of its
// name, owner or mode. No program can set it.
func changeTime(info os.FileInfo) time.Time {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		t := changeTimeOf(s)
		return time.Unix(t.Unix())
	}
	return time.Time{}
}
