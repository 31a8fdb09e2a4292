package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/model"
	"github.com/adp-sparse/adp-sparse/cmd/internal/inputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/limit"
	"github.com/adp-sparse/adp-sparse/cmd/internal/outputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/progress"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/knn"
	"github.com/adp-sparse/adp-sparse/knn/vecs"
)

// featureFlags are the flags that make a graph of feature vectors.
type featureFlags struct {
	file, format, array         string
	pick                        columnFlags
	without                     []string // columns of a csv file that are labels
	ifLabels                    string   // what to say about a column that may hold labels
	neighbors, distances        string
	kind, metric, method, scale string
	weights, symmetry, connect  string
	k                           int // zero until the points are known, where it is not given
	given                       func(flag string) bool
	recall, gamma               float64
	seed                        uint64
	share                       float64 // beside edges

	scaled   bool     // columns are
	columns  *columns // nil where they cannot be
	names    nodeNames
	graph    knn.GraphOptions
	remember bool // what joins new points to the graph
	settled  bool // by a model: no seeds choose
	keptK    int  // of a model, zero for none
	// choice returns the seeds that choose among graphs, nil for none; it is nil
	// where there are no labels.
	choice func(*ids.Table) (*diffuse.Seeds, error)
	beside *beside // edges of the same nodes, nil for none
	memory limit.Memory
}

// columns are those of dense points.
type columns struct {
	*knn.Scaling
	x      *csr.Dense
	scaled *csr.Dense // made once
}

// points returns the dense points that the graph is of, nil where there are none.
func (f *featureFlags) points(x *vecs.Features) *csr.Dense {
	c := f.columns
	if !f.scaled {
		return x.Dense
	}
	if c.scaled == nil {
		c.scaled = c.Apply(c.x, f.graph.Search.Threads)
	}
	return c.scaled
}

// source is the name of the input that the graph is made of, "" for none.
func (f *featureFlags) source() string { return cmp.Or(f.file, f.neighbors) }

// featureFlagNames are flags that say nothing without features or neighbours.
var featureFlagNames = []string{"format", "array", "id-column", "feature-columns", "drop-columns", "graph-kind", "k", "metric", "scale", "knn", "recall", "weights", "symmetrize", "connect", "gamma"}

func (f *featureFlags) bind(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.file, "features", "", "feature vectors, a point a row: .npy, .npz (dense or scipy sparse), .fvecs, .bvecs, .csv, .tsv, .libsvm, .parquet")
	flags.StringVar(&f.format, "format", "", "format of --features, where its ending does not say (npy, csv, …)")
	flags.StringVar(&f.array, "array", "", "name of the array of --features in a .npz file that has several")
	f.pick.bind(cmd, "--features", "0 to n-1", "those of ids, and of labels that --label-column names")
	flags.StringVar(&f.neighbors, "neighbors", "", "neighbours of each point that another program found, as row numbers (.ivecs or .npy); with --distances")
	flags.StringVar(&f.distances, "distances", "", "distances of the --neighbors (.fvecs or .npy); Euclidean ones are not squared")
	flags.StringVar(&f.kind, "graph-kind", "auto", fmt.Sprintf("graph of features: knn, l1 (sparse representation), lle (locally linear), or auto: knn, and where at least two labels a class let seeds be left out, the one that these speak for of knn by l2 and by cosine (up to %d points) and l1 (up to %d); only knn where --metric, --weights, --symmetrize or --connect is given", knn.MaxMetricRival, knn.MaxL1Rival))
	flags.IntVar(&f.k, "k", 0, fmt.Sprintf("number of nearest neighbours that each point is joined to (default %d, or all where there are fewer)", knn.DefaultK))
	f.given = flags.Changed
	flags.StringVar(&f.metric, "metric", "auto", "what is near: l2 (distance), cosine, ip (inner product), or auto: cosine for values of which none is below 0 and at most 5 % are above, such as counts of words, else l2")
	flags.StringVar(&f.scale, "scale", "auto", "columns of the features: none (as they are), columns (each less its mean, over the range of nine tenths of its values), or auto: scaled where --metric auto is l2 and the largest range is ten times the median one or more (unlike units), but for columns about 0 (axes of a projection); left-out seeds can choose the other")
	flags.StringVar(&f.method, "knn", "auto", "search for the nearest neighbours: exact, approx (see --recall), or auto (by cost)")
	flags.Float64Var(&f.recall, "recall", knn.DefaultRecall, "share of the true neighbours that --knn approx is tuned to find")
	flags.StringVar(&f.weights, "weights", "symmetric", "weights of the edges between neighbours: symmetric (Gaussian by both k-th distances), adaptive (the paper's), adaptive-global, self-tuning, cosine or uniform")
	flags.StringVar(&f.symmetry, "symmetrize", "mean", "weight of the edge i-j where i-j and j-i have weights of their own (a missing one is 0): their mean, max, or mutual (the smaller: neighbours of each other alone are joined)")
	flags.StringVar(&f.connect, "connect", "none", "join the components of the graph of neighbours by their shortest links: mst or none")
	flags.Float64Var(&f.gamma, "gamma", 20, "how closely --graph-kind l1 fits a point by others, above 1")
	flags.Uint64Var(&f.seed, "seed", 1, "seed of the search of --knn approx and of the points that --connect mst draws in large components; all else that is dealt or drawn, such as labels to leave out, has fixed seeds")
}

