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

// NodeNames says how the rows of a graph or of features are called: by the file of --nodes, or by
// numbers from --index-base.
type NodeNames struct {
	File string
	Base int // 0 or 1
}

func (n *NodeNames) Bind(cmd *cobra.Command) {
	cmd.Flags().StringVar(&n.File, "nodes", "", "names of the nodes, a line each, where a file has none\nIn the order of the rows of .mtx, .npz, .graph, .npy and the like. - is standard input.")
	cmd.Flags().IntVar(&n.Base, "index-base", 0, "rows without names are nodes 0 to n-1 (0) or 1 to n (1)")
}

// Check refuses another number, and one beside names.
func (n *NodeNames) Check() error {
	switch {
	case n.Base != 0 && n.Base != 1:
		return usage.Errorf("--index-base %d, expected 0 or 1", n.Base)
	case n.Base == 1 && n.File != "":
		return usage.Errorf("--index-base and --nodes both name the rows; say one")
	}
	return nil
}

// Of returns the names of numbered nodes: those of the file, if it is given, else the numbers.
func (n *NodeNames) Of(std streams.Stdio, numbered *ids.Table) (names *ids.Table, err error) {
	switch {
	case n.File == "" && n.Base == 0:
		return numbered, nil
	case n.File == "":
		values := make([]int64, numbered.Len())
		for i := range values {
			values[i] = int64(i) + 1
		}
		return ids.Integers(values), nil
	}
	err = inputs.Read(n.File, std, func(r io.Reader, name string, _ int64) error {
		names, err = ids.ReadLines(r, name, numbered.Len())
		return err
	})
	return names, err
}

func BindNodesOut(cmd *cobra.Command, file *string) {
	cmd.Flags().StringVar(file, "nodes-out", "", "file of the names of the nodes, in the order of the rows\nFor --nodes and for programs that number nodes.")
}

// WriteNodes writes the names of the nodes to the file called name, if any.
func WriteNodes(o *outputs.Set, name string, names *ids.Table) error {
	return format.NameError(name, o.Write(name, names.WriteLines))
}

// SetNames gives the nodes the names that the flags say.
func (g *Graph) SetNames(names NodeNames, source string, std streams.Stdio) (err error) {
	if (names.File != "" || names.Base == 1) && !g.IDs.IsSequence() {
		flag := map[bool]string{true: "--nodes", false: "--index-base"}[names.File != ""]
		return usage.Errorf(flag+": the nodes of %s have names, expected a graph whose nodes are rows 0 to n-1", source)
	}
	if g.IDs, err = names.Of(std, g.IDs); err == nil && names.File != "" {
		g.IDs.NoteSpelling(&g.Notes)
	}
	return err
}
