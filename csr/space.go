package csr

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"unsafe"

	"github.com/adp-sparse/adp-sparse/internal/scratch"
)

// Space holds the large intermediate matrices of a computation: in memory if it is nil, else in
// mapped temporary files of a folder. The system keeps as much of these in memory as fits, so they
// can be larger than the memory. Matrices have the same content in both.
//
// A matrix in files must not be used after [Space.Free] or [Space.Close]. If the disk fails,
// reading or writing one raises a fault that the parallel loops of this module pass on to the
// goroutine that started them (see package store).
type Space struct {
	dir  string
	mu   sync.Mutex
	maps map[unsafe.Pointer]*scratch.Mapped // by the first byte
}

// NewSpace returns a space of files in the folder dir.
func NewSpace(dir string) *Space {
	return &Space{dir: dir, maps: map[unsafe.Pointer]*scratch.Mapped{}}
}

// Close frees all arrays in the space.
func (s *Space) Close() error {
	if s == nil {
		return nil
	}
	var err error
	for first, m := range s.maps {
		delete(s.maps, first)
		err = errors.Join(err, m.Free())
	}
	return err
}

// Free frees the arrays of m that lie in the space, including those that it shares with other
// matrices.
func (s *Space) Free(m *Matrix) error {
	if s == nil || m == nil {
		return nil
	}
	return errors.Join(release(s, m.indptr), release(s, m.indices), release(s, m.data))
}

// FreeValues frees the values of m, if they lie in the space, but not its pattern.
func (s *Space) FreeValues(m *Matrix) error {
	if s == nil || m == nil {
		return nil
	}
	return release(s, m.data)
}

// Keep frees all arrays in the space except those of m.
func (s *Space) Keep(m *Matrix) error {
	if s == nil {
		return nil
	}
	var err error
	for first, part := range s.maps {
		switch first {
		case unsafe.Pointer(unsafe.SliceData(m.indptr)), unsafe.Pointer(unsafe.SliceData(m.indices)), unsafe.Pointer(unsafe.SliceData(m.data)):
		default:
			delete(s.maps, first)
			err = errors.Join(err, part.Free())
		}
	}
	return err
}

// take returns an array of n zeros.
func take[T int64 | uint32 | float32](s *Space, n int64) ([]T, error) {
	if s == nil || n == 0 {
		return make([]T, n), nil
	}
	var item T
	m, err := scratch.Map(s.dir, n*int64(unsafe.Sizeof(item)))
	if err != nil {
		return nil, err
	}
	first := unsafe.Pointer(unsafe.SliceData(m.Bytes))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.maps[first] = m
	return unsafe.Slice((*T)(first), n), nil
}

// mapped returns the file of an array, nil for none.
func mapped[T any](s *Space, a []T) *scratch.Mapped {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.maps[unsafe.Pointer(unsafe.SliceData(a))]
}

// trim frees an array after its first n items.
func trim[T any](s *Space, a []T, n int64) ([]T, error) {
	if s == nil {
		return a[:n:n], nil
	}
	var item T
	if m := mapped(s, a); m != nil {
		if err := m.Trim(n * int64(unsafe.Sizeof(item))); err != nil {
			return nil, fmt.Errorf("temporary file: %w", err)
		}
	}
	return a[:n:n], nil
}

func release[T any](s *Space, a []T) error {
	m := mapped(s, a)
	if m == nil {
		return nil
	}
	s.mu.Lock()
	delete(s.maps, unsafe.Pointer(unsafe.SliceData(a)))
	s.mu.Unlock()
	return m.Free()
}

// Move returns m, in the space.
func (s *Space) Move(m *Matrix) (*Matrix, error) {
	if s == nil || m == nil {
		return m, nil
	}
	to, err := s.matrix(m.rows, m.cols, int64(len(m.indices)))
	if err != nil {
		return nil, err
	}
	copy(to.indptr, m.indptr)
	copy(to.indices, m.indices)
	copy(to.data, m.data)
	return to, nil
}

// ScratchFile is a [Scratch] that takes space until it is closed.
type ScratchFile interface {
	Scratch
	io.Closer
}

// Scratch returns a temporary file in the folder of the space, for a [Builder].
func (s *Space) Scratch() (ScratchFile, error) {
	f, err := scratch.New(s.dir)
	if err != nil {
		return nil, fmt.Errorf("temporary file: %w", err)
	}
	return f, nil
}

// matrix returns a matrix with unset entries.
func (s *Space) matrix(rows, cols int, entries int64) (*Matrix, error) {
	m := &Matrix{rows: rows, cols: cols}
	var errs [3]error
	m.indptr, errs[0] = take[int64](s, int64(rows)+1)
	m.indices, errs[1] = take[uint32](s, entries)
	m.data, errs[2] = take[float32](s, entries)
	if err := errors.Join(errs[:]...); err != nil {
		return nil, errors.Join(err, s.Free(m))
	}
	return m, nil
}

// NormalizeSym is [NormalizeSym] with the values of S in the space; it shares the pattern of W,
// wherever that is.
func (s *Space) NormalizeSym(w *Matrix, threads int) (*Matrix, []float64, error) {
	data, err := take[float32](s, int64(len(w.data)))
	if err != nil {
		return nil, nil, err
	}
	degrees := Degrees(w, threads)
	scaleSym(data, w, 0, degrees, threads)
	return w.WithData(data), degrees, nil
}

// Permute is [Permute] with the result in the space.
func (s *Space) Permute(m *Matrix, order []uint32, threads int) (*Matrix, error) {
	p, err := s.matrix(m.rows, m.cols, int64(len(m.indices)))
	if err != nil {
		return nil, err
	}
	permute(p, m, order, threads)
	return p, nil
}

// Sum returns the matrix of the builder, with diagonal and weight·plus added, in the space; plus
// may be nil. The builder cannot be used again. Its own diagonal is empty.
func (s *Space) Sum(ctx context.Context, b *Builder, diagonal []float32, weight float32, plus *Matrix) (*Matrix, error) {
	most := b.Entries() + int64(b.n)
	if plus != nil {
		most += int64(len(plus.indices))
	}
	m, err := s.matrix(b.n, b.n, most)
	if err != nil {
		return nil, err
	}
	var row []uint32
	var values []float32
	i, end := 0, int64(0)
	put := func(j uint32, v float32) {
		m.indices[end], m.data[end] = j, v
		end++
	}
	_, err = b.Rows(ctx, func(lengths []int, cols []uint32, vals []float32) error {
		for _, length := range lengths {
			start := end
			at, _ := slices.BinarySearch(cols[:length], uint32(i))
			for k := range at {
				put(cols[k], vals[k])
			}
			put(uint32(i), diagonal[i])
			for k := at; k < length; k++ {
				put(cols[k], vals[k])
			}
			if plus != nil {
				row = append(row[:0], m.indices[start:end]...)
				values = append(values[:0], m.data[start:end]...)
				end = start
				pc, pv := plus.Row(i)
				mergeRows(row, values, pc, pv, false, func(j uint32, x, y float32) { put(j, scaledSum(x, weight, y)) })
			}
			i++
			m.indptr[i] = end
			cols, vals = cols[length:], vals[length:]
		}
		return nil
	})
	if err == nil {
		m.indices, err = trim(s, m.indices, end)
	}
	if err == nil {
		m.data, err = trim(s, m.data, end)
	}
	if err != nil {
		return nil, errors.Join(err, s.Free(m))
	}
	return m, nil
}
