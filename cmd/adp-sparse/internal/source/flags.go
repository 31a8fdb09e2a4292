// Package source reads the graph and the labels that the flags of a command name.
package source

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/adp/labelfile"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/format"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/points"
	"github.com/adp-sparse/adp-sparse/cmd/internal/limit"
	"github.com/adp-sparse/adp-sparse/cmd/internal/outputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/edgelist"
	"github.com/adp-sparse/adp-sparse/csr/parts"
	"github.com/adp-sparse/adp-sparse/knn"
)

// BindMissing binds the flag of texts that mean no label.
func BindMissing(cmd *cobra.Command, to *[]string) {
	cmd.Flags().StringSliceVar(to, "missing", nil, "labels that mean unknown, such as None,NA")
}

// BindMatch binds the flag of labels that are one class in several spellings.
func BindMatch(cmd *cobra.Command, to *[]string) {
	cmd.Flags().StringSliceVar(to, "match", nil, "labels that count as one: exact, number, case or number,case\nexact is one spelling (the default). With number 1, 1.0 and 01 are one label, with case Red and \" red\".")
}

// ParseMatch reads the flag of BindMatch.
func ParseMatch(words []string) (labelfile.Match, error) {
	match, err := labelfile.ParseMatch(words)
	if err != nil {
		return match, usage.Errorf("--match %s, expected exact, number, case, or number,case", strings.Join(words, ","))
	}
	return match, nil
}

// Flags are the flags of the inputs: an edge list, a graph file or features, and labels.
type Flags struct {
	Edges, Graph, Labels string
	Columns              []string // of --edges in a table
	comments             format.Comments
	weightKey, nameKey   string // of --graph in GraphML
	directed             bool
	bipartite            bool // --edges in text
	duplicates           string
	header               string
	labelsHeader         bool
	labelColumns         labelfile.Columns
	missing              []string // texts that mean no label
	match                []string // of labels, as it was given
	Multilabel           bool     // a node may have several labels
	OneLabelFor          string   // the command, where it takes one label a node
	Learned              bool     // the graph is a learned one, and keeps its diagonal
	unknown              string
	Threads              int
	Features             points.Flags
	Limit                string       // --memory-limit
	Memory               limit.Memory // of reading and of the work after it

	duplicatesBy      csr.Duplicates
	headerBy          edgelist.Header
	skipUnknownLabels bool
	matchBy           labelfile.Match
	labelsRead        *labelfile.Labels // read already, where seeds chose the graph
	fromOne           bool              // the file of --graph counts its rows from 1
}

func (g *Flags) Bind(cmd *cobra.Command) {
	g.BindFiles(cmd)
	f := cmd.Flags()
	f.StringVar(&g.Labels, "labels", "", "known labels: id label [weight], or a vector .npy of one a node\nIn a vector -1, nan and empty text are no label.")
	f.BoolVar(&g.labelsHeader, "labels-header", false, "the first data line of the labels is a header")
	f.StringVar(&g.labelColumns.Label, "label-column", "", "column of --labels with the labels: its title or number\nOf a csv file with a header, or .parquet. Columns count from 1. A row without a label is of a node without one.")
	f.StringVar(&g.labelColumns.ID, "label-id", "", "column of --labels with the node ids (default: the first)\nIn .parquet id or node. Where --labels is also --features it is that of --id-column, else rows are nodes.")
	BindLabelRows(cmd, &g.labelColumns.Rows, "--labels")
	f.StringVar(&g.labelColumns.Weight, "label-weight", "", "column of --labels with weights (default: none)\nIn .parquet the column weight, if it is there.")
	BindMissing(cmd, &g.missing)
	BindMatch(cmd, &g.match)
	f.StringVar(&g.unknown, "unknown-labels", "error", "labels of nodes that are not in the graph: error or skip")
	g.Features.Bind(cmd)
	f.Float64Var(&g.Features.Share, "feature-share", knn.DefaultShare, "part of the weight that vectors have beside a graph\nBetween 0 and 1, where --features or --neighbors are given beside --edges or --graph. Without it cross-validation can choose one of both alone.")
}

// BindFiles binds the flags of graphs that are read from files.
func (g *Flags) BindFiles(cmd *cobra.Command) {
	f := cmd.Flags()
	g.BindEdges(cmd, format.EdgesHelp())
	f.StringVar(&g.Graph, "graph", "", format.GraphHelp())
	g.Features.Names.Bind(cmd)
	g.comments.Bind(cmd, "the inputs")
	f.StringVar(&g.weightKey, "weight-key", "", "GraphML: name of the edge weights in --graph\nDefault: weight, or Weight, if it is there; else all weights are 1.")
	f.StringVar(&g.nameKey, "name-key", "", "GraphML: data of the nodes that names them (default: their ids)\nSuch as name of igraph, label of Gephi, or NodeLabel of yEd.")
	f.IntVar(&g.Threads, "threads", 0, "worker threads; any number gives the same result (default: all cores)")
}

