// Package points makes graphs of feature vectors, as the flags ask for.
package points

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/adp/fit"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/format"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/opened"
	"github.com/adp-sparse/adp-sparse/cmd/internal/limit"
	"github.com/adp-sparse/adp-sparse/cmd/internal/outputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/knn"
	"github.com/adp-sparse/adp-sparse/knn/vecs"
)

// FlagNames are the flags that are for --features or --neighbors alone.
var FlagNames = []string{"format", "array", "id-column", "feature-columns", "drop-columns", "categories", "impute", "graph-kind", "k", "metric", "scale", "knn", "recall", "weights", "symmetrize", "connect", "gamma"}

// notOfKind are the flags that are not for a kind of graph.
var notOfKind = map[string][]string{
	"l1":  {"k", "metric", "weights", "symmetrize", "knn", "recall"},
	"lle": {"weights"},
}

// CheckFile refuses --array and --id-column for formats without arrays or columns. The reader
// refuses unknown formats.
func CheckFile(file, given, array, idColumn string) error {
	of := strings.ToLower(cmp.Or(given, strings.TrimPrefix(format.Ending(file), ".")))
	table := slices.Contains([]string{"csv", "tsv", "txt"}, of)
	if !table && !slices.Contains([]string{"npy", "npz", "fvecs", "bvecs", "svm", "libsvm", "svmlight", "vec", "emb", "word2vec", "glove"}, of) {
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

// graphKinds are the values of --graph-kind.
var graphKinds = map[string]fit.Kind{"auto": fit.AutoKind, "knn": fit.KNN, "l1": fit.L1, "lle": fit.LLE}

// otherMetrics says what metrics are that other programs call otherwise.
var otherMetrics = map[string]string{
	"euclidean": "; euclidean is l2", "cityblock": "; cityblock is manhattan", "l1": "; l1 is manhattan", "dot": "; dot is ip",
}

// scales are the values of --scale.
var scales = map[string]fit.Scale{"auto": fit.AutoScale, "none": fit.Unscaled, "columns": fit.ScaledColumns}

// Flags are the flags that make a graph of feature vectors.
type Flags struct {
	File, format, array         string
	Pick                        ColumnFlags
	Without                     []string // columns of a table that hold labels
	Comments                    []string // as [vecs.Options] has them
	IfLabels                    string   // advice about a column that may hold labels
	Neighbors                   string
	distances, similarities     string // of the neighbours; one of the two
	Kind, Metric, method, Scale string
	weights, symmetry, connect  string
	K                           int // 0 where it is not given
	Given                       func(flag string) bool
	recall, gamma               float64
	seed                        uint64
	Share                       float64 // of the features, where there are edges too

	Names    opened.NodeNames
	OfGraph  bool // Names is of the rows of a graph too
	graph    knn.GraphOptions
	Joinable bool // keep what joins new points to the graph
	Settled  bool // by the model of --warm: seeds choose nothing
	warmK    int  // of the model of --warm, 0 for none
	// Choose returns the seeds that choose among graphs of these nodes and features, nil for none. It is nil without labels.
	Choose func(*opened.Graph) (*diffuse.Seeds, error)
	// Combine keeps the features, for the feature step of a run. Unlabelled keeps them without labels of
	// two classes too, which may come later.
	Combine, Unlabelled bool
	Edges               *opened.Edges // of the same nodes, nil for none
	Memory              limit.Memory
}

// NamesPoints reports whether the format of the features has names of the points.
func (f *Flags) NamesPoints() bool { return f.File != "" && vecs.NamesPoints(f.File, f.format) }

// ownNames reports whether the features name the points.
func (f *Flags) ownNames() bool { return f.Pick.ID != "" || f.NamesPoints() }

// Source is the file of features or neighbours, empty for none.
func (f *Flags) Source() string { return cmp.Or(f.File, f.Neighbors) }

func (f *Flags) Bind(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.File, "features", "", "feature vectors, a row a point: .npy, .npz, .csv, .parquet, …\nAlso .fvecs, .bvecs, .tsv, .libsvm and .vec (word2vec). .npz is dense or scipy sparse.")
	flags.StringVar(&f.format, "format", "", "format of --features where the ending does not say: npy, csv, glove, …")
	flags.StringVar(&f.array, "array", "", "name of the array of --features, in a .npz file with several")
	f.Pick.Bind(cmd, "--features", "0 to n-1", "those of ids, and of labels that --label-column names")
	f.Pick.BindValues(cmd, "--features")
	flags.StringVar(&f.Neighbors, "neighbors", "", "neighbours from another program: row numbers (.ivecs, .npy), or .npz\nRow numbers go with --distances or --similarities; -1 is none. .npz is a sparse matrix of distances, as scikit-learn and scanpy make it (scipy.sparse.save_npz).")
	flags.StringVar(&f.distances, "distances", "", "distances of the --neighbors (.fvecs, .npy), smaller is nearer\nEuclidean distances must not be squared: take the roots of those of faiss and hnswlib.")
	flags.StringVar(&f.similarities, "similarities", "", "similarities of the --neighbors (.fvecs, .npy), larger is nearer\nInner products, as faiss has them, or with --metric cosine cosines.")
	flags.StringVar(&f.Kind, "graph-kind", "auto", fmt.Sprintf("graph of vectors: knn, l1 (sparse representation), lle or auto\nauto is knn. With at least two labels a class, cross-validation chooses among knn by distance and by cosine (up to %d points) and l1 (up to %d). It is only knn where --metric, --weights, --symmetrize or --connect is given. lle is locally linear.", knn.MaxMetricRival, knn.MaxL1Rival))
	flags.IntVar(&f.K, "k", 0, fmt.Sprintf("nearest neighbours that each point is joined to (default %d)\nThe default is all other points where there are fewer.", knn.DefaultK))
	f.Given = flags.Changed
	flags.StringVar(&f.Metric, "metric", "auto", "nearness: l2, manhattan, cosine, hellinger[-idf], ip or auto\nl2 is the distance, manhattan adds up the differences of all columns, ip is the inner product. hellinger is the cosine of the square roots, as for words; hellinger-idf first gives columns that few vectors have more weight. auto is hellinger-idf where no value is below 0 and at most 15 % are above, such as counts of words (5 % of fewer than 100 columns), or hellinger where columns have such weights already, as by TF-IDF; hellinger where rows of 3 to 100 columns have the same sum, as shares of a whole; manhattan for scaled columns, at most 100; else l2.")
	flags.StringVar(&f.Scale, "scale", "auto", "columns of the features: none (as they are), columns or auto\ncolumns subtracts the mean of each and divides by the range of nine tenths of its values. auto scales where --metric auto does not mean a cosine and the largest range is at least ten times the median one, but not columns about 0, such as axes of a projection. Cross-validation can choose the other.")
	flags.StringVar(&f.method, "knn", "auto", "search for neighbours: exact, approx or auto (by cost)")
	flags.Float64Var(&f.recall, "recall", knn.DefaultRecall, "share of the true neighbours that --knn approx finds")
	flags.StringVar(&f.weights, "weights", "symmetric", "edge weights: symmetric, adaptive, cosine, uniform, …\nAlso adaptive-global and self-tuning. symmetric is a Gaussian by the distances to the k-th neighbour of both ends. adaptive is that of the paper, adaptive-global has one width for all.")
	flags.StringVar(&f.symmetry, "symmetrize", "mean", "weight of i-j, where i-j and j-i differ: mean, max or mutual\nA missing one is 0. mutual takes the smaller: only neighbours of each other are joined.")
	flags.StringVar(&f.connect, "connect", "none", "join components by their shortest links: mst or none")
	flags.Float64Var(&f.gamma, "gamma", fit.DefaultGamma, "how closely --graph-kind l1 fits a point by others, above 1")
	flags.Uint64Var(&f.seed, "seed", 1, "seed of --knn approx and of --connect mst in large components\nAll else that is drawn has fixed seeds, such as the folds of cross-validation.")
}

// Check validates the flags.
func (f *Flags) Check() error {
	switch {
	case vecs.IsDistances(f.Neighbors) && (f.distances != "" || f.similarities != ""):
		return usage.Errorf("--neighbors %s is a sparse matrix, which has the distances in it; --distances and --similarities are for row numbers (.ivecs, .npy)", usage.ShellQuote(f.Neighbors))
	case vecs.IsDistances(f.Neighbors):
	case (f.Neighbors == "") != (f.distances == "" && f.similarities == ""):
		return usage.Errorf("--neighbors and --distances go together, or --neighbors and --similarities")
	case f.distances != "" && f.similarities != "":
		return usage.Errorf("--distances and --similarities both say how near the --neighbors are; say one")
	case f.similarities != "" && (f.Metric == "l2" || f.Metric == "manhattan"):
		return usage.Errorf("--similarities are by --metric ip (inner products) or cosine; --metric %s is for --distances", f.Metric)
	case f.similarities != "" && f.Metric == "auto":
		f.Metric = "ip"
	}
	for _, check := range []func() error{f.Names.Check, f.readChoices, f.checkNumbers, f.checkKind} {
		if err := check(); err != nil {
			return err
		}
	}
	if err := f.Pick.Check(f.File, f.format); err != nil {
		return err
	}
	return CheckFile(f.File, f.format, f.array, f.Pick.ID)
}

// readChoices reads the flags that are one of several words.
func (f *Flags) readChoices() (err error) {
	if _, err = usage.Choose("graph-kind", f.Kind, graphKinds); err != nil {
		return err
	}
	if _, err = usage.Choose("scale", f.Scale, scales); err != nil {
		return err
	}
	var faults [3]error
	search := knn.Options{Recall: f.recall, Seed: f.seed}
	if f.Metric != "auto" {
		if search.Metric, faults[0] = knn.ParseMetric(f.Metric); faults[0] != nil {
			faults[0] = fmt.Errorf("%w, or auto, the default%s", faults[0], otherMetrics[strings.ToLower(f.Metric)])
		}
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
	return err
}

// checkNumbers checks the numbers, and the flags of the search.
func (f *Flags) checkNumbers() error {
	switch {
	case f.K < 0 || f.K == 0 && f.Given("k"):
		return usage.Errorf("--k %d, expected at least 1", f.K)
	case !(f.recall > 0 && f.recall <= 1):
		return usage.Errorf("--recall %v, expected above 0 and at most 1", f.recall)
	case !(f.gamma > 1 && f.gamma < 1e9):
		return usage.Errorf("--gamma %v, expected above 1", f.gamma)
	case f.Neighbors != "" && (f.Given("knn") || f.Given("recall")):
		return usage.Errorf("--knn and --recall are for neighbours that are searched for; those of --neighbors are found")
	case f.method == "exact" && f.Given("recall"):
		return usage.Errorf("--recall is for --knn approx and auto")
	case f.Kind != "l1" && !f.open() && f.Given("gamma"):
		return usage.Errorf("--gamma is for --graph-kind l1, and auto where that may choose it")
	}
	return nil
}

// checkKind refuses flags that are not for the kind of graph.
func (f *Flags) checkKind() error {
	switch {
	case f.Scale == "columns" && f.Neighbors != "":
		return usage.Errorf("--scale columns is for neighbours that are searched for; those of --neighbors are found")
	case f.Kind == "l1" && (f.Neighbors != "" || f.graph.Connect):
		return usage.Errorf("--graph-kind l1 makes its own graph; it takes no --neighbors and no --connect")
	case f.Kind == "lle" && f.graph.Connect:
		return usage.Errorf("--graph-kind lle has weights of its own; it takes no --connect")
	case f.OfGraph && f.ownNames(): // the rows of the graph are named
	case f.Names.Base == 1 && f.Pick.ID != "":
		return usage.Errorf("--index-base and --id-column both name the points; say one")
	case f.Names.File != "" && f.NamesPoints():
		return usage.Errorf("--nodes names the points, and %s has names of its own; say one", f.File)
	case f.Names.File != "" && f.Pick.ID != "":
		return usage.Errorf("--nodes and --id-column both name the points; say one")
	case f.Neighbors != "" && f.File == "" && (f.graph.Connect || f.Kind == "lle"):
		return usage.Errorf("--connect mst and --graph-kind lle need --features beside --neighbors")
	}
	for _, flag := range notOfKind[f.Kind] {
		if f.Given(flag) {
			return usage.Errorf("--%s is not for --graph-kind %s, whose neighbours and weights are its own", flag, f.Kind)
		}
	}
	return nil
}

// IsSVM reports whether the features are in the format of libsvm, which counts columns from 1.
func (f *Flags) IsSVM() bool { return IsSVM(f.File, f.format) }

// IsSVM reports whether a file is in the format of libsvm; the format is empty where the ending says it.
func IsSVM(file, given string) bool {
	of := strings.ToLower(cmp.Or(given, strings.TrimPrefix(format.Ending(file), ".")))
	return slices.Contains([]string{"svm", "libsvm", "svmlight"}, of)
}

// Inputs are the files that are read.
func (f *Flags) Inputs() []outputs.File {
	return []outputs.File{{Flag: "features", Name: f.File}, {Flag: "neighbors", Name: f.Neighbors}, {Flag: "distances", Name: f.distances}, {Flag: "similarities", Name: f.similarities}, {Flag: "nodes", Name: f.Names.File}}
}

// options are the options of the graph that the flags ask for.
func (f *Flags) options(threads int) fit.GraphOptions {
	opt := fit.GraphOptions{
		Kind: graphKinds[f.Kind], Scale: scales[f.Scale], K: f.K, DefaultK: f.warmK, Make: f.graph, Gamma: f.gamma,
		Fixed: f.Settled, Joinable: f.Joinable, Threads: threads,
	}
	if f.Metric != "auto" {
		opt.Metric = &f.graph.Search.Metric
	}
	if f.Given("feature-share") || f.Share != knn.DefaultShare { // --feature-shares of tune
		opt.Share = f.Share
	}
	return opt
}

// open reports whether the seeds choose the kind of the graph.
func (f *Flags) open() bool {
	opt := f.options(0)
	return f.Neighbors == "" && opt.Open()
}
