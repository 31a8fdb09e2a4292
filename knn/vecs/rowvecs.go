package vecs

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/adp-sparse/adp-sparse/csr"
)

// The files of the TEXMEX and BIGANN sets: each row is its own length, a
// little-endian int32, and that many values.

func readFvecs(s *source) (*Features, error) {
	f, err := readDenseRows(s, 4, func(b []byte) (float32, error) {
		v := math.Float32frombits(binary.LittleEndian.Uint32(b))
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			return 0, fmt.Errorf("value %v, expected a finite number", v)
		}
		return v, nil
	})
	if err == nil && tiny(f.Dense.Data) {
		return nil, s.errorf("most values are below 1e-38, as whole numbers are that are read as float32, expected an .fvecs file of float32 numbers (.ivecs has int32)")
	}
	return f, err
}

// tiny reports whether most numbers other than 0 are below the normal ones of float32.
func tiny(values []float32) bool {
	small, all := 0, 0
	for _, v := range values {
		if bits := math.Float32bits(v) << 1; bits != 0 {
			all++
			if bits < 1<<24 {
				small++
			}
		}
	}
	return 2*small > all
}

func readBvecs(s *source) (*Features, error) {
	return readDenseRows(s, 1, func(b []byte) (float32, error) { return float32(b[0]), nil })
}

func readDenseRows(s *source, width int64, value func([]byte) (float32, error)) (*Features, error) {
	limit := func(n int64) error { return s.opt.check(s.Name, n, 4) }
	data, rows, cols, err := readRows(&s.Source, width, limit, value)
	if err != nil {
		return nil, err
	}
	return &Features{Dense: &csr.Dense{Rows: rows, Cols: cols, Data: data}}, nil
}

// maxRowBytes bounds the buffer for one row of a stream of unknown size.
const maxRowBytes = 64 << 20

// readRows reads rows of values of the given width in bytes, n×k row-major.
// limit refuses more values than the caller may hold.
func readRows[T any](s *Source, width int64, limit func(int64) error, value func([]byte) (T, error)) (out []T, n, k int, err error) {
	length := make([]byte, 4)
	var row []byte
	for ; ; n++ {
		if _, err := io.ReadFull(s.R, length); err == io.EOF {
			return out, n, k, nil
		} else if err != nil {
			return nil, 0, 0, s.rowFault(n, err)
		}
		dim := int64(int32(binary.LittleEndian.Uint32(length)))
		if n == 0 {
			if out, err = firstRow[T](s, width, dim, limit); err != nil {
				return nil, 0, 0, err
			}
			k, row = int(dim), make([]byte, dim*width)
		}
		if dim != int64(k) {
			return nil, 0, 0, s.errorf("row %d has %d values, expected %d as in row 0", n, dim, k)
		}
		if _, err := io.ReadFull(s.R, row); err != nil {
			return nil, 0, 0, s.rowFault(n, err)
		}
		if err := limit(int64(len(out)) + dim); err != nil {
			return nil, 0, 0, err
		}
		for j := range k {
			v, fault := value(row[int64(j)*width:])
			if fault != nil {
				return nil, 0, 0, s.errorf("row %d, column %d: %v", n, j, fault)
			}
			out = append(out, v)
		}
	}
}

// firstRow checks the length of the first row, against the size of the file
// where that is known, and returns the place for all rows.
func firstRow[T any](s *Source, width, dim int64, limit func(int64) error) ([]T, error) {
	rowBytes := 4 + dim*width
	switch {
	case dim < 1 || rowBytes > maxRowBytes:
		return nil, s.errorf("row 0 has %d values, expected 1 to %d", dim, (maxRowBytes-4)/width)
	case s.Size < 0:
		return nil, nil
	case s.Size%rowBytes != 0:
		return nil, s.errorf("%d bytes, expected a multiple of %d for rows of %d values", s.Size, rowBytes, dim)
	}
	n := s.Size / rowBytes * dim
	if err := limit(n); err != nil {
		return nil, err
	}
	return make([]T, 0, n), nil
}

// rowFault is the error for a row that could not be read.
func (s *Source) rowFault(n int, err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return s.errorf("ends within row %d", n)
	}
	return fmt.Errorf("%s: %w", s.Name, err)
}

// readInt32Rows reads the rows of an .ivecs file as an n×k row-major array, 8 bytes a number.
func readInt32Rows(s *source) (ids []int64, n, k int, err error) {
	limit := func(n int64) error { return s.opt.check(s.Name, n, 8) }
	return readRows(&s.Source, 4, limit, func(b []byte) (int64, error) {
		return int64(int32(binary.LittleEndian.Uint32(b))), nil
	})
}
