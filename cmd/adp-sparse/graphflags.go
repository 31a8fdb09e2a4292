package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/adp/labelfile"
	"github.com/adp-sparse/adp-sparse/adp/labelparquet"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/format"
	"github.com/adp-sparse/adp-sparse/cmd/internal/inputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/limit"
	"github.com/adp-sparse/adp-sparse/cmd/internal/outputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/edgelist"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/csr/parts"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/rows"
	"github.com/adp-sparse/adp-sparse/internal/stream"
	"github.com/adp-sparse/adp-sparse/knn"
)

// graphFlags are the flags that say where a graph and labels come from: an
// edge list, a graph file, or features.
type graphFlags struct {
	edges, graph, labels string
	columns              []string // of --edges in Parquet
	weightKey            string   // of --graph in GraphML
	directed             bool
	duplicates           string
	header               string
	labelsHeader         bool
	labelColumns         labelfile.Columns
	missing              []string // texts that mean no label
	multilabel           bool     // a node may have several labels
	oneLabel             string   // the command, of those for one label a node
	learned              bool     // the graph is a learned one: its diagonal counts
	unknown              string
	threads              int
	features             featureFlags
	limit                string       // --memory-limit
	memory               limit.Memory // of reading, and of what follows

	duplicatesBy      csr.Duplicates
	headerBy          edgelist.Header
	skipUnknownLabels bool
	labelsRead        *labelfile.Labels // where the graph was chosen by them
}

func (g *graphFlags) bind(cmd *cobra.Command) {
	g.bindFiles(cmd)
	f := cmd.Flags()
	f.StringVar(&g.labels, "labels", "", "known labels: id label [weight], or a vector .npy of one a node, in their order (-1, nan or empty text: none)")
	f.BoolVar(&g.labelsHeader, "labels-header", false, "the first data line of the labels is a header")
	f.StringVar(&g.labelColumns.Label, "label-column", "", "column of --labels that holds the labels, of a csv file with a header, or .parquet: its name, or its number from 1; a row without one is of a node without")
	f.StringVar(&g.labelColumns.ID, "label-id", "", "column of --labels that holds the node ids (default: the first; id or node in .parquet; where --labels is also --features, that of --id-column, else none: rows are nodes)")
	f.StringVar(&g.labelColumns.Weight, "label-weight", "", "column of --labels that holds weights (default: none; weight, if there, in .parquet)")
	bindMissing(cmd, &g.missing)
	f.StringVar(&g.unknown, "unknown-labels", "error", "labels of nodes that are not in the graph: error or skip")
	g.features.bind(cmd)
	f.Float64Var(&g.features.share, "feature-share", knn.DefaultShare, "where --features, or --neighbors, are given beside --edges or --graph: the part of all weight that their graph has, between 0 and 1; where it is not given, left-out seeds can also choose one of both alone")
}

// labelFlagNames are flags that say nothing without labels.
var labelFlagNames = []string{"labels-header", "label-column", "label-id", "label-weight", "missing", "multilabel", "unknown-labels"}

// bindMissing binds the flag of texts that mean no label.
func bindMissing(cmd *cobra.Command, to *[]string) {
	cmd.Flags().StringSliceVar(to, "missing", nil, "labels that mean unknown, such as None,NA: their nodes are without one")
}

// bindFiles binds the flags of graphs that are read from files.
func (g *graphFlags) bindFiles(cmd *cobra.Command) {
	f := cmd.Flags()
	g.features.given = f.Changed
	f.StringVar(&g.edges, "edges", "", format.EdgesHelp())
	f.StringVar(&g.graph, "graph", "", format.GraphHelp())
	g.features.names.bind(cmd)
	f.StringSliceVar(&g.columns, "columns", nil, "columns of --edges in Parquet: src,dst[,weight] (default: src and dst, source and target, or from and to; weight if there)")
	f.StringVar(&g.weightKey, "weight-key", "", "name of the edge weights of --graph in GraphML (default: weight, or Weight, if there, else all are 1)")
	f.BoolVar(&g.directed, "directed", false, "a-b and b-a are different edges; then W ← (W+Wᵀ)/2")
	f.StringVar(&g.duplicates, "duplicates", "sum", "edges given more than once: sum, max or error")
	f.StringVar(&g.header, "header", "check", "first data line of the edge list is a header: yes, no, or check")
	f.IntVar(&g.threads, "threads", 0, "worker threads; the result does not depend on it (default: all cores)")
}