func (f *featureFlags) check() (err error) {
	if (f.neighbors == "") != (f.distances == "") {
		return usage.Errorf("--neighbors and --distances go together")
	}
	if _, err = usage.Choose("graph-kind", f.kind, map[string]bool{"auto": true, "knn": true, "l1": true, "lle": true}); err != nil {
		return err
	}
	if _, err = usage.Choose("scale", f.scale, map[string]bool{"auto": true, "none": true, "columns": true}); err != nil {
		return err
	}
	var faults [3]error
	search := knn.Options{Recall: f.recall, Seed: f.seed}
	if f.metric != "auto" {
		search.Metric, faults[0] = knn.ParseMetric(f.metric)
	}
	search.Method, faults[1] = knn.ParseMethod(f.method)
	f.graph.Search = search
	f.graph.Weighting, faults[2] = knn.ParseWeighting(f.weights)
	if err := errors.Join(faults[:]...); err != nil {
		return usage.Error{Err: err}
	}
	if f.graph.Symmetry, err = usage.Choose("symmetrize", f.symmetry, symmetries); err != nil {
		return err
	}
	f.graph.Connect, err = usage.Choose("connect", f.connect, map[string]bool{"mst": true, "none": false})
	switch {
	case err != nil:
		return err
	case f.k < 0 || f.k == 0 && f.given("k"):
		return usage.Errorf("--k %d, expected at least 1", f.k)
	case !(f.recall > 0 && f.recall <= 1):
		return usage.Errorf("--recall %v, expected above 0 and at most 1", f.recall)
	case !(f.gamma > 1 && f.gamma < 1e9):
		return usage.Errorf("--gamma %v, expected above 1", f.gamma)
	case f.neighbors != "" && (f.given("knn") || f.given("recall")):
		return usage.Errorf("--knn and --recall are for neighbours that are searched for; those of --neighbors are found")
	case f.method == "exact" && f.given("recall"):
		return usage.Errorf("--recall is for --knn approx and auto")
	case f.kind != "l1" && !f.open() && f.given("gamma"):
		return usage.Errorf("--gamma is for --graph-kind l1, and auto where that may choose it")
	case f.scale == "columns" && f.neighbors != "":
		return usage.Errorf("--scale columns is for neighbours that are searched for; those of --neighbors are found")
	case f.kind == "l1" && (f.neighbors != "" || f.graph.Connect):
		return usage.Errorf("--graph-kind l1 makes its own graph; it takes no --neighbors and no --connect")
	case f.kind == "lle" && f.graph.Connect:
		return usage.Errorf("--graph-kind lle has weights of its own; it takes no --connect")
	case f.names.file != "" && f.pick.id != "":
		return usage.Errorf("--nodes and --id-column both name the points; say one")
	case f.neighbors != "" && f.file == "" && (f.graph.Connect || f.kind == "lle"):
		return usage.Errorf("--connect mst and --graph-kind lle need --features beside --neighbors")
	}
	for _, flag := range notOfKind[f.kind] {
		if f.given(flag) {
			return usage.Errorf("--%s is not for --graph-kind %s, whose neighbours and weights are its own", flag, f.kind)
		}
	}
	if err := f.pick.check(f.file, f.format); err != nil {
		return err
	}
	return checkFeatures(f.file, f.format, f.array, f.pick.id)
}

