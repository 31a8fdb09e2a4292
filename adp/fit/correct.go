package fit

import (
	"slices"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/choice"
	"github.com/adp-sparse/adp-sparse/adp/crossval"
	"github.com/adp-sparse/adp-sparse/adp/stack"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/exact"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// correct corrects the probabilities f, n×c, by the left-out seeds, and foretells their accuracy: a bias of each class, the power
// that makes the largest of a row the probability of being right, and the sizes that the classes seem to have among the nodes without a
// label. Sizes come last: probabilities that are too dull make them too unlike, and move too many nodes. Where the nodes are unlike
// the seeds, beyond chance, the seeds say less of the power. It returns how far they are ([stack.Sizes]).
func (p *pool) correct(f *csr.Dense, report *Combination, left *leftOut) (shift float64) {
	q, told := p.mix(left, report, f.Cols), p.toldSizes()
	chosen := accuracy(q, left.classes) - report.Accuracy
	if p.resizes {
		report.Bias = stack.FitBias(q, left.classes, report.Accuracy, told)
		stack.AddBias(f, report.Bias, p.opt.Threads)
		stack.AddBias(q, report.Bias, p.opt.Threads)
	}
	report.Sharpness = stack.FitSharpness(q, left.classes, p.opt.Threads)
	p.sharpen(f, q, report.Sharpness)
	if report.Bias != nil {
		shift = p.resize(f, q, report, told)
	}
	report.Foretold = p.foretell(f, q, report, left.classes, chosen)
	return shift
}

// sharpen raises the probabilities of the nodes and those of the left-out seeds to a power.
func (p *pool) sharpen(f, q *csr.Dense, power float64) {
	stack.Sharpen(f, power, p.opt.Threads)
	stack.Sharpen(q, power, p.opt.Threads)
}

// toldSizes returns the class sizes that the numbers of seeds tell. Where there are as many seeds of each class, or nearly, or as
// many as it has nodes, they tell nothing, and it returns nil. Else they may be a sample of the nodes, or what came to hand.
func (p *pool) toldSizes() []float64 {
	if crossval.ByClass(p.whole.y.PerClass()) {
		return nil
	}
	return choice.SeedPrior(p.whole.y)
}

// resize makes the probabilities f, n×c, and those of the left-out seeds, q, m×c, those for the sizes of the classes among the nodes.
// It returns how far these are unlike the seeds ([stack.Sizes]), and takes back as much of the power that the seeds told.
func (p *pool) resize(f, q *csr.Dense, report *Combination, told []float64) (shift float64) {
	var sizes *stack.Sizes
	if told == nil {
		sizes = stack.ClassSizes(f, p.whole.y.Mask(), report.LeftOut, report.Accuracy, p.opt.Threads)
	} else {
		sizes = stack.ShiftedSizes(f, p.whole.y.Mask(), q, report.Accuracy, p.opt.Threads)
	}
	if sizes == nil {
		return 0
	}
	if sizes.Shift > 0 {
		p.sharpen(f, q, 1/exact.Pow(report.Sharpness, sizes.Shift))
		report.Sharpness = exact.Pow(report.Sharpness, 1-sizes.Shift)
	}
	sizes.Reweigh(f, p.opt.Threads)
	sizes.Reweigh(q, p.opt.Threads)
	report.Sizes = sizes.Sizes
	return sizes.Shift
}

// foretellSeeds is the number of left-out seeds with which both terms of what is foretold count equally, classCases the
// number of cases of the share of all that each class has at first.
const (
	foretellSeeds = 100
	classCases    = 2
)

// foretell returns the accuracy of the probabilities f, n×c, on the nodes without a label, by those of m left-out
// seeds, q, m×c,
//
//	A = (1−k) a + k (Σ_j π_j r_j − o),   k = m/(m+100),
//
// with a the share of the seeds that are right, by weights of others (Combination.Accuracy); o the share by which their own weights
// make it better; r_j the share of those of class j that are right now, with two more cases of the share of all; and π_j the mean of
// f_ij over the nodes. The bracket is cut to 0 to 1. Seeds need not be spread over the classes as the nodes are. Few seeds of a class
// tell its share badly, so that a counts for more then.
func (p *pool) foretell(f, q *csr.Dense, report *Combination, classes []uint32, o float64) float64 {
	if len(classes) == 0 {
		return 0
	}
	without := p.whole.y.Mask()
	sums := rows.NewReducer(f.Rows, f.Cols+1).Sum(p.opt.Threads, func(lo, hi int, sum []float64) {
		for i := lo; i < hi; i++ {
			if without[i] {
				continue
			}
			for j, v := range f.Row(i) {
				sum[j] += float64(v)
				sum[f.Cols] += float64(v)
			}
		}
	})
	if !(sums[f.Cols] > 0) {
		return report.Accuracy
	}
	now, m := accuracy(q, classes), float64(len(classes))
	right, count := make([]float64, f.Cols), make([]float64, f.Cols)
	for k, class := range classes {
		count[class]++
		if isRight(q.Row(k), class) {
			right[class]++
		}
	}
	byClass := -o
	for j, v := range sums[:f.Cols] {
		byClass += float64(v / sums[f.Cols] * (right[j] + float64(classCases*now)) / (count[j] + classCases))
	}
	share := m / (m + foretellSeeds)
	return float64((1-share)*report.Accuracy) + float64(share*min(1, max(0, byClass)))
}

// reliability measures the confidence on the left-out seeds. The weights and the sharpness of each quarter are fitted to the other three.
// The bias is fitted to all: fitted to three quarters it would be the worse the more seeds of one class the fourth has. The sizes of the
// classes among the nodes take no part.
func (p *pool) reliability(report *Combination, left *leftOut, by quarters, shift float64) *adp.Calibration {
	raw := p.crossed(left, by, p.whole.y.Classes, nil)
	sharp := p.crossed(left, by, p.whole.y.Classes, func(some, others *csr.Dense, classes []uint32) {
		stack.AddBias(some, report.Bias, p.opt.Threads)
		stack.AddBias(others, report.Bias, p.opt.Threads)
		stack.Sharpen(some, exact.Pow(stack.FitSharpness(others, classes, p.opt.Threads), 1-shift), p.opt.Threads)
	})
	var right []bool
	var before, confidence []float64
	for k, class := range left.classes {
		if row := sharp.Row(k); slices.Max(row) > 0 {
			before, confidence = append(before, float64(slices.Max(raw.Row(k)))), append(confidence, float64(slices.Max(row)))
			right = append(right, isRight(row, class))
		}
	}
	return adp.NewCalibration(before, confidence, right, len(left.classes)-len(right), len(p.folds))
}
