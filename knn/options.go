package knn

import "fmt"

// Method is a way to find neighbours.
type Method int

// The methods. Auto takes Exact up to n²(d+16)/2 = 5·10^11: the multiply-adds of all pairs of
// points, and the comparisons of their products, which cost as much as some 16 more. That is about
// five seconds on one core with AVX-512.
const (
	Auto   Method = iota // by cost; the default
	Exact                // compares all pairs of points
	Approx               // compares points of nearby k-means cells
)

// exactLimit is the cost up to which Auto takes Exact. It does not depend on the processor, so that
// results do not.
const exactLimit = 5e11

// ParseMethod returns the method named auto, exact or approx.
func ParseMethod(name string) (Method, error) {
	for m := Auto; m <= Approx; m++ {
		if m.String() == name {
			return m, nil
		}
	}
	return 0, fmt.Errorf("%w: method %q, expected auto, exact or approx", ErrOptions, name)
}

// String returns the name that ParseMethod takes.
func (m Method) String() string {
	switch m {
	case Auto:
		return "auto"
	case Exact:
		return "exact"
	case Approx:
		return "approx"
	}
	return fmt.Sprintf("Method(%d)", int(m))
}

// MarshalText returns the name of the method.
func (m Method) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// UnmarshalText reads the name of a method.
func (m *Method) UnmarshalText(text []byte) (err error) {
	*m, err = ParseMethod(string(text))
	return err
}

// The defaults of Options.
const (
	DefaultK            = 10
	DefaultRecall       = 0.98
	DefaultRecallSample = 512
)

// Options are the options of [Search]. The zero value finds the 10 nearest
// by Euclidean distance.
type Options struct {
	K      int    // neighbours a point; zero means 10, or all other points of fewer
	Metric Metric // zero means L2
	Method Method // zero means Auto

	// Recall is the share of true neighbours that Approx is tuned to find, in (0,1]; zero means
	// 0.98. It is tuned on RecallSample points drawn by Seed, with a margin of one standard error,
	// and measured on as many others ([Report]).
	Recall float64
	// RecallSample is the number of points in each of these samples; zero means 512.
	RecallSample int

	// Distinct lists neighbours among distinct points only. Only the first of equal points is searched for and
	// found; each later copy has that first point as its only neighbour ([Neighbors].Of). Otherwise copies
	// fill the lists of points that have many.
	Distinct bool

	Seed    uint64
	Threads int // zero means GOMAXPROCS

	// Progress, if not nil, is called with the number of finished pieces of work, by one goroutine
	// at a time.
	Progress func(done, total int)
}

// defaultK returns the default number of neighbours of each of n points.
func defaultK(n int) int { return max(1, min(DefaultK, n-1)) }

// withDefaults fills zero fields and checks the rest against n points.
func (o Options) withDefaults(n int) (Options, error) {
	if o.K == 0 {
		o.K = defaultK(n)
	}
	if o.Recall == 0 {
		o.Recall = DefaultRecall
	}
	if o.RecallSample == 0 {
		o.RecallSample = DefaultRecallSample
	}
	switch {
	case o.K < 0:
		return o, fmt.Errorf("%w: k = %d, expected at least 1", ErrOptions, o.K)
	case o.K >= n:
		return o, fmt.Errorf("%w: k = %d for %d points, expected fewer neighbours than points", ErrOptions, o.K, n)
	case !o.Metric.Valid():
		return o, o.Metric.check()
	case o.Method < Auto || o.Method > Approx:
		return o, fmt.Errorf("%w: %v", ErrOptions, o.Method)
	case !(o.Recall > 0 && o.Recall <= 1):
		return o, fmt.Errorf("%w: recall %v, expected more than 0 and at most 1", ErrOptions, o.Recall)
	case o.RecallSample < 0:
		return o, fmt.Errorf("%w: recall sample of %d points, expected at least 1", ErrOptions, o.RecallSample)
	}
	return o, nil
}
