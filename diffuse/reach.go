package diffuse

import (
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// least is the smallest top entry that a filled row gets, and the smallest of a right side, far
// above the smallest float32. most is the largest entry that [Extend] returns.
const (
	least = 0x1p-100
	most  = 0x1p127
)

// Layers joins the layers of [FillReached] of several processes.
type Layers interface {
	// Pass sends the own rows of f that have just been filled to the processes that need them, and
	// stores in f the rows that they have filled. It returns the latter, and whether any process
	// has filled a row.
	Pass(filled []uint32) (arrived []uint32, any bool)
	// Readers returns the own rows, as rows of f, that have an entry in the column of a row of
	// another process.
	Readers(row uint32) []uint32
}

// FillReached fills the rows of F that are 0 although a seed reaches their node: the exact solution
// has no such row, but its entries can be below the accuracy of the solver. From the rows that are
// not 0 it computes, layer by layer,
//
//	F_i ← α Σ_j S_ij F_j,
//
// scaled up where a whole row would leave the range of float32, which keeps the shares of the
// classes. Rows that no seed reaches stay 0.
//
// Row i of s is that of row first+i of f, and column j that of row j. If all rows are here, first
// is 0 and layers nil; else f also has rows that other processes fill.
//
// Cost: the entries of the rows that are 0.
func FillReached(f *csr.Dense, first int, s *csr.Matrix, alpha float64, threads int, layers Layers) {
	own, _ := s.Dims()
	r := &reach{
		f: f, s: s, first: first, alpha: alpha,
		empty: make([]bool, f.Rows), border: make([]bool, f.Rows), sum: make([]float64, f.Cols),
	}
	rows.Each(f.Rows, threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			r.empty[i] = isZero(f.Row(i))
		}
	})
	rows.Each(own, threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if r.empty[first+i] {
				cols, _ := s.Row(i)
				r.border[first+i] = slices.ContainsFunc(cols, func(j uint32) bool { return !r.empty[j] })
			}
		}
	})
	var layer, next []uint32
	for i := first; i < first+own; i++ {
		if r.border[i] {
			layer = append(layer, uint32(i))
		}
	}
	for {
		r.fill(layer)
		arrived, more := []uint32(nil), len(layer) > 0
		if layers != nil {
			arrived, more = layers.Pass(layer)
		}
		if !more {
			return
		}
		next = next[:0]
		for _, i := range layer {
			cols, _ := s.Row(int(i) - first)
			next = r.appendBorder(next, cols)
		}
		for _, i := range arrived {
			r.empty[i] = false
		}
		for _, i := range arrived {
			next = r.appendBorder(next, layers.Readers(i))
		}
		layer, next = next, layer
	}
}

// reach is the state of FillReached.
type reach struct {
	f      *csr.Dense
	s      *csr.Matrix
	first  int
	alpha  float64
	empty  []bool
	border []bool // own, empty, with a neighbour that is not
	sum    []float64
}

// fill fills the rows of a layer from those of earlier layers alone: the rows of this layer stay
// empty until all are computed.
func (r *reach) fill(layer []uint32) {
	for _, i := range layer {
		r.row(int(i))
	}
	for _, i := range layer {
		r.empty[i] = false
	}
}

// appendBorder appends the rows that are own, empty and not yet in a layer.
func (r *reach) appendBorder(layer, rows []uint32) []uint32 {
	own, _ := r.s.Dims()
	for _, j := range rows {
		if at := int(j) - r.first; at >= 0 && at < own && r.empty[j] && !r.border[j] {
			r.border[j] = true
			layer = append(layer, j)
		}
	}
	return layer
}

// row computes row i from the rows that are not empty.
func (r *reach) row(i int) {
	r.add(i, r.alpha)
	top := slices.Max(r.sum)
	scale := 1.0
	if top == 0 { // float64 does not hold the products of a very small α
		r.add(i, 1)
		top, scale = slices.Max(r.sum), 0
	}
	if top == 0 {
		return
	}
	scale = max(scale, least/top)
	row := r.f.Row(i)
	for class, v := range r.sum {
		row[class] = float32(scale * v)
	}
}

// add computes the sum of row i for the given α.
func (r *reach) add(i int, alpha float64) {
	clear(r.sum)
	cols, vals := r.s.Row(i - r.first)
	for k, j := range cols {
		if !r.empty[j] {
			for class, v := range r.f.Row(int(j)) {
				r.sum[class] += float64(alpha * float64(vals[k]) * float64(v))
			}
		}
	}
}

func isZero(row []float32) bool {
	for _, v := range row {
		if v != 0 {
			return false
		}
	}
	return true
}