// notOfKind are the flags that making a kind of graph does not look at.
var notOfKind = map[string][]string{
	"l1":  {"k", "metric", "weights", "symmetrize", "knn", "recall"},
	"lle": {"weights"},
}

// checkFeatures refuses arrays and columns of names in formats of features that have none;
// unknown formats are for the reader to refuse.
func checkFeatures(file, format, array, idColumn string) error {
	format = strings.ToLower(cmp.Or(format, strings.TrimPrefix(formatOf(filepath.Base(file)), ".")))
	table := slices.Contains([]string{"csv", "tsv", "txt"}, format)
	if !table && !slices.Contains([]string{"npy", "npz", "fvecs", "bvecs", "svm", "libsvm", "svmlight"}, format) {
		return nil
	}
	switch {
	case array != "" && format != "npz":
		return usage.Errorf("--array is for features in a .npz file; %s is .%s", file, format)
	case idColumn != "" && !table:
		return usage.Errorf("--id-column is for features in a csv file; %s is .%s", file, format)
	}
	return nil
}

// symmetries are the values of --symmetrize.
var symmetries = map[string]csr.Symmetry{"mean": csr.Mean, "max": csr.Max, "mutual": csr.Min}

// inputs are all files that are read.
func (f *featureFlags) inputs() []outputs.File {
	return []outputs.File{{Flag: "features", Name: f.file}, {Flag: "neighbors", Name: f.neighbors}, {Flag: "distances", Name: f.distances}, {Flag: "nodes", Name: f.names.file}}
}

// knnFacts say how a graph was made of features.
type knnFacts struct {
	Kind     string                    `json:"kind"`
	File     string                    `json:"file,omitempty"`
	Points   int                       `json:"points"`
	Dims     int                       `json:"dims,omitempty"`
	Sparse   bool                      `json:"sparse,omitempty"`
	Scaled   bool                      `json:"scaled,omitempty"`       // columns are
	Ratio    float64                   `json:"column_ratio,omitempty"` // of the largest spread to the median one
	KNN      *knn.GraphReport          `json:"knn,omitempty"`
	Share    float64                   `json:"share,omitempty"`       // of the weight, beside edges
	Without  int                       `json:"featureless,omitempty"` // nodes of the edges that have no row
	Widest   *widestColumn             `json:"widest_column,omitempty"`
	Counting int                       `json:"counting_column,omitempty"` // from 1
	Coarse   int                       `json:"coarse_column,omitempty"`   // from 1
	Titles   []string                  `json:"-"`                         // of the columns, from a header
	Choice   []adp.GraphTrial          `json:"choice,omitempty"`          // by left-out seeds
	Untried  []string                  `json:"untried,omitempty"`         // graphs that new points could not join
	L1       *knn.SelfExpressiveReport `json:"l1,omitempty"`
	ReadSec  float64                   `json:"seconds_reading"`
	BuildSec float64                   `json:"seconds_building"`
}

// joinable reports whether new points can join the graph: it is of neighbours of dense points,
// which all nodes are.
func (k *knnFacts) joinable() bool {
	return k.KNN != nil && k.Dims > 0 && !k.Sparse && k.Without == 0
}

// widestColumn is the column of dense features that Euclidean distances depend on most.
type widestColumn struct {
	Column int     `json:"column"` // from 1
	Share  float64 `json:"share_of_variance"`
}

// column names a column of the features, from 1: those of a file may have other numbers.
func (k *knnFacts) column(number int) string {
	if number < 1 || number > len(k.Titles) {
		return fmt.Sprintf("column %d of the features", number)
	}
	return fmt.Sprintf("column %q of the features", brief(k.Titles[number-1]))
}