// BindEdges binds --edges, with its help, and the flags of how edge lists are read.
func (g *Flags) BindEdges(cmd *cobra.Command, help string) {
	f := cmd.Flags()
	g.Features.Given = f.Changed
	f.StringVar(&g.Edges, "edges", "", help)
	f.StringSliceVar(&g.Columns, "columns", nil, "columns of --edges: src,dst[,weight], by title or number\nDefault: the first two or three columns of text, or those that a header names plainly: src and dst, source and target, from and to, and weight if it is there. Columns count from 1.")
	f.BoolVar(&g.directed, "directed", false, "a-b and b-a are different edges; then W ← (W+Wᵀ)/2")
	f.BoolVar(&g.bipartite, "bipartite", false, "the two columns of --edges are two kinds of nodes\nIn text. Node 1 of the first column is L1, node 1 of the second R1.")
	f.StringVar(&g.duplicates, "duplicates", "sum", "weight of an edge given more than once: sum, max or error")
	f.StringVar(&g.header, "header", "check", "the first data line of --edges is a header: yes, no or check")
}

// BindLimit binds --memory-limit.
func (g *Flags) BindLimit(cmd *cobra.Command) { limit.Bind(cmd, &g.Limit, "") }

// Check validates the flags.
func (g *Flags) Check() (err error) {
	if err := g.checkSources(); err != nil {
		return err
	}
	if err := g.checkAbsent(); err != nil {
		return err
	}
	g.shareColumns()
	if err := g.CheckFiles(); err != nil {
		return err
	}
	if g.skipUnknownLabels, err = usage.Choose("unknown-labels", g.unknown, map[string]bool{"error": false, "skip": true}); err != nil {
		return err
	}
	if g.matchBy, err = ParseMatch(g.match); err != nil {
		return err
	}
	g.Features.OfGraph = g.Graph != ""
	return g.Features.Check()
}

// checkSources refuses too few or too many inputs.
func (g *Flags) checkSources() error {
	sources := 0
	for _, name := range []string{g.Edges, g.Graph, g.Features.Source()} {
		if name != "" {
			sources++
		}
	}
	standard := outputs.CheckInputs(g.Edges, g.Graph, g.Features.File, g.Labels, g.Features.Names.File)
	switch {
	case sources == 0 || g.Edges != "" && g.Graph != "":
		return usage.Errorf("say where the graph is: --edges FILE or --graph FILE, --features FILE or --neighbors FILE, or one of each for both")
	case sources < 2 && g.Features.Given("feature-share"):
		return usage.Errorf("--feature-share is for --features beside --edges or --graph")
	case !(g.Features.Share > 0 && g.Features.Share < 1):
		return usage.Errorf("--feature-share %v, expected between 0 and 1, both excluded", g.Features.Share)
	case standard != nil:
		return standard
	case g.labelColumns.Label != "" && g.labelsHeader:
		return usage.Errorf("--label-column is for a file with a header, which needs no --labels-header")
	}
	return CheckLabelRows(g.labelColumns)
}

// checkAbsent refuses flags of inputs that are not given.
func (g *Flags) checkAbsent() error {
	for _, flag := range []string{"directed", "duplicates"} {
		if g.Edges == "" && g.Graph == "" && g.Features.Given(flag) {
			return usage.Errorf("--%s is for --edges or --graph; the graph of --features has neither directions nor edges given twice", flag)
		}
	}
	for _, flag := range labelFlagNames {
		if g.Labels == "" && g.Features.Given(flag) {
			return usage.Errorf("--%s is for --labels", flag)
		}
	}
	for _, flag := range points.FlagNames {
		if g.Features.Source() == "" && g.Features.Given(flag) {
			return usage.Errorf("--%s is for --features or --neighbors", flag)
		}
	}
	return nil
}

// shareColumns deals the columns of a file that holds both labels and features.
func (g *Flags) shareColumns() {
	if c := &g.labelColumns; c.Label != "" && g.labelsWithFeatures() {
		c.Shared = true
		g.Features.Without = []string{c.Label}
		if c.Weight != "" {
			g.Features.Without = append(g.Features.Without, c.Weight)
		}
		if c.ID == "" && !c.Rows {
			c.ID, c.Rows = g.Features.Pick.ID, g.Features.Pick.ID == ""
		}
	}
	switch {
	case g.Labels == "":
		g.Features.IfLabels = "give the file as --labels too, with"
	case g.labelColumns.Label == "" && g.labelsWithFeatures():
		g.Features.IfLabels = "say"
	}
}

