package stack

import (
	"math"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/exact"
)

// The constants of [FitBias] (docs/decisions/0033-class-bias.md and 0036-unlike-numbers.md).
const (
	biasSeeds      = 4    // that the prior of a bias counts for
	biasShare      = 0.25 // of the sizes that the seeds tell, at least
	biasDoubt      = 1.5  // how fast that share falls with the accuracy
	biasIterations = 300
	biasTolerance  = 1e-9
)

// FitBias returns the bias b of each of c classes that makes the classes of m left-out seeds most likely, for
// probabilities p, m×c: the maximum of
//
//	Σ_k ln q_k,y(k) − ρ/2 Σ_j (b_j − g_j)²,   q_kj ∝ p_kj e^b_j,   ρ = 4/a²,
//	g_j = max(¼, 1 − 3a/2) ln(c π_j),
//
// with a the accuracy on the seeds above chance, (accuracy − 1/c)/(1 − 1/c), at least 0, and π the class sizes that the seeds tell, c
// numbers of sum 1. Where these are nil g is 0. A mixture may give a class too often whatever the temperatures of its members are; the
// sizes of classes ([ClassSizes]) are then estimated wrong. Where it knows little, the sizes say more. Nil where m is 0, and where a
// is 0 and sizes are nil.
//
// Cost: up to 300 passes over p, on one thread.
//
// A. Alexandari, A. Kundaje, A. Shrikumar: Maximum Likelihood with Bias-Corrected Calibration is Hard-To-Beat at Label
// Shift Adaptation, ICML 2020.
func FitBias(p *csr.Dense, classes []uint32, accuracy float64, sizes []float64) []float64 {
	skill := aboveChance(accuracy, p.Cols)
	if !(skill > 0) {
		skill = 0
	}
	if p.Rows == 0 || skill == 0 && sizes == nil {
		return nil
	}
	b, q, expected := make([]float64, p.Cols), make([]float64, p.Cols), make([]float64, p.Cols)
	for j, size := range sizes {
		expected[j] = max(biasShare, 1-float64(biasDoubt*skill)) * exact.Log(size*float64(p.Cols))
	}
	copy(b, expected)
	if skill == 0 {
		return b
	}
	rho := biasSeeds / (skill * skill)
	for range biasIterations { // half of a step of Newton's method on the diagonal
		slope, curve := make([]float64, p.Cols), make([]float64, p.Cols)
		lift := exponentials(b)
		for k, class := range classes {
			if !scaled(q, p.Row(k), lift) {
				continue
			}
			for j, v := range q {
				slope[j] -= v
				curve[j] += float64(v * (1 - v))
			}
			slope[class]++
		}
		largest := 0.0
		for j := range b {
			step := 0.5 * (slope[j] - float64(rho*(b[j]-expected[j]))) / (curve[j] + rho)
			b[j] += step
			largest = max(largest, math.Abs(step))
		}
		if largest < biasTolerance {
			break
		}
	}
	return b
}

// AddBias adds a bias to the logarithms of probabilities p, n×c, in place: p_ij ∝ p_ij e^b_j.
func AddBias(p *csr.Dense, bias []float64, threads int) { multiply(p, exponentials(bias), threads) }

// aboveChance returns the accuracy on c classes above chance, as a share of what is above it.
func aboveChance(accuracy float64, classes int) float64 {
	chance := 1 / float64(classes)
	return (accuracy - chance) / (1 - chance)
}

func exponentials(b []float64) []float64 {
	out := make([]float64, len(b))
	for j, v := range b {
		out[j] = exact.Exp(v)
	}
	return out
}
