//go:build dragonfly || linux || openbsd || solaris

package store

import "syscall"

func changeTimeOf(s *syscall.Stat_t) syscall.Timespec { return s.Ctim }
