package outfile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
)

const (
	deleteOnClose    = 0x04000000 // FILE_FLAG_DELETE_ON_CLOSE
	sharingViolation = syscall.Errno(32)
)

// Lock makes a file that no other process can open and that is gone when the
// last handle is closed, also by the end of the process. A
// longer file than a lock is on any system is not one.
func (OS) Lock(name string) (io.Closer, error) {
	if info, err := os.Lstat(name); err == nil && (!info.Mode().IsRegular() || info.Size() > mostLock) {
		return nil, &Stranger{name}
	}
	path, err := syscall.UTF16PtrFromString(name)
	if err != nil {
		return nil, err
	}
	handle, err := syscall.CreateFile(path, syscall.GENERIC_READ|syscall.GENERIC_WRITE, 0, nil, syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL|deleteOnClose, 0)
	if errors.Is(err, sharingViolation) {
		return nil, Busy(0)
	}
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return os.NewFile(uintptr(handle), name), nil
}