// bindLimit binds --memory-limit.
func (g *graphFlags) bindLimit(cmd *cobra.Command) { limit.Bind(cmd, &g.limit, "") }

func (g *graphFlags) check() (err error) {
	sources, inputs := 0, 0
	for _, name := range []string{g.edges, g.graph, g.features.source()} {
		if name != "" {
			sources++
		}
	}
	for _, name := range []string{g.edges, g.graph, g.features.file, g.labels, g.features.names.file} {
		if outputs.IsStandard(name, "in") {
			inputs++
		}
	}
	switch {
	case sources == 0 || g.edges != "" && g.graph != "":
		return usage.Errorf("say where the graph is: --edges FILE or --graph FILE, --features FILE or --neighbors FILE, or one of each for both")
	case sources < 2 && g.features.given("feature-share"):
		return usage.Errorf("--feature-share is for --features beside --edges or --graph")
	case !(g.features.share > 0 && g.features.share < 1):
		return usage.Errorf("--feature-share %v, expected between 0 and 1, both excluded", g.features.share)
	case inputs > 1:
		return usage.Errorf("only one input can be standard input")
	case g.labelColumns.Label != "" && g.labelsHeader:
		return usage.Errorf("--label-column is for a file with a header, which needs no --labels-header")
	}
	for _, flag := range []string{"directed", "duplicates"} {
		if g.edges == "" && g.graph == "" && g.features.given(flag) {
			return usage.Errorf("--%s is for --edges or --graph; the graph of --features has neither directions nor edges given twice", flag)
		}
	}
	for _, flag := range labelFlagNames {
		if g.labels == "" && g.features.given(flag) {
			return usage.Errorf("--%s is for --labels", flag)
		}
	}
	for _, flag := range featureFlagNames {
		if g.features.source() == "" && g.features.given(flag) {
			return usage.Errorf("--%s is for --features or --neighbors", flag)
		}
	}
	if c := &g.labelColumns; c.Label != "" && g.labelsWithFeatures() {
		g.features.without = []string{c.Label}
		if c.Weight != "" {
			g.features.without = append(g.features.without, c.Weight)
		}
		if c.ID == "" {
			c.ID, c.Rows = g.features.pick.id, g.features.pick.id == ""
		}
	}
	switch {
	case g.labels == "":
		g.features.ifLabels = "give the file as --labels too, with"
	case g.labelColumns.Label == "" && g.labelsWithFeatures():
		g.features.ifLabels = "say"
	}
	if err := g.checkFiles(); err != nil {
		return err
	}
	if g.skipUnknownLabels, err = usage.Choose("unknown-labels", g.unknown, map[string]bool{"error": false, "skip": true}); err != nil {
		return err
	}
	return g.features.check()
}

// labelsWithFeatures reports whether --labels and --features are one file, under
// whatever names: labels are no features then.
func (g *graphFlags) labelsWithFeatures() bool {
	if g.labels == "" || g.features.file == "" {
		return false
	}
	labels, _ := os.Stat(g.labels) // what is not there is found out in reading
	features, _ := os.Stat(g.features.file)
	return g.labels == g.features.file || outputs.Same(labels, features)
}

// checkFiles validates the flags of bindFiles.
func (g *graphFlags) checkFiles() (err error) {
	switch {
	case fewThreads(g.threads) != nil:
		return fewThreads(g.threads)
	case len(g.columns) == 1 || len(g.columns) > 3:
		return usage.Errorf("--columns has %d names, expected 2 or 3: src,dst[,weight]", len(g.columns))
	case len(g.columns) > 0 && g.edges == "":
		return usage.Errorf("--columns is for --edges in %s", format.ColumnsOf())
	case g.features.names.file != "" && g.edges != "" && g.features.source() == "":
		return usage.Errorf("--nodes is for --graph and --features, where nodes are rows; edge lists name theirs")
	case g.edges == "" && g.features.given("header"):
		return usage.Errorf("--header is for --edges")
	case g.weightKey != "" && g.graph == "":
		return usage.Errorf("--weight-key is for --graph in a GraphML file")
	}
	if of, known := format.ByName(g.graph); known {
		if err := g.checkFormat(of); err != nil {
			return err
		}
	}
	if g.memory, err = limit.Parse(g.limit); err != nil {
		return err
	}
	if g.duplicatesBy, err = usage.Choose("duplicates", g.duplicates, map[string]csr.Duplicates{
		"sum": csr.DuplicatesSum, "max": csr.DuplicatesMax, "error": csr.DuplicatesError,
	}); err != nil {
		return err
	}
	g.headerBy, err = usage.Choose("header", g.header, map[string]edgelist.Header{
		"check": edgelist.HeaderCheck, "yes": edgelist.HeaderYes, "no": edgelist.HeaderNo,
	})
	return err
}

