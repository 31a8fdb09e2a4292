//go:build unix

package scratch

import (
	"os"

	"golang.org/x/sys/unix"
)

type onDisk struct {
	*os.File
	named bool
}

func (f onDisk) Named() bool { return f.named }

// Map reserves size bytes and maps them for reading and writing.
func (f onDisk) Map(size int64) ([]byte, error) {
	if err := reserve(f.File, size); err != nil {
		return nil, err
	}
	b, err := unix.Mmap(int(f.Fd()), 0, int(size), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	return b, os.NewSyscallError("mmap", err)
}

func unmap(b []byte) error { return os.NewSyscallError("munmap", unix.Munmap(b)) }
