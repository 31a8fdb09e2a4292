package stack

import (
	"math"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// Shares turns the rows of F, n×c of at least 0, to shares of their sums, in place. Rows of
// zeros stay so: they say nothing.
func Shares(f *csr.Dense, threads int) {
	rows.Each(f.Rows, threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row, sum := f.Row(i), 0.0
			for _, v := range row {
				sum += float64(v)
			}
			for j, v := range row {
				if sum > 0 {
					row[j] = float32(float64(v) / sum)
				}
			}
		}
	})
}

// Centre subtracts from the scores of each row their mean, in place.
func Centre(scores *csr.Dense, threads int) {
	c := float64(scores.Cols)
	rows.Each(scores.Rows, threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row, mean := scores.Row(i), 0.0
			for _, v := range row {
				mean += float64(v)
			}
			mean /= c
			for j, v := range row {
				row[j] = float32(float64(v) - mean)
			}
		}
	})
}

// Size returns the root mean square of centred scores, over the rows that are not 0; 1 where
// all are.
func Size(scores *csr.Dense, threads int) float64 {
	sum := rows.NewReducer(scores.Rows, 2).Sum(threads, func(lo, hi int, sum []float64) {
		for i := lo; i < hi; i++ {
			square := 0.0
			for _, v := range scores.Row(i) {
				square += float64(v) * float64(v)
			}
			if square > 0 {
				sum[0] += square
				sum[1] += float64(scores.Cols)
			}
		}
	})
	if !(sum[0] > 0) {
		return 1
	}
	return math.Sqrt(sum[0] / sum[1])
}
