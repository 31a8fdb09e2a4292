// Package npz reads and writes sparse matrices as scipy.sparse.save_npz and
// load_npz do: a .npz archive of the arrays format, shape and data, and those
// that say where the data stand: of the formats csr, csc, coo, bsr and dia.
//
// Nothing in a file is trusted: memory grows with what arrives, and the
// structure is checked before a matrix is returned.
package npz

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/npy"
)

// ErrSyntax is wrapped by every error about the content of a file.
var ErrSyntax = lines.ErrSyntax

// Read reads the matrix in the .npz file r of the given size, which is not decompressed
// but for the arrays in it. Values of any float or integer type are rounded to
// float32; columns may be in any order within their row, but not twice. The zeros that
// fill up blocks (bsr) and diagonals (dia) are left out; those that are stored in
// the other formats are entries. The file name is for messages.
//
// The peak of memory is that of the matrix and, while an array grows, a third
// more of the array; but for csr, 12 bytes an entry beside the matrix. A file of e entries in
// another format than csr may have at most 2^20 + 1024e rows.
func Read(r io.ReaderAt, name string, size int64) (*csr.Matrix, error) {
	archive, err := npy.OpenArchive(r, name, size)
	if err != nil {
		return nil, err
	}
	format, err := readFormat(archive)
	if err != nil {
		return nil, err
	}
	rows, cols, err := readShape(archive)
	if err != nil {
		return nil, err
	}
	if layout := layouts[format]; layout != nil {
		c := &cells{archive: archive, rows: rows, cols: cols}
		if err := layout(c); err != nil {
			return nil, err
		}
		return c.matrix()
	}
	return readCSR(archive, rows, cols)
}

func readCSR(archive *npy.Archive, rows, cols int64) (*csr.Matrix, error) {
	indptr, err := readVector(archive, "indptr", rows+1, (*npy.Array).Ints)
	if err != nil {
		return nil, err
	}
	nnz := indptr[rows]
	indices, err := readVector(archive, "indices", nnz, func(a *npy.Array) ([]uint32, error) { return a.Columns(cols) })
	if err != nil {
		return nil, err
	}
	data, err := readVector(archive, "data", nnz, (*npy.Array).Floats)
	if err != nil {
		return nil, err
	}
	return assemble(archive, rows, cols, indptr, indices, data)
}

// assemble makes the matrix of rows that are not sorted.
func assemble(archive *npy.Archive, rows, cols int64, indptr []int64, indices []uint32, data []float32) (*csr.Matrix, error) {
	if err := sortRows(indptr, indices, data); errors.Is(err, errTwice) {
		return nil, archive.Errorf("%v; in Python: import scipy.sparse; A = scipy.sparse.load_npz(%s).tocsr(); A.sum_duplicates(); scipy.sparse.save_npz(\"matrix.npz\", A)", err, archive.Quoted())
	} else if err != nil {
		return nil, archive.Errorf("%v", err)
	}
	m, err := csr.New(int(rows), int(cols), indptr, indices, data)
	if err != nil {
		return nil, archive.Errorf("%v", err)
	}
	return m, nil
}

// convert returns the line of Python that makes a graph of the arrays of other programs: pairs in
// rows, or in columns as PyTorch Geometric has them, the parts of a matrix, or a whole one.
func convert(names []string) string {
	for _, pairs := range []struct{ name, rows string }{{"edge_index", ".T"}, {"edges", ""}} {
		if slices.Contains(names, pairs.name) {
			return fmt.Sprintf("numpy.savetxt(\"graph.tsv\", d[%q]%s, fmt=\"%%d\"), which writes an edge list", pairs.name, pairs.rows)
		}
	}
	for _, prefix := range []string{"adj_", "adj_matrix.", ""} {
		if slices.Contains(names, prefix+"indptr") {
			return fmt.Sprintf("scipy.sparse.save_npz(\"graph.npz\", scipy.sparse.csr_matrix((d[%q], d[%q], d[%q]), d[%q]))", prefix+"data", prefix+"indices", prefix+"indptr", prefix+"shape")
		}
	}
	return fmt.Sprintf("scipy.sparse.save_npz(\"graph.npz\", scipy.sparse.csr_matrix(d[%s]))", lines.Quote([]byte(names[0])))
}

// readFormat reads the name of a format that can be read.
func readFormat(archive *npy.Archive) (string, error) {
	if names := archive.Names(); !archive.Has("format") && len(names) > 0 {
		return "", archive.Errorf("no array \"format\", and %s: expected what scipy.sparse.save_npz writes; in Python: import numpy, scipy.sparse; d = numpy.load(%s); %s", lines.Titles(names), archive.Quoted(), convert(names))
	}
	array, closer, err := archive.Open("format")
	if err != nil {
		return "", err
	}
	defer closer.Close()
	format, err := array.Text()
	if err != nil {
		return "", err
	}
	if format != "csr" && layouts[format] == nil {
		return "", archive.Errorf("sparse format %s, expected csr, csc, coo, bsr or dia; in Python: scipy.sparse.save_npz(\"graph.npz\", A.tocsr())", lines.Quote([]byte(format)))
	}
	return format, nil
}

func readShape(archive *npy.Archive) (rows, cols int64, err error) {
	shape, err := readVector(archive, "shape", 2, (*npy.Array).Ints)
	if err != nil {
		return 0, 0, err
	}
	rows, cols = shape[0], shape[1]
	if min(rows, cols) < 0 || max(rows, cols) > csr.MaxDim {
		return 0, 0, archive.Errorf("shape (%d, %d), expected 0 to %d rows and columns", rows, cols, int64(csr.MaxDim))
	}
	return rows, cols, nil
}

// readVector reads a 1-D array of n elements.
func readVector[T any](archive *npy.Archive, name string, n int64, read func(*npy.Array) ([]T, error)) ([]T, error) {
	array, closer, err := archive.Open(name)
	if err != nil {
		return nil, err
	}
	defer closer.Close()
	if len(array.Shape) != 1 || array.Elements() != n {
		return nil, array.Errorf("shape %s, expected (%d,)", array.ShapeText(), n)
	}
	return read(array)
}
