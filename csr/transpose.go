package csr

import "slices"

// Transpose returns mᵀ in O(rows + cols + nnz), by counting and scattering.
func Transpose(m *Matrix) *Matrix {
	t := &Matrix{
		rows: m.cols, cols: m.rows,
		indptr:  make([]int64, m.cols+1),
		indices: make([]uint32, len(m.indices)),
		data:    make([]float32, len(m.data)),
	}
	for _, j := range m.indices {
		t.indptr[j+1]++
	}
	for j := range m.cols {
		t.indptr[j+1] += t.indptr[j]
	}
	next := slices.Clone(t.indptr[:m.cols])
	for i := range m.rows {
		cols, vals := m.Row(i)
		for k, j := range cols {
			t.indices[next[j]] = uint32(i)
			t.data[next[j]] = vals[k]
			next[j]++
		}
	}
	return t
}
