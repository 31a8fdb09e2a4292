package stack

import (
	"math"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/exact"
	"github.com/adp-sparse/adp-sparse/internal/rows"
	"github.com/adp-sparse/adp-sparse/internal/splitmix"
)

// The constants of [ClassSizes], [ShiftedSizes] and [Sizes.Reweigh] (docs/decisions/0033-class-bias.md, 0036-unlike-numbers.md and 0047-sharp-before-sizes.md).
const (
	sizeRows       = 20_000 // that the sizes are estimated from
	sizeIterations = 100
	sizeTolerance  = 1e-7 // of a size, from one iteration to the next
	sizePrior      = 0.25 // of κ
	sizeChance     = 0.5  // of λ
	shiftPrior     = 1    // of κ
	shiftWay       = 0.5  // that probabilities go to the sizes
	shiftVariance  = 1e-4 // that every class has at least
)

// Sizes are those that c classes seem to have among some rows of probabilities.
type Sizes struct {
	// Base has the sizes for which the probabilities hold, Sizes those of the rows. Each has sum 1.
	Base, Sizes []float64
	// Way is how far probabilities go from one to the other ([Sizes.Reweigh]).
	Way float64
	// Shift is λ of [ShiftedSizes]: how far beyond chance the rows are unlike the left-out seeds.
	Shift float64
}

// ClassSizes estimates the sizes π of c classes among the n rows of p, n×c, that are not left out, from
// probabilities of the classes that hold where the sizes are equal, b = 1/c. It is the estimate of largest likelihood, by
// expectation and maximisation, with a prior of b, drawn towards b as far as chance explains the difference (James and
// Stein's positive-part estimator):
//
//	q_ij ∝ p_ij s_j/b_j,   s_j ← (Σ_i q_ij/n + κ b_j)/(1 + κ),   κ = ¼(c−1)/(m a²),
//	π = b + λ(s − b),   λ = max(0, 1 − ½(c−1)/χ²),   χ² = m a² Σ_j (s_j − b_j)²/b_j.
//
// Sizes are only as good as the probabilities are, and too unlike where these are too dull ([FitSharpness]). These were
// fitted on m left-out seeds, and a is the accuracy on them above chance, (accuracy − 1/c)/(1 − 1/c). Nil where m, a or λ is not above 0. With fewer rows than seeds, m is
// the number of rows: they tell no more than their number.
// Rows of zeros and those of without take no part. Of many rows 20,000 speak for all.
//
// Cost: up to 100 passes over the rows. M. Saerens, P. Latinne, C. Decaestecker: Adjusting the Outputs of
// a Classifier to New a Priori Probabilities, Neural Computation 14, 2002.
func ClassSizes(p *csr.Dense, without []bool, leftOut int, accuracy float64, threads int) *Sizes {
	skill := aboveChance(accuracy, p.Cols)
	if leftOut == 0 || !(skill > 0) {
		return nil
	}
	base := make([]float64, p.Cols)
	for j := range base {
		base[j] = 1 / float64(p.Cols)
	}
	m := counted(p, without, leftOut)
	if m == 0 {
		return nil
	}
	chance := float64(p.Cols-1) / (float64(m) * skill * skill)
	sizes, _ := maximiseSizes(p, without, base, sizePrior*chance, threads)
	if sizes = shrink(sizes, base, sizeChance*chance); sizes == nil {
		return nil
	}
	return &Sizes{Base: base, Sizes: sizes, Way: 1}
}

// counted returns the number of rows that take part, most at most.
func counted(p *csr.Dense, without []bool, most int) (count int) {
	for i := 0; i < p.Rows && count < most; i++ {
		if !without[i] && slices.Max(p.Row(i)) > 0 {
			count++
		}
	}
	return count
}

