package knn

import "github.com/adp-sparse/adp-sparse/csr"

// scaleRows is the number of points, evenly spaced, that [Widest] looks at.
const scaleRows = 10_000

// Widest returns the column of x (n×d) with the largest variance, and its share of the
// variance of all columns: near 1 where columns are of unlike units, and Euclidean distances
// are of one of them alone. It looks at 10,000 points at most, 2·d sums of float64. The share
// is 0 where no column varies.
func Widest(x *csr.Dense) (column int, share float64) {
	step := max(1, x.Rows/scaleRows)
	mean, square := make([]float64, x.Cols), make([]float64, x.Cols)
	seen := 0.0
	for i := 0; i < x.Rows; i += step { // Welford's sums, which do not cancel
		seen++
		for j, v := range x.Row(i) {
			d := float64(v) - mean[j]
			mean[j] += d / seen
			square[j] += float64(d * (float64(v) - mean[j]))
		}
	}
	total := 0.0
	for j, v := range square {
		total += v
		if v > square[column] {
			column = j
		}
	}
	if total == 0 {
		return 0, 0
	}
	return column, square[column] / total
}
