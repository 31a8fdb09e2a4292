//go:build unix && !aix && !solaris

package outfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// lock is a locked file. The lock belongs to the open file, and so ends with
// the process.
type lock struct{ *os.File }

// Close removes the file first: who has it open already will find that it is
// not the one of that name. Another file of the name is not ours to remove.
func (l lock) Close() error {
	var err error
	if isStill(l.File, l.Name()) {
		err = os.Remove(l.Name())
	}
	return errors.Join(err, l.File.Close())
}

// Lock makes and locks a file.
func (OS) Lock(name string) (io.Closer, error) {
	const attempts = 100 // each fails only when another run has just ended
	for range attempts {
		info, err := os.Lstat(name)
		if err == nil && !info.Mode().IsRegular() {
			return nil, &Stranger{name}
		}
		isNew := errors.Is(err, fs.ErrNotExist)
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0o644)
		if err != nil {
			return nil, err
		}
		if err := flock(f); err != nil {
			if isNew && errors.Is(err, errors.ErrUnsupported) {
				os.Remove(name)
			}
			return nil, errors.Join(err, f.Close())
		}
		if !isLock(f) {
			return nil, errors.Join(&Stranger{name}, f.Close())
		}
		if isStill(f, name) {
			// The number helps who is refused; without it the lock holds as well.
			if f.Truncate(0) == nil {
				fmt.Fprintln(f, os.Getpid())
			}
			return lock{f}, nil
		}
		f.Close()
	}
	return nil, Busy(0)
}

func flock(f *os.File) error {
	for {
		switch err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err {
		case syscall.EINTR:
		case syscall.EWOULDBLOCK:
			holder := 0
			fmt.Fscan(io.LimitReader(f, 20), &holder)
			return Busy(holder)
		case syscall.ENOLCK, syscall.EINVAL:
			return errors.ErrUnsupported
		default:
			return err // ENOSYS and ENOTSUP are ErrUnsupported
		}
	}
}

// isStill reports whether f is the file of that name: the run that held the
// lock before may have removed it.
func isStill(f *os.File, name string) bool {
	mine, err := f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Lstat(name)
	return err == nil && os.SameFile(mine, there)
}

// isLock reports whether a file may be one that [OS.Lock] made.
func isLock(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode().IsRegular() && info.Size() <= mostLock
}