// mostOfVariance is the share of the variance, of three columns or more, from which on
// distances are of one column.
const mostOfVariance = 0.95

// bytes estimates the most that making the graph takes: the points, as they are and
// with scaled columns, and what a search among them takes or their ℓ1 combinations of so
// many points each.
func (f *featureFlags) bytes(facts *knnFacts, x *vecs.Features, support int) int64 {
	n, d, sum := facts.Points, facts.Dims, int64(0)
	if f.beside != nil {
		sum = f.beside.W.Bytes()
	}
	points := sum + f.pointBytes(x)
	if facts.Sparse {
		return points + knn.SparseGraphBytes(n, x.Sparse.Bytes(), f.graph)
	}
	if f.kind == "l1" {
		return points + knn.SelfExpressiveBytes(n, d, support, f.graph.Search.Threads)
	}
	return points + knn.GraphBytes(n, d, f.graph)
}

// pointBytes is what the points take, as they are and with scaled columns.
func (f *featureFlags) pointBytes(x *vecs.Features) int64 {
	switch {
	case x.Sparse != nil:
		return x.Sparse.Bytes()
	case x.Dense == nil:
		return 0
	case f.scaled || f.columns != nil && f.columns.scaled != nil:
		return 8 * int64(len(x.Dense.Data))
	}
	return 4 * int64(len(x.Dense.Data))
}

// besideBytes is what edges of the same nodes add: they, and where seeds choose the graph of
// the features alone. Their part of a sum is that of who makes or keeps one.
func (f *featureFlags) besideBytes(points int) int64 {
	if f.beside == nil {
		return 0
	}
	bytes := f.beside.W.Bytes() + f.beside.IDs.Bytes()
	if f.chooses() {
		bytes += int64(points) * int64(16*f.k)
	}
	return bytes
}

// admit refuses to make what does not fit, beside the edges if there are any.
func (f *featureFlags) admit(g *graph, what string, bytes int64) error {
	limit, source := f.memory, f.source()
	if f.beside != nil {
		limit, source = f.beside.limit, source+" beside "+f.beside.name
	}
	g.peak = max(g.peak, bytes+f.besideBytes(g.KNN.Points))
	return limit.Admits(what+" of "+source, g.peak)
}

// measure finds out whether the columns are to be scaled.
func (f *featureFlags) measure(x *vecs.Features, facts *knnFacts) error {
	asked := f.scale == "columns"
	if x.Dense == nil {
		if asked && !f.given("scale") {
			return usage.Errorf("the columns of the model of --warm were scaled, and %s is sparse: --scale none takes it as it is", f.file)
		}
		if asked {
			return usage.Errorf("--scale columns takes dense features, and %s is sparse", f.file)
		}
		return nil
	}
	open := f.scale == "auto" && f.metric == "auto" && f.graph.Search.Metric == knn.L2 && f.neighbors == ""
	if !asked && !open {
		return nil
	}
	scaling, err := knn.ScalingOf(x.Dense, f.graph.Search.Threads)
	if err != nil {
		return fmt.Errorf("%s: %w", f.file, err)
	}
	f.columns = &columns{Scaling: scaling, x: x.Dense}
	f.scaled = asked || scaling.Unlike()
	facts.Scaled, facts.Ratio, facts.Coarse = f.scaled, scaling.Ratio, scaling.Coarse
	return nil
}

