package csr

// Slice returns rows lo to hi−1 of m, with all its columns. Columns and values
// are shared with m; the offsets are a copy.
func Slice(m *Matrix, lo, hi int) *Matrix {
	if lo == hi { // also of the zero Matrix, which has no offsets
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
