package csr

import "math"

// Accumulator sums scaled sparse rows into one row: the dense accumulator of
// Gustavson's row-wise sparse product. It holds 12 bytes a column and is
// reset in O(1). It belongs to one goroutine.
//
// F. G. Gustavson, Two fast algorithms for sparse matrices, ACM TOMS 4(3),
// 1978.
type Accumulator struct {
	cells   []cell
	touched []uint32 // columns in the order of first touch, then one spare place
	count   int
	epoch   uint32
}

// cell is a sum together with the epoch that wrote it, so that one cache
// line serves both.
type cell struct {
	sum   float32
	epoch uint32
}

// NewAccumulator returns an empty accumulator for rows of cols columns.
func NewAccumulator(cols int) *Accumulator {
	return &Accumulator{cells: make([]cell, cols), touched: make([]uint32, cols+1), epoch: 1}
}

// Reset empties the accumulator.
func (a *Accumulator) Reset() {
	a.count = 0
	a.epoch++
	if a.epoch == 0 { // wrapped: old epochs could look new
		clear(a.cells)
		a.epoch = 1
	}
}

// AddScaled adds w times the sparse row (cols, vals).
func (a *Accumulator) AddScaled(w float32, cols []uint32, vals []float32) {
	vals = vals[:len(cols)]
	cells, touched, count, epoch := a.cells, a.touched, a.count, a.epoch
	for k, j := range cols {
		c := &cells[j]
		// A column seen for the first time in this row is appended; one seen
		// before is written to the spare place and overwritten by the next.
		// Which it is cannot be foreseen, so there is no branch.
		touched[count] = j
		first := uint32(0)
		if c.epoch != epoch {
			first = 1
		}
		count += int(first)
		c.sum = math.Float32frombits(math.Float32bits(c.sum)&(first-1)) + w*vals[k]
		c.epoch = epoch
	}
	a.count = count
}

// Add adds v in column j.
func (a *Accumulator) Add(j uint32, v float32) { a.AddScaled(1, []uint32{j}, []float32{v}) }

// Columns returns the columns added to since Reset, in the order of their
// first touch, valid until the next call of a method that changes a.
func (a *Accumulator) Columns() []uint32 { return a.touched[:a.count] }

// Value returns the sum in column j, zero if nothing was added to it.
func (a *Accumulator) Value(j uint32) float32 {
	if c := a.cells[j]; c.epoch == a.epoch {
		return c.sum
	}
	return 0
}
