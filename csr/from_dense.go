package csr

import "math"

// FromDense returns the matrix of the numbers of x that are not 0. A number that is not finite
// is a [*StructureError].
func FromDense(x *Dense) (*Matrix, error) {
	indptr := make([]int64, x.Rows+1)
	for i := range x.Rows {
		count := int64(0)
		for _, v := range x.Row(i) {
			if v != 0 {
				count++
			}
		}
		indptr[i+1] = indptr[i] + count
	}
	indices, data := make([]uint32, indptr[x.Rows]), make([]float32, indptr[x.Rows])
	at := 0
	for i := range x.Rows {
		for j, v := range x.Row(i) {
			if v != 0 {
				indices[at], data[at] = uint32(j), v
				at++
			}
		}
	}
	return New(x.Rows, x.Cols, indptr, indices, data)
}

// WithRows returns the matrix with empty rows added to make n; the entries are shared. It
// panics if m has more rows.
func WithRows(m *Matrix, n int) *Matrix {
	if n < m.rows || n > math.MaxUint32 {
		panic("csr: fewer rows than there are")
	}
	if n == m.rows {
		return m
	}
	out := &Matrix{rows: n, cols: m.cols, indices: m.indices, data: m.data}
	out.indptr = append(make([]int64, 0, n+1), m.indptr...)
	for len(out.indptr) < n+1 {
		out.indptr = append(out.indptr, m.indptr[m.rows])
	}
	return out
}
