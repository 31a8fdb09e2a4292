package csr

import (
	"fmt"
	"math"
	"slices"

	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// RowBuffer collects the rows of a matrix with at most width entries each, in any order and from
// several goroutines (one a row), such as the rows of a top-k selection. It holds 8 bytes for each
// of its rows·width places.
type RowBuffer struct {
	rows, cols, width int
	packed            []uint64 // column in the high word, value bits in the low
	count             []uint32
}

// NewRowBuffer returns a buffer of empty rows.
func NewRowBuffer(rows, cols, width int) *RowBuffer {
	return &RowBuffer{rows: rows, cols: cols, width: width, packed: make([]uint64, rows*width), count: make([]uint32, rows)}
}

// Set sets row i to a copy of (cols, vals). It panics on more than width entries or a column out of
// range. Columns may come in any order but not twice.
func (b *RowBuffer) Set(i int, cols []uint32, vals []float32) {
	if len(cols) > b.width {
		panic(fmt.Sprintf("csr: %d entries in a row of at most %d", len(cols), b.width))
	}
	row := b.packed[i*b.width:][:len(cols)]
	for k, j := range cols {
		if int64(j) >= int64(b.cols) {
			panic(fmt.Sprintf("csr: column %d out of range [0,%d)", j, b.cols))
		}
		row[k] = uint64(j)<<32 | uint64(math.Float32bits(vals[k]))
	}
	b.count[i] = uint32(len(cols))
}

// Matrix returns the collected rows, columns sorted. It does not empty the buffer: rows that are not set again stay.
func (b *RowBuffer) Matrix(threads int) *Matrix {
	m := &Matrix{rows: b.rows, cols: b.cols, indptr: make([]int64, b.rows+1)}
	for i, n := range b.count {
		m.indptr[i+1] = m.indptr[i] + int64(n)
	}
	m.indices = make([]uint32, m.indptr[b.rows])
	m.data = make([]float32, m.indptr[b.rows])
	rows.Each(b.rows, threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row := b.packed[i*b.width:][:b.count[i]]
			slices.Sort(row)
			cols, vals := m.Row(i)
			for k, word := range row {
				cols[k] = uint32(word >> 32)
				vals[k] = math.Float32frombits(uint32(word))
			}
		}
	})
	return m
}
