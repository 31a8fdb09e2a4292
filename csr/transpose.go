package csr

import (
	"slices"
	"sort"

	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// transposeEntries is the least number of entries that are shared between threads.
const transposeEntries = 1 << 16

// Transpose returns mᵀ by counting and scattering. Each thread reads all entries in order, and counts and scatters those of
// a band of columns. Cost: O(rows + nnz) a thread, and O(cols).
func Transpose(m *Matrix, threads int) *Matrix {
	t := &Matrix{
		rows: m.cols, cols: m.rows,
		indptr:  make([]int64, m.cols+1),
		indices: make([]uint32, len(m.indices)),
		data:    make([]float32, len(m.data)),
	}
	bands := 1
	if len(m.indices) >= transposeEntries {
		bands = min(rows.Workers(threads), max(1, m.cols))
	}
	// Bands of as many columns count, then bands of about as many entries scatter.
	rows.EachTask(bands, bands, func(band int) {
		lo, hi := band*m.cols/bands, (band+1)*m.cols/bands
		counts := t.indptr[lo+1 : hi+1]
		for _, j := range m.indices {
			if at := int(j) - lo; uint(at) < uint(len(counts)) {
				counts[at]++
			}
		}
	})
	for j := range m.cols {
		t.indptr[j+1] += t.indptr[j]
	}
	if t.indptr[m.cols] != int64(len(m.indices)) {
		panic(outOfRange)
	}
	next := slices.Clone(t.indptr[:m.cols])
	bound := func(band int) int {
		return sort.Search(m.cols, func(j int) bool { return t.indptr[j]*int64(bands) >= int64(band)*int64(len(m.indices)) })
	}
	rows.EachTask(bands, bands, func(band int) {
		lo, hi := bound(band), bound(band+1)
		if band == bands-1 {
			hi = m.cols
		}
		t.scatter(m, next[lo:hi], lo)
	})
	if !slices.Equal(next, t.indptr[1:]) { // a column changed meanwhile
		panic(outOfRange)
	}
	return t
}

// outOfRange is the panic of a mapped file that another process has changed: no band takes such an entry.
const outOfRange = "csr: a column of a matrix is out of range"

// scatter writes the entries of m whose columns begin at lo, as many as next has, to the places in next.
func (t *Matrix) scatter(m *Matrix, next []int64, lo int) {
	for i := range m.rows {
		cols, vals := m.Row(i)
		for k, j := range cols {
			if at := int(j) - lo; uint(at) < uint(len(next)) {
				t.indices[next[at]] = uint32(i)
				t.data[next[at]] = vals[k]
				next[at]++
			}
		}
	}
}
