package outfile

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
)

// System is the file system as outputs use it. Tests make any of its calls
// fail.
type System interface {
	Lstat(name string) (fs.FileInfo, error)
	Readlink(name string) (string, error)
	// Lock makes and locks the file called name. Closing the lock removes it.
	// Errors are a [Busy], wrap [errors.ErrUnsupported] where there are no
	// locks, or say why the file cannot be made.
	Lock(name string) (io.Closer, error)
	// Create makes a file that must not be there yet, for reading and writing.
	Create(name string) (File, error)
	// Open opens a file that is there, for reading and writing.
	Open(name string) (File, error)
	Remove(name string) error
	Rename(from, to string) error
	SyncFolder(name string) error
}

// File is an open file of a System.
type File interface {
	io.Writer
	io.WriterAt
	io.ReaderAt
	Truncate(size int64) error
	Chmod(mode fs.FileMode) error
	Chown(uid, gid int) error
	Stat() (fs.FileInfo, error)
	Sync() error
	Close() error
}

// Busy is the error for a file that another process has locked: the number of
// the process, 0 where that cannot be known.
type Busy int

func (b Busy) Error() string {
	if b == 0 {
		return "another run is writing it"
	}
	return fmt.Sprintf("another run is writing it (process %d)", int(b))
}

// mostLock is the most bytes of a lock, which holds the number of a process: a longer file is
// somebody's.
const mostLock = 20

// Stranger is the error for something that has the name of a partial file or of a lock and that
// no run left there.
type Stranger struct{ Name string }

func (s *Stranger) Error() string {
	return s.Name + " is in the way, and no run made it: remove it, or choose another name"
}

// OS is the file system of the machine.
type OS struct{}

// Lstat is [os.Lstat].
func (OS) Lstat(name string) (fs.FileInfo, error) { return os.Lstat(name) }

// Readlink is [os.Readlink].
func (OS) Readlink(name string) (string, error) { return os.Readlink(name) }

// Remove is [os.Remove].
func (OS) Remove(name string) error { return os.Remove(name) }

// Rename is [os.Rename].
func (OS) Rename(from, to string) error { return os.Rename(from, to) }

// Create makes a file.
func (OS) Create(name string) (File, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, err // not f, a nil pointer in an interface
	}
	return f, nil
}

// Open opens a file.
func (OS) Open(name string) (File, error) {
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// SyncFolder makes a rename last. Windows does so by itself and cannot sync
// folders.
func (OS) SyncFolder(name string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(name)
	if err != nil {
		return err
	}
	err = d.Sync()
	if closing := d.Close(); err == nil {
		err = closing
	}
	return err
}
