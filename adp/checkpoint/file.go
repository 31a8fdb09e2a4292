package checkpoint

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/internal/outfile"
)

// File is an open checkpoint, for one goroutine. While it is open the checkpoint is locked: another
// run that tries to use it gets an error.
//
// Errors of writing name the checkpoint.
type File struct {
	// Damage says why the state before the newest was read; nil if the newest was.
	Damage error

	sys           outfile.System
	path, program string
	lock          io.Closer // nil where there are no locks
	file          outfile.File
	out           medium // the file, but for tests
	newest        *slot  // nil while no state has been saved
	at            int    // the index of newest
	placed        bool   // the file has its own name
	failed        error  // the first error of a save
}

// medium is the file that a state is written to.
type medium interface {
	io.WriterAt
	Sync() error
}

// Create makes a checkpoint to be at path, which it replaces with the first state. Until then the
// file has the name of [outfile.Partial]. program identifies the maker of the states: its version,
// and all else that they depend on.
func Create(path, program string) (*File, error) { return CreateOn(outfile.OS{}, path, program) }

// CreateOn is [Create] on a file system whose calls can fail in tests.
func CreateOn(sys outfile.System, path, program string) (*File, error) {
	f := &File{sys: sys, path: path, program: program}
	err := f.hold()
	if err == nil {
		err = outfile.RemoveLeft(sys, outfile.Partial(path))
	}
	if err == nil {
		f.file, err = sys.Create(outfile.Partial(path))
	}
	if err != nil {
		return nil, errors.Join(outfile.Named(path, err), f.Close())
	}
	f.out = f.file
	old, err := sys.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = nil
	case err == nil && old.Mode().IsRegular():
		err = outfile.Resemble(f.file, old)
	}
	if err != nil {
		return nil, errors.Join(outfile.Named(path, err), f.Close())
	}
	return f, nil
}

// hold locks the checkpoint.
func (f *File) hold() error {
	lock, err := outfile.Lock(f.sys, f.path)
	if err == nil {
		f.lock = lock
	}
	if errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return err
}

// Open opens the checkpoint at path and reads its newest state, or the one before if that is
// damaged; see [File.Damage]. A file without a whole state is an [ErrSyntax], a state of another
// program an [adp.ErrSnapshot]. Memory beside the snapshot: 64 KiB, and the numbers of the rounds.
func Open(path, program string) (*File, *adp.Snapshot, error) {
	return OpenOn(outfile.OS{}, path, program)
}

// OpenOn is [Open] on a file system whose calls can fail in tests.
func OpenOn(sys outfile.System, path, program string) (*File, *adp.Snapshot, error) {
	if _, err := sys.Lstat(path); err != nil { // before there is a lock beside it
		return nil, nil, err
	}
	f := &File{sys: sys, path: path, program: program, placed: true}
	err := f.hold()
	if err == nil {
		f.file, err = sys.Open(path)
	}
	if err != nil {
		return nil, nil, errors.Join(outfile.Named(path, err), f.Close())
	}
	f.out = f.file
	s, err := f.load()
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return f, s, nil
}

func (f *File) load() (*adp.Snapshot, error) {
	info, err := f.file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, faultf(f.path, "not a regular file, expected a checkpoint")
	}
	var n *numbers
	n, f.newest, f.at, f.Damage, err = newest(f.file, info.Size())
	var unread *fs.PathError
	switch {
	case errors.As(err, &unread): // tells nothing about the content
		return nil, fmt.Errorf("%s: %w", f.path, unread)
	case err != nil:
		return nil, faultf(f.path, "%v", err)
	}
	if n.Program != f.program {
		return nil, fmt.Errorf("%s: %w: it was made by %q; this is %q", f.path, adp.ErrSnapshot, n.Program, f.program)
	}
	return n.Snapshot, nil
}

