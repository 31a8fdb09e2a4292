package calibrate

import "slices"

// Ranking ranks values among the values of a run.
type Ranking struct{ sorted []float32 }

// NewRanking keeps and sorts the values.
func NewRanking(values []float32) Ranking {
	slices.Sort(values)
	return Ranking{values}
}

// At returns the rank of v in (0,1): the share of values below it, with equal ones counted by half,
// as (below + equal/2 + 1/2)/(values + 1); 1/2 without values. It does not fall as v grows. O(log
// values).
func (r Ranking) At(v float32) float64 { return r.Place(v).Rank() }

// Place counts the values of a run below a value (Below), not above it (Through), and in all
// (Values). Where the values lie in several processes, places add up.
type Place struct{ Below, Through, Values int }

// Place returns the place of v.
func (r Ranking) Place(v float32) Place {
	below, _ := slices.BinarySearch(r.sorted, v)
	equal, _ := slices.BinarySearchFunc(r.sorted[below:], v, func(x, v float32) int {
		if x > v {
			return 1
		}
		return -1
	})
	return Place{below, below + equal, len(r.sorted)}
}

// Rank returns the rank, see [Ranking.At].
func (p Place) Rank() float64 {
	return (float64(p.Below+p.Through)/2 + 0.5) / float64(p.Values+1)
}
