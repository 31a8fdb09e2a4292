package knn

import "math"

// lassoSolver minimises an elastic net over the candidates of one point, by
// cyclic coordinate descent on the Gram matrix:
//
//	½‖x − Σ_k c_k a_k‖² + l1 ‖c‖₁ + l2/2 ‖c‖²
//
// The gradient of the fit, grad_k = ⟨a_k, x − Σ_l c_l a_l⟩, is kept for every
// candidate; a column of the Gram matrix is computed when its coefficient
// first leaves zero, so that of the K×K products only support×K are made. It
// belongs to one goroutine and is used again for every point.
type lassoSolver struct {
	d       int
	k       int
	atoms   []float32 // K×d, row-major
	corr    []float32 // ⟨a_k, x⟩
	grad    []float64
	coef    []float64
	columns [][]float32 // Gram columns, nil until wanted
	free    [][]float32 // columns of former points
	active  []int
}

// lassoTolerance is how far, in units of l1, a solution may violate the
// optimality conditions over its own candidates. It is a tenth of what a
// check over all points allows, see expressTolerance.
const lassoTolerance = 1e-4

// lassoSweeps bounds the sweeps over the candidates of one point.
const lassoSweeps = 1000

// reset begins a point with k candidates, the first k·d values of atoms, from
// all coefficients zero.
func (s *lassoSolver) reset(x []float32, k int) {
	s.d, s.k = len(x), k
	if cap(s.corr) < k {
		s.corr, s.grad, s.coef = make([]float32, k), make([]float64, k), make([]float64, k)
		s.free = nil // too short for k
		s.columns = make([][]float32, k)
	}
	s.corr, s.grad, s.coef = s.corr[:k], s.grad[:k], s.coef[:k]
	for q, column := range s.columns {
		if column != nil {
			s.free = append(s.free, column)
			s.columns[q] = nil
		}
	}
	s.columns = s.columns[:k]
	expressGram(s.corr, x, s.atoms[:k*s.d], s.d)
	for q, v := range s.corr {
		s.grad[q], s.coef[q] = float64(v), 0
	}
}

// start sets coefficient q before solve: a warm start.
func (s *lassoSolver) start(q int, c float64) { s.move(q, c) }

// column returns the products of atom q with all candidates.
func (s *lassoSolver) column(q int) []float32 {
	if s.columns[q] != nil {
		return s.columns[q]
	}
	var column []float32
	if last := len(s.free) - 1; last >= 0 {
		column, s.free = s.free[last][:s.k], s.free[:last]
	} else {
		column = make([]float32, s.k, cap(s.corr))
	}
	expressGram(column, s.atoms[q*s.d:(q+1)*s.d], s.atoms[:s.k*s.d], s.d)
	s.columns[q] = column
	return column
}

// move sets coefficient q to c and updates the gradient.
func (s *lassoSolver) move(q int, c float64) {
	delta := c - s.coef[q]
	if delta == 0 {
		return
	}
	s.coef[q] = c
	for l, g := range s.column(q) {
		s.grad[l] -= delta * float64(g)
	}
}

// solve runs to optimality within lassoTolerance, and reports whether it got
// there.
func (s *lassoSolver) solve(l1, l2 float64) bool {
	for range lassoSweeps {
		for q := range s.coef {
			s.update(q, l1, l2)
		}
		if s.violation(l1, l2) <= lassoTolerance*l1 {
			return true
		}
		s.polish(l1, l2)
	}
	return false
}

// polish sweeps over the coefficients that are not zero.
func (s *lassoSolver) polish(l1, l2 float64) {
	s.active = s.active[:0]
	for q, c := range s.coef {
		if c != 0 {
			s.active = append(s.active, q)
		}
	}
	for range lassoSweeps {
		largest := 0.0
		for _, q := range s.active {
			largest = max(largest, math.Abs(s.update(q, l1, l2)))
		}
		if largest <= lassoTolerance*l1/2 {
			return
		}
	}
}

// update minimises over coefficient q alone and returns its change.
func (s *lassoSolver) update(q int, l1, l2 float64) float64 {
	square := 1.0 // of an atom of unit length
	old := s.coef[q]
	full := s.grad[q] + square*old
	c := 0.0
	if shrunk := math.Abs(full) - l1; shrunk > 0 {
		c = math.Copysign(shrunk/(square+l2), full)
	}
	s.move(q, c)
	return c - old
}

// violation returns the largest distance of the gradient from the
// subdifferential of the penalty.
func (s *lassoSolver) violation(l1, l2 float64) float64 {
	largest := 0.0
	for q, c := range s.coef {
		v := math.Abs(s.grad[q]) - l1
		if c != 0 {
			v = math.Abs(s.grad[q] - l2*c - math.Copysign(l1, c))
		}
		largest = max(largest, v)
	}
	return largest
}

// combination returns the coefficients that are more than rounding.
func (s *lassoSolver) combination(ids []uint32, l1 float64) combination {
	var c combination
	for q, v := range s.coef {
		if math.Abs(v) > lassoTolerance*l1 {
			c.ids = append(c.ids, ids[q])
			c.coef = append(c.coef, v)
		}
	}
	return c
}
