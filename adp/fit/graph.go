package fit

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/choice"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/clock"
	"github.com/adp-sparse/adp-sparse/knn"
)

// Graph is the graph that labels start from.
type Graph struct {
	W      *csr.Matrix
	Report GraphReport
	// Make are the options that W was made with, where it is of neighbours.
	Make knn.GraphOptions
	// OfFeatures is the graph of the features alone, beside edges; else nil.
	OfFeatures *csr.Matrix
	// Beta is what a weight of the features' graph counts beside one of the edges, W = W_e + βW_f
	// ([csr.Blend]); 0 where W is not of both.
	Beta float64
	// Scaling scaled the columns of the features; nil where they are as they were.
	Scaling *knn.Scaling
	// Joins joins new points to the graph; nil where GraphOptions.Joinable is not set, or no point can join it.
	Joins *knn.Attachment
	// Peak is about the most bytes that making it took, those of the input included.
	Peak int64
}

// GraphReport says how a graph was made of features, and how it was chosen.
type GraphReport struct {
	Kind     string                    `json:"kind"` // knn, l1, lle, or edges where these alone were chosen
	Points   int                       `json:"points"`
	Dims     int                       `json:"dims,omitempty"`
	Sparse   bool                      `json:"sparse,omitempty"`
	Scaled   bool                      `json:"scaled,omitempty"`       // columns are
	Ratio    float64                   `json:"column_ratio,omitempty"` // of the largest spread to the median one
	Scaling  *knn.Scaling              `json:"scaling,omitempty"`      // of the columns, where Scaled
	KNN      *knn.GraphReport          `json:"knn,omitempty"`
	Share    float64                   `json:"share,omitempty"`       // of the weight, beside edges
	Without  int                       `json:"featureless,omitempty"` // nodes of the edges that have no row
	Widest   *WidestColumn             `json:"widest_column,omitempty"`
	Counting int                       `json:"counting_column,omitempty"` // from 1
	Shuffled int                       `json:"shuffled_column,omitempty"` // from 1
	Coarse   int                       `json:"coarse_column,omitempty"`   // from 1
	Missing  *knn.MissingCode          `json:"missing_code,omitempty"`
	Choice   []choice.GraphTrial       `json:"choice,omitempty"`  // by left-out seeds
	Untried  []string                  `json:"untried,omitempty"` // graphs that new points could not join
	L1       *knn.SelfExpressiveReport `json:"l1,omitempty"`
	BuildSec float64                   `json:"seconds_building"`
}

// Joinable reports whether new points can join the graph, if [GraphOptions].Joinable is set: all its nodes
// are points with features, and were joined to their neighbours.
func (r *GraphReport) Joinable() bool { return r.KNN != nil && r.Dims > 0 && r.Without == 0 }

// WidestColumn is the column of features, as they are, that distances depend on most.
type WidestColumn struct {
	Column int     `json:"column"` // from 1
	Share  float64 `json:"share_of_variance"`
}

// NewGraph returns the graph of the edges, of the features, or the sum of both
// ([csr.Blend]). Where the options leave it open and seeds can be left out, it is the one of
// the rivals by which LGC does best on left-out seeds ([choice.Graph]): neighbours by the
// other metric, with columns scaled or as they are, the ℓ1 graph; and with edges and
// features each alone.
//
// Report.KNN.Found are the neighbours that W is made of: set it to nil where they are of no
// use. It is nil where seeds could choose the graph and Joinable is not set, and Report.KNN is nil where W is not
// made of neighbours. Cost: that of each graph, and four F-steps for each where there are rivals. Memory:
// the features, twice where columns are scaled, the search, and two graphs.
func NewGraph(ctx context.Context, in Input, opt GraphOptions) (*Graph, error) {
	g, err := newGraph(ctx, in, opt)
	return g, asFault(err)
}

