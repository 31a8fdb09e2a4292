package knn

import "github.com/adp-sparse/adp-sparse/internal/exact"

// The largest number of rows that slopeOfWeights reads, and the slope from which on columns have weights: raw words have at most 0, words by
// TF-IDF .53 or more (docs/decisions/0054-roots-of-words.md).
const (
	weighedRows   = 4096
	weightedSlope = 0.25
)

// slopeOfWeights tells whether the columns of n texts have weights already. It is the slope of ln x_iq over ln(1 + idf_q) within rows,
//
//	Σ_iq (ln x_iq − mean_i)(ln(1 + idf_q) − mean_i) / Σ_iq (ln(1 + idf_q) − mean_i)²,
//
// over values above 0 of up to 4,096 rows, evenly spaced, and idf_q of these rows. A factor of a row leaves it as it is. So it is 0 for words
// that are there or not, 1 for these by TF-IDF, and below 0 for counts, where frequent words come more than once.
func slopeOfWeights(n int, each func(i int, visit func(q uint32, v float32))) float64 {
	sample := min(n, weighedRows)
	texts, with := 0, map[uint32]int{}
	for k := range sample {
		some := false
		each(k*n/sample, func(q uint32, v float32) {
			if v > 0 {
				with[q]++
				some = true
			}
		})
		if some {
			texts++
		}
	}
	shared, square := 0.0, 0.0
	var idf, value []float64
	for k := range sample {
		idf, value = idf[:0], value[:0]
		each(k*n/sample, func(q uint32, v float32) {
			if v > 0 {
				idf = append(idf, exact.Log(1+exact.Log(float64(1+texts)/float64(with[q]))))
				value = append(value, exact.Log(float64(v)))
			}
		})
		if len(idf) < 2 {
			continue
		}
		meanIDF, meanValue := mean(idf), mean(value)
		for j := range idf {
			shared += float64((idf[j] - meanIDF) * (value[j] - meanValue))
			square += float64((idf[j] - meanIDF) * (idf[j] - meanIDF))
		}
	}
	if square == 0 {
		return 0
	}
	return shared / square
}

// mean returns the arithmetic mean.
func mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}
