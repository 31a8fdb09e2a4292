package calibrate

import "slices"

// Ranking says where a value stands among the values of a run.
type Ranking struct{ sorted []float32 }

// NewRanking keeps and sorts the values.
func NewRanking(values []float32) Ranking {
	slices.Sort(values)
	return Ranking{values}
}

// At returns the rank of v in (0,1): the share of values below it, equal ones
// counted by half, as (below + equal/2 + 1/2)/(values + 1); 1/2 where there are
// no values. It does not fall as v grows. O(log values).
func (r Ranking) At(v float32) float64 {
	below, _ := slices.BinarySearch(r.sorted, v)
	after := below
	if rest := r.sorted[below:]; len(rest) > 0 {
		equal, _ := slices.BinarySearchFunc(rest, v, func(x, v float32) int {
			if x > v {
				return 1
			}
			return -1
		})
		after += equal
	}
	return (float64(below+after)/2 + 0.5) / float64(len(r.sorted)+1)
}
