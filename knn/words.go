package knn

import (
	"cmp"
	"math"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/exact"
)

// The largest share of nonzero values in features that count as word counts and the like. Texts of hundreds of words
// fill up to a seventh of their columns (docs/decisions/0014-feature-step.md). In few columns such a share can be one
// category of seven, which is no text.
const (
	countsShare = 0.15
	fewShare    = 0.05 // of fewer columns than manyColumns
	manyColumns = 100
)

// Words reports whether points are as the words of texts: no value is below 0, and at most 15 % are above (5 % of fewer than 100 columns). The
// length of such a row tells how long a text is and not its topic. Cost: one pass.
func Words(x *csr.Dense) bool {
	above, ok := countAbove(x.Data)
	return ok && fewAbove(above, x.Rows, x.Cols)
}

// WordsSparse is [Words] of points in sparse rows.
func WordsSparse(x *csr.Matrix) bool {
	n, d := x.Dims()
	_, _, values := x.Arrays()
	above, ok := countAbove(values)
	return ok && fewAbove(above, n, d)
}

// countAbove counts the values above 0, and reports whether none is below.
func countAbove(values []float32) (above int, ok bool) {
	for _, v := range values {
		if v < 0 {
			return 0, false
		}
		if v > 0 {
			above++
		}
	}
	return above, true
}

// fewAbove reports whether values above 0 are as rare as words.
func fewAbove(above, n, d int) bool {
	share := countsShare
	if d < manyColumns {
		share = fewShare
	}
	return above > 0 && float64(above) <= share*float64(n)*float64(d)
}

// MetricOf returns the metric that suits points if nothing else is known. [Words] are compared by [HellingerIDF], or by [Hellinger] where their
// columns have weights already, as by TF-IDF: the logarithms of values in a row grow with those of 1 + idf_q at a slope of more than ¼. Shares
// of a whole, as topics or minerals are, are compared by [Hellinger], too: 3 to 100 columns, no value below 0, sums of rows within 1 % of
// each other and closer than the values of a column, and values above 0 that are not all the same, as those of categories are. Others are compared by l2. Cost: one pass.
func MetricOf(x *csr.Dense) Metric {
	return metricOf(x.Rows, x.Cols, Words(x), func(i int, visit func(q uint32, v float32)) {
		for q, v := range x.Row(i) {
			visit(uint32(q), v)
		}
	})
}

// MetricOfSparse is [MetricOf] of points in sparse rows.
func MetricOfSparse(x *csr.Matrix) Metric {
	n, d := x.Dims()
	return metricOf(n, d, WordsSparse(x), func(i int, visit func(q uint32, v float32)) {
		columns, values := x.Row(i)
		for k, q := range columns {
			visit(q, values[k])
		}
	})
}

// metricOf returns the metric of n points of d coordinates. each visits the values of a row.
func metricOf(n, d int, words bool, each func(i int, visit func(q uint32, v float32))) Metric {
	switch {
	case words && slopeOfWeights(n, each) <= weightedSlope:
		return HellingerIDF
	case words || shares(n, d, each):
		return Hellinger
	}
	return L2
}

// Shares of a whole have from sharesColumns to manyColumns columns: more are the pixels of pictures that were scaled to the
// same sum. Their sums differ by at most the part sharesApart, as those of rounded percentages may, and by at most half
// as much as the values of one column: sums of a year and small numbers are alike because years are.
const (
	sharesColumns = 3
	sharesApart   = 0.01
	sharesSteady  = 0.5
)

// shares reports whether rows are shares of a whole (docs/decisions/0055-shares.md). Rows of zeros do not count.
func shares(n, d int, each func(i int, visit func(q uint32, v float32))) bool {
	if d < sharesColumns || d > manyColumns {
		return false
	}
	least, most := math.Inf(1), 0.0 // of the sums
	low, high, above := make([]float32, d), make([]float32, d), make([]int, d)
	var first float32 // value above 0
	differ := false
	for i := range n {
		sum, below := 0.0, false
		each(i, func(q uint32, v float32) {
			sum += float64(v)
			below = below || v < 0
			if v > 0 && (above[q] == 0 || v < low[q]) {
				low[q] = v
			}
			if v > 0 {
				above[q]++
			}
			high[q] = max(high[q], v)
			if v > 0 {
				first = cmp.Or(first, v)
				differ = differ || v != first
			}
		})
		if sum > 0 {
			least, most = min(least, sum), max(most, sum)
		}
		if below || most-least > sharesApart*least {
			return false
		}
	}
	widest := float32(0)
	for q := range d {
		if above[q] < n {
			low[q] = 0
		}
		widest = max(widest, high[q]-low[q])
	}
	return differ && most-least <= sharesSteady*float64(widest)
}

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
