package diffuse

import "math"

// Top describes the largest entries of a row of F.
type Top struct {
	Class  int32   // the largest, the smaller of equal ones; -1 for a zero row
	Second int32   // the second largest, -1 if there is none
	Share  float32 // the largest over the sum of the row
	Margin float32 // the difference of the two largest over the sum
}

// TopOf returns the largest entries of a row of F. Negative entries count as 0.
func TopOf(row []float32) Top {
	top := Top{Class: -1, Second: -1}
	var first, second, sum float64
	for j, v := range row {
		v := float64(v)
		if v <= 0 {
			continue
		}
		sum += v
		switch {
		case v > first:
			second, top.Second = first, top.Class
			first, top.Class = v, int32(j)
		case v > second:
			second, top.Second = v, int32(j)
		}
	}
	if sum > 0 {
		top.Share = float32(first / sum)
		top.Margin = float32((first - second) / sum)
	}
	return top
}

// Of returns the share of a class in the row of t, and its lead over the largest other share, 0 if
// that is larger.
func (t Top) Of(row []float32, class int32) (share, margin float32) {
	if class == t.Class || t.Class < 0 {
		return t.Share, t.Margin
	}
	return float32(float64(t.Share) * float64(max(row[class], 0)) / float64(row[t.Class])), 0
}

func sqrt32(v float32) float32 { return float32(math.Sqrt(float64(v))) }
