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

	"github.com/adp-sparse/adp-sparse/adp/fit"
	"github.com/adp-sparse/adp-sparse/adp/model"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/format"
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
	if _, err = usage.Choose("graph-kind", f.kind, graphKinds); err != nil {
		return err
	}
	if _, err = usage.Choose("scale", f.scale, scales); err != nil {
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
func checkFeatures(file, said, array, idColumn string) error {
	of := strings.ToLower(cmp.Or(said, strings.TrimPrefix(format.Ending(filepath.Base(file)), ".")))
	table := slices.Contains([]string{"csv", "tsv", "txt"}, of)
	if !table && !slices.Contains([]string{"npy", "npz", "fvecs", "bvecs", "svm", "libsvm", "svmlight"}, of) {
		return nil
	}
	switch {
	case array != "" && of != "npz":
		return usage.Errorf("--array is for features in a .npz file; %s is .%s", file, of)
	case idColumn != "" && !table:
		return usage.Errorf("--id-column is for features in a csv file; %s is .%s", file, of)
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
	File string `json:"file,omitempty"`
	fit.GraphReport
	Titles  []string `json:"-"` // of the columns, from a header
	ReadSec float64  `json:"seconds_reading"`
}

// joinable reports whether new points can join the graph: it is of neighbours of dense points,
// which all nodes are.
func (k *knnFacts) joinable() bool {
	return k.KNN != nil && k.Dims > 0 && !k.Sparse && k.Without == 0
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

// graphKinds are the values of --graph-kind.
var graphKinds = map[string]fit.Kind{"auto": fit.AutoKind, "knn": fit.KNN, "l1": fit.L1, "lle": fit.LLE}

// scales are the values of --scale.
var scales = map[string]fit.Scale{"auto": fit.AutoScale, "none": fit.Unscaled, "columns": fit.ScaledColumns}

// options are those of the graph that the flags ask for.
func (f *featureFlags) options(threads int) fit.GraphOptions {
	opt := fit.GraphOptions{
		Kind: graphKinds[f.kind], Scale: scales[f.scale], K: f.k, DefaultK: f.keptK, Make: f.graph, Gamma: f.gamma,
		Fixed: f.settled, Joinable: f.remember, Threads: threads,
	}
	if f.metric != "auto" {
		opt.Metric = &f.graph.Search.Metric
	}
	if f.given("feature-share") || f.share != knn.DefaultShare { // --feature-shares of tune
		opt.Share = f.share
	}
	return opt
}

// open reports whether the flags leave the kind of the graph to the seeds.
func (f *featureFlags) open() bool {
	opt := f.options(0)
	return f.neighbors == "" && opt.Open()
}

// admit refuses to make what does not fit, beside the edges if there are any.
func (f *featureFlags) admit(g *graph, what string, bytes int64) error {
	limit, source := f.memory, f.source()
	if f.beside != nil {
		limit, source = f.beside.limit, source+" beside "+f.beside.name
		bytes += f.beside.IDs.Bytes()
	}
	if what != fit.FirstGraph {
		what += " (--graph-kind knn does without)"
	}
	g.peak = max(g.peak, bytes)
	return limit.Admits(what+" of "+source, g.peak)
}

// checkSparse refuses flags that are for dense features.
func (f *featureFlags) checkSparse(x *vecs.Features) error {
	switch {
	case x.Sparse == nil:
	case f.scale == "columns" && !f.given("scale"):
		return usage.Errorf("the columns of the model of --warm were scaled, and %s is sparse: --scale none takes it as it is", f.file)
	case f.scale == "columns":
		return usage.Errorf("--scale columns takes dense features, and %s is sparse", f.file)
	case f.kind != "knn" && f.kind != "auto":
		return usage.Errorf("--graph-kind %s takes dense features, and %s is sparse", f.kind, f.file)
	}
	return nil
}

// build reads the features or the neighbours and makes the graph.
func (f *featureFlags) build(ctx context.Context, std streams.Stdio, threads int) (*graph, error) {
	start := time.Now()
	x := &vecs.Features{}
	var err error
	if f.file != "" {
		if x, err = f.readFeatures(std); err != nil {
			return nil, err
		}
	}
	if err := f.checkSparse(x); err != nil {
		return nil, err
	}
	in := fit.Input{Dense: x.Dense, Sparse: x.Sparse}
	if in.Neighbors, err = f.readNeighbors(std, x); err != nil {
		return nil, err
	}
	points := in.Nodes()
	if in.Neighbors == nil && points > 1 && f.k > points-1 { // before memory for so many is asked for
		return nil, usage.Errorf("--k: k = %d for %d points, expected fewer neighbours than points", f.k, points)
	}
	if x.IDs == nil {
		if x.IDs, err = f.names.of(std, ids.Sequence(points)); err != nil {
			return nil, err
		}
	}
	g := &graph{KNN: &knnFacts{File: f.file, Titles: x.Titles}, IDs: x.IDs}
	if f.beside != nil {
		if err := f.stand(g, threads); err != nil {
			return nil, err
		}
		in.Edges = f.beside.W
	}
	if f.choice != nil {
		if in.Seeds, err = f.choice(g.IDs); err != nil {
			return nil, err
		}
	}
	g.KNN.ReadSec = time.Since(start).Seconds()
	if err := f.make(ctx, std, in, threads, g); err != nil {
		return nil, err
	}
	if f.remember && g.KNN.joinable() {
		if g.Joins, err = knn.NewAttachment(g.KNN.KNN.Found, g.KNN.KNN.Neighbors, g.Made.Make); err != nil {
			return nil, err
		}
		g.Features = &model.Features{File: f.file, Format: f.format, Array: f.array, IDColumn: f.pick.id, Without: f.without, Columns: f.pick.only, Drop: f.pick.drop, Dims: x.Dims(), Titles: x.Titles, Sum: model.Sum(x.Dense), Scaling: g.Made.Scaling}
	}
	if f.beside == nil {
		g.Read.Edges = g.W.NNZ() / 2
	}
	return g, nil
}

// make makes the graph of the input, with a bar while neighbours are searched for.
func (f *featureFlags) make(ctx context.Context, std streams.Stdio, in fit.Input, threads int, g *graph) (err error) {
	shown := progress.Bar{}
	defer func() { shown.End() }()
	opt := f.options(threads)
	opt.Admit = func(what string, bytes int64) error { return f.admit(g, what, bytes) }
	opt.Searching = func(by knn.Metric, done, total int) {
		if done == 1 {
			shown.End()
			shown = progress.New(std.Err, "neighbours by "+by.String(), int64(total), false)
		}
		shown.Set(done)
	}
	if g.Made, err = fit.NewGraph(ctx, in, opt); err != nil {
		if f.file != "" && errors.Is(err, knn.ErrFeatures) {
			err = fmt.Errorf("%s: %w", f.file, err)
		}
		return err
	}
	g.W, g.KNN.GraphReport = g.Made.W, g.Made.Report
	return nil
}

// stand makes g of the nodes of the features and of the edges beside them.
func (f *featureFlags) stand(g *graph, threads int) (err error) {
	edges := f.beside
	if g.IDs, err = edges.place(g.IDs, f.source(), threads); err != nil {
		return err
	}
	g.Read, g.file, g.peak = edges.Read, edges.file, max(g.peak, edges.peak)
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
