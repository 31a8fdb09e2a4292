package calibrate

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// Bin is a point of a reliability diagram: cases of about the same probability.
type Bin struct {
	Cases int     `json:"cases"`
	Mean  float64 `json:"mean_confidence"` // mean of the probabilities
	Right float64 `json:"share_right"`
}

// Reliability returns the reliability diagram of probabilities p of being right: the cases in order
// of p, in bins of equal counts (to within one). Cases of equal p share a bin, which then takes
// them all, and later bins fewer or none: the order of the cases does not matter. Bins of equal
// width would hold most of a few cases in one bin and leave some empty. The number of bins, one to
// ten, leaves at least 20 cases in each if no p are equal: by chance alone, an honest probability
// of 1/2 shows a difference of 0.09 in a bin of 20. Without cases there are no bins.
func Reliability(p []float64, right []bool) []Bin {
	if len(p) != len(right) {
		panic(fmt.Sprintf("calibrate: %d probabilities, %d outcomes", len(p), len(right)))
	}
	if len(p) == 0 {
		return nil
	}
	const least, most = 20, 10
	order := Ascending(p)
	count := min(max(len(p)/least, 1), most)
	var bins []Bin
	from := 0
	for b := 1; b <= count; b++ {
		to := max(b*len(p)/count, from)
		for to > from && to < len(p) && p[order[to]] == p[order[to-1]] {
			to++
		}
		if to == from {
			continue
		}
		bin := Bin{Cases: to - from}
		for _, k := range order[from:to] {
			bin.Mean += p[k] / float64(bin.Cases)
			if right[k] {
				bin.Right += 1 / float64(bin.Cases)
			}
		}
		bins = append(bins, bin)
		from = to
	}
	return bins
}

// Ascending returns the places of probabilities from the smallest to the largest, equal ones in their order.
func Ascending(p []float64) []int {
	order := rows.InOrder[int](len(p))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	return order
}

// ECE returns the expected calibration error of a reliability diagram,
// Σ cases·|mean − right| / Σ cases; 0 for no bins.
//
// M. Naeini, G. Cooper, M. Hauskrecht: Obtaining well calibrated probabilities
// using Bayesian binning, AAAI 2015.
func ECE(bins []Bin) float64 {
	sum, cases := 0.0, 0
	for _, b := range bins {
		sum += float64(b.Cases) * math.Abs(b.Mean-b.Right)
		cases += b.Cases
	}
	if cases == 0 {
		return 0
	}
	return sum / float64(cases)
}
