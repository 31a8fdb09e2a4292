package stack

import (
	"math"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/exact"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// The constants of the probabilities, and of the priors: ln τ is normal about
// ln 1.5 with a standard deviation of √2 (docs/decisions/0014-feature-step.md).
const (
	floor       = 0.02 // ε
	usual       = 1.5  // τ of a method whose left-out scores are not known
	temperPrior = 0.25 // 1/(2·variance)
	evenPrior   = 2    // γ = 1 has to make the classes e² times as likely
)

// The grid of τ and of γ.
var (
	temperatures = [...]float64{0.1, 0.15, 0.22, 0.35, 0.5, 0.7, 1, 1.4, 2, 2.8, 4, 5.6, 8}
	evens        = [...]float64{0, 0.5, 1}
)

// Scale says how centred scores z of a row become probabilities: by the softmax of
//
//	τ z/(size^(1−γ) rms(z)^γ).
//
// With γ = 0 rows of larger scores are surer, with γ = 1 all rows are as sure as each other. Label
// spreading needs that where a few nodes beside seeds have scores far above all others.
type Scale struct {
	Temperature float64 // τ
	Even        float64 // γ
}

// Usual is the scale of a method whose left-out scores are not known.
var Usual = Scale{Temperature: usual}

// Probabilities writes (1−ε) softmax(…) + ε/c of centred scores z to p, of c numbers; size is
// that of all scores of the method ([Size]).
func (s Scale) Probabilities(p []float64, z []float32, size float64) {
	most, square := float64(z[0]), 0.0
	for _, v := range z {
		most = max(most, float64(v))
		square += float64(v) * float64(v)
	}
	if s.Even > 0 && square > 0 {
		size *= exact.Exp(s.Even * exact.Log(math.Sqrt(square/float64(len(z)))/size))
	}
	sum := 0.0
	for j, v := range z {
		p[j] = exact.Exp(s.Temperature * ((float64(v) - most) / size))
		sum += p[j]
	}
	own := (1 - floor) / sum
	for j := range p {
		p[j] = float64(own*p[j]) + floor/float64(len(p))
	}
}

// Likelihoods returns the probability that each of m left-out seeds has its class, of their
// centred scores (m×c) and the size of each.
func (s Scale) Likelihoods(scores *csr.Dense, sizes []float64, classes []uint32, threads int) []float64 {
	out := make([]float64, scores.Rows)
	rows.Each(len(out), threads, func(lo, hi int) {
		p := make([]float64, scores.Cols)
		for k := lo; k < hi; k++ {
			s.Probabilities(p, scores.Row(k), sizes[k])
			out[k] = p[classes[k]]
		}
	})
	return out
}

// FitScale returns the τ and γ of a grid for which the classes of the left-out seeds are most
// likely, under the priors of both; [Usual] where there are none. Without even
// γ is 0. Cost: 13·m·c exponentials a γ.
func FitScale(scores *csr.Dense, sizes []float64, classes []uint32, even bool, threads int) Scale {
	best, most := Usual, math.Inf(-1)
	if scores.Rows == 0 {
		return best
	}
	for _, gamma := range evens {
		if gamma > 0 && !even {
			break
		}
		for _, tau := range temperatures {
			off := exact.Log(tau / usual)
			sum := -float64(temperPrior*float64(off*off)) - float64(evenPrior*gamma)
			s := Scale{Temperature: tau, Even: gamma}
			for _, p := range s.Likelihoods(scores, sizes, classes, threads) {
				sum += exact.Log(p)
			}
			if sum > most {
				best, most = s, sum
			}
		}
	}
	return best
}
