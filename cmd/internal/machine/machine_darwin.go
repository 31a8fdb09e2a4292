package machine

import "golang.org/x/sys/unix"

// installed returns the bytes of memory that the machine has, 0 if the system
// does not tell.
func installed() int64 {
	bytes, err := unix.SysctlUint64("hw.memsize")
	if err != nil {
		return 0
	}
	return int64(bytes)
}
