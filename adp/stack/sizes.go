package stack

import (
	"math"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/exact"
	"github.com/adp-sparse/adp-sparse/internal/rows"
	"github.com/adp-sparse/adp-sparse/internal/splitmix"
)

// The constants of [ClassSizes] and [Reweigh] (docs/decisions/0033-class-bias.md).
const (
	sizeRows       = 20_000 // that the sizes are estimated from
	sizeIterations = 100
	sizePrior      = 0.25 // of κ
	sizeChance     = 0.5  // of λ
	sizeWay        = 0.75 // that probabilities go to the sizes
)

// ClassSizes estimates the sizes π of c classes among the n rows of p, n×c, that are not left out:
// probabilities of the classes that hold where the sizes are b. It is the estimate of largest likelihood, by
// expectation and maximisation, with a prior of b, drawn towards b as far as chance explains the difference (James and
// Stein's positive-part estimator):
//
//	q_ij ∝ p_ij s_j/b_j,   s_j ← (Σ_i q_ij/n + κ b_j)/(1 + κ),   κ = ¼(c−1)/(m a²),
//	π = b + λ(s − b),   λ = max(0, 1 − ½(c−1)/χ²),   χ² = m a² Σ_j (s_j − b_j)²/b_j.
//
// Sizes are only as good as the probabilities are. These were fitted on m left-out seeds, and a is
// the accuracy on them above chance, (accuracy − 1/c)/(1 − 1/c). Nil where m, a or λ is not above 0.
// Rows of zeros and those of without take no part. Of many rows 20,000 speak for all. base has c numbers
// of sum 1.
//
// Cost: 100 passes over the rows. M. Saerens, P. Latinne, C. Decaestecker: Adjusting the Outputs of
// a Classifier to New a Priori Probabilities, Neural Computation 14, 2002.
func ClassSizes(p *csr.Dense, without []bool, base []float64, leftOut int, accuracy float64, threads int) []float64 {
	skill := aboveChance(accuracy, p.Cols)
	if leftOut == 0 || !(skill > 0) {
		return nil
	}
	worth := float64(leftOut) * skill * skill
	chance := float64(p.Cols-1) / worth
	kappa := sizePrior * chance
	step := max(1, p.Rows/sizeRows)
	used := (p.Rows + step - 1) / step
	sizes := append([]float64(nil), base...)
	reduce := rows.NewReducer(used, p.Cols+1)
	for range sizeIterations {
		ratio := ratios(sizes, base, 1)
		sums := reduce.Sum(threads, func(lo, hi int, sum []float64) {
			q := make([]float64, p.Cols)
			for k := lo; k < hi; k++ {
				// Somewhere in its part: classes may follow each other in turn.
				i := min(k*step+int(splitmix.Number(uint64(k))%uint64(step)), p.Rows-1)
				if !without[i] && scaled(q, p.Row(i), ratio) {
					sum[p.Cols]++
					for j, v := range q {
						sum[j] += v
					}
				}
			}
		})
		n := sums[p.Cols]
		if n == 0 {
			return nil
		}
		for j := range sizes {
			sizes[j] = (sums[j]/n + float64(kappa*base[j])) / (1 + kappa)
		}
	}
	return shrink(sizes, base, sizeChance*chance)
}

// shrink draws sizes towards base, in place, by the share of Σ_j (s_j − b_j)²/b_j that chance explains; nil where it
// explains all.
func shrink(sizes, base []float64, chance float64) []float64 {
	distance := 0.0
	for j, size := range sizes {
		distance += float64((size-base[j])*(size-base[j])) / base[j]
	}
	if !(distance > chance) {
		return nil
	}
	for j, size := range sizes {
		sizes[j] = base[j] + float64((1-chance/distance)*(size-base[j]))
	}
	return sizes
}

// Reweigh makes probabilities that hold where the sizes of classes are base those for sizes three quarters of the way
// to others, in place: p_ij ∝ p_ij (π_j/b_j)^¾. Not all of it, since the sizes were estimated by the same
// probabilities: a class that they see too seldom would lose twice.
func Reweigh(p *csr.Dense, base, sizes []float64, threads int) {
	multiply(p, ratios(sizes, base, sizeWay), threads)
}

// multiply makes the rows of p p_ij ratio_j of sum 1, in place; rows of zeros stay so.
func multiply(p *csr.Dense, ratio []float64, threads int) {
	rows.Each(p.Rows, threads, func(lo, hi int) {
		q := make([]float64, p.Cols)
		for i := lo; i < hi; i++ {
			if row := p.Row(i); scaled(q, row, ratio) {
				for j, v := range q {
					row[j] = float32(v)
				}
			}
		}
	})
}

// ratios returns (π_j/b_j)^power.
func ratios(sizes, base []float64, power float64) []float64 {
	ratio := make([]float64, len(base))
	for j := range ratio {
		ratio[j] = exact.Pow(max(sizes[j], math.SmallestNonzeroFloat32)/base[j], power)
	}
	return ratio
}

// scaled writes p_j ratio_j of sum 1 to q. It reports false for a row of zeros.
func scaled(q []float64, p []float32, ratio []float64) bool {
	all := 0.0
	for j, v := range p {
		q[j] = float64(v) * ratio[j]
		all += q[j]
	}
	if !(all > 0) {
		return false
	}
	for j := range q {
		q[j] /= all
	}
	return true
}
