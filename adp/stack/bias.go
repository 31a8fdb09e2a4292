package stack

import (
	"math"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/exact"
	"github.com/adp-sparse/adp-sparse/internal/rows"
	"github.com/adp-sparse/adp-sparse/internal/splitmix"
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

// AddBias adds a bias to the logarithms of probabilities p, n×c, in place: p_ij ∝ p_ij e^b_j. It does nothing where the bias is nil.
func AddBias(p *csr.Dense, bias []float64, threads int) {
	if bias != nil {
		multiply(p, exponentials(bias), threads)
	}
}

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

// In order: the steps of [MatchBias], the size that a class has at least, the slope that is reckoned with at least, the change of a
// bias that ends it, and the largest bias.
const (
	matchSteps     = 100
	leastSize      = 1e-6
	leastSlope     = 0.05
	matchTolerance = 1e-5
	mostBias       = 50
)

// MatchBias returns the bias b_j of each class with which probabilities p, n×c, have the mean of others, f, n×c:
//
//	mean_i q_ij = mean_i f_ij/Σ_l f_il,   q_ij ∝ p_ij e^b_j,
//
// by b_j ← b_j + ½ ln(wanted/had)/slope, where the slope of ln had is that of b_j alone. It is at most 50. Rows where one of both is 0 take no part, nor those of
// without, nil for none; of many rows 20,000 speak for all. It returns nil where no row does. Cost: up to 100 passes over these rows.
func MatchBias(p, f *csr.Dense, without []bool, threads int) []float64 {
	c := p.Cols
	step := max(1, p.Rows/sizeRows)
	used := (p.Rows + step - 1) / step
	reduce := rows.NewReducer(used, 2*c+1)
	// sums returns the means of the rows, raised by a bias, and those of q(1−q).
	sums := func(of *csr.Dense, bias []float64) (mean, spread []float64) {
		lift := exponentials(bias)
		all := reduce.Sum(threads, func(lo, hi int, sum []float64) {
			q := make([]float64, c)
			for k := lo; k < hi; k++ {
				i := min(k*step+int(splitmix.Number(uint64(k))%uint64(step)), p.Rows-1) // as for the sizes
				if without != nil && without[i] || !(slices.Max(p.Row(i)) > 0) || !(slices.Max(f.Row(i)) > 0) || !scaled(q, of.Row(i), lift) {
					continue
				}
				sum[2*c]++
				for j, v := range q {
					sum[j] += v
					sum[c+j] += float64(v * (1 - v))
				}
			}
		})
		if all[2*c] == 0 {
			return nil, nil
		}
		for j := range 2 * c {
			all[j] /= all[2*c]
		}
		return slices.Clone(all[:c]), slices.Clone(all[c : 2*c])
	}
	b := make([]float64, c)
	wanted, _ := sums(f, b)
	if wanted == nil {
		return nil
	}
	for range matchSteps {
		moved := 0.0
		had, spread := sums(p, b)
		for j := range b {
			size := max(had[j], leastSize)
			change := 0.5 * exact.Log(max(wanted[j], leastSize)/size) / max(spread[j]/size, leastSlope)
			change = min(mostBias, max(-mostBias, b[j]+min(2, max(-2, change)))) - b[j]
			b[j] += change
			moved = max(moved, math.Abs(change))
		}
		if moved < matchTolerance {
			break
		}
	}
	return b
}
