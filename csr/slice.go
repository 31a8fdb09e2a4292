package csr

import "slices"

// Slice returns rows lo to hi−1 of m, with all its columns. It shares columns and values with m;
// the offsets are a copy.
func Slice(m *Matrix, lo, hi int) *Matrix {
	if lo == hi { // also for the zero Matrix, which has no offsets
		return &Matrix{cols: m.cols, indptr: make([]int64, 1)}
	}
	from, to := m.indptr[lo], m.indptr[hi]
	s := &Matrix{
		rows: hi - lo, cols: m.cols, indptr: make([]int64, hi-lo+1),
		indices: m.indices[from:to:to], data: m.data[from:to:to],
	}
	for i := range s.indptr {
		s.indptr[i] = m.indptr[lo+i] - from
	}
	return s
}

// UsedColumns returns m without the columns that have no entries, the others in order, or m itself
// if it has no more columns than entries. It shares offsets and values with m. The cost depends on
// the entries, not on the number of columns.
func UsedColumns(m *Matrix) *Matrix {
	if m.cols <= len(m.indices) {
		return m
	}
	used := slices.Clone(m.indices)
	slices.Sort(used)
	used = slices.Compact(used)
	u := &Matrix{rows: m.rows, cols: len(used), indptr: m.indptr, indices: make([]uint32, len(m.indices)), data: m.data}
	for k, j := range m.indices {
		at, _ := slices.BinarySearch(used, j)
		u.indices[k] = uint32(at)
	}
	return u
}