// build reads the features or the neighbours and makes the graph.
func (f *featureFlags) build(ctx context.Context, std streams.Stdio, threads int) (*graph, error) {
	f.graph.Search.Threads = threads
	facts := &knnFacts{Kind: f.kind, File: f.file}
	if f.kind == "auto" {
		facts.Kind = "knn"
	}
	start := time.Now()
	x := &vecs.Features{}
	if f.file != "" {
		var err error
		if x, err = f.readFeatures(std); err != nil {
			return nil, err
		}
		facts.Points, facts.Dims, facts.Sparse, facts.Titles = x.Rows(), x.Dims(), x.Sparse != nil, x.Titles
		if x.Dense != nil {
			facts.Counting = 1 + knn.Counting(x.Dense)
		}
		switch {
		case f.metric != "auto":
		case x.Sparse != nil:
			f.graph.Search.Metric = knn.MetricOfSparse(x.Sparse)
		default:
			f.graph.Search.Metric = knn.MetricOf(x.Dense)
		}
		if err := f.measure(x, facts); err != nil {
			return nil, err
		}
	}

	nb, err := f.readNeighbors(std, x)
	if err != nil {
		return nil, err
	}
	most := facts.Points - 1
	if nb != nil {
		facts.Points, most = nb.N, nb.K
	}
	if f.k == 0 {
		f.k = max(1, min(cmp.Or(f.keptK, knn.DefaultK), most))
	}
	if nb == nil && f.k > most { // before memory for so many is asked for
		return nil, usage.Errorf("--k: k = %d for %d points, expected fewer neighbours than points", f.k, facts.Points)
	}
	f.graph.Search.K = f.k
	if x.IDs == nil {
		if x.IDs, err = f.names.of(std, ids.Sequence(facts.Points)); err != nil {
			return nil, err
		}
	}
	g := &graph{KNN: facts, IDs: x.IDs}
	bytes := f.bytes(facts, x, knn.DefaultKeep)
	if nb != nil {
		found := 8 * int64(nb.N) * int64(nb.K)
		bytes = max(bytes+found, 2*found) // as read, and sorted
	}
	if err := f.admit(g, "the graph", bytes); err != nil {
		return nil, err
	}
	if f.beside != nil {
		if err := f.stand(g, threads); err != nil {
			return nil, err
		}
	}
	facts.ReadSec = time.Since(start).Seconds()
	start = time.Now()
	if g.W, err = f.make(ctx, std, x, nb, facts); err != nil {
		return nil, err
	}
	facts.BuildSec = time.Since(start).Seconds()
	if f.chooses() {
		if err := f.choose(ctx, std, x, g); err != nil {
			return nil, err
		}
		facts = g.KNN
	}
	if f.columns != nil {
		f.columns.x, f.columns.scaled = nil, nil // a run needs the graph alone
	}
	if f.remember && facts.joinable() {
		if g.Joins, err = knn.NewAttachment(facts.KNN.Found, facts.KNN.Neighbors, f.graph); err != nil {
			return nil, err
		}
		g.Features = &model.Features{File: f.file, Format: f.format, Array: f.array, IDColumn: f.pick.id, Without: f.without, Columns: f.pick.only, Drop: f.pick.drop, Dims: x.Dims(), Titles: x.Titles, Sum: model.Sum(x.Dense)}
		if f.scaled {
			g.Features.Scaling = f.columns.Scaling
		}
	}
	if f.beside == nil {
		g.Read.Edges = g.W.NNZ() / 2
	}
	return g, nil
}

// stand makes g of the nodes of the features and of the edges beside them.
func (f *featureFlags) stand(g *graph, threads int) (err error) {
	edges := f.beside
	if g.IDs, g.KNN.Without, err = edges.place(g.IDs, f.source(), threads); err != nil {
		return err
	}
	g.KNN.Share, g.Read, g.file, g.peak = edges.share, edges.Read, edges.file, max(g.peak, edges.peak)
	return nil
}

// rivals are the graphs of the points that left-out seeds may choose in the place of the
// first.
func (f *featureFlags) rivals(facts *knnFacts) []knn.Start {
	if !f.chooses() {
		return nil
	}
	rivals := f.start().Rivals(facts.Points, facts.Dims, facts.Sparse)
	return slices.DeleteFunc(rivals, func(s knn.Start) bool { return s.Scaled != f.scaled && f.scale != "auto" })
}

// start is the kind of graph that labels start from, or the choice does.
func (f *featureFlags) start() knn.Start {
	return knn.Start{Metric: f.graph.Search.Metric, Scaled: f.scaled}
}

// chooses reports whether left-out seeds may choose the graph.
func (f *featureFlags) chooses() bool { return f.choice != nil && f.open() }

