package main

import "golang.org/x/sys/unix"

// machineMemory returns the bytes of memory that the machine has, 0 if the system
// does not tell.
func machineMemory() int64 {
	bytes, err := unix.SysctlUint64("hw.memsize")
	if err != nil {
		return 0
	}
	return int64(bytes)
}