// newest reads the newest whole state of a file of the given size. damage says why a newer one was
// not read.
func newest(r io.ReaderAt, size int64) (n *numbers, s *slot, at int, damage, err error) {
	var found [slots]*slot
	var faults [slots]error
	for k := range found {
		b := make([]byte, slotSize)
		got, err := r.ReadAt(b, int64(k)*slotSize)
		if err != nil && err != io.EOF {
			return nil, nil, 0, nil, err
		}
		found[k], faults[k] = decodeSlot(b[:got], size)
	}
	first := 0
	if found[0] == nil || found[1] != nil && found[1].sequence > found[0].sequence {
		first = 1
	}
	for _, k := range []int{first, 1 - first} {
		if found[k] == nil {
			continue
		}
		if n, err = read(r, found[k]); err == nil {
			// A slot that was never written is no damage.
			damage = faults[1-k]
			if errors.Is(damage, errEmpty) {
				damage = nil
			}
			return n, found[k], k, damage, nil
		}
		faults[k] = err
	}
	return nil, nil, 0, nil, fmt.Errorf("no whole state; slot 0: %w; slot 1: %w", faults[0], faults[1])
}

// Save writes a snapshot. When it returns without an error the state is on the disk; until then the
// state before is. After an error the file cannot be used. After [File.Close] or [File.Remove] it
// returns an [fs.ErrClosed].
//
// It streams: 256 KiB, and the text of the numbers, about 400 bytes a round and 24 bytes for each
// left-out seed of the trial, or for each pseudo-label in each fold. The file takes up to three
// times the space of a state.
func (f *File) Save(s *adp.Snapshot) error {
	switch {
	case f.failed != nil:
	case f.out == nil:
		f.failed = fmt.Errorf("%s: the checkpoint is closed: %w", f.path, fs.ErrClosed)
	default:
		f.failed = f.named(f.save(s))
	}
	return f.failed
}

func (f *File) save(s *adp.Snapshot) error {
	lengths, write, err := layout(s, f.program)
	if err != nil {
		return fmt.Errorf("%s: %w", f.path, err)
	}
	next, at := &slot{sequence: 1, from: bodies}, 0
	for k, length := range lengths {
		next.sections[k].length = length
	}
	if f.newest != nil {
		next.sequence, at = f.newest.sequence+1, 1-f.at
		if next.to() > f.newest.from {
			next.from = f.newest.to()
		}
	}
	w := bufio.NewWriterSize(io.NewOffsetWriter(f.out, next.from), 256<<10)
	for k := range write {
		sum := &checksum{}
		if err := write[k](io.MultiWriter(w, sum)); err != nil {
			return err
		}
		next.sections[k].sum = sum.crc
	}
	if err := errors.Join(w.Flush(), f.out.Sync()); err != nil {
		return err
	}
	if _, err := f.out.WriteAt(next.encode(), int64(at)*slotSize); err != nil {
		return err
	}
	if err := f.out.Sync(); err != nil {
		return err
	}
	f.newest, f.at = next, at
	return f.place()
}

// named adds the name of the checkpoint to an error of writing. An invalid state is the caller's
// fault, and has its own error.
func (f *File) named(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	if errors.As(err, &path) || errors.As(err, &link) {
		return outfile.Named(f.path, err)
	}
	return err
}

// place gives the file its name. It closes the file meanwhile: not all systems rename open files.
func (f *File) place() error {
	if f.placed {
		return nil
	}
	err := f.file.Close()
	f.file = nil
	if err == nil {
		err = f.sys.Rename(outfile.Partial(f.path), f.path)
	}
	if err != nil {
		return err
	}
	f.placed = true
	if err := f.sys.SyncFolder(outfile.FolderOf(f.path)); err != nil {
		return err
	}
	if f.file, err = f.sys.Open(f.path); err != nil {
		f.file = nil
		return err
	}
	f.out = f.file
	return nil
}

// Saved reports whether the file holds a state.
func (f *File) Saved() bool { return f.placed }

// Close closes and unlocks the file. It removes a file without a state. A second Close, or one
// after [File.Remove], does nothing.
func (f *File) Close() error { return f.end(outfile.Partial(f.path), !f.placed) }

// Remove closes and removes the file: the run is done.
func (f *File) Remove() error {
	if f.placed {
		return f.end(f.path, true)
	}
	return f.Close()
}

// end closes the file, removes it by its present name, if asked to, and unlocks it.
func (f *File) end(name string, remove bool) error {
	var faults []error
	if f.file != nil {
		faults = append(faults, f.file.Close())
	}
	if remove && f.out != nil {
		faults = append(faults, f.sys.Remove(name))
	}
	if f.lock != nil {
		faults = append(faults, f.lock.Close())
	}
	f.file, f.out, f.lock = nil, nil, nil
	for k, err := range faults {
		faults[k] = outfile.Named(f.path, err)
	}
	return errors.Join(faults...)
}