// checkFormat refuses flags that the reader of a --graph does not look at: only GraphML
// has keys, and only it can have an edge twice that is not a fault of the file.
func (g *graphFlags) checkFormat(of *format.Format) error {
	switch {
	case of.Flag != "graph" || !of.Matrix:
		return nil
	case g.weightKey != "":
		return usage.Errorf("--weight-key is for --graph in a GraphML file; %s is %s", g.graph, of.What)
	case g.features.given != nil && g.features.given("duplicates"):
		return usage.Errorf("--duplicates is for --edges, or --graph in a GraphML file; %s is %s", g.graph, of.What)
	}
	return nil
}

// source is the name of the input that the graph comes from.
func (g *graphFlags) source() string {
	return cmp.Or(g.edges, g.graph, g.features.source())
}

// inputs are all files that are read.
func (g *graphFlags) inputs() []outputs.File {
	in := append(g.features.inputs(), outputs.File{Flag: "edges", Name: g.edges}, outputs.File{Flag: "graph", Name: g.graph}, outputs.File{Flag: "labels", Name: g.labels})
	if parts.Is(g.graph) { // a folder: all that is in it
		inside, _ := os.ReadDir(g.graph)
		for _, file := range inside {
			in = append(in, outputs.File{Flag: "graph", Name: filepath.Join(g.graph, file.Name())})
		}
	}
	return in
}

// read reads or builds the graph, or both and adds them.
func (g *graphFlags) read(ctx context.Context, std streams.Stdio) (*graph, error) {
	if g.edges == "" && g.graph == "" {
		return g.build(ctx, std, nil)
	}
	edges, err := g.readFile(std)
	if err != nil || g.features.source() == "" {
		return edges, err
	}
	var out *graph
	err = edges.guard(func() error {
		out, err = g.build(ctx, std, &beside{graph: edges, name: g.source(), limit: g.memory})
		return err
	})
	if err != nil {
		return nil, errors.Join(err, edges.close())
	}
	return out, nil
}

// readFile reads the graph of --edges or --graph.
func (g *graphFlags) readFile(std streams.Stdio) (*graph, error) {
	if g.edges != "" {
		return g.readEdges(std)
	}
	if parts.Is(g.graph) {
		return nil, usage.Errorf("--graph %s is a graph in parts, which run alone takes; expected a graph in one file", g.graph)
	}
	if err := holds(g.memory, g.graph); err != nil {
		return nil, err
	}
	out, err := g.readGraph(std)
	if err != nil {
		return nil, err
	}
	if err := out.named(g.features.names, g.graph, std); err != nil {
		return nil, errors.Join(err, out.close())
	}
	return out, nil
}

// fewThreads refuses more threads than the loops take.
func fewThreads(threads int) error {
	if threads < 0 || threads > rows.MaxWorkers {
		return usage.Errorf("--threads %d, expected 0 to %d", threads, rows.MaxWorkers)
	}
	return nil
}

// build builds the graph of features, and of edges beside them unless that is nil.
func (g *graphFlags) build(ctx context.Context, std streams.Stdio, edges *beside) (*graph, error) {
	f := &g.features
	if f.memory, f.beside = g.memory, edges; edges != nil && f.memory.Bytes > 0 {
		f.memory.Bytes = max(f.memory.Bytes-edges.W.Bytes()-edges.IDs.Bytes(), 1)
	}
	if g.labels != "" && !g.multilabel {
		f.choice = func(nodes *ids.Table) (*diffuse.Seeds, error) { return g.choosingSeeds(std, nodes) }
	}
	out, err := f.build(ctx, std, g.threads)
	f.beside = nil // W is made of it
	if err == nil && out.KNN.KNN != nil {
		out.KNN.KNN.Found = nil // the model holds what it needs of them
	}
	return out, err
}

