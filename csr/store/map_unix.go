//go:build unix

package store

import (
	"os"

	"golang.org/x/sys/unix"
)

const canMap = true

// mapFile maps the whole file read-only. The size is not 0, for a file has a
// header.
func mapFile(f *os.File, size int64) ([]byte, error) {
	mapped, err := unix.Mmap(int(f.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, os.NewSyscallError("mmap", err)
	}
	return mapped, nil
}

func unmapFile(mapped []byte) error {
	return os.NewSyscallError("munmap", unix.Munmap(mapped))
}
