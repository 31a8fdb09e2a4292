//go:build unix

package filemap

import (
	"os"

	"golang.org/x/sys/unix"
)

const (
	// Has is false where files cannot be mapped.
	Has = true
	// Cuts is true where a file can be made shorter while it is mapped.
	Cuts = true
)

// Map maps the first size bytes of a file, which must be more than none, for
// reading, or for reading and writing. The file may be closed after it.
func Map(f *os.File, size int64, write bool) ([]byte, error) {
	access := unix.PROT_READ
	if write {
		access |= unix.PROT_WRITE
	}
	b, err := unix.Mmap(int(f.Fd()), 0, int(size), access, unix.MAP_SHARED)
	return b, os.NewSyscallError("mmap", err)
}

// Unmap ends a mapping.
func Unmap(b []byte) error { return os.NewSyscallError("munmap", unix.Munmap(b)) }
