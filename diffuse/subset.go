package diffuse

import (
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// unitRows is the number of rows that are skipped or worked on together. A few rows outside a
// subset cost less than another call, and sums over units use the places of [kernel.Period] as sums
// over all rows do.
const unitRows = 8

// subset is a subset of n rows. A nil subset has all.
type subset struct {
	has   []bool // one a row
	units []bool // units with rows in the subset
}

func newSubset(has []bool) *subset {
	s := &subset{has: has, units: make([]bool, (len(has)+unitRows-1)/unitRows)}
	s.mark(0, len(has))
	return s
}

// mark updates units for the rows lo to hi−1 after a change of has; lo is the first row of a unit.
func (s *subset) mark(lo, hi int) {
	for i := lo; i < hi; i += unitRows {
		s.units[i/unitRows] = slices.Contains(s.has[i:min(i+unitRows, hi)], true)
	}
}

// each calls use with ranges of the rows lo to hi−1 that together contain all rows of the subset
// there; lo is the first row of a unit.
func (s *subset) each(lo, hi int, use func(lo, hi int)) {
	if s == nil {
		use(lo, hi)
		return
	}
	units := s.units[:(hi+unitRows-1)/unitRows]
	for u := lo / unitRows; u < len(units); u++ {
		first := u
		for u < len(units) && units[u] {
			u++
		}
		if u > first {
			use(first*unitRows, min(u*unitRows, hi))
		}
	}
}

// restrict sets the rows of x that are not in the subset to 0.
func (s *subset) restrict(x *csr.Dense, threads int) {
	rows.Each(x.Rows, threads, func(lo, hi int) { s.clearOthers(x, lo, hi) })
}

// clearOthers is restrict for the rows lo to hi−1.
func (s *subset) clearOthers(x *csr.Dense, lo, hi int) {
	if s == nil {
		return
	}
	for i := lo; i < hi; i++ {
		if !s.has[i] {
			clear(x.Row(i))
		}
	}
}
