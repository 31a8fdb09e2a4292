package stack

import (
	"math"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/exact"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// The constants of [FitSharpness] (docs/decisions/0038-confidence-of-a-mixture.md).
const (
	sharpPrior = 10 // 1/variance of ln η
	sharpMost  = 4  // η is between its inverse and this
	sharpSteps = 16 // halvings of the interval of ln η, to 4·10⁻⁵
)

// FitSharpness returns the power η of probabilities p, m×c, for which the classes of m left-out seeds are most likely,
//
//	Σ_k ln q_k,y(k) − 5 (ln η)²,   q_kj ∝ p_kj^η,   ¼ ≤ η ≤ 4.
//
// A mixture of calibrated methods is underconfident: they err on different nodes. Rows of zeros take no part; without others η is 1.
//
// Cost: 16 passes over p.
//
// R. Ranjan, T. Gneiting: Combining probability forecasts, Journal of the Royal Statistical Society B 72, 2010.
func FitSharpness(p *csr.Dense, classes []uint32, threads int) float64 {
	known, own := logarithmsOf(p, classes)
	if len(own) == 0 {
		return 1
	}
	slopes := make([]float64, len(own))
	slope := func(t float64) float64 {
		eta, sum := exact.Exp(t), -float64(sharpPrior*t)
		rows.Each(len(own), threads, func(lo, hi int) {
			for k := lo; k < hi; k++ {
				all, mean := 0.0, 0.0
				for _, v := range known[k*p.Cols : (k+1)*p.Cols] {
					if !math.IsInf(v, -1) {
						share := exact.Exp(eta * v)
						all, mean = all+share, mean+float64(share*v)
					}
				}
				slopes[k] = eta * (own[k] - mean/all)
			}
		})
		for _, v := range slopes {
			sum += v
		}
		return sum
	}
	high := exact.Log(sharpMost)
	low := -high
	for range sharpSteps {
		if middle := (low + high) / 2; slope(middle) > 0 {
			low = middle
		} else {
			high = middle
		}
	}
	return exact.Exp((low + high) / 2)
}

// leastLog stands for the logarithm of 0, about that of the least float32.
const leastLog = -103

// logarithmsOf returns those of the rows of p that are not zeros, each less its largest, and those of the seeds' own classes.
func logarithmsOf(p *csr.Dense, classes []uint32) (known, own []float64) {
	for k, class := range classes {
		at := len(known)
		known = slices.Grow(known, p.Cols)[:at+p.Cols]
		row := known[at:]
		if !logarithms(row, p.Row(k)) {
			known = known[:at]
			continue
		}
		own = append(own, max(row[class], leastLog))
	}
	return known, own
}

// logarithms writes those of a row, less the largest. It reports false for a row of zeros.
func logarithms(logs []float64, row []float32) bool {
	for j, v := range row {
		logs[j] = math.Inf(-1)
		if v > 0 {
			logs[j] = exact.Log(float64(v))
		}
	}
	most := slices.Max(logs)
	if math.IsInf(most, -1) {
		return false
	}
	for j := range logs {
		logs[j] -= most
	}
	return true
}

// Sharpen raises probabilities p, n×c, to a power, in place: p_ij ∝ p_ij^η. The order of a row stays, but for rounding; so do rows of zeros.
func Sharpen(p *csr.Dense, eta float64, threads int) {
	rows.Each(p.Rows, threads, func(lo, hi int) {
		q := make([]float64, p.Cols)
		for i := lo; i < hi; i++ {
			row := p.Row(i)
			if !logarithms(q, row) {
				continue
			}
			all := 0.0
			for j, v := range q {
				q[j] = exact.Exp(eta * v)
				all += q[j]
			}
			for j, v := range q {
				row[j] = float32(v / all)
			}
		}
	})
}
