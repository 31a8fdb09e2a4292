package csr

import (
	"fmt"
	"math"
	"sync"
	"sync/atomic"
)

// Matrix is a sparse matrix in compressed sparse row form.
//
// Row i holds the entries indptr[i] to indptr[i+1] (exclusive) of indices
// and data; columns increase strictly within a row. Memory is 8 bytes a row
// and 8 bytes an entry. The zero Matrix is a valid 0×0 matrix.
type Matrix struct {
	rows, cols int
	indptr     []int64
	indices    []uint32
	data       []float32

	// What was found out once: a matrix does not change.
	finding  sync.Mutex  // of parts
	parts    *components // nil where they are not known
	affinity atomic.Bool // it passed CheckAffinity
	full     atomic.Bool // no stored value is 0
}

// MaxDim is the largest number of rows or columns of a Matrix.
const MaxDim = math.MaxUint32

// New returns the rows×cols matrix with the given arrays, which it keeps. It checks them completely
// in O(rows + nnz) and returns a [*StructureError] that names the first faulty row. Offsets must
// start at 0, never decrease and end at len(indices); columns must increase strictly within a row
// and be below cols; values must be finite.
func New(rows, cols int, indptr []int64, indices []uint32, data []float32) (*Matrix, error) {
	m := &Matrix{rows: rows, cols: cols, indptr: indptr, indices: indices, data: data}
	if err := m.check(); err != nil {
		return nil, err
	}
	return m, nil
}

func (m *Matrix) check() error {
	whole := func(format string, args ...any) error {
		return &StructureError{Row: -1, Fault: fmt.Sprintf(format, args...)}
	}
	switch {
	case m.rows < 0 || m.cols < 0 || m.rows > MaxDim || m.cols > MaxDim:
		return whole("shape %d×%d, expected 0 to %d rows and columns", m.rows, m.cols, MaxDim)
	case len(m.indptr) != m.rows+1:
		return whole("%d row offsets for %d rows, expected rows+1", len(m.indptr), m.rows)
	case len(m.indices) != len(m.data):
		return whole("%d columns but %d values", len(m.indices), len(m.data))
	case m.indptr[0] != 0:
		return whole("first row offset is %d, expected 0", m.indptr[0])
	case m.indptr[m.rows] != int64(len(m.indices)):
		return whole("last row offset is %d, expected the number of entries %d", m.indptr[m.rows], len(m.indices))
	}
	for i := range m.rows {
		if m.indptr[i] > m.indptr[i+1] || m.indptr[i+1] > int64(len(m.indices)) {
			return &StructureError{i, fmt.Sprintf("offsets %d to %d, expected them not to decrease and to stay within %d entries", m.indptr[i], m.indptr[i+1], len(m.indices))}
		}
		cols, vals := m.Row(i)
		for k, j := range cols {
			switch v := float64(vals[k]); {
			case int64(j) >= int64(m.cols):
				return &StructureError{i, fmt.Sprintf("column %d, expected below %d", j, m.cols)}
			case k > 0 && cols[k-1] >= j:
				return &StructureError{i, fmt.Sprintf("column %d follows column %d, expected increasing columns", j, cols[k-1])}
			case math.IsNaN(v) || math.IsInf(v, 0):
				return &StructureError{i, fmt.Sprintf("value %v in column %d, expected a finite number", v, j)}
			}
		}
	}
	return nil
}

// Dims returns the number of rows and columns.
func (m *Matrix) Dims() (rows, cols int) { return m.rows, m.cols }

// NNZ returns the number of stored entries.
func (m *Matrix) NNZ() int { return len(m.indices) }

// Bytes returns the memory held by the arrays of m.
func (m *Matrix) Bytes() int64 {
	return 8*int64(len(m.indptr)) + 4*int64(len(m.indices)) + 4*int64(len(m.data))
}

// Row returns the columns and values of row i. They are slices of the matrix, and must not be
// changed.
func (m *Matrix) Row(i int) (cols []uint32, vals []float32) {
	lo, hi := m.indptr[i], m.indptr[i+1]
	return m.indices[lo:hi:hi], m.data[lo:hi:hi]
}

// Arrays returns the three arrays of m, which must not be changed.
func (m *Matrix) Arrays() (indptr []int64, indices []uint32, data []float32) {
	return m.indptr, m.indices, m.data
}

// At returns the entry in row i and column j, zero if it is not stored, in O(log of the row's
// entries). It panics if i or j is out of range.
func (m *Matrix) At(i, j int) float64 {
	if j < 0 || j >= m.cols {
		panic(fmt.Sprintf("csr: column %d out of range [0,%d)", j, m.cols))
	}
	return float64(m.value(i, uint32(j)))
}

// WithData returns a matrix with the pattern of m, which it shares, and the given values, which it
// keeps. len(data) must be m.NNZ(). Values must be finite; this is not checked: see [CheckFinite].
func (m *Matrix) WithData(data []float32) *Matrix {
	if len(data) != len(m.indices) {
		panic(fmt.Sprintf("csr: %d values for %d entries", len(data), len(m.indices)))
	}
	m.finding.Lock()
	defer m.finding.Unlock()
	return &Matrix{rows: m.rows, cols: m.cols, indptr: m.indptr, indices: m.indices, data: data, parts: m.parts}
}

// Identity returns the n×n identity matrix.
func Identity(n int) *Matrix { return IdentityRows(0, n, n) }

// IdentityRows returns the rows lo to hi−1 of the n×n identity matrix.
func IdentityRows(lo, hi, n int) *Matrix {
	m := &Matrix{rows: hi - lo, cols: n, indptr: make([]int64, hi-lo+1), indices: make([]uint32, hi-lo), data: make([]float32, hi-lo)}
	for i := range m.indices {
		m.indptr[i+1] = int64(i + 1)
		m.indices[i] = uint32(lo + i)
		m.data[i] = 1
	}
	return m
}
