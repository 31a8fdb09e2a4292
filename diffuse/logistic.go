package diffuse

import (
	"context"
	"math"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/exact"
)

// Logit is a multinomial logistic regression of c classes on d columns: a row x has the probabilities softmax(Θᵀx + b).
type Logit struct {
	Theta     []float64 // Θ, d×c, row-major
	Bias      []float64 // b
	Converged bool
}

// Logistic returns the minimum of
//
//	Σ_i w_i (−Σ_j t_ij log softmax(Θᵀx_i + b)_j) / Σ_i w_i + γ/2 ‖Θ‖²
//
// for the l rows of x (l×d), their shares of the classes t (l rows of c that add up to 1, such as [Seeds.Shares]) and their
// weights w; nil weights are all 1. There is no penalty on b. It takes Newton's method, some hundred to some thousand passes over the entries of x times c, in one thread. Where rounding
// ends it first, the result is that of the lowest loss, and not Converged. The error is ctx.Err().
//
// D. R. Cox: The Regression Analysis of Binary Sequences, J. Royal Statistical Society B 20, 1958.
func Logistic(ctx context.Context, x *csr.Matrix, t [][]float64, w []float64, gamma float64) (*Logit, error) {
	s := newSoftmax(x, t, w, gamma)
	at, converged, err := s.minimum(ctx)
	if err != nil {
		return nil, err
	}
	theta, bias := s.split(at)
	return &Logit{Theta: theta, Bias: bias, Converged: converged}, nil
}

// scores sets dst to Θᵀx + b for a row x of columns and values.
func (l *Logit) scores(dst []float64, cols []uint32, vals []float32) {
	copy(dst, l.Bias)
	for k, j := range cols {
		v := float64(vals[k])
		for m, t := range l.Theta[int(j)*len(dst):][:len(dst)] {
			dst[m] += float64(v * t)
		}
	}
}

// Probabilities sets dst to softmax(Θᵀx + b) for a row x of columns and values.
func (l *Logit) Probabilities(dst []float64, cols []uint32, vals []float32) {
	l.scores(dst, cols, vals)
	normalise(dst)
}

// normalise replaces scores z by softmax(z) and returns log Σ exp(z).
func normalise(z []float64) float64 {
	top := slices.Max(z)
	total := 0.0
	for k, v := range z {
		z[k] = exact.Exp(v - top)
		total += z[k]
	}
	for k := range z {
		z[k] /= total
	}
	return top + exact.Log(total)
}

// softmax is the loss of l samples as a function of the parameters: Θ row by row, then b.
type softmax struct {
	x       *csr.Matrix // l×d
	targets [][]float64 // l×c
	weights []float64   // they add up to 1
	classes int
	decay   float64

	share  []float64 // the probabilities where it was evaluated last, l×c
	scores []float64 // room for c
}

func newSoftmax(x *csr.Matrix, targets [][]float64, weights []float64, decay float64) *softmax {
	s := &softmax{
		x: x, targets: targets, weights: make([]float64, len(targets)), classes: len(targets[0]), decay: decay,
		share: make([]float64, len(targets)*len(targets[0])), scores: make([]float64, len(targets[0])),
	}
	total := 0.0
	for i := range s.weights {
		s.weights[i] = 1
		if weights != nil {
			s.weights[i] = weights[i]
		}
		total += s.weights[i]
	}
	for i := range s.weights {
		s.weights[i] /= total
	}
	return s
}

// split returns Θ and b of parameters.
func (s *softmax) split(at []float64) (theta, bias []float64) {
	_, d := s.x.Dims()
	return at[:d*s.classes], at[d*s.classes:]
}

// scoresOf sets z to Θᵀx_i + b.
func (s *softmax) scoresOf(z []float64, i int, at []float64) {
	theta, bias := s.split(at)
	cols, vals := s.x.Row(i)
	(&Logit{Theta: theta, Bias: bias}).scores(z, cols, vals)
}

// addOuter adds x_i zᵀ to the part of Θ and z to that of b.
func (s *softmax) addOuter(to []float64, i int, z []float64) {
	theta, bias := s.split(to)
	cols, vals := s.x.Row(i)
	for k, j := range cols {
		v, row := float64(vals[k]), theta[int(j)*len(z):][:len(z)]
		for m, t := range z {
			row[m] += float64(v * t)
		}
	}
	for m, t := range z {
		bias[m] += t
	}
}

