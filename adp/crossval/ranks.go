package crossval

import "math"

// Ranks are the class ranks of left-out seeds in the rows of F: 1 for a seed that got its
// class.
type Ranks []int32

// RankOf returns the rank of the class in a row of F: 1 if it is the class of diffuse.TopOf.
func RankOf(row []float32, class int) int32 {
	if row[class] <= 0 {
		return int32(len(row))
	}
	place := int32(1)
	for j, v := range row {
		if v > row[class] || v == row[class] && j < class {
			place++
		}
	}
	return place
}

// Accuracy returns the share of seeds that got their class; 0 without seeds.
func (a Ranks) Accuracy() float64 {
	right := 0
	for _, r := range a {
		if r == 1 {
			right++
		}
	}
	return float64(right) / float64(max(len(a), 1))
}

// Against counts the seeds that a alone and that b alone got right, and returns the lead of a in
// standard deviations: Σd/√(Σd²) over the seeds, d = 1/rank by a − 1/rank by b.
func (a Ranks) Against(b Ranks) (won, lost int, lead float64) {
	var sum, squares float64
	for k := range a {
		if a[k] == 1 && b[k] > 1 {
			won++
		}
		if b[k] == 1 && a[k] > 1 {
			lost++
		}
		d := 1/float64(a[k]) - 1/float64(b[k])
		sum += d
		squares += float64(d * d)
	}
	return won, lost, LeadOf(sum, squares)
}

// LeadOf returns Σd/√(Σd²) of the two sums; 0 if all d are 0.
func LeadOf(sum, squares float64) float64 {
	if squares == 0 {
		return 0
	}
	return sum / math.Sqrt(squares)
}

// Wrong returns the number of seeds that did not get their class.
func (a Ranks) Wrong() (count int) {
	for _, r := range a {
		if r > 1 {
			count++
		}
	}
	return count
}
