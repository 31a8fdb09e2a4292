package csr

import (
	"fmt"
	"slices"

	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// CheckAffinity returns a [*StructureError] that names the first row at
// fault unless m is an affinity W: square, symmetric to the bit, with no
// value below 0 and no entry on the diagonal. It reads m only:
// O(nnz·log of a row's entries), no memory.
func CheckAffinity(m *Matrix, threads int) error {
	if m.rows != m.cols {
		return &StructureError{-1, fmt.Sprintf("shape %d×%d, expected a square matrix", m.rows, m.cols)}
	}
	faults := make([]error, (m.rows+rows.BlockSize-1)/rows.BlockSize)
	rows.Each(m.rows, threads, func(lo, hi int) {
		for i := lo; i < hi && faults[lo/rows.BlockSize] == nil; i++ {
			faults[lo/rows.BlockSize] = m.checkAffinityRow(i)
		}
	})
	for _, err := range faults {
		if err != nil {
			return err
		}
	}
	return nil
}

func (m *Matrix) checkAffinityRow(i int) error {
	cols, vals := m.Row(i)
	for k, j := range cols {
		v := vals[k]
		switch {
		case int(j) == i:
			return &StructureError{i, fmt.Sprintf("value %v on the diagonal, expected none", v)}
		case v < 0:
			return &StructureError{i, fmt.Sprintf("value %v in column %d, expected none below 0", v, j)}
		}
		mirrored, ok := float32(0), false
		back, _ := m.Row(int(j))
		if at, found := slices.BinarySearch(back, uint32(i)); found {
			mirrored, ok = m.data[m.indptr[j]+int64(at)], true
		}
		if !ok || mirrored != v {
			return &StructureError{i, fmt.Sprintf("value %v in column %d but %v in the mirrored place, expected a symmetric matrix", v, j, mirrored)}
		}
	}
	return nil
}

// WithoutDiagonal returns m without the entries on its diagonal, and how many
// these were: m itself if none.
func WithoutDiagonal(m *Matrix) (*Matrix, int) {
	on := 0
	for i := range m.rows {
		cols, _ := m.Row(i)
		if _, found := slices.BinarySearch(cols, uint32(i)); found {
			on++
		}
	}
	if on == 0 {
		return m, 0
	}
	out := &Matrix{rows: m.rows, cols: m.cols, indptr: make([]int64, m.rows+1)}
	out.indices = make([]uint32, 0, len(m.indices)-on)
	out.data = make([]float32, 0, len(m.data)-on)
	for i := range m.rows {
		cols, vals := m.Row(i)
		for k, j := range cols {
			if int(j) != i {
				out.indices = append(out.indices, j)
				out.data = append(out.data, vals[k])
			}
		}
		out.indptr[i+1] = int64(len(out.indices))
	}
	return out, on
}
