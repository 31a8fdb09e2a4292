package fit

import (
	"cmp"
	"fmt"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/knn"
)

// Kind is a kind of graph of features.
type Kind int

// The kinds.
const (
	// AutoKind is KNN or, where left-out seeds speak for it, another graph of
	// [knn.Start.Rivals], the ℓ1 graph among them. (default)
	AutoKind Kind = iota
	KNN           // k nearest neighbours, [knn.Graph]
	L1            // sparse representation, [knn.SelfExpressive]
	LLE           // locally linear, [knn.LLE]
)

var kindNames = [...]string{"auto", "knn", "l1", "lle"}

func (k Kind) String() string {
	if k < 0 || int(k) >= len(kindNames) {
		return fmt.Sprintf("Kind(%d)", int(k))
	}
	return kindNames[k]
}

// Scale says whether the columns of dense features are scaled ([knn.Scaling]).
type Scale int

// The scales.
const (
	// AutoScale scales the columns where the metric was left to the program, is no cosine, and
	// the columns are of unlike units ([knn.Scaling.Unlike]). (default)
	AutoScale Scale = iota
	Unscaled
	ScaledColumns
)

// GraphOptions say how the graph of features is made, and what may be chosen about it.
type GraphOptions struct {
	Kind Kind
	// Metric measures how near points are. Nil means the one that suits the values: [knn.MetricOf], and
	// [knn.DistanceOf] where that is l2.
	Metric *knn.Metric
	Scale  Scale
	// K is the number of neighbours that a point is joined to. Zero means DefaultK, or
	// [knn.DefaultK] where that is zero too, or all others of fewer points. Neither is below 0.
	K, DefaultK int
	// Make holds the weights, the symmetry, the links and the search of a kNN graph. The
	// metric, K and the threads of its search are not looked at.
	Make knn.GraphOptions
	// Gamma says how closely the ℓ1 graph fits a point by others. Zero means [DefaultGamma].
	Gamma float64
	// Share is the part of all weight that the graph of features has beside Edges, in
	// (0,1). Zero means [knn.DefaultShare], and left-out seeds may choose one graph alone.
	Share float64
	// Fixed keeps left-out seeds from choosing the graph.
	Fixed bool
	// Mixed says that the graph is for a mixture of methods ([Options.Combine]), which depends on it less than one
	// method does. Then edges leave no choice, as the mixture has each graph alone, and features leave one only where the
	// first graph is wrong on more than 0.15 of the left-out seeds.
	Mixed bool
	// Joinable keeps what joins new points to the graph ([Graph].Joins), and leaves graphs untried that none can
	// join.
	Joinable bool
	Threads  int // zero means GOMAXPROCS

	// Keep returns the graph of the features that starts so, nil where it is not worth
	// making, which the first is: one that an earlier call made, or what made returns. For experiments that
	// label the same features many times; the report then lacks how a graph was made. Nil
	// makes each.
	Keep func(start knn.Start, made func() (*csr.Matrix, error)) (*csr.Matrix, error)
	// Admit is asked before each larger step, with about the most bytes that it takes, those
	// of the input included; an error ends the work. Nil admits all.
	Admit func(what string, bytes int64) error
	// Searching is called while neighbours are searched for, by the metric.
	Searching func(by knn.Metric, done, total int)
}

// DefaultGamma is the default of [GraphOptions].Gamma.
const DefaultGamma = 20

// Open reports whether the options leave the kind of the graph to left-out seeds.
func (o *GraphOptions) Open() bool {
	return !o.Fixed && o.Kind == AutoKind && o.Metric == nil && !o.Make.Connect &&
		o.Make.Weighting == knn.SymmetricGaussian && o.Make.Symmetry == csr.Mean
}

func (o *GraphOptions) gamma() float64 { return cmp.Or(o.Gamma, DefaultGamma) }

func (o *GraphOptions) share() float64 { return cmp.Or(o.Share, knn.DefaultShare) }

func (o *GraphOptions) check(in *Input) error {
	fault := func(format string, args ...any) error {
		return fmt.Errorf("%w: "+format, append([]any{adp.ErrOptions}, args...)...)
	}
	switch {
	case o.Kind < AutoKind || o.Kind > LLE:
		return fault("unknown kind %d of graph", int(o.Kind))
	case o.Scale < AutoScale || o.Scale > ScaledColumns:
		return fault("unknown scale %d", int(o.Scale))
	case o.K < 0:
		return fault("k = %d, expected at least 1", o.K)
	case o.DefaultK < 0:
		return fault("default of k = %d, expected at least 1", o.DefaultK)
	case !(o.Share >= 0 && o.Share < 1):
		return fault("share %v of the features, expected between 0 and 1", o.Share)
	case o.Gamma != 0 && !(o.Gamma > 1):
		return fault("gamma %v, expected above 1", o.Gamma)
	case o.Metric != nil && *o.Metric == knn.Manhattan && in.Sparse != nil:
		return fault("the metric %v takes dense features, and these are sparse", *o.Metric)
	case o.Kind > KNN && in.Sparse != nil:
		return fault("the graph %v takes dense features, and these are sparse", o.Kind)
	case o.Kind == LLE && in.Dense == nil:
		return fault("the graph %v takes dense features, and there are neighbours alone", o.Kind)
	case o.Make.Connect && in.Dense == nil:
		return fault("components are connected by dense features, and there are none")
	case o.Kind == L1 && in.Neighbors != nil:
		return fault("the graph l1 makes its own graph, expected no neighbours")
	case o.Scale == ScaledColumns && in.Dense == nil:
		return fault("scaled columns of features that are not dense")
	}
	if n := in.points(); in.Neighbors == nil && n > 1 && o.K > n-1 { // knn refuses one point
		return fault("k = %d for %d points, expected fewer neighbours than points", o.K, n)
	}
	return nil
}
