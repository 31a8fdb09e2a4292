// Package outfile writes files that are, at any moment and however the program
// ends, the old file or the whole new one.
//
// The new content of out goes to .out.partial beside it, is synced, and takes
// its place by a rename; then the folder is synced. Meanwhile .out.lock is
// locked: a second run that would write out is told so and writes nothing. The
// lock is one of the system's (flock; on Windows a file that nobody else can
// open) and not the mere existence of a file, so that it ends with the process
// that holds it, also by SIGKILL; what such a process leaves is taken over by
// the next one that writes out. Where a file system has no locks there is none,
// and partial files have names of their own.
//
// Of a symbolic link the target is replaced, and the link stays. The mode, the
// owner and the group of the file that is replaced stay too, as far as the
// system permits; access lists, extended attributes and further hard links do
// not.
package outfile

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Output is a file on its way to its place. It is not safe for concurrent use
// but for WriteAt and ReadAt.
//
// Errors are [fs.PathError]s with the name that was given to Create.
type Output struct {
	sys     System
	name    string // for messages
	path    string // where it goes: the name, links followed
	partial string
	lock    io.Closer
	file    File // nil when closed
}

// Create locks the file called name and starts its new content. Discard must
// be called in the end; after Replace it does nothing.
func Create(sys System, name string) (*Output, error) {
	o := &Output{sys: sys, name: name}
	err := o.create()
	if err != nil {
		return nil, errors.Join(err, o.Discard())
	}
	return o, nil
}

func (o *Output) create() error {
	old, err := o.resolve()
	switch {
	case err != nil:
		return o.fail(err)
	case old != nil && old.IsDir():
		return o.fail(syscall.EISDIR)
	case old != nil && !old.Mode().IsRegular():
		return o.fail(errors.New("not a regular file; this output can be written to a file only"))
	}
	o.lock, err = Lock(o.sys, o.path)
	partial := Partial(o.path)
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		partial += fmt.Sprint("-", os.Getpid())
	case err != nil:
		return o.fail(err)
	}
	if err := RemoveLeft(o.sys, partial); err != nil {
		return o.fail(err)
	}
	if o.file, err = o.sys.Create(partial); err != nil {
		return o.fail(err)
	}
	o.partial = partial
	if old != nil {
		err = Resemble(o.file, old)
	}
	return o.fail(err)
}

// RemoveLeft removes the partial file of a run that was killed. What is no file was not made by
// one, and stays: it gives a [Stranger].
func RemoveLeft(sys System, partial string) error {
	info, err := sys.Lstat(partial)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return &Stranger{partial}
	}
	return sys.Remove(partial)
}

// Resemble gives a new file the owner, the group and the mode of the one that it will replace. Who
// may not give a file away keeps it, and who may not give it the group does not let another group
// do what that one could: it may what all others may.
func Resemble(file File, old fs.FileInfo) error {
	mode := old.Mode().Perm()
	uid, gid, known := ownerOf(old)
	mine, err := file.Stat()
	if err != nil {
		return err
	}
	if u, g, ok := ownerOf(mine); known && ok && (u != uid || g != gid) {
		if file.Chown(uid, gid) != nil && g != gid && file.Chown(-1, gid) != nil {
			mode &^= 0o070
			mode |= mode & 0o007 << 3
		}
	}
	return file.Chmod(mode)
}

// resolve follows links and returns the file there, nil for none.
func (o *Output) resolve() (fs.FileInfo, error) {
	const mostLinks = 40
	o.path = o.name
	for range mostLinks {
		info, err := o.sys.Lstat(o.path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			return info, err
		}
		target, err := o.sys.Readlink(o.path)
		if err != nil {
			return nil, err
		}
		if !filepath.IsAbs(target) { // not Join: a folder on the way may be a link
			folder, _ := filepath.Split(o.path)
			target = folder + target
		}
		o.path = target
	}
	return nil, syscall.ELOOP
}

