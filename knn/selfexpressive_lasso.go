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
	active []int     // coefficients that are not zero
	factor []float64 // of their part of the Gram matrix
	goal   []float64 // their optimum with the present signs
}

// lassoTolerance is the largest violation of the optimality conditions over the solution's own
// candidates, in units of l1. It is a tenth of the tolerance over all points, see expressTolerance.
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

// polishSweeps is the number of sweeps of polish before it solves: enough to empty most of the
// coefficients that a sweep over all candidates fills.
const polishSweeps = 8

// polish minimises over the coefficients that are not zero. Sweeps alone are slow for similar
// points. So after a few sweeps it solves for the optimum with the present signs, and goes there,
// or as far as the first coefficient that reaches zero on the way, which leaves. Both lower the
// objective.
func (s *lassoSolver) polish(l1, l2 float64) {
	for range polishSweeps {
		largest := 0.0
		for _, q := range s.nonZero() {
			largest = max(largest, math.Abs(s.update(q, l1, l2)))
		}
		if largest <= lassoTolerance*l1/2 {
			return
		}
	}
	for len(s.nonZero()) > 0 && s.factorize(l2) {
		if s.stepTo(s.target(l1)) {
			return
		}
	}
}

func (s *lassoSolver) nonZero() []int {
	s.active = s.active[:0]
	for q, c := range s.coef {
		if c != 0 {
			s.active = append(s.active, q)
		}
	}
	return s.active
}

// factorize sets factor to the Cholesky factor of the active part of G + l2·I, and reports whether
// it is safely positive definite. It is not if active points depend on each other.
func (s *lassoSolver) factorize(l2 float64) bool {
	m := len(s.active)
	if cap(s.factor) < m*m {
		s.factor = make([]float64, m*m)
		s.goal = make([]float64, m)
	}
	l := s.factor[:m*m]
	for p, row := range s.active {
		for q := range p + 1 {
			sum := float64(s.gram[row*s.stride+s.active[q]])
			if p == q {
				sum += l2
			}
			for t, v := range l[p*m : p*m+q] {
				sum -= v * l[q*m+t]
			}
			if p > q {
				l[p*m+q] = sum / l[q*m+q]
				continue
			}
			if sum < 1e-5 { // ten times the rounding of the products
				return false
			}
			l[p*m+p] = math.Sqrt(sum)
		}
	}
	return true
}

// target solves (G + l2·I) goal = ⟨a, x⟩ − l1·sign(c) over the active
// coefficients.
func (s *lassoSolver) target(l1 float64) []float64 {
	m := len(s.active)
	l, goal := s.factor[:m*m], s.goal[:m]
	for p, at := range s.active {
		sum := float64(s.gram[s.k*s.stride+at]) - math.Copysign(l1, s.coef[at])
		for t, v := range l[p*m : p*m+p] {
			sum -= v * goal[t]
		}
		goal[p] = sum / l[p*m+p]
	}
	for p := m - 1; p >= 0; p-- {
		for t := p + 1; t < m; t++ {
			goal[p] -= l[t*m+p] * goal[t]
		}
		goal[p] /= l[p*m+p]
	}
	return goal
}

// stepTo moves the active coefficients to goal and returns true, or to the point where the first of
// them reaches zero.
func (s *lassoSolver) stepTo(goal []float64) bool {
	step, leave := 1.0, -1
	for p, q := range s.active {
		if c := s.coef[q]; c*goal[p] <= 0 {
			if t := c / (c - goal[p]); t < step || leave < 0 {
				step, leave = t, p
			}
		}
	}
	for p, q := range s.active {
		c := s.coef[q] + step*(goal[p]-s.coef[q])
		if p == leave {
			c = 0
		}
		s.move(q, c)
	}
	return leave < 0
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
