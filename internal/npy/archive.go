package npy

import (
	"archive/zip"
	"bufio"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/adp-sparse/adp-sparse/internal/lines"
)

// Archive is a .npz file: a zip archive of arrays.
type Archive struct {
	file   string
	names  []string
	byName map[string]*zip.File
}

// archiveStart is how a .npz archive begins.
const archiveStart = "PK"

// OpenArchive reads the directory of the .npz file of the given size.
func OpenArchive(r io.ReaderAt, file string, size int64) (*Archive, error) {
	directory, err := zip.NewReader(r, size)
	if err != nil {
		return nil, &lines.Error{File: file, Msg: fmt.Sprintf("not a .npz archive: %v", err)}
	}
	// Its directory is at the end, and would be enough.
	head := make([]byte, len(archiveStart))
	if _, err := r.ReadAt(head, 0); err != nil {
		return nil, &lines.ReadError{File: file, Line: 1, Err: err}
	}
	if err := checkStart(head, file, archiveStart, "a .npz archive"); err != nil {
		return nil, err
	}
	a := &Archive{file: file, byName: map[string]*zip.File{}}
	for _, f := range directory.File {
		name, ok := strings.CutSuffix(f.Name, ".npy")
		if !ok {
			continue
		}
		if a.byName[name] != nil {
			return nil, a.Errorf("two arrays named %s", lines.Quote([]byte(name)))
		}
		a.names = append(a.names, name)
		a.byName[name] = f
	}
	return a, nil
}

// MostStream is the most bytes of an archive that is not read in place: it is
// held in memory whole.
const MostStream = 4 << 30

// ErrMemory is wrapped by the error for an archive past its limit.
var ErrMemory = errors.New("memory limit")

// ReadStream reads a file of at most the given number of bytes from r that is
// read at many places, such as an archive, and is compressed or comes from a
// pipe. A stream that does not begin as what does, such as a decompression
// bomb, is not read on.
func ReadStream(r io.Reader, file, start, what string, most int64) ([]byte, error) {
	buffered := bufio.NewReader(r)
	head, err := buffered.Peek(len(start))
	if err == nil || err == io.EOF {
		if err := checkStart(head, file, start, what); err != nil {
			return nil, err
		}
		var content []byte
		content, err = io.ReadAll(io.LimitReader(buffered, most+1))
		if int64(len(content)) > most {
			return nil, fmt.Errorf("%s: more than %d bytes of %s that is not read in place: %w", file, most, what, ErrMemory)
		}
		if err == nil {
			return content, nil
		}
	}
	return nil, &lines.ReadError{File: file, Line: 1, Err: err}
}

func checkStart(head []byte, file, start, what string) error {
	if string(head) == start {
		return nil
	}
	return &lines.Error{File: file, Msg: fmt.Sprintf("not %s: starts with %s, expected %q", what, lines.Quote(head), start)}
}

// Names returns the names of the arrays in the order of the archive.
func (a *Archive) Names() []string { return a.names }

// Has reports whether there is an array of that name.
func (a *Archive) Has(name string) bool { return a.byName[name] != nil }

// Bytes returns the bytes of all arrays, which bound what can be read, no
// matter whether they are true.
func (a *Archive) Bytes() int64 {
	sum := int64(0)
	for _, name := range a.names {
		size := a.byName[name].UncompressedSize64
		if size > uint64(math.MaxInt64-sum) {
			return math.MaxInt64
		}
		sum += int64(size)
	}
	return sum
}

// Quoted returns the name of the file as a line of Python has it.
func (a *Archive) Quoted() string { return lines.Quote([]byte(a.file)) }

// Errorf returns a fault of the archive.
func (a *Archive) Errorf(format string, args ...any) error {
	return &lines.Error{File: a.file, Msg: fmt.Sprintf(format, args...)}
}

// Open opens an array, which must be as long as the archive says. That
// length may be a lie all the same, so memory for the elements grows with
// the decompressed bytes. Only one array need be open at a time; closing frees
// the decompressor.
func (a *Archive) Open(name string) (*Array, io.Closer, error) {
	entry := a.byName[name]
	quoted := lines.Quote([]byte(name))
	if entry == nil {
		return nil, nil, a.Errorf("no array %s", quoted)
	}
	body, err := entry.Open()
	if err != nil {
		return nil, nil, a.Errorf("array %s: %v", quoted, err)
	}
	array, err := Open(body, a.file+": array "+quoted, -1)
	if err == nil && uint64(array.bytes()) != entry.UncompressedSize64 {
		err = array.Errorf("%d bytes in the archive, expected %d for shape %s", entry.UncompressedSize64, array.bytes(), array.ShapeText())
	}
	if err != nil {
		body.Close()
		return nil, nil, err
	}
	return array, body, nil
}

// Vector reads an array of one dimension and n elements, of any number where n is −1.
func Vector[T any](a *Archive, name string, n int, read func(*Array) ([]T, error)) ([]T, error) {
	array, closer, err := a.Open(name)
	if err != nil {
		return nil, err
	}
	defer closer.Close()
	switch {
	case n >= 0 && (len(array.Shape) != 1 || array.n != int64(n)):
		return nil, array.Errorf("shape %s, expected (%d,)", array.ShapeText(), n)
	case len(array.Shape) != 1:
		return nil, array.Errorf("shape %s, expected one dimension", array.ShapeText())
	}
	return read(array)
}

// isCorrupt reports whether the error of a decompressor is a fault of the
// file.
func isCorrupt(err error) bool {
	var deflate flate.CorruptInputError
	return errors.Is(err, zip.ErrChecksum) || errors.Is(err, zip.ErrFormat) || errors.As(err, &deflate)
}
