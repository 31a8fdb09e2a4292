package knn

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
