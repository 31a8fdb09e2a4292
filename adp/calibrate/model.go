package calibrate

import (
	"math"

	"github.com/adp-sparse/adp-sparse/internal/exact"
)

// MinCases is the least number of cases that [Fit] is meant for. With fewer, the share of right
// ones alone has a standard error of 0.11 or more, and the cases do not determine its dependence on
// the rank.
const MinCases = 20

// Case is one prediction of known outcome.
type Case struct {
	Rank  float64 // of its confidence in its run, see [Ranking.At]
	Right bool
	Fold  int // of its run, for [Crossed]
}

// Model maps a rank to the probability of being right,
//
//	P(rank) = 1/(1 + exp(−(Intercept + Slope·x))),  x = √12 (rank − 1/2),
//
// where x has mean 0 and variance 1 over a run. Slope ≥ 0: P never falls as
// the rank grows.
type Model struct {
	Intercept float64 `json:"intercept"`
	Slope     float64 `json:"slope"`
}

// P returns the probability of being right.
func (m Model) P(rank float64) float64 {
	return exact.Logistic(m.Intercept + float64(m.Slope*feature(rank)))
}

func feature(rank float64) float64 { return math.Sqrt(12) * (rank - 0.5) }

// The prior of a model: one case at the middle rank that is half right, so that no share of right
// ones is 0 or 1; and a normal density of mean 1 and variance 1 on the slope. Without the latter,
// few cases in order (all wrong ones below all right ones) would give a step.
const (
	priorSlope     = 1
	priorPrecision = 1
	priorCases     = 1
)

// Fit returns the model of the largest posterior density for the cases: Platt scaling of ranks. The
// prior is one case at rank 1/2 that is half right, so that no share of right ones is 0 or 1, and a
// normal density of mean 1 and variance 1 of the slope. Without cases it returns the mode of the
// prior, Intercept 0 and Slope 1: 1/2 at the middle rank. It accepts fewer than [MinCases]. The
// density is log-concave. Newton's steps, halved where they would overshoot, find its maximum; if
// that has a slope below 0, the best model of slope 0 is the best of all. O(cases) a step, some ten
// steps.
//
// J. Platt: Probabilistic outputs for support vector machines, 1999; H.-T. Lin, C.-J. Lin, R. Weng:
// A note on Platt's probabilistic outputs, 2007.
func Fit(cases []Case) Model {
	m := newton(cases, Model{Slope: priorSlope}, true)
	if m.Slope < 0 {
		m = newton(cases, Model{}, false)
	}
	return m
}

// newton minimises the loss from the start m, over the slope too if free, until no step reduces it.
func newton(cases []Case, m Model, free bool) Model {
	const steps, smallest = 100, 1e-6
	loss := lossOf(cases, m)
	for range steps {
		g0, g1, h00, h01, h11 := derivatives(cases, m)
		d0, d1 := g0/h00, 0.0
		if free {
			determinant := float64(h00*h11) - float64(h01*h01)
			d0, d1 = (float64(h11*g0)-float64(h01*g1))/determinant, (float64(h00*g1)-float64(h01*g0))/determinant
		}
		size := 1.0
		next := Model{m.Intercept - d0, m.Slope - d1}
		now := lossOf(cases, next)
		for !(now < loss) {
			if size /= 2; size < smallest {
				return m
			}
			next = Model{m.Intercept - float64(size*d0), m.Slope - float64(size*d1)}
			now = lossOf(cases, next)
		}
		m, loss = next, now
	}
	return m
}

// lossOf returns minus the log of the posterior density, up to a constant.
func lossOf(cases []Case, m Model) float64 {
	d := m.Slope - priorSlope
	loss := float64(priorPrecision*d*d/2) + float64(priorCases*(exact.Softplus(m.Intercept)-m.Intercept/2))
	for _, c := range cases {
		z := m.Intercept + float64(m.Slope*feature(c.Rank))
		loss += exact.Softplus(z)
		if c.Right {
			loss -= z
		}
	}
	return loss
}

// derivatives returns the gradient and the Hessian of the loss.
func derivatives(cases []Case, m Model) (g0, g1, h00, h01, h11 float64) {
	p := exact.Logistic(m.Intercept)
	g0 = priorCases * (p - 0.5)
	h00 = priorCases * p * (1 - p)
	g1 = priorPrecision * (m.Slope - priorSlope)
	h11 = priorPrecision
	for _, c := range cases {
		x := feature(c.Rank)
		p := exact.Logistic(m.Intercept + float64(m.Slope*x))
		d := p
		if c.Right {
			d--
		}
		g0 += d
		g1 += float64(d * x)
		w := float64(p * (1 - p))
		h00 += w
		h01 += float64(w * x)
		h11 += float64(w * x * x)
	}
	return g0, g1, h00, h01, h11
}

// Crossed returns the probability of each case by the model of the cases of all other folds: the
// prediction of a model for cases that it has not seen.
func Crossed(cases []Case) []float64 {
	models := map[int]Model{}
	p := make([]float64, len(cases))
	for k, c := range cases {
		m, ok := models[c.Fold]
		if !ok {
			var others []Case
			for _, o := range cases {
				if o.Fold != c.Fold {
					others = append(others, o)
				}
			}
			m = Fit(others)
			models[c.Fold] = m
		}
		p[k] = m.P(c.Rank)
	}
	return p
}