// CheckFiles validates the flags of BindFiles.
func (g *Flags) CheckFiles() (err error) {
	switch {
	case usage.CheckThreads(g.Threads) != nil:
		return usage.CheckThreads(g.Threads)
	case g.checkColumns() != nil:
		return g.checkColumns()
	case len(g.Columns) > 0 && g.Edges == "":
		return usage.Errorf("--columns is for --edges in %s", format.ColumnsOf())
	case g.comments.Check() != nil:
		return g.comments.Check()
	case g.Features.Names.File != "" && g.Edges != "" && g.Features.Source() == "":
		return usage.Errorf("--nodes is for --graph and --features, where nodes are rows; edge lists name theirs")
	case g.Features.Names.Base == 1 && g.Edges != "" && g.Features.Source() == "":
		return usage.Errorf("--index-base is for --graph and --features, where nodes are rows; edge lists name theirs")
	case g.Features.Names.Base == 1 && parts.Is(g.Graph):
		return usage.Errorf("--index-base is not for a graph in parts; give it to partition")
	case g.Edges == "" && g.Features.Given("header"):
		return usage.Errorf("--header is for --edges")
	case g.bipartite && g.Edges == "":
		return usage.Errorf("--bipartite is for --edges in text")
	case g.weightKey != "" && g.Graph == "":
		return usage.Errorf("--weight-key is for --graph in a GraphML file")
	case g.nameKey != "" && g.Graph == "":
		return usage.Errorf("--name-key is for --graph in a GraphML file")
	}
	if err := g.Features.Names.Check(); err != nil {
		return err
	}
	if of, known := format.ByName(g.Graph); known {
		if err := g.checkFormat(of); err != nil {
			return err
		}
	}
	g.Features.Comments = g.comments.Prefixes
	if g.Memory, err = limit.Parse(g.Limit); err != nil {
		return err
	}
	return g.readWords()
}

// CheckEdges validates the flags of BindEdges, where comments are marked as given.
func (g *Flags) CheckEdges(comments format.Comments) error {
	g.comments = comments
	if g.Edges == "" {
		for _, flag := range edgeFlagNames {
			if g.Features.Given(flag) {
				return usage.Errorf("--%s is for --edges", flag)
			}
		}
	}
	if err := g.checkColumns(); err != nil {
		return err
	}
	return g.readWords()
}

func (g *Flags) checkColumns() error {
	if len(g.Columns) == 1 || len(g.Columns) > 3 {
		return usage.Errorf("--columns has %d names, expected 2 or 3: src,dst[,weight]", len(g.Columns))
	}
	return nil
}

// edgeFlagNames are the flags that are for --edges alone.
var edgeFlagNames = []string{"columns", "directed", "bipartite", "duplicates", "header"}

// readWords reads the flags of edges that are one of several words.
func (g *Flags) readWords() (err error) {
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

// checkFormat refuses flags that the format of --graph does not use: only GraphML has keys, and may
// have an edge twice.
func (g *Flags) checkFormat(of *format.Format) error {
	switch {
	case of.Flag != "graph" || !of.Matrix:
		return nil
	case g.weightKey != "":
		return usage.Errorf("--weight-key is for --graph in a GraphML file; %s is %s", g.Graph, of.What)
	case g.nameKey != "":
		return usage.Errorf("--name-key is for --graph in a GraphML file; %s is %s", g.Graph, of.What)
	case g.Features.Given != nil && g.Features.Given("duplicates"):
		return usage.Errorf("--duplicates is for --edges, or --graph in a GraphML file; %s is %s", g.Graph, of.What)
	}
	return nil
}

// Source is the file of the graph.
func (g *Flags) Source() string {
	return cmp.Or(g.Edges, g.Graph, g.Features.Source())
}

// Inputs are the files that are read.
func (g *Flags) Inputs() []outputs.File {
	in := append(g.Features.Inputs(), outputs.File{Flag: "edges", Name: g.Edges}, outputs.File{Flag: "graph", Name: g.Graph}, outputs.File{Flag: "labels", Name: g.Labels})
	if parts.Is(g.Graph) { // a folder, with all its files
		inside, _ := os.ReadDir(g.Graph)
		for _, file := range inside {
			in = append(in, outputs.File{Flag: "graph", Name: filepath.Join(g.Graph, file.Name())})
		}
	}
	return in
}

// labelFlagNames are the flags that are for --labels alone.
var labelFlagNames = []string{"labels-header", "label-column", "label-id", "label-rows", "label-weight", "missing", "match", "multilabel", "unknown-labels"}

// labelsWithFeatures reports whether --labels and --features are one file, by whatever names. Its
// labels are no features.
func (g *Flags) labelsWithFeatures() bool {
	if g.Labels == "" || g.Features.File == "" {
		return false
	}
	labels, _ := os.Stat(g.Labels) // reading gives the error
	features, _ := os.Stat(g.Features.File)
	return g.Labels == g.Features.File || outputs.Same(labels, features)
}
