package crossval

import "math"

// Evidence is what is known of the accuracy of a labelling on the nodes without a known label.
type Evidence struct {
	// Right is the share of LeftOut seeds that runs without them gave their class.
	Right   float64
	LeftOut int
	// Seeds and Predicted count the seeds of each class and the other nodes that got it.
	Seeds, Predicted []int
	// Stated is the mean probability that the labelling gives its own labels; below 0 where its
	// confidence is no probability, or was fitted to Right.
	Stated float64
}

// Estimate is an estimate of the accuracy of a labelling on the nodes without a known label.
type Estimate struct {
	Accuracy float64 `json:"estimate"`
	// Low and High are the ends of the interval that should hold the true accuracy in 95 of 100 runs.
	Low     float64 `json:"low"`
	High    float64 `json:"high"`
	LeftOut int     `json:"left_out_seeds"`
	// Largest is the share of the most frequent class: the accuracy of giving it to all nodes.
	Largest float64 `json:"largest_class"`
}

// The constants of [Evidence.Estimate] (docs/decisions/0004-confidence.md).
const (
	statedCases = 8    // left-out seeds that the stated probability counts for
	perCase     = 1.5  // left-out seeds that count for one independent case
	chosenCases = 40   // that seeds count for at most where they were drawn by class
	deviations  = 1.96 // of a normal distribution, for 95 %
	fewNodes    = 10   // with fewer predictions their shares say nothing
)

// Estimate returns the estimate. Stated counts for eight more left-out seeds, where it is not below 0:
// the accuracy is (LeftOut·Right + 8·Stated)/(LeftOut + 8), else Right. The interval is Wilson's for m independent cases,
//
//	1/m = 1.5/n + (1−λ)/40,
//
// with n = LeftOut and λ = [Told](Seeds). It is 0 to 1 where n is 0. Seeds are not independent cases: they share the folds and the
// choice. Where somebody chose how many there are of each class, they do not tell how frequent the
// classes are, and with them the accuracy, however many there are. Largest is
//
//	max_j λ s_j/Σs + (1−λ) p_j/Σp,
//
// with s = Seeds, p = Predicted, and λ = 1 where there are fewer than 10 predictions.
//
// E. Wilson: Probable Inference, the Law of Succession, and Statistical Inference, JASA 22, 1927.
func (e Evidence) Estimate() Estimate {
	n, told := float64(e.LeftOut), Told(e.Seeds)
	p := e.Right
	if e.Stated >= 0 {
		p = (float64(n*p) + float64(statedCases*e.Stated)) / (n + statedCases)
	}
	cases := 1 / (perCase/n + (1-told)/chosenCases)
	out := Estimate{Accuracy: p, LeftOut: e.LeftOut}
	out.Low, out.High = wilson(p, cases)
	seeds, predicted := sum(e.Seeds), sum(e.Predicted)
	if predicted < fewNodes {
		told = 1
	}
	for j, count := range e.Seeds {
		share := float64(told * float64(count) / max(seeds, 1))
		share += float64((1 - told) * float64(e.Predicted[j]) / max(predicted, 1))
		out.Largest = max(out.Largest, share)
	}
	return out
}

// Verdict compares an accuracy with that of giving all nodes the most frequent class.
type Verdict int

// The verdicts.
const (
	Better        Verdict = iota // the whole interval is above
	PerhapsBetter                // the accuracy is, and the interval is not
	NoBetter
)

// Verdict returns the verdict of the estimate.
func (e Estimate) Verdict() Verdict {
	switch {
	case e.Accuracy <= e.Largest:
		return NoBetter
	case e.Low <= e.Largest:
		return PerhapsBetter
	}
	return Better
}

// Told says by how much the numbers of seeds of c classes differ beyond chance, so that they tell the
// sizes of the classes,
//
//	λ = max(0, 1 − (c−1)/χ²),   χ² = Σ_j (n_j − n/c)²/(n/c),
//
// with n_j of n seeds in class j: the positive-part estimator of James and Stein around equal
// classes. It is 0 for equally many seeds of each class and without classes, and near 1 for many unlike ones.
func Told(seeds []int) float64 {
	if len(seeds) == 0 {
		return 0
	}
	equal, chi := sum(seeds)/float64(len(seeds)), 0.0
	for _, k := range seeds {
		off := float64(k) - equal
		chi += float64(off * off / equal)
	}
	if !(chi > float64(len(seeds)-1)) {
		return 0
	}
	return 1 - float64(len(seeds)-1)/chi
}

// ByClass reports whether seeds seem to have been drawn by class: more than half of the classes have the largest number of
// seeds, and the others may have no more nodes.
func ByClass(seeds []int) bool {
	most, alike := 0, 0
	for _, k := range seeds {
		switch {
		case k > most:
			most, alike = k, 1
		case k == most:
			alike++
		}
	}
	return 2*alike > len(seeds)
}

// wilson returns the score interval of a share p of n cases: 0 to 1 of none.
func wilson(p, n float64) (low, high float64) {
	if n == 0 {
		return 0, 1
	}
	const square = deviations * deviations
	centre := p + square/(2*n)
	half := deviations * math.Sqrt(float64(p*(1-p))/n+square/(4*n*n))
	scale := 1 + square/n
	return max(0, min(p, (centre-half)/scale)), min(1, max(p, (centre+half)/scale)) // but for rounding
}

func sum(counts []int) (total float64) {
	for _, k := range counts {
		total += float64(k)
	}
	return total
}