// readEdges reads the edge list of --edges, text or Parquet.
func (g *graphFlags) readEdges(std streams.Stdio) (out *graph, err error) {
	err = inputs.Read(g.edges, std, func(r io.Reader, name string, size int64) (err error) {
		head, r := format.Peek(r, size)
		of, err := format.Decide("edges", g.edges, head)
		switch {
		case err != nil:
			return err
		case of != format.EdgeList && g.features.given("header"):
			return usage.Errorf("--header is for text; %s is %s, whose columns have names", name, of.What)
		case !of.Columns && len(g.columns) > 0:
			return usage.Errorf("--columns is for --edges in %s; %s is %s", format.ColumnsOf(), name, map[bool]string{true: "text", false: of.What}[of == format.EdgeList])
		}
		read, err := of.Read(std.Context(), format.Input{Reader: r, Name: name, Size: size}, g.readOptions())
		if errors.Is(err, edgelist.ErrMemory) {
			return tooMuch(g.memory, err)
		}
		if err == nil {
			out = &graph{W: read.W, IDs: read.IDs, Read: read.Stats, peak: read.Peak}
		}
		return err
	})
	return out, err
}

// readOptions are the options of the readers of graphs.
func (g *graphFlags) readOptions() format.Options {
	return format.Options{Edges: g.edgeOptions(), Columns: g.columns, WeightKey: g.weightKey, Memory: g.memory.Bytes}
}

func (g *graphFlags) edgeOptions() edgelist.Options {
	return edgelist.Options{Directed: g.directed, Duplicates: g.duplicatesBy, Header: g.headerBy, Threads: g.threads, Most: g.memory.Data()}
}

// choosingSeeds reads the labels, and keeps them for [graphFlags.readLabels].
func (g *graphFlags) choosingSeeds(std streams.Stdio, nodes *ids.Table) (*diffuse.Seeds, error) {
	labels, err := g.readLabels(std, &graph{IDs: nodes})
	if err != nil {
		return nil, err
	}
	g.labelsRead = labels
	return diffuse.NewSeeds(nodes.Len(), len(labels.Classes), labels.Seeds)
}

// readLabels reads the labels of --labels: lines, a csv file of which columns
// are named, Parquet, or a vector.
func (g *graphFlags) readLabels(std streams.Stdio, graph *graph) (labels *labelfile.Labels, err error) {
	if g.labelsRead != nil {
		return g.labelsRead, nil
	}
	// Rows have the names that they were given.
	rows := g.features.names.file != "" || g.features.pick.id != ""
	opt := labelfile.Options{Rows: rows, Header: g.labelsHeader, Missing: g.missing, SkipUnknown: g.skipUnknownLabels, Multi: g.multilabel}
	err = inputs.Read(g.labels, std, func(r io.Reader, name string, size int64) error {
		labels, err = readLabelFile(r, name, size, graph.IDs, g.labelColumns, opt)
		return err
	})
	return labels, g.severalLabels(err)
}

// severalLabels says of labels of which a node has several, to who runs a command that has
// no --multilabel, that it takes one.
func (g *graphFlags) severalLabels(err error) error {
	var fault *lines.Error
	if g.oneLabel == "" || !errors.As(err, &fault) {
		return err
	}
	if what, _, found := strings.Cut(fault.Msg, "; expected one label a node"); found {
		return &lines.Error{File: fault.File, Line: fault.Line, Msg: what + "; " + g.oneLabel + " takes one label a node, or a weight with each"}
	}
	return err
}

// isNPY reports whether a file is an array of numpy's, by its name or its first bytes.
func isNPY(name string, head []byte) bool {
	return strings.EqualFold(filepath.Ext(stream.TrimEnding(name)), ".npy") || bytes.HasPrefix(head, []byte("\x93NUMPY"))
}

// readLabelFile reads labels in any format.
func readLabelFile(r io.Reader, name string, size int64, nodes *ids.Table, columns labelfile.Columns, opt labelfile.Options) (*labelfile.Labels, error) {
	head, r := format.Peek(r, size)
	switch {
	case format.Parquet.Is(name, head):
		at, size, err := format.WholeParquet(r, name, size)
		if err != nil {
			return nil, err
		}
		if opt.Header {
			return nil, usage.Errorf("%s is a Parquet file, which has no line as a header", name)
		}
		return labelparquet.Read(at, name, size, nodes, columns, opt)
	case isNPY(name, head):
		if columns != (labelfile.Columns{}) {
			return nil, usage.Errorf("%s is one vector of labels, without columns to name", name)
		}
		if opt.Header {
			return nil, usage.Errorf("%s is one vector of labels, without a line as a header", name)
		}
		return labelfile.ReadVector(r, name, nodes, opt)
	case columns.Label != "":
		return labelfile.ReadColumns(r, name, nodes, columns, opt)
	case columns != (labelfile.Columns{}):
		return nil, usage.Errorf("--label-id and --label-weight need --label-column for a csv file")
	}
	return labelfile.Read(r, name, nodes, opt)
}