// Is reports whether name leads to the same place, where there need be nothing
// yet.
func (o *Output) Is(name string) (bool, error) {
	other := &Output{sys: o.sys, name: name}
	if _, err := other.resolve(); err != nil {
		return false, other.fail(err)
	}
	if filepath.Base(o.path) != filepath.Base(other.path) {
		return false, nil
	}
	mine, err := o.sys.Lstat(FolderOf(o.path))
	if err != nil {
		return false, o.fail(err)
	}
	its, err := o.sys.Lstat(FolderOf(other.path))
	return err == nil && os.SameFile(mine, its), other.fail(err)
}

// FolderOf returns the folder that holds a file, with a separator at its end
// so that a link to a folder is followed.
func FolderOf(path string) string {
	folder, _ := filepath.Split(path)
	if folder == "" {
		return "." + string(filepath.Separator)
	}
	return folder
}

// Lock locks the file called path by one beside it; see [System]. On a file
// system without locks the error is [errors.ErrUnsupported].
func Lock(sys System, path string) (io.Closer, error) { return sys.Lock(beside(path, "lock")) }

// Partial returns the name that the new content of a file has until it is whole.
func Partial(path string) string { return beside(path, "partial") }

// beside returns the name of a hidden file beside a file.
func beside(path, kind string) string {
	const most = 200 // bytes of a name; systems allow 255
	folder, base := filepath.Split(path)
	if len(base) > most {
		base = fmt.Sprintf("%s-%08x", strings.ToValidUTF8(base[:most], ""), crc32.ChecksumIEEE([]byte(base)))
	}
	return folder + "." + base + "." + kind
}

// fail names the output in an error, nil for nil.
func (o *Output) fail(err error) error { return Named(o.name, err) }

// Named returns an error of the writing of a file with the name that its user
// knows, and not that of a partial file or a lock; nil for nil.
func Named(name string, err error) error {
	if err == nil {
		return nil
	}
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		err = path.Err
	case errors.As(err, &link):
		err = link.Err
	}
	return &fs.PathError{Op: "write", Path: name, Err: err}
}

func (o *Output) Write(b []byte) (int, error) {
	n, err := o.file.Write(b)
	return n, o.fail(err)
}

// WriteAt and ReadAt are for files that are written at several places.
func (o *Output) WriteAt(b []byte, at int64) (int, error) {
	n, err := o.file.WriteAt(b, at)
	return n, o.fail(err)
}

// ReadAt reads what was written.
func (o *Output) ReadAt(b []byte, at int64) (int, error) {
	n, err := o.file.ReadAt(b, at)
	if err == io.EOF {
		return n, err
	}
	return n, o.fail(err)
}

// Truncate sets the length.
func (o *Output) Truncate(size int64) error { return o.fail(o.file.Truncate(size)) }

// Finish ends the writing: the content is on the disk, and not yet in its
// place.
func (o *Output) Finish() error {
	file := o.file
	o.file = nil
	// A sync that failed is not repeated: the system may have dropped the data.
	return o.fail(errors.Join(file.Sync(), file.Close()))
}

// Replace puts the finished file in its place and unlocks it.
func (o *Output) Replace() error {
	if err := o.sys.Rename(o.partial, o.path); err != nil {
		return errors.Join(o.fail(err), o.Discard())
	}
	o.partial = ""
	return errors.Join(o.fail(o.sys.SyncFolder(FolderOf(o.path))), o.Discard())
}

// Discard removes files that are not in their places and unlocks the output.
func (o *Output) Discard() error {
	var faults []error
	if o.file != nil {
		faults = append(faults, o.fail(o.file.Close()))
	}
	if o.partial != "" {
		faults = append(faults, o.fail(o.sys.Remove(o.partial)))
	}
	if o.lock != nil {
		faults = append(faults, o.fail(o.lock.Close()))
	}
	o.file, o.partial, o.lock = nil, "", nil
	return errors.Join(faults...)
}