// evaluate returns the loss, and its gradient Σ w_i x_i (softmax − t_i)ᵀ + γΘ.
func (s *softmax) evaluate(gradient, at []float64) (loss float64) {
	clear(gradient)
	for i, w := range s.weights {
		p, z := s.share[i*s.classes:][:s.classes], s.scores
		s.scoresOf(p, i, at)
		right := 0.0
		for k, t := range s.targets[i] {
			right += float64(t * p[k])
		}
		loss += float64(w * (normalise(p) - right))
		for k, t := range s.targets[i] {
			z[k] = w * (p[k] - t)
		}
		s.addOuter(gradient, i, z)
	}
	theta, _ := s.split(at)
	addScaled(gradient[:len(theta)], s.decay, theta)
	return loss + float64(s.decay/2*dot(theta, theta))
}

// curvature sets dst to the Hessian times v, where the loss was evaluated last:
// Σ w_i x_i ((diag(p) − ppᵀ) z)ᵀ + γV with z = Vᵀx_i + v_b.
func (s *softmax) curvature(dst, v []float64) {
	clear(dst)
	for i, w := range s.weights {
		p, z := s.share[i*s.classes:][:s.classes], s.scores
		s.scoresOf(z, i, v)
		mean := dot(p, z)
		for k := range z {
			z[k] = w * p[k] * (z[k] - mean)
		}
		s.addOuter(dst, i, z)
	}
	theta, _ := s.split(v)
	addScaled(dst[:len(theta)], s.decay, theta)
}

// The largest entry of the gradient at a minimum, that which is good enough where rounding
// ends the search, the most steps of Newton and of the inner solver, and the share of the
// expected fall that a step has to reach.
const (
	level       = 1e-8
	levelEnough = 1e-5
	mostNewton  = 200
	mostInner   = 500
	leastFall   = 1e-4
)

// minimum returns the parameters at the minimum, by Newton's method: each step solves
// Hs = −g by conjugate gradients, more closely the nearer the minimum is, and is halved
// until the loss falls. The loss is convex.
//
// R. Dembo, T. Steihaug: Truncated-Newton Algorithms for Large-Scale Unconstrained
// Optimization. Mathematical Programming 26, 1983.
func (s *softmax) minimum(ctx context.Context) (at []float64, converged bool, err error) {
	_, d := s.x.Dims()
	size := (d + 1) * s.classes
	at = make([]float64, size)
	gradient, next := make([]float64, size), make([]float64, size)
	loss := s.evaluate(gradient, at)
	for range mostNewton {
		if err := ctx.Err(); err != nil {
			return nil, false, err
		}
		if steepest(gradient) <= level {
			return at, true, nil
		}
		step, err := s.newton(ctx, gradient)
		if err != nil {
			return nil, false, err
		}
		slope, before := dot(gradient, step), loss
		for t := 1.0; ; t /= 2 {
			copy(next, at)
			addScaled(next, t, step)
			if loss = s.evaluate(gradient, next); loss <= before+leastFall*t*slope {
				at, next = next, at
				break
			}
			if t < 1e-9 {
				s.evaluate(gradient, at)
				return at, steepest(gradient) <= levelEnough, nil
			}
		}
	}
	return at, steepest(gradient) <= levelEnough, nil
}

// newton returns s with Hs ≈ −g: ‖Hs + g‖ ≤ min(½, √‖g‖)‖g‖.
func (s *softmax) newton(ctx context.Context, gradient []float64) ([]float64, error) {
	x, r, product := make([]float64, len(gradient)), make([]float64, len(gradient)), make([]float64, len(gradient))
	addScaled(r, -1, gradient)
	p := slices.Clone(r)
	square := dot(r, r)
	length := math.Sqrt(square)
	enough := min(0.5, math.Sqrt(length)) * length
	for range mostInner {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s.curvature(product, p)
		bend := dot(p, product)
		if bend <= 0 {
			break
		}
		addScaled(x, square/bend, p)
		addScaled(r, -square/bend, product)
		after := dot(r, r)
		if math.Sqrt(after) <= enough {
			break
		}
		for k := range p {
			p[k] *= after / square
		}
		addScaled(p, 1, r)
		square = after
	}
	return x, nil
}

func dot(a, b []float64) (sum float64) {
	for k, v := range a {
		sum += float64(v * b[k])
	}
	return sum
}

// addScaled adds t·x to dst.
func addScaled(dst []float64, t float64, x []float64) {
	for k, v := range x {
		dst[k] += float64(t * v)
	}
}

// steepest returns the largest magnitude.
func steepest(gradient []float64) (most float64) {
	for _, v := range gradient {
		most = max(most, math.Abs(v))
	}
	return most
}
