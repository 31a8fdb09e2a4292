package opened

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/format"
	"github.com/adp-sparse/adp-sparse/cmd/internal/inputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/outputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
	"github.com/adp-sparse/adp-sparse/csr/ids"
)

// NodeNames is the file of --nodes, which names the rows of a graph or of features.
type NodeNames struct {
	File string
}

func (n *NodeNames) Bind(cmd *cobra.Command) {
	cmd.Flags().StringVar(&n.File, "nodes", "", "names of the nodes, a line each in the order of the rows, where a file has none: .mtx, .npz, .graph, .npy, … (- is standard input)")
}

// Of returns the names of numbered nodes: those of the file, if it is given, else the numbers.
func (n *NodeNames) Of(std streams.Stdio, numbered *ids.Table) (names *ids.Table, err error) {
	if n.File == "" {
		return numbered, nil
	}
	err = inputs.Read(n.File, std, func(r io.Reader, name string, _ int64) error {
		names, err = ids.ReadLines(r, name, numbered.Len())
		return err
	})
	return names, err
}

func BindNodesOut(cmd *cobra.Command, file *string) {
	cmd.Flags().StringVar(file, "nodes-out", "", "the names of the nodes, a line each in the order of the rows, for --nodes and for programs that number nodes")
}

// WriteNodes writes the names of the nodes to the file called name, if any.
func WriteNodes(o *outputs.Set, name string, names *ids.Table) error {
	return format.NameError(name, o.Write(name, names.WriteLines))
}

// SetNames gives the nodes the names of the file of --nodes, if it is given.
func (g *Graph) SetNames(names NodeNames, source string, std streams.Stdio) (err error) {
	if names.File != "" && !g.IDs.IsSequence() {
		return usage.Errorf("--nodes: the nodes of %s have names, expected a graph whose nodes are rows 0 to n-1", source)
	}
	g.IDs, err = names.Of(std, g.IDs)
	return err
}
