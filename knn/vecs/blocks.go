package vecs

import (
	"fmt"
	"io"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/npy"
)

// Blocks reads dense features like [Read], at most rows points at a time, and
// calls yield with each block and the number of its first point. Notes are of all lines so far. A block is valid
// while yield runs; IDs, of a csv file with an id column, are of all points so
// far. Files .csv and .npy in C order, compressed or not, are read as they come, and
// no more of them than a block (and the names) is held; others are held whole.
// Blocks of less than one point are an error.
func Blocks(r io.Reader, name string, size int64, opt Options, rows int, yield func(first int, f *Features) error) error {
	if rows < 1 {
		return fmt.Errorf("%s: blocks of %d points, expected at least 1", name, rows)
	}
	if err := lines.CheckComments(opt.Comments); err != nil {
		return fmt.Errorf("vecs: %w", err)
	}
	format := formatOf(name, opt.Format)
	if format != "npy" && !IsTable(name, format) || len(opt.Categories) > 0 && len(opt.Known) == 0 || opt.Impute && opt.Means == nil { // values or means are known at the end
		return cutBlocks(r, name, size, opt, rows, yield)
	}
	s, closer, err := openSource(Source{r, name, size}, opt)
	if err != nil {
		return err
	}
	defer closer.Close()
	if format == "npy" {
		return npyBlocks(s, rows, yield)
	}
	return csvBlocks(s, rows, yield)
}

func npyBlocks(s *source, rows int, yield func(first int, f *Features) error) error {
	array, err := npy.Open(s.R, s.Name, s.Size)
	if err != nil {
		return err
	}
	if err := check2D(array); err != nil {
		return err
	}
	if array.Fortran { // no row is complete before the end
		all, err := s.dense(array)
		if err != nil {
			return err
		}
		return all.Blocks(rows, yield)
	}
	first := 0
	for part := array.Next(int64(rows)); part != nil; part = array.Next(int64(rows)) {
		f, err := s.dense(part)
		if err != nil {
			return err
		}
		if err := yield(first, f); err != nil {
			return err
		}
		first += f.Rows()
	}
	return nil
}

func csvBlocks(s *source, rows int, yield func(first int, f *Features) error) error {
	t := newTable(s)
	for {
		first := t.rows
		if err := t.read(s, rows); err != nil {
			return err
		}
		n := t.rows - first
		switch {
		case n == 0 && first == 0:
			return s.errorf("no rows, expected at least one point")
		case n == 0:
			return t.checkCounts()
		case len(t.data) == 0:
			return s.errorf("no columns, expected at least one")
		}
		f, err := t.points(n)
		if err == nil {
			err = yield(first, f)
		}
		if err != nil {
			return err
		}
		t.data = t.data[:0]
	}
}

// cutBlocks reads a file whole and cuts it.
func cutBlocks(r io.Reader, name string, size int64, opt Options, rows int, yield func(first int, f *Features) error) error {
	all, err := Read(r, name, size, opt)
	if err != nil {
		return err
	}
	return all.Blocks(rows, yield)
}

// Blocks calls yield with features as the function [Blocks] does. Blocks of less than one
// point panic.
func (f *Features) Blocks(rows int, yield func(first int, f *Features) error) error {
	if rows < 1 {
		panic(fmt.Sprintf("vecs: blocks of %d points, expected at least 1", rows))
	}
	for lo := 0; lo < f.Rows(); lo += rows {
		hi := min(lo+rows, f.Rows())
		part := &Features{IDs: f.IDs, Notes: f.Notes}
		if x := f.Dense; x != nil {
			part.Dense = &csr.Dense{Rows: hi - lo, Cols: x.Cols, Data: x.Data[lo*x.Cols : hi*x.Cols]}
		} else {
			part.Sparse = csr.Slice(f.Sparse, lo, hi)
		}
		if err := yield(lo, part); err != nil {
			return err
		}
	}
	return nil
}
