package tables

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/format"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/opened"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/points"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/report"
	"github.com/adp-sparse/adp-sparse/cmd/internal/limit"
	"github.com/adp-sparse/adp-sparse/cmd/internal/machine"
	"github.com/adp-sparse/adp-sparse/cmd/internal/outputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/program"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/figures"
	"github.com/adp-sparse/adp-sparse/knn/vecs"
)

func NewKNN(std streams.Stdio) *cobra.Command {
	var f points.Flags
	var to knnOutputs
	var threads int
	var most string
	var comments format.Comments
	cmd := &cobra.Command{
		Use:   "knn --features FILE --out FILE",
		Short: "Make a graph of feature vectors",
		Example: `  adp-sparse knn --features vectors.npy --k 10 --out graph.csr
  adp-sparse knn --features vectors.npz --metric cosine --weights cosine --out graph.tsv.gz
  adp-sparse knn --features images.npy --graph-kind l1 --out graph.npz
  adp-sparse knn --neighbors ids.npy --distances dists.npy --out graph.mtx`,
		Args: usage.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.File == "" && f.Neighbors == "" {
				return usage.Errorf("say where the points are: --features FILE, or --neighbors and --distances")
			}
			if to.graph == "" && to.ids == "" {
				return usage.Errorf("say where the graph goes: --out FILE")
			}
			if (to.ids != "" || to.dists != "") && f.Kind != "knn" && f.Kind != "auto" {
				return usage.Errorf("--graph-kind %s has no neighbours to write", f.Kind)
			}
			if err := cmp.Or(format.CheckWritten("out", to.graph, false), format.CheckReport(to.report, false), usage.CheckThreads(threads), comments.Check()); err != nil {
				return err
			}
			f.Comments = comments.Prefixes
			if err := f.Check(); err != nil {
				return err
			}
			var err error
			if f.Memory, err = limit.Parse(most); err != nil {
				return err
			}
			return makeGraph(cmd.Context(), std, &f, threads, to)
		},
	}
	f.Bind(cmd)
	f.Names.Bind(cmd)
	comments.Bind(cmd, "--features")
	opened.BindNodesOut(cmd, &to.nodes)
	flags := cmd.Flags()
	flags.StringVar(&to.graph, "out", "", "the graph: an edge list or another format by its ending\n"+format.NeighborsHelp()+".")
	flags.StringVar(&to.ids, "neighbors-out", "", "the neighbours of each point: .npy (int32) or .ivecs\nA point that equals an earlier one has that one alone.")
	flags.StringVar(&to.dists, "distances-out", "", "distances of the --neighbors-out: .npy (float32) or .fvecs\nOf scaled columns, where --scale scales them.")
	flags.StringVar(&to.report, "report", "", "how the graph was made, as JSON")
	flags.IntVar(&threads, "threads", 0, "worker threads; any number gives the same result (default: all cores)")
	flags.BoolVar(&to.quiet, "quiet", false, "no summary on standard error")
	limit.Bind(cmd, &most, "")
	return cmd
}

// knnOutputs are the files that knn writes.
type knnOutputs struct {
	graph, nodes, ids, dists, report string
	quiet                            bool
}

func makeGraph(ctx context.Context, std streams.Stdio, f *points.Flags, threads int, to knnOutputs) error {
	var g *opened.Graph
	var sizes []int
	outs := []outputs.File{{Flag: "out", Name: to.graph}, {Flag: "nodes-out", Name: to.nodes}, {Flag: "neighbors-out", Name: to.ids}, {Flag: "distances-out", Name: to.dists}, {Flag: "report", Name: to.report}}
	if err := outputs.With(std, f.Inputs(), outs, func(out *outputs.Set) (err error) {
		if g, err = f.Build(ctx, std, threads); err != nil {
			return err
		}
		_, sizes = csr.Components(g.W, threads)
		return to.write(out, g, sizes)
	}); err != nil {
		return err
	}
	if to.quiet {
		return nil
	}
	t := tabwriter.NewWriter(std.Err, 0, 0, 2, ' ', 0)
	g.Built.Print(t)
	fmt.Fprintf(t, "graph\t%s, %s, %s, %s\n", figures.Counted(g.IDs.Len(), "node"), figures.Counted(g.W.NNZ()/2, "edge"), figures.Counted(len(sizes), "component"), figures.Counted(report.CountOnes(sizes), "isolated node"))
	if text := report.NotesText(nil, nil, g.Built); text != "" {
		fmt.Fprintf(t, "read\t%s\n", text)
	}
	fmt.Fprintf(t, "memory\t%s peak\n", figures.Bytes(machine.PeakResident()))
	if err := t.Flush(); err != nil {
		return err
	}
	report.Notes(g, nil).Print(std.Err)
	return nil
}

// write writes the graph, the neighbours that became edges, and the report.
func (to knnOutputs) write(out *outputs.Set, g *opened.Graph, sizes []int) error {
	if err := format.CheckNamed("out", to.graph, to.nodes, g.IDs); err != nil {
		return err
	}
	if err := format.WriteGraph(out, to.graph, g.W, g.IDs); err != nil {
		return err
	}
	if err := opened.WriteNodes(out, to.nodes, g.IDs); err != nil {
		return err
	}
	if to.ids != "" || to.dists != "" {
		nb := g.Built.KNN.Found.Nearest(g.Built.KNN.Neighbors)
		if err := out.Write(to.ids, func(w io.Writer) error { return vecs.WriteIDs(w, to.ids, nb.IDs, nb.N, nb.K) }); err != nil {
			return err
		}
		if err := out.Write(to.dists, func(w io.Writer) error { return vecs.WriteDists(w, to.dists, nb.Dist, nb.N, nb.K) }); err != nil {
			return err
		}
	}
	return report.WriteJSON(out, to.report, struct {
		Version    string        `json:"version"`
		Built      *opened.Built `json:"built"`
		Edges      int           `json:"edges"`
		Components int           `json:"components"`
		Isolated   int           `json:"isolated"`
		PeakBytes  int64         `json:"peak_bytes"`
	}{program.Version(), g.Built, g.W.NNZ() / 2, len(sizes), report.CountOnes(sizes), machine.PeakResident()})
}
