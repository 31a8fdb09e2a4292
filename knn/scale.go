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

// leastCounted is the number of points from which on a column that counts them is one by no
// chance.
const leastCounted = 10

// Counting returns the first column of x (n×d) that counts the points by ones, from any
// number on: an id that was left among the features. It is -1 where none does, and for
// fewer than 10 points. O(d), and O(n) for each column that begins so.
func Counting(x *csr.Dense) int {
	if x.Rows < leastCounted {
		return -1
	}
	for j := range x.Cols {
		first, i := float64(x.At(0, j)), 1
		for i < x.Rows && x.At(i, j) == float32(first+float64(i)) {
			i++
		}
		if i == x.Rows {
			return j
		}
	}
	return -1
}
