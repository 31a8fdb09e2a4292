package stack

import "fmt"

// Strength is s of [Weigh]: as many left-out seeds as the prior counts for.
const Strength = 8

// Weigh returns the weights w ≥ 0, Σ w_r = 1, that maximise
//
//	Σ_k ln Σ_r w_r p_kr + s Σ_r π_r ln w_r,
//
// where p_kr is the probability that method r gives the class of left-out seed k, π the prior
// and s [Strength]. The function is concave; the iteration is that of expectation and
// maximisation, w_r ← (s π_r + Σ_k w_r p_kr/Σ_q w_q p_kq)/(s + m), from w = π, 200 times. No
// seeds give π.
//
// likelihoods has a slice of m numbers a method. A seed that no method gives its class, all p_kr = 0, takes
// no part. A prior of another length, or not above 0
// in all, panics.
//
// A. Dempster, N. Laird, D. Rubin: Maximum Likelihood from Incomplete Data via the EM
// Algorithm, JRSS B 39, 1977.
func Weigh(likelihoods [][]float64, prior []float64) []float64 {
	if len(likelihoods) != len(prior) {
		panic(fmt.Sprintf("stack: %d methods and a prior of %d", len(likelihoods), len(prior)))
	}
	total := 0.0
	for _, share := range prior {
		total += share
	}
	if !(total > 0) {
		panic(fmt.Sprintf("stack: a prior of %v", prior))
	}
	pi := make([]float64, len(prior))
	for r, share := range prior {
		pi[r] = share / total
	}
	w := append([]float64(nil), pi...)
	const iterations = 200
	for range iterations {
		maximise(w, pi, likelihoods)
	}
	return w
}

// maximise is one iteration, in place.
func maximise(w, pi []float64, likelihoods [][]float64) {
	m := 0
	sums := make([]float64, len(w))
	for k := range likelihoods[0] {
		all := 0.0
		for r, p := range likelihoods {
			all += float64(w[r] * p[k])
		}
		if all == 0 {
			continue
		}
		m++
		for r, p := range likelihoods {
			sums[r] += float64(w[r]*p[k]) / all
		}
	}
	for r := range w {
		w[r] = (float64(Strength*pi[r]) + sums[r]) / (Strength + float64(m))
	}
}