func newGraph(ctx context.Context, in Input, opt GraphOptions) (*Graph, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	if err := in.dropZeros(opt.Threads); err != nil {
		return nil, err
	}
	if !in.featured() {
		return &Graph{W: in.Edges}, nil
	}
	if err := opt.check(&in); err != nil {
		return nil, err
	}
	m := &maker{in: in, opt: opt}
	g := &Graph{Report: m.describe()}
	first, err := m.first(&g.Report)
	if err != nil {
		return nil, err
	}
	if err := m.admit(FirstGraph, m.bytes(first, knn.DefaultKeep, nil)); err != nil {
		return nil, err
	}
	if err := m.build(ctx, g, first); err != nil {
		return nil, err
	}
	if g.W == nil {
		return nil, fmt.Errorf("%w: the first graph %v was not kept, expected one", adp.ErrOptions, first.start)
	}
	m.took(m.bytes(first, knn.DefaultKeep, g.Report.KNN))
	if m.chooses() {
		if g, err = m.choose(ctx, g, first); err != nil {
			return nil, err
		}
	}
	g.OfFeatures, g.Peak = m.alone, m.peak
	if opt.Joinable && g.Report.Joinable() {
		g.Joins, err = knn.NewAttachment(g.Report.KNN.Found, g.Report.KNN.Neighbors, g.Make)
	}
	return g, err
}

// maker makes graphs of an input.
type maker struct {
	in      Input
	opt     GraphOptions
	scaling *knn.Scaling // nil where columns cannot be scaled
	scaled  *csr.Dense   // made once
	alone   *csr.Matrix  // the first graph of the features alone, of all nodes
	peak    int64        // about the most bytes that were taken
}

// design is a kind of graph, and what its labels start from.
type design struct {
	kind  Kind
	start knn.Start
}

func (m *maker) describe() GraphReport {
	r := GraphReport{Kind: KNN.String(), Points: m.in.points(), Dims: m.in.dims(), Sparse: m.in.Sparse != nil}
	if m.opt.Kind != AutoKind {
		r.Kind = m.opt.Kind.String()
	}
	if m.in.Dense != nil {
		r.Counting = 1 + knn.Counting(m.in.Dense)
		r.Shuffled = 1 + knn.Shuffled(m.in.Dense)
		r.Missing = knn.MissingCodes(m.in.Dense)
	}
	if m.in.Edges != nil {
		r.Share, r.Without = m.opt.share(), m.in.Nodes()-m.in.points()
	}
	return r
}

// first returns the design that the values of the features suggest.
func (m *maker) first(r *GraphReport) (design, error) {
	d := design{kind: m.opt.Kind}
	switch {
	case m.opt.Metric != nil:
		d.start.Metric = *m.opt.Metric
	case m.in.Sparse != nil:
		d.start.Metric = knn.MetricOfSparse(m.in.Sparse)
	case m.in.Dense != nil:
		d.start.Metric = knn.MetricOf(m.in.Dense)
	}
	asked := m.opt.Scale == ScaledColumns
	left := m.opt.Scale == AutoScale && m.opt.Metric == nil && d.start.Metric == knn.L2 && m.in.Neighbors == nil
	if m.in.Dense == nil || !asked && !left {
		return d, nil
	}
	scaling, err := knn.ScalingOf(m.in.Dense, m.opt.Threads)
	if err != nil {
		return d, err
	}
	m.scaling = scaling
	d.start.Scaled = asked || scaling.Unlike()
	if m.opt.Metric == nil && d.start.Metric == knn.L2 {
		d.start.Metric = knn.DistanceOf(m.in.dims(), d.start.Scaled)
	}
	r.Scaled, r.Ratio, r.Coarse = d.start.Scaled, scaling.Ratio, scaling.Coarse
	return d, nil
}

// options returns those of a kNN graph of a design.
func (m *maker) options(d design) knn.GraphOptions {
	opt := m.opt.Make
	most := m.in.points() - 1
	if m.in.Neighbors != nil {
		most = m.in.Neighbors.K
	}
	opt.Search.K = cmp.Or(m.opt.K, max(1, min(cmp.Or(m.opt.DefaultK, knn.DefaultK), most)))
	opt.Search.Metric, opt.Search.Threads = d.start.Metric, m.opt.Threads
	if m.opt.Searching != nil {
		opt.Search.Progress = func(done, total int) { m.opt.Searching(d.start.Metric, done, total) }
	}
	return opt
}

// points returns the dense points that the graph is of, nil where there are none.
func (m *maker) points(d design) *csr.Dense {
	if !d.start.Scaled {
		return m.in.Dense
	}
	if m.scaled == nil {
		m.scaled = m.scaling.Apply(m.in.Dense, m.opt.Threads)
	}
	return m.scaled
}

