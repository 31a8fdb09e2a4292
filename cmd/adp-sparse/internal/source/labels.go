package source

import (
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/adp/labelfile"
	"github.com/adp-sparse/adp-sparse/adp/labelparquet"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/format"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/opened"
	"github.com/adp-sparse/adp-sparse/cmd/internal/exits"
	"github.com/adp-sparse/adp-sparse/cmd/internal/inputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/lines"
	"github.com/adp-sparse/adp-sparse/internal/notes"
	"github.com/adp-sparse/adp-sparse/internal/stream"
)

// isNPY reports whether a file is an array of numpy's, by its name or its first bytes.
func isNPY(name string, head []byte) bool {
	return strings.EqualFold(filepath.Ext(stream.TrimEnding(name)), ".npy") || bytes.HasPrefix(head, []byte("\x93NUMPY"))
}

// ReadLabels reads labels in any format. The advice of their notes is about flags.
func ReadLabels(r io.Reader, name string, size int64, nodes *ids.Table, columns labelfile.Columns, opt labelfile.Options) (*labelfile.Labels, error) {
	labels, err := readLabels(r, name, size, nodes, columns, opt)
	if err == nil {
		labels.Notes = labels.Notes.Reword(exits.AsFlags.Replace)
	}
	return labels, err
}

func readLabels(r io.Reader, name string, size int64, nodes *ids.Table, columns labelfile.Columns, opt labelfile.Options) (*labelfile.Labels, error) {
	head, r := format.Peek(r, size)
	if err := format.CheckArchive(name, head); err != nil {
		return nil, err
	}
	switch {
	case format.Parquet.Is(name, head):
		at, size, err := format.WholeParquet(r, name, size)
		if err != nil {
			return nil, err
		}
		if opt.Header {
			return nil, usage.Errorf("%s is a Parquet file, which has no line as a header", name)
		}
		if columns.Rows && !columns.Shared {
			return nil, usage.Errorf("--label-rows is for a csv file, and %s is a Parquet file: say which column holds ids, --label-id", name)
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
	case strings.EqualFold(filepath.Ext(stream.TrimEnding(name)), ".npz"):
		return nil, usage.Errorf("%s is an archive of arrays, and labels are one vector: save them with numpy.save(\"y.npy\", y)", name)
	}
	plain, size, err := format.Decompress(r, name, size)
	if err != nil {
		return nil, err
	}
	head, plain = format.Peek(plain, size)
	if err := format.CheckLabels(name, head); err != nil {
		return nil, err
	}
	switch {
	case columns.Label != "":
		return labelfile.ReadColumns(plain, name, nodes, columns, opt)
	case columns != (labelfile.Columns{}):
		return nil, usage.Errorf("--label-id and --label-weight need --label-column for a csv file")
	}
	return labelfile.Read(plain, name, nodes, opt)
}

// BindLabelRows binds the flag of labels without ids, of a file that a flag names.
func BindLabelRows(cmd *cobra.Command, to *bool, of string) {
	cmd.Flags().BoolVar(to, "label-rows", false, "rows of "+of+" are the nodes in their order\nOf a csv file, with --label-column. No column holds ids.")
}

// CheckLabelRows refuses the flag of BindLabelRows where ids have a column, or labels none.
func CheckLabelRows(columns labelfile.Columns) error {
	switch {
	case columns.Rows && columns.ID != "":
		return usage.Errorf("--label-rows says that no column holds ids, and --label-id which does; say one")
	case columns.Rows && columns.Label == "":
		return usage.Errorf("--label-rows is for --label-column")
	}
	return nil
}

// choosingSeeds reads the labels, and keeps them for [Flags.ReadLabels].
func (g *Flags) choosingSeeds(std streams.Stdio, graph *opened.Graph) (*diffuse.Seeds, error) {
	labels, err := g.ReadLabels(std, graph)
	if err != nil {
		return nil, err
	}
	g.labelsRead = labels
	return diffuse.NewSeeds(graph.IDs.Len(), len(labels.Classes), labels.Seeds)
}

// ReadLabels reads the labels of --labels: lines, columns of a csv file, Parquet, or a vector.
func (g *Flags) ReadLabels(std streams.Stdio, graph *opened.Graph) (labels *labelfile.Labels, err error) {
	if g.labelsRead != nil {
		return g.labelsRead, nil
	}
	opt := labelfile.Options{Rows: g.knownRows(graph), Header: g.labelsHeader, Comments: g.comments.Prefixes, Missing: g.missing, Match: g.matchBy, SkipUnknown: g.skipUnknownLabels, Multi: g.Multilabel}
	columns := g.labelColumns
	if graph.Built != nil {
		opt.Features, opt.Dims = graph.Built.Titles, graph.Built.Dims
		columns.Untitled = columns.Shared && opt.Features == nil
	}
	err = inputs.Read(g.Labels, std, func(r io.Reader, name string, size int64) error {
		head, r := format.Peek(r, size)
		if labels, err = ReadLabels(r, name, size, graph.IDs, columns, opt); err == nil && !isNPY(name, head) {
			g.doubtRows(labels, graph.IDs)
		}
		return err
	})
	if err == nil && opt.Rows == 0 && g.Features.NamesPoints() {
		if _, ordered, _ := graph.IDs.Counts(); !ordered {
			n := labels.Notes.Count(notes.ByRow)
			labels.Notes.Drop(notes.ByRow)
			labels.Notes.Doubt(notes.ByRow, n, 0, "of node 0", "if they are in the order of the lines of "+g.Features.File+", write lines of the form id label")
		}
	}
	return labels, g.unknownNode(g.severalLabels(err), graph)
}

// knownRows counts the rows that labels without ids can be of, where these have names. Words of .vec stand in
// any order, as node2vec writes them: where all nodes are 0 to n−1, the names say more than the rows.
func (g *Flags) knownRows(graph *opened.Graph) int {
	f := &g.Features
	if f.NamesPoints() {
		if first, _, ok := graph.IDs.Counts(); ok && first == 0 {
			return 0
		}
	} else if f.Names.File == "" && f.Names.Base == 0 && f.Pick.ID == "" {
		return 0
	}
	if graph.Built != nil {
		return graph.Built.Points
	}
	return graph.IDs.Len()
}

// severalLabels rewrites the error of a node with several labels, for commands without --multilabel.
func (g *Flags) severalLabels(err error) error {
	var fault *lines.Error
	if g.OneLabelFor == "" || !errors.As(err, &fault) {
		return err
	}
	if what, _, found := strings.Cut(fault.Msg, "; expected one label a node"); found {
		return &lines.Error{File: fault.File, Line: fault.Line, Msg: what + "; " + g.OneLabelFor + " takes one label a node, or a weight with each"}
	}
	return err
}
