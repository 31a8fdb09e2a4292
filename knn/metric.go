package knn

import (
	"fmt"
	"math"
	"slices"

	"github.com/adp-sparse/adp-sparse/internal/kernel"
)

// Metric is the distance between two points x and y by which neighbours are ranked.
type Metric int

// The metrics. Hellinger is for words with weights, as by TF-IDF, and for shares of a whole; HellingerIDF for words that are there or not, or
// counted: of n points that are not 0, n_q have a value other than 0 in column q, so that words that few texts share count for more. Both
// are the square of Hellinger's distance between the shares of the columns in x and in y. A word that comes four times counts twice as much as
// one that comes once. New points have the weights of the stored ones. Cosine takes the cosine of a zero vector with anything, itself included, as 0, so
// that such a point is at distance 1 from every other. InnerProduct is a ranking, not a distance:
// it may be negative, and a point need not be the nearest to itself.
const (
	L2           Metric = iota // ‖x − y‖, not squared; the default
	Cosine                     // 1 − x·y / (‖x‖‖y‖), from 0 to 2
	InnerProduct               // −x·y
	Manhattan                  // Σ_q |x_q − y_q|; of dense points only
	Hellinger                  // Cosine of √x_q; a value below 0 keeps its sign
	HellingerIDF               // Cosine of √(idf_q x_q), idf_q = ln((1 + n)/max(1, n_q))
)

var metricNames = [...]string{"l2", "cosine", "ip", "manhattan", "hellinger", "hellinger-idf"}

// ParseMetric returns the metric named l2, cosine, hellinger, hellinger-idf, ip or manhattan.
func ParseMetric(name string) (Metric, error) {
	if m := slices.Index(metricNames[:], name); m >= 0 {
		return Metric(m), nil
	}
	return 0, fmt.Errorf("%w: metric %q, expected l2, cosine, hellinger, hellinger-idf, ip or manhattan", ErrOptions, name)
}

// String returns the name that ParseMetric takes.
func (m Metric) String() string {
	if m.Valid() {
		return metricNames[m]
	}
	return fmt.Sprintf("Metric(%d)", int(m))
}

// UnmarshalText reads the name of a metric.
func (m *Metric) UnmarshalText(text []byte) (err error) {
	*m, err = ParseMetric(string(text))
	return err
}

// MarshalText returns the name of the metric.
func (m Metric) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// Valid reports whether the metric is one of the constants.
func (m Metric) Valid() bool { return m >= L2 && m <= HellingerIDF }

// check returns the error of a metric of no name.
func (m Metric) check() error {
	if !m.Valid() {
		return fmt.Errorf("%w: %v, expected one of the metrics of package knn", ErrOptions, m)
	}
	return nil
}

// byAngle reports whether the metric depends on x·y, so that zero vectors are equally far from all points.
func (m Metric) byAngle() bool { return m.IsCosine() || m == InnerProduct }

// IsCosine reports whether the metric is 1 less a cosine.
func (m Metric) IsCosine() bool { return m == Cosine || m.OfRoots() }

// OfRoots reports whether the metric is a cosine of roots.
func (m Metric) OfRoots() bool { return m == Hellinger || m == HellingerIDF }

// length returns the distance that Gaussian weightings take of a stored one: √d of Manhattan, since Σ_q |x_q − y_q| is the square of a
// Euclidean distance between other points (I. J. Schoenberg, Metric spaces and positive definite functions, 1938), else d.
func (m Metric) length(d float64) float64 {
	if m == Manhattan {
		return math.Sqrt(d)
	}
	return d
}

// rank returns the float64 value that orders the neighbours of x: the squared distance for L2, else
// the distance. nx and ny are the squared norms of x and y, read for cosines only. Sums run in four
// lanes in fixed order.
func (m Metric) rank(x, y []float32, nx, ny float64) float64 {
	switch m {
	case L2:
		return kernel.SumSquares(x, y)
	case Cosine, Hellinger, HellingerIDF:
		if nx == 0 || ny == 0 {
			return 1
		}
		// For equal vectors the root of the squared square is exact, so that
		// duplicates are at distance 0.
		return min(2, max(0, 1-kernel.SumProducts(x, y)/math.Sqrt(nx*ny)))
	case Manhattan:
		return kernel.SumDifferences(x, y)
	default:
		return -kernel.SumProducts(x, y)
	}
}

// distance turns a rank into the stored distance. A distance past the range of float32 is stored as
// its largest number.
func (m Metric) distance(rank float64) float32 {
	if m == L2 {
		rank = math.Sqrt(rank)
	}
	return float32(max(-math.MaxFloat32, min(rank, math.MaxFloat32)))
}
