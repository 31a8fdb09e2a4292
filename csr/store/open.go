package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"sync"
	"syscall"
	"unsafe"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/internal/filemap"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// File is an open .csr file. Its matrix and its names may lie in mapped memory: they must not be
// used after Close.
//
// If another process shortens the file, reading the missing pages raises a fault, which ends the
// program unless they are read within [File.Guard]. If it writes into the file, results mix old and
// new content: [File.Unchanged] detects this. Files that are replaced by rename, as this program
// does, are safe.
type File struct {
	name   string
	matrix *csr.Matrix
	names  *ids.Table
	mapped []byte // nil when the file was read into memory

	header *header     // as it was when the file was opened
	in     *os.File    // the file that is mapped
	lock   sync.Mutex  // of seen
	seen   os.FileInfo // of in, when its content last matched the header
}

// Matrix returns the matrix of the file.
func (f *File) Matrix() *csr.Matrix { return f.matrix }

// IDs returns the names of the rows: those of the file, or the sequence.
func (f *File) IDs() *ids.Table { return f.names }

// Close frees the mapped memory. A second Close does nothing.
func (f *File) Close() error {
	mapped, in := f.mapped, f.in
	f.matrix, f.names, f.mapped, f.in = nil, nil, nil, nil
	if mapped == nil {
		return nil
	}
	return errors.Join(filemap.Unmap(mapped), in.Close())
}

// Open maps the file at path, on systems with mapped files and little-endian processors, and reads
// it into memory on others. It reads the whole file once, to check it. The mapped part takes memory
// only as long as the system has it to spare.
func Open(path string) (*File, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	f, err := open(in, path)
	if err != nil || f.in == nil {
		return f, errors.Join(err, in.Close())
	}
	return f, nil
}

func open(in *os.File, path string) (*File, error) {
	info, err := in.Stat()
	if err != nil {
		return nil, err
	}
	if info.IsDir() { // Windows reports no error
		return nil, &os.PathError{Op: "read", Path: path, Err: syscall.EISDIR}
	}
	if !info.Mode().IsRegular() {
		return readFile(in, path, -1)
	}
	if !filemap.Has || !littleEndian() {
		return readFile(in, path, info.Size())
	}
	h, err := readHeader(in, path, info.Size())
	if err != nil {
		return nil, err
	}
	mapped, err := filemap.Map(in, info.Size(), false)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	f := &File{name: path, mapped: mapped, header: h, in: in, seen: info}
	if err := f.load(); err != nil {
		return nil, errors.Join(err, filemap.Unmap(mapped))
	}
	return f, nil
}

func readFile(in *os.File, path string, size int64) (*File, error) {
	m, names, err := Read(in, path, size)
	if err != nil {
		return nil, err
	}
	return &File{matrix: m, names: names}, nil
}

func littleEndian() bool { return binary.NativeEndian.Uint16([]byte{1, 0}) == 1 }

// Guard calls read, which may use the matrix and the names, and returns its error. If the file was
// shortened or changed meanwhile, it returns an error that names the file: a panic of read is then
// no fault of the program. Otherwise a panic continues, as an error whose text has its stack. The
// parallel loops of this module pass faults and panics on to the goroutine that started them; other
// goroutines that read starts must have a Guard of their own.
func (f *File) Guard(read func() error) error {
	err := rows.Catch(read)
	var fault *rows.Fault
	if errors.As(err, &fault) && f.holds(fault.Address) {
		return f.cutShort()
	}
	var p *rows.Panic
	if changed := f.unchanged(errors.As(err, &p)); changed != nil {
		return changed
	}
	rows.Rethrow(err)
	return err
}

// Unchanged returns an error that names the file if another process has written into it since it
// was opened: the matrix and all results of it are then useless. It asks the system for the file's
// times, and reads the whole file only if one of them differs, which a new name, owner or mode
// causes too.
func (f *File) Unchanged() error { return f.unchanged(false) }

// unchanged is Unchanged. With sure it reads the file whatever the times are: a process that has
// mapped the file too can write into it without changing a time.
func (f *File) unchanged(sure bool) error {
	f.lock.Lock()
	defer f.lock.Unlock()
	if f.mapped == nil {
		return nil
	}
	info, err := f.in.Stat()
	if err != nil {
		return err
	}
	if info.Size() < f.seen.Size() {
		return f.cutShort()
	}
	if !sure && untouched(info, f.seen) {
		return nil
	}
	if err := rows.Catch(func() error {
		_, err := checkSections(f.name, f.header, f.mapped)
		return err
	}); err != nil {
		return faultf(f.name, "changed by another process while it was in use")
	}
	f.seen = info
	return nil
}

func (f *File) cutShort() error {
	return faultf(f.name, "cut short by another process while it was in use")
}

// untouched reports whether a file still has the size and times of seen. Programs can set the time
// of the last write, as those that copy do; the time of the last change they cannot set.
func untouched(info, seen os.FileInfo) bool {
	return info.Size() == seen.Size() && info.ModTime().Equal(seen.ModTime()) && changeTime(info).Equal(changeTime(seen))
}

// holds reports whether an address lies in the mapped file.
func (f *File) holds(address uintptr) bool {
	start := uintptr(unsafe.Pointer(unsafe.SliceData(f.mapped)))
	return address >= start && address-start < uintptr(len(f.mapped))
}

// load checks the mapped bytes and makes the matrix of them.
func (f *File) load() error { return f.Guard(f.check) }

func (f *File) check() error {
	name, h := f.name, f.header
	parts, err := checkSections(name, h, f.mapped)
	if err != nil {
		return err
	}
	a := arrays{
		indptr:  view[int64](parts[indptrSection]),
		indices: view[uint32](parts[indicesSection]),
		data:    view[float32](parts[dataSection]),
		ends:    view[uint64](parts[endsSection]),
		text:    parts[textSection],
	}
	f.matrix, f.names, err = a.build(name, h)
	return err
}

// checkSections splits the file into its sections and checks their sums.
func checkSections(name string, h *header, mapped []byte) (parts [sections][]byte, err error) {
	at := int64(headerSize)
	for k, n := range h.lengths() {
		end := at + padded(n)
		parts[k] = mapped[at : at+n : at+n]
		if err := checkSection(name, h, k, crc32.Checksum(parts[k], castagnoli), mapped[at+n:end]); err != nil {
			return parts, err
		}
		at = end
	}
	return parts, nil
}

// view returns b, which is aligned and a multiple of the item's size, as items.
func view[T int64 | uint64 | uint32 | float32](b []byte) []T {
	if len(b) == 0 {
		return nil
	}
	var item T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(item)))
}