// open reports whether the flags leave the kind of the graph to the seeds.
func (f *featureFlags) open() bool {
	return !f.settled && f.kind == "auto" && f.metric == "auto" && f.neighbors == "" && !f.graph.Connect &&
		f.graph.Weighting == knn.SymmetricGaussian && f.graph.Symmetry == csr.Mean
}

// choose puts another graph of the points in the place of g.W where left-out
// seeds speak for it.
func (f *featureFlags) choose(ctx context.Context, std streams.Stdio, x *vecs.Features, g *graph) error {
	seeds, err := f.choice(g.IDs)
	if err != nil || seeds == nil {
		return err
	}
	trial := adp.EstimateBytes(g.W, seeds.Classes, adp.Options{Method: adp.LGC, Threads: f.graph.Search.Threads})
	trial += 2 * g.W.Bytes() // the first graph and the best
	if f.remember {
		trial += 3 * int64(g.KNN.Points) * int64(8*f.graph.Search.K) // neighbours
	}
	if err := f.admit(g, "choosing the graph (--graph-kind knn does without)", f.pointBytes(x)+trial); err != nil {
		return err
	}
	type option struct {
		featureFlags
		facts *knnFacts
	}
	// By name: a graph that is not chosen is let go.
	made := map[string]option{}
	took := func(name string, by featureFlags, facts *knnFacts) {
		if facts.KNN != nil && !f.remember {
			facts.KNN.Found = nil
		}
		made[name] = option{by, facts}
	}
	var rivals []adp.Rival
	var untried []string
	leave := func(name string) {
		rivals = append(rivals, adp.Rival{Name: name, Make: func() (*csr.Matrix, error) {
			untried = append(untried, name)
			return nil, nil
		}})
	}
	prefix := ""
	if f.beside != nil {
		prefix = "edges and "
	}
	alone := f.start().String()
	first := prefix + alone
	took(first, *f, g.KNN)
	for _, start := range f.rivals(g.KNN) {
		name := prefix + start.String()
		if start.L1 && f.remember {
			leave(name)
			continue
		}
		rivals = append(rivals, adp.Rival{Name: name, Make: func() (*csr.Matrix, error) {
			other, told := *f, *g.KNN
			other.graph.Search.Metric, other.scaled = start.Metric, start.Scaled
			told.Scaled, told.Widest = start.Scaled, nil
			if told.KNN = nil; start.L1 {
				other.kind, told.Kind = "l1", "l1"
			}
			if err := f.admit(g, "trying the graph "+start.String()+" (--graph-kind knn does without)", max(2*g.W.Bytes()+other.bytes(&told, x, knn.MaxL1Support), other.pointBytes(x)+trial)); err != nil {
				return nil, err
			}
			begin := time.Now()
			if start.L1 {
				support, err := knn.SelfExpressiveSupport(ctx, other.points(x), knn.SelfExpressiveOptions{Gamma: f.gamma, Threads: f.graph.Search.Threads})
				if err != nil || support > knn.MaxL1Support {
					return nil, err
				}
			}
			w, err := other.make(ctx, std, x, nil, &told)
			told.BuildSec = time.Since(begin).Seconds()
			took(name, other, &told)
			return w, err
		}})
	}
	if f.beside != nil && !f.given("feature-share") {
		without := func(name string, w *csr.Matrix, told knnFacts) {
			rivals = append(rivals, adp.Rival{Name: name, Make: func() (*csr.Matrix, error) {
				told.Share = 0
				took(name, *f, &told)
				return w, nil
			}})
		}
		without(alone, f.beside.features, *g.KNN)
		if f.remember {
			leave("edges")
		} else {
			told := *g.KNN
			told.Kind, told.KNN = "edges", nil
			without("edges", f.beside.W, told)
		}
	}
	w, trials, err := adp.ChooseGraph(ctx, g.W, first, rivals, seeds, adp.Options{Threads: f.graph.Search.Threads})
	if err != nil {
		return err
	}
	chosen := first
	for _, t := range trials {
		if t.Chosen {
			chosen = t.Graph
		}
	}
	by := made[chosen]
	f.graph, f.scaled, g.W, g.KNN = by.graph, by.scaled, w, by.facts
	g.KNN.Choice, g.KNN.Untried = trials, untried
	return nil
}

