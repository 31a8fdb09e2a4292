// Package convert exchanges graphs and sparse matrices with gonum and with
// github.com/james-bowman/sparse. It is the only place where those types
// meet package csr.
//
// [FromGraph] takes the graphs of gonum, [FromSparse] sparse matrices and [FromMat] dense ones.
package convert

import (
	"fmt"
	"math"

	"github.com/james-bowman/sparse"
	"gonum.org/v1/gonum/mat"

	"github.com/adp-sparse/adp-sparse/csr"
)

// View shows a sparse matrix as a gonum mat.Matrix, without copying: At is
// O(log of the row's entries). It shares the matrix, which is immutable.
func View(m *csr.Matrix) mat.Matrix { return view{m} }

type view struct{ *csr.Matrix }

func (v view) At(i, j int) float64 {
	if n, _ := v.Dims(); i < 0 || i >= n {
		panic(mat.ErrRowAccess)
	}
	if _, n := v.Dims(); j < 0 || j >= n {
		panic(mat.ErrColAccess)
	}
	return v.Matrix.At(i, j)
}

func (v view) T() mat.Matrix { return mat.Transpose{Matrix: v} }

// DenseView shows an n×c block as a gonum mat.Matrix, without copying.
func DenseView(d *csr.Dense) mat.Matrix { return denseView{d} }

type denseView struct{ d *csr.Dense }

func (v denseView) Dims() (rows, cols int) { return v.d.Rows, v.d.Cols }

func (v denseView) At(i, j int) float64 {
	if i < 0 || i >= v.d.Rows {
		panic(mat.ErrRowAccess)
	}
	if j < 0 || j >= v.d.Cols {
		panic(mat.ErrColAccess)
	}
	return float64(v.d.At(i, j))
}

func (v denseView) T() mat.Matrix { return mat.Transpose{Matrix: v} }

// FromMat copies the entries of any gonum matrix that are not 0. Values are
// rounded to float32; one that is not finite in it is an error that names its
// row. O(rows·cols) calls of At: for dense matrices. [FromGraph] is for graphs.
func FromMat(m mat.Matrix) (*csr.Matrix, error) {
	rows, cols := m.Dims()
	indptr := make([]int64, 1, rows+1)
	var indices []uint32
	var data []float32
	for i := range rows {
		for j := range cols {
			if v := m.At(i, j); v != 0 {
				indices = append(indices, uint32(j))
				data = append(data, float32(v))
			}
		}
		indptr = append(indptr, int64(len(indices)))
	}
	return csr.New(rows, cols, indptr, indices, data)
}

// DenseFromMat copies any gonum matrix to a block of float32, such as feature
// vectors, a point a row, or an F. Values are rounded to float32; one that is not
// finite in it is an error that names its place.
func DenseFromMat(m mat.Matrix) (*csr.Dense, error) {
	rows, cols := m.Dims()
	d := csr.NewDense(rows, cols)
	for i := range rows {
		for j := range cols {
			v := float32(m.At(i, j))
			if v-v != 0 {
				return nil, &csr.StructureError{Row: i, Fault: fmt.Sprintf("value %v in column %d, expected a finite float32", m.At(i, j), j)}
			}
			d.Set(i, j, v)
		}
	}
	return d, nil
}

// ToSparse copies m to a james-bowman CSR matrix: int and float64, 16 bytes an
// entry.
func ToSparse(m *csr.Matrix) *sparse.CSR {
	rows, cols := m.Dims()
	indptr, indices, data := m.Arrays()
	ptr := make([]int, rows+1)
	for i := range indptr {
		ptr[i] = int(indptr[i])
	}
	ind := make([]int, len(indices))
	val := make([]float64, len(data))
	for k, j := range indices {
		ind[k] = int(j)
		val[k] = float64(data[k])
	}
	return sparse.NewCSR(rows, cols, ptr, ind, val)
}

// FromSparse copies a james-bowman CSR matrix, whose constructor checks
// nothing: its structure is checked here. Columns may be in any order within
// a row, but not twice. Values are rounded to float32. Faults give a
// [*csr.StructureError].
func FromSparse(m *sparse.CSR) (*csr.Matrix, error) {
	raw := m.RawMatrix()
	if len(raw.Indptr) != raw.I+1 || len(raw.Ind) != len(raw.Data) {
		return nil, &csr.StructureError{Row: -1, Fault: fmt.Sprintf("%d row offsets for %d rows, %d columns and %d values", len(raw.Indptr), raw.I, len(raw.Ind), len(raw.Data))}
	}
	indptr := make([]int64, len(raw.Indptr))
	for i, p := range raw.Indptr {
		indptr[i] = int64(p)
		if p < 0 || p > len(raw.Ind) || i > 0 && p < raw.Indptr[i-1] {
			return nil, &csr.StructureError{Row: max(i-1, 0), Fault: fmt.Sprintf("offset %d, expected it not to decrease and to stay within %d entries", p, len(raw.Ind))}
		}
	}
	indices := make([]uint32, len(raw.Ind))
	data := make([]float32, len(raw.Data))
	for i := range raw.I {
		for k := raw.Indptr[i]; k < raw.Indptr[i+1]; k++ {
			if j := raw.Ind[k]; j < 0 || j >= raw.J || int64(j) > math.MaxUint32 {
				return nil, &csr.StructureError{Row: i, Fault: fmt.Sprintf("column %d, expected 0 to %d", j, raw.J-1)}
			}
			indices[k] = uint32(raw.Ind[k])
			data[k] = float32(raw.Data[k])
		}
		csr.SortRow(indices[raw.Indptr[i]:raw.Indptr[i+1]], data[raw.Indptr[i]:raw.Indptr[i+1]])
	}
	return csr.New(raw.I, raw.J, indptr, indices, data)
}
