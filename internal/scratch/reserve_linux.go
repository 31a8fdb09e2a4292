package scratch

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// reserve makes a file size bytes long that the disk has room for.
func reserve(f *os.File, size int64) error {
	for {
		err := unix.Fallocate(int(f.Fd()), 0, 0, size)
		switch {
		case err == nil:
			return nil
		case errors.Is(err, unix.EINTR):
		case errors.Is(err, unix.EOPNOTSUPP), errors.Is(err, unix.ENOSYS):
			return fill(f, size)
		default:
			return os.NewSyscallError("fallocate", err)
		}
	}
}
