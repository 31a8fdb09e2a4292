//go:build darwin || freebsd || netbsd

package store

import "syscall"

func changeTimeOf(s *syscall.Stat_t) syscall.Timespec { return s.Ctimespec }
