package checkpoint

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"github.com/adp-sparse/adp-sparse/adp"
)

// File is an open checkpoint. It is used by one goroutine.
type File struct {
	// Damage says why the newest state was not taken and the one before was;
	// nil for none.
	Damage error

	path, program string
	file          *os.File
	out           medium // the file, but for tests
	newest        *slot  // nil while no state has been saved
	at            int    // the index of newest
	placed        bool   // the file has its own name
	failed        error  // the first error of a save
}

// medium is what a state is written to.
type medium interface {
	io.WriterAt
	Sync() error
}

// temporary is the ending of the name that a file has until it holds a state.
const temporary = ".new"

// Create makes a checkpoint that is to be at path, which it replaces with the
// first state. Until then the file is called path.new. The program is what
// made the states: its version, and what else they may depend on.
func Create(path, program string) (*File, error) {
	f, err := os.OpenFile(path+temporary, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return nil, err
	}
	return &File{path: path, program: program, file: f, out: f}, nil
}

// Open opens the checkpoint at path and reads its newest state, or the one
// before where that is damaged; see [File.Damage]. A file without a whole state
// is an [ErrSyntax], a state of another program an [adp.ErrSnapshot]. Memory
// beside the snapshot: 64 KiB, and the numbers of the rounds.
func Open(path, program string) (*File, *adp.Snapshot, error) {
	in, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, nil, err
	}
	f := &File{path: path, program: program, file: in, out: in, placed: true}
	s, err := f.load()
	if err != nil {
		return nil, nil, errors.Join(err, in.Close())
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
	if n, f.newest, f.at, f.Damage, err = newest(f.file, info.Size()); err != nil {
		return nil, faultf(f.path, "%v", err)
	}
	if n.Program != f.program {
		return nil, fmt.Errorf("%s: %w: it was made by %q; this is %q", f.path, adp.ErrSnapshot, n.Program, f.program)
	}
	return n.Snapshot, nil
}

// newest reads the newest whole state of a file of that size. damage is why a
// newer one was not taken.
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
			if k == first && faults[1-k] == nil || errors.Is(damage, errEmpty) {
				damage = nil
			}
			return n, found[k], k, damage, nil
		}
		faults[k] = err
	}
	return nil, nil, 0, nil, fmt.Errorf("no whole state; slot 0: %w; slot 1: %w", faults[0], faults[1])
}

// Save writes a snapshot. When it returns without an error the state is on the
// disk; until then the state before is. An error ends the use of the file.
//
// It streams: 256 KiB, and the text of the numbers, about 400 bytes a round
// and 24 bytes a seed that the trial has left out. The file takes up to three
// times the space of a state.
func (f *File) Save(s *adp.Snapshot) error {
	if f.failed == nil {
		f.failed = f.save(s)
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

// place gives the file its name. It is closed meanwhile: not all systems rename
// open files.
func (f *File) place() error {
	if f.placed {
		return nil
	}
	if err := errors.Join(f.file.Close(), os.Rename(f.path+temporary, f.path)); err != nil {
		return err
	}
	f.placed = true
	if err := syncDirectory(filepath.Dir(f.path)); err != nil {
		return err
	}
	file, err := os.OpenFile(f.path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	f.file, f.out = file, file
	return nil
}

// Saved reports whether the file holds a state.
func (f *File) Saved() bool { return f.placed }

// Close closes the file. One without a state is removed. A second Close, or
// one after [File.Remove], does nothing.
func (f *File) Close() error {
	if f.file == nil {
		return nil
	}
	err := f.file.Close()
	if errors.Is(err, os.ErrClosed) {
		err = nil // by place, when that failed
	}
	f.file = nil
	if !f.placed {
		err = errors.Join(err, os.Remove(f.path+temporary))
	}
	return err
}

// Remove closes the file and removes it: the run is done.
func (f *File) Remove() error {
	err := f.Close()
	if f.placed {
		err = errors.Join(err, os.Remove(f.path))
	}
	return err
}

// syncDirectory makes a rename last. Windows does so by itself and cannot sync
// folders.
func syncDirectory(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
