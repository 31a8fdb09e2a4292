package knn

import (
	"math"

	"github.com/adp-sparse/adp-sparse/csr"
)

// lleSolver finds the reconstruction weights of one point. It belongs to one
// goroutine and is used again for every point.
type lleSolver struct {
	k, d    int
	offsets []float64 // K×d: x_i − x_{n_k}
	g       []float64 // K×K, regularised
	w       []float64
	trial   []float64 // the optimum over the support
	y       []float64 // its linear system
	support []int
	factor  []float64 // Cholesky factor of the support's part of g
	cols    []uint32
	vals    []float32
}

func newLLESolver(k, d int) *lleSolver {
	return &lleSolver{
		k: k, d: d,
		offsets: make([]float64, k*d),
		g:       make([]float64, k*k),
		w:       make([]float64, k),
		trial:   make([]float64, k),
		y:       make([]float64, k),
		support: make([]int, 0, k),
		factor:  make([]float64, k*k),
		cols:    make([]uint32, 0, k),
		vals:    make([]float32, 0, k),
	}
}

// gram sets g = G + r·trace(G)·I, divided by trace(G): the weights do not
// depend on the scale, and no scale can over- or underflow. With trace 0, all
// neighbours on the point, g is r·I.
func (s *lleSolver) gram(x *csr.Dense, i int, ids []uint32, r float64) {
	trace := s.setOffsets(x, i, ids)
	for p := range s.k {
		a := s.offsets[p*s.d : (p+1)*s.d]
		for q := range p + 1 {
			sum := 0.0
			for j, v := range s.offsets[q*s.d : (q+1)*s.d] {
				sum += a[j] * v
			}
			if trace > 0 {
				sum /= trace
			}
			if p == q {
				sum += r
			}
			s.g[p*s.k+q], s.g[q*s.k+p] = sum, sum
		}
	}
}

// setOffsets fills offsets and returns the sum of their squares: float32
// values squared stay far inside float64.
func (s *lleSolver) setOffsets(x *csr.Dense, i int, ids []uint32) float64 {
	trace := 0.0
	at := x.Row(i)
	for p, id := range ids {
		for j, v := range x.Row(int(id)) {
			delta := float64(at[j]) - float64(v)
			s.offsets[p*s.d+j] = delta
			trace += delta * delta
		}
	}
	return trace
}

// free sets w to the weights of either sign: G w = 1, divided by their sum.
func (s *lleSolver) free() {
	s.support = s.support[:0]
	for q := range s.k {
		s.support = append(s.support, q)
	}
	s.solveSupport()
	copy(s.w, s.trial)
}

// nonNegative sets w to the minimiser of wᵀGw over the simplex, by an active set in the manner of
// Lawson and Hanson. It starts from the best single neighbour. In each step the one with the lowest
// gradient enters, and those that the new optimum would make negative leave. Each step lowers wᵀGw,
// so no support returns.
func (s *lleSolver) nonNegative() {
	clear(s.w)
	s.support = s.support[:0]
	if s.k == 0 {
		return
	}
	first := 0
	for q := range s.k {
		if s.g[q*s.k+q] < s.g[first*s.k+first] {
			first = q
		}
	}
	s.w[first] = 1
	s.support = append(s.support, first)
	for range 10 * s.k {
		enter := s.steepest()
		if enter < 0 {
			return
		}
		s.support = append(s.support, enter)
		s.descend()
	}
}

// steepest returns the neighbour outside the support along which wᵀGw falls
// most, or -1 at the optimum: there (Gw)_q ≥ wᵀGw for all q.
func (s *lleSolver) steepest() int {
	value := 0.0
	for q, w := range s.w {
		if w != 0 {
			value += w * s.gradient(q)
		}
	}
	best, lowest := -1, value*(1-1e-10)
	for q, w := range s.w {
		if w != 0 {
			continue
		}
		if v := s.gradient(q); v < lowest {
			best, lowest = q, v
		}
	}
	return best
}

func (s *lleSolver) gradient(q int) float64 {
	sum := 0.0
	for l, v := range s.g[q*s.k : (q+1)*s.k] {
		sum += v * s.w[l]
	}
	return sum
}

// descend moves w to the optimum over the support, and drops weights that reach zero on the way.
func (s *lleSolver) descend() {
	for {
		s.solveSupport()
		step, leave := 1.0, -1
		for at, q := range s.support {
			if s.trial[q] > 0 {
				continue
			}
			t := 0.0 // the newest entry leaves at once
			if s.w[q] > 0 {
				t = s.w[q] / (s.w[q] - s.trial[q])
			}
			if leave < 0 || t < step {
				step, leave = t, at
			}
		}
		if leave < 0 {
			copy(s.w, s.trial)
			return
		}
		for _, q := range s.support {
			s.w[q] += step * (s.trial[q] - s.w[q])
		}
		s.w[s.support[leave]] = 0
		s.support = append(s.support[:leave], s.support[leave+1:]...)
	}
}

// solveSupport sets trial to the weights of either sign over the support,
// zero elsewhere. The regulariser makes g positive definite.
func (s *lleSolver) solveSupport() {
	m := len(s.support)
	clear(s.trial)
	l := s.factor[:m*m]
	y := s.y[:m]
	for p := range y {
		y[p] = 1
	}
	for p := range m {
		for q := range p + 1 {
			sum := s.g[s.support[p]*s.k+s.support[q]]
			for t := range q {
				sum -= l[p*m+t] * l[q*m+t]
			}
			if p == q {
				l[p*m+p] = math.Sqrt(sum)
			} else {
				l[p*m+q] = sum / l[q*m+q]
			}
		}
		for t := range p {
			y[p] -= l[p*m+t] * y[t]
		}
		y[p] /= l[p*m+p]
	}
	total := 0.0
	for p := m - 1; p >= 0; p-- {
		for t := p + 1; t < m; t++ {
			y[p] -= l[t*m+p] * y[t]
		}
		y[p] /= l[p*m+p]
		total += y[p]
	}
	for p, q := range s.support {
		s.trial[q] = y[p] / total
	}
}

// store stores the absolute weights that are not zero in row i, and reports whether all are
// numbers.
func (s *lleSolver) store(buffer *csr.RowBuffer, i int, ids []uint32) bool {
	s.cols, s.vals = s.cols[:0], s.vals[:0]
	for q, w := range s.w {
		v := float32(math.Abs(w))
		if !(v <= math.MaxFloat32) {
			return false
		}
		if v != 0 {
			s.cols = append(s.cols, ids[q])
			s.vals = append(s.vals, v)
		}
	}
	buffer.Set(i, s.cols, s.vals)
	return true
}
