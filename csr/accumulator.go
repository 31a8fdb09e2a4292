package csr

import (
	"fmt"
	"math"

	"github.com/adp-sparse/adp-sparse/internal/hugepage"
	"github.com/adp-sparse/adp-sparse/internal/kernel"
)

// Accumulator sums scaled sparse rows into one row. It is the dense accumulator of Gustavson's
// row-wise sparse product with packed sums: an array as long as the row is wide holds only the
// place of each column in the packed row. It takes 4 bytes a column and 8 more for each column of
// the longest row so far. Reset costs as much as the row holds. It belongs to one goroutine.
//
// F. G. Gustavson, Two fast algorithms for sparse matrices, ACM TOMS 4(3), 1978. P. Briggs, L.
// Torczon, An efficient representation for sparse sets, ACM LOPLAS 2(1–4), 1993.
type Accumulator struct{ sum kernel.Sum }

// NewAccumulator returns an empty accumulator for rows of cols columns.
func NewAccumulator(cols int) *Accumulator {
	a := &Accumulator{kernel.Sum{Place: make([]uint32, cols), Cols: make([]uint32, cols), Vals: make([]float32, cols), Base: 1}}
	hugepage.Advise(a.sum.Place)
	return a
}

// Reset empties the accumulator.
func (a *Accumulator) Reset() {
	s := &a.sum
	clear(s.Vals[:s.Count])
	end := uint64(s.Base) + uint64(s.Count)
	s.Count = 0
	if end+uint64(len(s.Place)) > math.MaxUint32+1 { // a place could wrap around and look like an old one
		clear(s.Place)
		end = 1
	}
	s.Base = uint32(end)
}

// AddScaled adds w times the sparse row (cols, vals).
func (a *Accumulator) AddScaled(w float32, cols []uint32, vals []float32) { a.sum.Add(w, cols, vals) }

// AddRows adds Σ_k scale_k b_rows[k], in the order of k. It panics if a row is out of range.
func (a *Accumulator) AddRows(rows []uint32, scale []float32, b *Matrix) {
	for _, i := range rows {
		if int64(i) >= int64(b.rows) {
			panic(fmt.Sprintf("csr: row %d of %d×%d", i, b.rows, b.cols))
		}
	}
	a.mustFit(b.rows, b)
	a.sum.AddRows(rows, scale, b.indptr, b.indices, b.data)
}

// AddRowTimes adds (row i of m)·b, that is Σ_j m_ij b_j.
func (a *Accumulator) AddRowTimes(m *Matrix, i int, b *Matrix) {
	a.mustFit(m.cols, b)
	cols, vals := m.Row(i)
	a.sum.AddRows(cols, vals, b.indptr, b.indices, b.data)
}

// AddProduct adds u·b for the row u of another accumulator, in the order of the first touch of its
// columns.
func (a *Accumulator) AddProduct(u *Accumulator, b *Matrix) {
	a.mustFit(len(u.sum.Place), b)
	a.sum.AddRows(u.Columns(), u.Values(), b.indptr, b.indices, b.data)
}

// mustFit panics unless a row of the given width times b fits: the kernel does not check bounds.
func (a *Accumulator) mustFit(width int, b *Matrix) {
	if width > b.rows || b.cols > len(a.sum.Place) {
		panic(fmt.Sprintf("csr: row of %d times %d×%d in an accumulator of %d columns", width, b.rows, b.cols, len(a.sum.Place)))
	}
}

// Add adds v in column j.
func (a *Accumulator) Add(j uint32, v float32) { a.AddScaled(1, []uint32{j}, []float32{v}) }

// Columns returns the columns added to since Reset, in the order of their first touch, valid until
// the next call of a method that changes a.
func (a *Accumulator) Columns() []uint32 { return a.sum.Cols[:a.sum.Count] }

// Values returns the sums of [Accumulator.Columns], valid as long.
func (a *Accumulator) Values() []float32 { return a.sum.Vals[:a.sum.Count] }

// Value returns the sum in column j, zero if nothing was added to it.
func (a *Accumulator) Value(j uint32) float32 {
	if at := a.sum.Place[j]; at >= a.sum.Base {
		return a.sum.Vals[at-a.sum.Base]
	}
	return 0
}