// ShiftedSizes estimates the sizes π of c classes among the rows of p, as [ClassSizes] does, where the sizes among the
// m left-out seeds, with probabilities left, m×c, are not equal: seeds that were drawn from all nodes, or that came to hand.
// Probabilities hold for b, their mean over these seeds:
//
//	π = b + λ(s − b),   λ = max(0, 1 − (c−1)/χ²),   χ² = m Σ_j (p̄_j − b_j)²/v_j,   κ = (c−1)/(m a²),
//
// with p̄ the mean over the rows, and v_j the variance over the seeds, plus 10⁻⁴; with fewer rows than seeds m is their number. Seeds that were drawn from all nodes are like
// the rows: p̄ is near b, and λ is 0 or small. Nil where m, a or λ is not above 0, and without rows. Cost is that of ClassSizes.
//
// That probabilities hold for their own mean over seeds, and not for the shares of the seeds: A. Alexandari, A. Kundaje,
// A. Shrikumar, see [FitBias].
func ShiftedSizes(p *csr.Dense, without []bool, left *csr.Dense, accuracy float64, threads int) *Sizes {
	skill := aboveChance(accuracy, p.Cols)
	base, spread, seeds := moments(left)
	m := float64(counted(p, without, seeds))
	if m == 0 || !(skill > 0) {
		return nil
	}
	sizes, mean := maximiseSizes(p, without, base, shiftPrior*float64(p.Cols-1)/(m*skill*skill), threads)
	if sizes == nil {
		return nil
	}
	chi := 0.0
	for j, v := range mean {
		chi += float64(m * (v - base[j]) * (v - base[j]) / (spread[j] + shiftVariance))
	}
	lambda := 1 - float64(p.Cols-1)/chi
	if !(lambda > 0) {
		return nil
	}
	for j, size := range sizes {
		sizes[j] = base[j] + float64(lambda*(size-base[j]))
	}
	return &Sizes{Base: base, Sizes: sizes, Way: shiftWay, Shift: lambda}
}

// moments returns the mean and the variance of the columns of p, and the number of its rows. Rows of zeros take no part.
func moments(p *csr.Dense) (mean, variance []float64, count int) {
	mean, variance = make([]float64, p.Cols), make([]float64, p.Cols)
	for k := range p.Rows {
		if row := p.Row(k); slices.Max(row) > 0 {
			count++
			for j, v := range row {
				mean[j] += float64(v)
			}
		}
	}
	for j := range mean {
		mean[j] /= float64(max(count, 1))
	}
	for k := range p.Rows {
		if row := p.Row(k); slices.Max(row) > 0 {
			for j, v := range row {
				off := float64(v) - mean[j]
				variance[j] += float64(off*off) / float64(count)
			}
		}
	}
	return mean, variance, count
}

// maximiseSizes returns the sizes of largest likelihood, with a prior of base that counts for κ rows of each, and the mean of
// the rows; nil without rows.
func maximiseSizes(p *csr.Dense, without []bool, base []float64, kappa float64, threads int) (sizes, mean []float64) {
	step := max(1, p.Rows/sizeRows)
	used := (p.Rows + step - 1) / step
	sizes = append([]float64(nil), base...)
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
			return nil, nil
		}
		moved := 0.0
		for j, size := range sizes {
			sizes[j] = (sums[j]/n + float64(kappa*base[j])) / (1 + kappa)
			moved = max(moved, math.Abs(sizes[j]-size))
		}
		if mean == nil {
			for j := range sizes {
				mean = append(mean, sums[j]/n)
			}
		}
		if moved < sizeTolerance {
			break
		}
	}
	return sizes, mean
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

// Reweigh makes probabilities p, n×c, those for the sizes, in place: p_ij ∝ p_ij (π_j/b_j)^w, with w = s.Way: 1 of [ClassSizes], and
// ½ of [ShiftedSizes], whose base is itself an estimate, of few seeds.
func (s *Sizes) Reweigh(p *csr.Dense, threads int) {
	multiply(p, ratios(s.Sizes, s.Base, s.Way), threads)
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
		ratio[j] = exact.Pow(max(sizes[j], math.SmallestNonzeroFloat32)/max(base[j], math.SmallestNonzeroFloat32), power)
	}
	return ratio
}

// scaled writes p_j ratio_j of sum 1 to q. It reports false for a row of zeros.
func scaled(q []float64, p []float32, ratio []float64) bool {
	all := 0.0
	for j, v := range p {
		q[j] = float64(float64(v) * ratio[j])
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
