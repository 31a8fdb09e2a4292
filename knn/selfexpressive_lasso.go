package knn

import (
	"math"

	"github.com/adp-sparse/adp-sparse/internal/kernel"
)

// lassoSolver minimises an elastic net over the candidates of one point, by
// cyclic coordinate descent on the Gram matrix:
//
//	½‖x − Σ_k c_k a_k‖² + l1 ‖c‖₁ + l2/2 ‖c‖²
//
// The gradient of the fit, grad_k = ⟨a_k, x − Σ_l c_l a_l⟩, is kept for every
// candidate, in float64. The solver belongs to one goroutine and is used again
// for every point.
type lassoSolver struct {
	k      int
	packed []float32 // the K candidates and x, as panels
	gram   []float32 // their products, rows of stride numbers
	stride int
	grad   []float64
	coef   []float64
	active []int
}

// lassoTolerance is how far, in units of l1, a solution may violate the
// optimality conditions over its own candidates. It is a tenth of what a
// check over all points allows, see expressTolerance.
const lassoTolerance = 1e-4

// lassoSweeps bounds the sweeps over the candidates of one point.
const lassoSweeps = 1000

// reset begins a point with k candidates, from all coefficients zero. read
// copies candidate r < k, and x for r = k, all of unit length and d numbers;
// scratch holds eight of them.
func (s *lassoSolver) reset(k, d int, scratch []float32, read func(to []float32, r int)) {
	s.k = k
	places := panels(k+1) * kernel.Rows
	if len(s.packed) < places*d {
		s.packed = make([]float32, places*d)
		s.gram = make([]float32, places*places)
		s.grad, s.coef = make([]float64, places), make([]float64, places)
	}
	s.grad, s.coef = s.grad[:k], s.coef[:k]
	packRows(s.packed, k+1, d, scratch, read)
	s.stride = multiply(s.gram, s.packed, k+1, s.packed, k+1, d)
	for q, v := range s.gram[k*s.stride : k*s.stride+k] {
		s.grad[q], s.coef[q] = float64(v), 0
	}
}

// move sets coefficient q to c and updates the gradient.
func (s *lassoSolver) move(q int, c float64) {
	delta := c - s.coef[q]
	if delta == 0 {
		return
	}
	s.coef[q] = c
	for l, g := range s.gram[q*s.stride : q*s.stride+s.k] {
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
