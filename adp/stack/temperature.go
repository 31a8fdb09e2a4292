package stack

import (
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/exact"
)

// The constants of the probabilities, and of the prior of the temperature: ln τ is normal about
// ln 1.5 with a standard deviation of √2 (docs/decisions/0014-feature-step.md).
const (
	floor       = 0.02 // ε
	usual       = 1.5  // τ of a method whose left-out scores are not known
	temperPrior = 0.25 // 1/(2·variance)
)

// temperatures is the grid of τ.
var temperatures = [...]float64{0.1, 0.15, 0.22, 0.35, 0.5, 0.7, 1, 1.4, 2, 2.8, 4, 5.6, 8}

// Probabilities writes (1−ε) softmax(τ z/size) + ε/c of centred scores z to p, of c numbers.
func Probabilities(p []float64, z []float32, size, tau float64) {
	most := float64(z[0])
	for _, v := range z {
		most = max(most, float64(v))
	}
	sum := 0.0
	for j, v := range z {
		p[j] = exact.Exp(tau * ((float64(v) - most) / size))
		sum += p[j]
	}
	own := (1 - floor) / sum
	for j := range p {
		p[j] = float64(own*p[j]) + floor/float64(len(p))
	}
}

// Likelihoods returns the probability that each of m left-out seeds has its class, of their
// centred scores (m×c) over the size of each.
func Likelihoods(scores *csr.Dense, sizes []float64, classes []uint32, tau float64) []float64 {
	p, out := make([]float64, scores.Cols), make([]float64, scores.Rows)
	for k := range out {
		Probabilities(p, scores.Row(k), sizes[k], tau)
		out[k] = p[classes[k]]
	}
	return out
}

// FitTemperature returns the τ of a grid for which the classes of the left-out seeds are most
// likely, under the prior; 1.5 where there are none. Cost: 13·m·c exponentials.
func FitTemperature(scores *csr.Dense, sizes []float64, classes []uint32) float64 {
	best, most := usual, 0.0
	if scores.Rows == 0 {
		return best
	}
	for k, tau := range temperatures {
		off := exact.Log(tau / usual)
		sum := -float64(temperPrior * float64(off*off))
		for _, p := range Likelihoods(scores, sizes, classes, tau) {
			sum += exact.Log(p)
		}
		if k == 0 || sum > most {
			best, most = tau, sum
		}
	}
	return best
}
