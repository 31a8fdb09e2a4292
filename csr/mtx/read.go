package mtx

import (
	"fmt"
	"io"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/numtext"
)

// Read reads the matrix in r, with its diagonal, the zeros of its entries and its negative
// values; the entries of a symmetric file are mirrored. Entries may be in any
// order, but an entry given twice is an error. Values are rounded to float32.
// The file name is for messages; r is not decompressed.
//
// The peak of memory is 12 bytes an entry of the file and 12 an entry of the
// matrix beside the matrix's 8 bytes a row. A file of e entries may have at
// most 2^20 + 1024e rows.
func Read(r io.Reader, name string) (*csr.Matrix, error) {
	s := numtext.NewScanner(r, name)
	h, err := readHeader(s)
	if err != nil {
		return nil, err
	}
	read := readEntries
	if h.array {
		read = readArray
	}
	e, err := read(s, h)
	if err != nil {
		return nil, err
	}
	indptr, indices, data := e.scatter(h)
	return assemble(name, h, indptr, indices, data)
}

// scatter writes each entry to its row, and to its mirror's row, and returns
// the offsets of the rows.
func (e *entries) scatter(h header) (indptr []int64, indices []uint32, data []float32) {
	indptr = make([]int64, h.rows+1)
	for k, i := range e.row {
		indptr[i+1]++
		if h.symmetric && i != e.col[k] {
			indptr[e.col[k]+1]++
		}
	}
	for i := range h.rows {
		indptr[i+1] += indptr[i]
	}
	indices, data = make([]uint32, indptr[h.rows]), make([]float32, indptr[h.rows])
	next := slices.Clone(indptr[:h.rows])
	put := func(i, j uint32, v float32) {
		indices[next[i]], data[next[i]] = j, v
		next[i]++
	}
	for k, i := range e.row {
		j, v := e.col[k], float32(1)
		if e.value != nil {
			v = e.value[k]
		}
		put(i, j, v)
		if h.symmetric && i != j {
			put(j, i, v)
		}
	}
	return indptr, indices, data
}

// assemble sorts the rows and makes the matrix of them.
func assemble(name string, h header, indptr []int64, indices []uint32, data []float32) (*csr.Matrix, error) {
	for i := range h.rows {
		cols := indices[indptr[i]:indptr[i+1]]
		csr.SortRow(cols, data[indptr[i]:indptr[i+1]])
		for k, j := range cols {
			if k > 0 && cols[k-1] == j {
				return nil, &lines.Error{File: name, Msg: fmt.Sprintf("entry (%d, %d) is given twice, expected once; to add them, in Python: import scipy.io; scipy.io.mmwrite(\"matrix.mtx\", scipy.io.mmread(%s).tocsr())", i+1, j+1, lines.Quote([]byte(name)))}
			}
		}
	}
	m, err := csr.New(int(h.rows), int(h.cols), indptr, indices, data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return m, nil
}