func (f *featureFlags) readFeatures(std streams.Stdio) (x *vecs.Features, err error) {
	err = inputs.Read(f.file, std, func(r io.Reader, name string, size int64) error {
		opt := vecs.Options{Format: f.format, Array: f.array, IDColumn: f.pick.id, Header: headerOf(f.without), Columns: f.pick.only, MemoryLimit: f.memory.Data()}
		opt.Without = slices.Concat(f.without, f.pick.drop)
		x, err = readPoints(r, name, size, opt)
		if errors.Is(err, vecs.ErrMemory) {
			return tooMuch(f.memory, err)
		}
		return orLabels(err, f.ifLabels)
	})
	return x, err
}

// readNeighbors reads neighbours found elsewhere, if any.
func (f *featureFlags) readNeighbors(std streams.Stdio, x *vecs.Features) (*knn.Neighbors, error) {
	if f.neighbors == "" {
		return nil, nil
	}
	var sources [2]vecs.Source
	for k, name := range []string{f.neighbors, f.distances} {
		file, in, err := inputs.Open(std.Context(), name)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		sources[k] = vecs.Source{R: in, Name: name, Size: inputs.Size(file)}
	}
	read, err := vecs.ReadNeighbors(sources[0], sources[1])
	if err != nil {
		return nil, err
	}
	if x.Dense != nil && x.Rows() != read.N || x.Sparse != nil && x.Rows() != read.N {
		return nil, fmt.Errorf("%w: %s has %d rows, %s %d", knn.ErrNeighbors, f.neighbors, read.N, f.file, x.Rows())
	}
	return knn.FromPrecomputed(read.IDs, read.Dists, read.N, read.K, f.graph.Search.Metric)
}

// make makes the graph of the given kind, with the edges beside it.
func (f *featureFlags) make(ctx context.Context, std streams.Stdio, x *vecs.Features, nb *knn.Neighbors, facts *knnFacts) (*csr.Matrix, error) {
	w, err := f.makeAlone(ctx, std, x, nb, facts)
	if err == nil && f.beside != nil {
		w = f.beside.blend(w, f.graph.Search.Threads)
	}
	return w, err
}

// makeAlone makes the graph of the given kind.
func (f *featureFlags) makeAlone(ctx context.Context, std streams.Stdio, x *vecs.Features, nb *knn.Neighbors, facts *knnFacts) (w *csr.Matrix, err error) {
	shown := progress.Bar{}
	defer func() { shown.End() }()
	f.graph.Search.Progress = func(done, total int) {
		if done == 1 {
			shown = progress.New(std.Err, "neighbours by "+f.graph.Search.Metric.String(), int64(total), false)
		}
		shown.Set(done)
	}
	defer func() { f.graph.Search.Progress = nil }()
	if f.kind != "knn" && f.kind != "auto" && x.Sparse != nil {
		return nil, usage.Errorf("--graph-kind %s takes dense features, and %s is sparse", f.kind, f.file)
	}
	points := f.points(x)
	switch {
	case f.kind == "l1":
		w, facts.L1, err = knn.SelfExpressive(ctx, points, knn.SelfExpressiveOptions{Gamma: f.gamma, Threads: f.graph.Search.Threads})
		return w, err
	case f.kind == "lle":
		if nb == nil {
			if nb, _, err = knn.Search(ctx, points, f.graph.Search); err != nil {
				return nil, err
			}
		}
		return knn.LLE(ctx, points, nb.Nearest(f.k), knn.LLEOptions{Symmetry: f.graph.Symmetry, Threads: f.graph.Search.Threads})
	case nb != nil:
		w, facts.KNN, err = knn.GraphOf(ctx, points, nb, f.k, f.graph)
	case x.Sparse != nil:
		w, facts.KNN, err = knn.GraphSparse(ctx, x.Sparse, f.graph)
	default:
		w, facts.KNN, err = knn.Graph(ctx, points, f.graph)
		if err == nil && facts.KNN.Metric == knn.L2 && !f.scaled {
			column, share := knn.Widest(points)
			facts.Widest = &widestColumn{column + 1, share}
		}
	}
	return w, err
}
