package kernel

import "fmt"

// Sum is a sum of sparse rows in the making, and an empty row when zero but for
// its arrays: column Cols[p] has the value Vals[p], for p < Count. Place[j] is
// Base+p for a column j that is there already, and below Base for all others,
// so that a new Base empties the row. What is behind the last value is 0.
//
// Columns and values stay together, whatever the length of rows; only places
// are all over memory.
type Sum struct {
	Place []uint32  // one a column
	Cols  []uint32  // as many
	Vals  []float32 // as many
	Base  uint32    // at least 1, and at most 2^32 less the number of columns
	Count int
}

// AddRows adds Σ_m scale_m·x_m, where x_m is row rows_m of a sparse matrix, in
// the order of m and of the entries of a row; each product is rounded before it
// is added. New columns are appended. The bits are the same in every version.
//
// The matrix is valid, rows are below len(indptr)−1, and no column is twice in a row: none
// of this is checked. A column that is not below len(s.Place) makes it panic, before it
// writes there: the matrix may lie in a mapped file that another process changes.
func (s *Sum) AddRows(rows []uint32, scale []float32, indptr []int64, cols []uint32, vals []float32) {
	n := len(s.Place)
	if len(s.Cols) != n || len(s.Vals) != n || len(rows) != len(scale) || len(cols) != len(vals) {
		panic(fmt.Sprintf("kernel: sum of %d places, %d columns, %d values; %d rows, %d factors; %d columns, %d values of a matrix",
			n, len(s.Cols), len(s.Vals), len(rows), len(scale), len(cols), len(vals)))
	}
	if len(rows) > 0 && len(cols) > 0 {
		active.addRows(s, rows, scale, indptr, cols, vals)
	}
}

// Add adds scale times one sparse row, whose columns are below len(s.Place).
func (s *Sum) Add(scale float32, cols []uint32, vals []float32) {
	vals = vals[:len(cols)]
	place, base, next := s.Place, s.Base, s.Base+uint32(s.Count)
	sumCols, sumVals := s.Cols, s.Vals
	for k, j := range cols {
		// Whether a column is new cannot be foreseen, so there is no branch.
		at, fresh := place[j], uint32(0)
		if at < base {
			fresh = 1
		}
		if at < base {
			at = next
		}
		next += fresh
		place[j] = at
		sumCols[at-base] = j
		sumVals[at-base] += float32(scale * vals[k]) // the conversion forbids to fuse
	}
	s.Count = int(next - base)
}

func addRowsPortable(s *Sum, rows []uint32, scale []float32, indptr []int64, cols []uint32, vals []float32) {
	for m, i := range rows {
		lo, hi := indptr[i], indptr[i+1]
		s.Add(scale[m], cols[lo:hi], vals[lo:hi])
	}
}