// build makes the graph of a design, with the edges beside it: no W where it is not worth
// making.
func (m *maker) build(ctx context.Context, g *Graph, d design) error {
	defer clock.Part(ctx, clock.Neighbors)()
	start := time.Now()
	w, err := m.kept(d.start, func() (*csr.Matrix, error) { return m.featureGraph(ctx, g, d) })
	if err != nil || w == nil {
		return err
	}
	if m.in.Edges != nil {
		w, g.Beta = m.blend(w)
	}
	g.W, g.Report.BuildSec = w, time.Since(start).Seconds()
	g.Make = m.options(d)
	g.Make.Search.Progress = nil
	if d.start.Scaled {
		g.Scaling = m.scaling
	}
	g.Report.Scaling = g.Scaling
	return nil
}

// kept returns a graph that an earlier call made, or what made returns.
func (m *maker) kept(start knn.Start, made func() (*csr.Matrix, error)) (*csr.Matrix, error) {
	if m.opt.Keep == nil {
		return made()
	}
	w, err := m.opt.Keep(start, made)
	if err != nil || w == nil {
		return nil, err
	}
	if rows, cols := w.Dims(); rows != m.in.points() || cols != rows {
		return nil, fmt.Errorf("%w: the kept graph %v is %d×%d, expected that of %d points", adp.ErrOptions, start, rows, cols, m.in.points())
	}
	return w, nil
}

// blend returns the edges with the weights of a graph of the features added, and β of [csr.Blend].
func (m *maker) blend(of *csr.Matrix) (*csr.Matrix, float64) {
	n := m.in.Nodes()
	if rows, _ := of.Dims(); rows < n {
		of = csr.Embed(of, firstNodes(rows), n, m.opt.Threads)
	}
	if m.alone == nil {
		m.alone = of
	}
	return csr.Blend(m.in.Edges, of, m.opt.share(), m.opt.Threads)
}

// firstNodes returns the numbers 0 to n−1.
func firstNodes(n int) []uint32 {
	at := make([]uint32, n)
	for i := range at {
		at[i] = uint32(i)
	}
	return at
}

// featureGraph makes the graph of the features alone.
func (m *maker) featureGraph(ctx context.Context, g *Graph, d design) (w *csr.Matrix, err error) {
	points, nb, r, opt := m.points(d), m.in.Neighbors, &g.Report, m.options(d)
	switch {
	case d.kind == L1:
		if m.opt.Kind != L1 { // a rival, which must be worth its cost
			support, err := knn.SelfExpressiveSupport(ctx, points, m.selfExpressive())
			if err != nil || support > knn.MaxL1Support {
				return nil, err
			}
		}
		w, r.L1, err = knn.SelfExpressive(ctx, points, m.selfExpressive())
		return w, err
	case d.kind == LLE:
		if nb == nil {
			if nb, _, err = knn.Search(ctx, points, opt.Search); err != nil {
				return nil, err
			}
			r.Widest = m.widest(points, d.start)
		}
		return knn.LLE(ctx, points, nb.Nearest(opt.Search.K), knn.LLEOptions{Symmetry: opt.Symmetry, Threads: m.opt.Threads})
	case nb != nil:
		w, r.KNN, err = knn.GraphOf(ctx, points, nb, opt.Search.K, opt)
	case m.in.Sparse != nil:
		w, r.KNN, err = knn.GraphSparse(ctx, m.in.Sparse, opt)
		r.Widest = m.widest(nil, d.start)
	default:
		w, r.KNN, err = knn.Graph(ctx, points, opt)
		r.Widest = m.widest(points, d.start)
	}
	return w, err
}

// widest returns the widest column of the dense points, or of the sparse ones of the input, where they are compared by
// a distance of columns as they are, else nil.
func (m *maker) widest(points *csr.Dense, start knn.Start) *WidestColumn {
	if start.Scaled || start.Metric != knn.L2 && start.Metric != knn.Manhattan {
		return nil
	}
	if points == nil {
		column, share := knn.WidestSparse(m.in.Sparse)
		return &WidestColumn{column + 1, share}
	}
	column, share := knn.Widest(points)
	return &WidestColumn{column + 1, share}
}

func (m *maker) selfExpressive() knn.SelfExpressiveOptions {
	return knn.SelfExpressiveOptions{Gamma: m.opt.gamma(), Threads: m.opt.Threads}
}
