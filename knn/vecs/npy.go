package vecs

import (
	"bytes"
	"fmt"
	"io"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/npz"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/npy"
)

func readNPY(s *source) (*Features, error) {
	array, err := npy.Open(s.R, s.Name, s.Size)
	if err != nil {
		return nil, err
	}
	return s.dense(array)
}

// dense reads a 2-D array.
func (s *source) dense(array *npy.Array) (*Features, error) {
	if err := check2D(array); err != nil {
		return nil, err
	}
	bytes := int64(4)
	if array.Fortran { // what is read is copied
		bytes *= 2
	}
	if err := s.opt.check(s.Name, array.Elements(), bytes); err != nil {
		return nil, err
	}
	data, err := array.Floats()
	if err != nil {
		return nil, err
	}
	return &Features{Dense: &csr.Dense{Rows: int(array.Shape[0]), Cols: int(array.Shape[1]), Data: npy.ByRows(array, data)}}, nil
}

func check2D(array *npy.Array) error {
	switch {
	case len(array.Shape) != 2:
		advice := ""
		if len(array.Shape) == 1 {
			advice = ": save X.reshape(-1, 1) if each number is a point"
		}
		return array.Errorf("shape %s, expected a 2-D array of one row a point%s", array.ShapeText(), advice)
	case array.Shape[0] > csr.MaxDim || array.Shape[1] > csr.MaxDim:
		return array.Errorf("shape %s, expected at most %d rows and columns", array.ShapeText(), int64(csr.MaxDim))
	case array.Elements() == 0:
		return array.Errorf("shape %s, expected at least one row and one column", array.ShapeText())
	}
	return nil
}

func readNPZ(s *source) (*Features, error) {
	at, size, err := s.randomAccess()
	if err != nil {
		return nil, err
	}
	archive, err := npy.OpenArchive(at, s.Name, size)
	if err != nil {
		return nil, err
	}
	if s.opt.Array == "" && archive.Has("format") && archive.Has("shape") {
		if err := s.opt.check(s.Name, archive.Bytes(), 1); err != nil {
			return nil, err
		}
		m, err := npz.Read(at, s.Name, size)
		if err != nil {
			return nil, err
		}
		return &Features{Sparse: m}, nil
	}
	name, err := s.arrayName(archive)
	if err != nil {
		return nil, err
	}
	array, closer, err := archive.Open(name)
	if err != nil {
		return nil, err
	}
	defer closer.Close()
	return s.dense(array)
}

// arrayName returns the array to read.
func (s *source) arrayName(archive *npy.Archive) (string, error) {
	names := archive.Names()
	quoted := []byte{}
	for k, name := range names {
		if k == 10 {
			quoted = append(quoted, " …"...)
			break
		}
		quoted = fmt.Appendf(quoted, " %s", lines.Quote([]byte(name)))
	}
	switch {
	case len(names) == 0:
		return "", archive.Errorf("no arrays in the archive, expected one")
	case s.opt.Array != "" && !archive.Has(s.opt.Array):
		return "", archive.Errorf("no array %s in the archive, expected one of%s", lines.Quote([]byte(s.opt.Array)), quoted)
	case s.opt.Array != "":
		return s.opt.Array, nil
	case len(names) > 1:
		return "", archive.Errorf("%d arrays in the archive, expected one, or vecs.Options.Array with the name of one of%s", len(names), quoted)
	}
	return names[0], nil
}

// randomAccess returns the content to be read in place, which takes a copy
// in memory where s is only a stream.
func (s *source) randomAccess() (io.ReaderAt, int64, error) {
	if s.at != nil && s.Size >= 0 {
		return s.at, s.Size, nil
	}
	content, err := npy.ReadStream(s.R, s.Name, "PK", "a .npz archive", s.opt.limit(npy.MostStream))
	if err != nil {
		return nil, 0, err
	}
	return bytes.NewReader(content), int64(len(content)), nil
}
