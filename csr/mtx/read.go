package mtx

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/numtext"
)

// Read reads the matrix in r, with its diagonal, its zeros and its negative
// values; the entries of a symmetric file are mirrored. Entries may be in any
// order, but an entry given twice is an error. Values are rounded to float32.
// The file name is for messages; r is not decompressed.
//
// The peak of memory is 12 bytes an entry of the file and 20 an entry of the
// matrix beside the matrix's 8 bytes a row. A file of e entries may have at
// most 2^20 + 1024e rows.
func Read(r io.Reader, name string) (*csr.Matrix, error) {
	s := numtext.NewScanner(r, name)
	h, err := readHeader(s)
	if err != nil {
		return nil, err
	}
	e, err := readEntries(s, h)
	if err != nil {
		return nil, err
	}
	indptr, packed := e.scatter(h)
	return assemble(name, h, indptr, packed)
}

// entry is a column and a value on its way to a row.
type entry struct {
	column uint32
	value  float32
}

// scatter writes each entry to its row, and to its mirror's row, and returns
// the offsets of the rows.
func (e *entries) scatter(h header) (indptr []int64, packed []entry) {
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
	packed = make([]entry, indptr[h.rows])
	next := slices.Clone(indptr[:h.rows])
	for k, i := range e.row {
		j, v := e.col[k], float32(1)
		if e.value != nil {
			v = e.value[k]
		}
		packed[next[i]] = entry{j, v}
		next[i]++
		if h.symmetric && i != j {
			packed[next[j]] = entry{i, v}
			next[j]++
		}
	}
	return indptr, packed
}

// assemble sorts the rows and makes the matrix of them.
func assemble(name string, h header, indptr []int64, packed []entry) (*csr.Matrix, error) {
	indices := make([]uint32, len(packed))
	data := make([]float32, len(packed))
	for i := range h.rows {
		row := packed[indptr[i]:indptr[i+1]]
		slices.SortFunc(row, func(a, b entry) int { return cmp.Compare(a.column, b.column) })
		for k, x := range row {
			if k > 0 && row[k-1].column == x.column {
				return nil, &lines.Error{File: name, Msg: fmt.Sprintf("entry (%d, %d) is given twice, expected once", i+1, x.column+1)}
			}
			at := indptr[i] + int64(k)
			indices[at], data[at] = x.column, x.value
		}
	}
	m, err := csr.New(int(h.rows), int(h.cols), indptr, indices, data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return m, nil
}
