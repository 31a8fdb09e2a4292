package baseline

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/exact"
)

// inverseC is 1/C for scikit-learn's default C of LogisticRegression.
const inverseC = 1.0

// Logistic is multinomial logistic regression on the features of the l seeds:
//
//	min ½‖Θ‖² + C Σ_l −log softmax(Θᵀx_l + b)_{y_l},  C = 1,
//
// Θ d×c, without a penalty on b. Rows of counts are at unit length, the columns of other
// features standardised. Newton's method, some hundred passes of the entries of the
// seeds' rows times c.
//
// D. R. Cox: The Regression Analysis of Binary Sequences. J. Royal Statistical Society B
// 20, 1958. The form and C are those of LogisticRegression of scikit-learn.
func Logistic(ctx context.Context, p *Problem) ([]int32, error) {
	h, err := p.logistic(ctx)
	if err != nil {
		return nil, err
	}
	return labels(h), nil
}

// logistic returns the probabilities of [Logistic], n×c.
func (p *Problem) logistic(ctx context.Context) (*csr.Dense, error) {
	x, err := p.points()
	if err != nil {
		return nil, err
	}
	return p.softmax(ctx, x, inverseC/float64(len(p.Seeds.List())))
}

// softmax returns the probabilities n×c of the rows of x by the minimum of
//
//	1/l Σ_l −log softmax(Θᵀx_l + b)_{y_l} + γ/2 ‖Θ‖².
func (p *Problem) softmax(ctx context.Context, x *csr.Matrix, decay float64) (*csr.Dense, error) {
	nodes, class := p.samples()
	rows, err := rowsOf(x, nodes)
	if err != nil {
		return nil, err
	}
	fit := newSoftmax(rows, class, p.Seeds.Classes, decay)
	at, err := fit.minimum(ctx)
	if err != nil {
		return nil, err
	}
	n, d := x.Dims()
	c := fit.classes
	theta, f := csr.NewDense(d, c), csr.NewDense(n, c)
	for k, v := range at[:d*c] {
		theta.Data[k] = float32(v)
	}
	csr.MulDense(f, x, theta, p.Threads)
	score := make([]float64, c)
	for i := range n {
		row := f.Row(i)
		for k, v := range row {
			score[k] = float64(v) + at[d*c+k]
		}
		normalise(score)
		for k, v := range score {
			row[k] = float32(v)
		}
	}
	return f, nil
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
	class   []uint32
	classes int
	decay   float64

	share  []float64 // the probabilities where it was evaluated last, l×c
	scores []float64 // room for c
}

func newSoftmax(x *csr.Matrix, class []uint32, classes int, decay float64) *softmax {
	return &softmax{x: x, class: class, classes: classes, decay: decay, share: make([]float64, len(class)*classes), scores: make([]float64, classes)}
}

// split returns Θ and b of parameters.
func (s *softmax) split(at []float64) (theta, bias []float64) {
	_, d := s.x.Dims()
	return at[:d*s.classes], at[d*s.classes:]
}

// scoresOf sets z to Θᵀx_i + b.
func (s *softmax) scoresOf(z []float64, i int, at []float64) {
	theta, bias := s.split(at)
	copy(z, bias)
	cols, vals := s.x.Row(i)
	for k, j := range cols {
		v := float64(vals[k])
		for m, t := range theta[int(j)*len(z):][:len(z)] {
			z[m] += float64(v * t)
		}
	}
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

// evaluate returns the loss, and its gradient 1/l Σ x_i (softmax − onehot)ᵀ + γΘ.
func (s *softmax) evaluate(gradient, at []float64) (loss float64) {
	clear(gradient)
	for i, y := range s.class {
		p := s.share[i*s.classes:][:s.classes]
		s.scoresOf(p, i, at)
		right := p[y]
		loss += normalise(p) - right
		p[y]--
		s.addOuter(gradient, i, p)
		p[y]++
	}
	theta, _ := s.split(at)
	s.finish(gradient, at)
	return loss/float64(len(s.class)) + float64(s.decay/2*dot(theta, theta))
}

// finish divides a sum over samples by their number and adds γΘ.
func (s *softmax) finish(sum, at []float64) {
	scale(1/float64(len(s.class)), sum)
	theta, _ := s.split(at)
	addScaled(sum[:len(theta)], s.decay, theta)
}

// curvature sets dst to the Hessian times v, where the loss was evaluated last:
// 1/l Σ x_i ((diag(p) − ppᵀ) z)ᵀ + γV with z = Vᵀx_i + v_b.
func (s *softmax) curvature(dst, v []float64) {
	clear(dst)
	for i := range s.class {
		p, z := s.share[i*s.classes:][:s.classes], s.scores
		s.scoresOf(z, i, v)
		mean := dot(p, z)
		for k := range z {
			z[k] = p[k] * (z[k] - mean)
		}
		s.addOuter(dst, i, z)
	}
	s.finish(dst, v)
}

// The largest entry of the gradient at a minimum, that which is good enough where rounding
// ends the search, the most steps of Newton and of the inner solver, and the share of the
// expected fall that a step has to reach.
const (
	flat       = 1e-8
	flatEnough = 1e-5
	mostNewton = 200
	mostInner  = 500
	leastFall  = 1e-4
)

// minimum returns the parameters at the minimum, by Newton's method: each step solves
// Hs = −g by conjugate gradients, more closely the nearer the minimum is, and is halved
// until the loss falls. The loss is convex.
//
// R. Dembo, T. Steihaug: Truncated-Newton Algorithms for Large-Scale Unconstrained
// Optimization. Mathematical Programming 26, 1983.
func (s *softmax) minimum(ctx context.Context) ([]float64, error) {
	_, d := s.x.Dims()
	size := (d + 1) * s.classes
	at, gradient, next := make([]float64, size), make([]float64, size), make([]float64, size)
	loss := s.evaluate(gradient, at)
	for range mostNewton {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if steepest(gradient) <= flat {
			return at, nil
		}
		step := s.newton(gradient)
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
				return at, s.isMinimum(gradient)
			}
		}
	}
	return at, s.isMinimum(gradient)
}

func (s *softmax) isMinimum(gradient []float64) error {
	if v := steepest(gradient); !(v <= flatEnough) {
		return fmt.Errorf("logistic regression of %d samples did not converge: a gradient of %g, expected at most %g", len(s.class), v, flatEnough)
	}
	return nil
}

// newton returns s with Hs ≈ −g: ‖Hs + g‖ ≤ min(½, √‖g‖)‖g‖.
func (s *softmax) newton(gradient []float64) []float64 {
	x, r, product := make([]float64, len(gradient)), make([]float64, len(gradient)), make([]float64, len(gradient))
	addScaled(r, -1, gradient)
	p := slices.Clone(r)
	square := dot(r, r)
	length := math.Sqrt(square)
	enough := min(0.5, math.Sqrt(length)) * length
	for range mostInner {
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
		scale(after/square, p)
		addScaled(p, 1, r)
		square = after
	}
	return x
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
