package knn

import "github.com/adp-sparse/adp-sparse/csr"

// Start is a kind of graph from which labels can start: the k nearest neighbours by a metric, or
// the ℓ1 graph ([SelfExpressive]), of points as they are or with scaled columns ([Scaling]).
type Start struct {
	L1     bool
	Metric Metric // ignored with L1
	Scaled bool
}

// String returns "l1", or "knn" and the metric, and "scaled" if columns are.
func (s Start) String() string {
	name := "l1"
	if !s.L1 {
		name = "knn " + s.Metric.String()
	}
	if s.Scaled {
		name += " scaled"
	}
	return name
}

// The largest numbers of points for which [Start.Rivals] includes another metric and the ℓ1 graph,
// and the largest [SelfExpressiveSupport] for which the ℓ1 graph is worth making: beyond, they cost
// more than the run that follows. Below MinL1Dims coordinates no combination is sparse: every point
// is a combination of about as many others.
const (
	MaxMetricRival = 100_000
	MaxL1Rival     = 5_000
	MaxL1Support   = 15
	MinL1Dims      = 32
)

// DefaultShare is the share of a graph of features in the weight of its sum with edges of the same
// nodes, see [csr.Blend].
const DefaultShare = 0.25

// DistanceOf returns the distance that suits dense points of d coordinates: [Manhattan] for at most MaxManhattan scaled
// columns, as of tables, else [L2] (docs/decisions/0032-tables.md).
func DistanceOf(d int, scaled bool) Metric {
	if scaled && d <= MaxManhattan {
		return Manhattan
	}
	return L2
}

// MaxManhattan is the largest number of columns whose differences are added up: beyond, as of pictures, it is no better and costs more.
const MaxManhattan = 100

// Rivals returns the other graphs that are worth a trial for n points of d coordinates, if labels
// start from s, a kNN graph by distance or cosine. They use the other; words without weights of the columns; distance with columns
// scaled, or not scaled if those of s are ([DistanceOf]); and ℓ1.
func (s Start) Rivals(n, d int, sparse bool) (all []Start) {
	if n <= MaxMetricRival {
		switch s.Metric {
		case Cosine, Hellinger:
		case HellingerIDF:
			all = append(all, Start{Metric: Hellinger})
		default:
			all = append(all, Start{Metric: Cosine, Scaled: s.Scaled})
		}
		if s.Metric.IsCosine() {
			all = append(all, Start{Metric: DistanceOf(d, s.Scaled), Scaled: s.Scaled})
		} else if d >= 2 && !sparse {
			all = append(all, Start{Metric: DistanceOf(d, !s.Scaled), Scaled: !s.Scaled})
		}
	}
	if n <= MaxL1Rival && d >= MinL1Dims && !sparse {
		all = append(all, Start{L1: true, Scaled: s.Scaled})
	}
	return all
}

// The largest share of nonzero values in features that count as word counts and the like. Texts of hundreds of words
// fill up to a seventh of their columns (docs/decisions/0014-feature-step.md). In few columns such a share can be one
// category of seven, which is no text.
const (
	countsShare = 0.15
	fewShare    = 0.05 // of fewer columns than manyColumns
	manyColumns = 100
)

// MetricOf returns the metric that suits points if nothing else is known. Words are compared by [HellingerIDF], or by [Hellinger] where their
// columns have weights already, as by TF-IDF: the logarithms of values in a row grow with those of 1 + idf_q at a slope of more than ¼. Points
// are words if no value is below 0 and at most 15 % are above (5 % of fewer than 100 columns): the length of such a row tells how long a
// text is and not its topic. Others are compared by l2. Cost: one pass.
func MetricOf(x *csr.Dense) Metric {
	above, ok := countAbove(x.Data)
	if !ok || !fewAbove(above, x.Rows, x.Cols) {
		return L2
	}
	return metricOfWords(x.Rows, func(i int, visit func(q uint32, v float32)) {
		for q, v := range x.Row(i) {
			visit(uint32(q), v)
		}
	})
}

// MetricOfSparse is [MetricOf] of points in sparse rows.
func MetricOfSparse(x *csr.Matrix) Metric {
	n, d := x.Dims()
	above := 0
	for i := range n {
		_, values := x.Row(i)
		part, ok := countAbove(values)
		if !ok {
			return L2
		}
		above += part
	}
	if !fewAbove(above, n, d) {
		return L2
	}
	return metricOfWords(n, func(i int, visit func(q uint32, v float32)) {
		columns, values := x.Row(i)
		for k, q := range columns {
			visit(q, values[k])
		}
	})
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

// metricOfWords returns the metric of n texts: without weights of the columns where these have some. each visits the values of a row.
func metricOfWords(n int, each func(i int, visit func(q uint32, v float32))) Metric {
	if slopeOfWeights(n, each) > weightedSlope {
		return Hellinger
	}
	return HellingerIDF
}
