package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/format"
	"github.com/adp-sparse/adp-sparse/cmd/internal/figures"
	"github.com/adp-sparse/adp-sparse/cmd/internal/limit"
	"github.com/adp-sparse/adp-sparse/cmd/internal/machine"
	"github.com/adp-sparse/adp-sparse/cmd/internal/outputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/program"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/knn"
	"github.com/adp-sparse/adp-sparse/knn/vecs"
)

func newKNN(std streams.Stdio) *cobra.Command {
	var f featureFlags
	var to knnOutputs
	var threads int
	var most string
	cmd := &cobra.Command{
		Use:   "knn --features FILE --out FILE",
		Short: "Make a graph of feature vectors",
		Example: `  adp-sparse knn --features vectors.npy --k 10 --out graph.csr
  adp-sparse knn --features vectors.npz --metric cosine --weights cosine --out graph.tsv.gz
  adp-sparse knn --features images.npy --graph-kind l1 --out graph.npz
  adp-sparse knn --neighbors ids.npy --distances dists.npy --out graph.mtx`,
		Args: usage.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.file == "" && f.neighbors == "" {
				return usage.Errorf("say where the points are: --features FILE, or --neighbors and --distances")
			}
			if to.graph == "" && to.ids == "" {
				return usage.Errorf("say where the graph goes: --out FILE")
			}
			if (to.ids != "" || to.dists != "") && f.kind != "knn" && f.kind != "auto" {
				return usage.Errorf("--graph-kind %s has no neighbours to write", f.kind)
			}
			if err := format.CheckWritten("out", to.graph, false); err != nil {
				return err
			}
			if err := fewThreads(threads); err != nil {
				return err
			}
			if err := f.check(); err != nil {
				return err
			}
			var err error
			if f.memory, err = limit.Parse(most); err != nil {
				return err
			}
			return makeGraph(cmd.Context(), std, &f, threads, to)
		},
	}
	f.bind(cmd)
	f.names.bind(cmd)
	bindNodesOut(cmd, &to.nodes)
	flags := cmd.Flags()
	flags.StringVar(&to.graph, "out", "", "the graph: "+format.NeighborsHelp())
	flags.StringVar(&to.ids, "neighbors-out", "", "the neighbours of each point: .npy (int32) or .ivecs; a point that equals an earlier one has that one alone")
	flags.StringVar(&to.dists, "distances-out", "", "distances of the --neighbors-out, of scaled columns where --scale has them so: .npy (float32) or .fvecs")
	flags.StringVar(&to.report, "report", "", "how the graph was made, as JSON")
	flags.IntVar(&threads, "threads", 0, "worker threads; the result does not depend on it (default: all cores)")
	flags.BoolVar(&to.quiet, "quiet", false, "no summary on standard error")
	limit.Bind(cmd, &most, "")
	return cmd
}

// knnOutputs are the files that knn writes.
type knnOutputs struct {
	graph, nodes, ids, dists, report string
	quiet                            bool
}

func makeGraph(ctx context.Context, std streams.Stdio, f *featureFlags, threads int, to knnOutputs) error {
	var g *graph
	var sizes []int
	outs := []outputs.File{{Flag: "out", Name: to.graph}, {Flag: "nodes-out", Name: to.nodes}, {Flag: "neighbors-out", Name: to.ids}, {Flag: "distances-out", Name: to.dists}, {Flag: "report", Name: to.report}}
	if err := outputs.With(std, f.inputs(), outs, func(out *outputs.Set) (err error) {
		if g, err = f.build(ctx, std, threads); err != nil {
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
	g.KNN.print(t)
	fmt.Fprintf(t, "graph\t%s, %s, %s, %s\n", figures.Counted(g.IDs.Len(), "node"), figures.Counted(g.W.NNZ()/2, "edge"), figures.Counted(len(sizes), "component"), figures.Counted(countOnes(sizes), "isolated node"))
	fmt.Fprintf(t, "memory\t%s peak\n", figures.Bytes(machine.PeakResident()))
	return t.Flush()
}

// write writes the graph, the neighbours that became edges, and the report.
func (to knnOutputs) write(out *outputs.Set, g *graph, sizes []int) error {
	if err := format.CheckNamed("out", to.graph, to.nodes, g.IDs); err != nil {
		return err
	}
	if err := format.WriteGraph(out, to.graph, g.W, g.IDs); err != nil {
		return err
	}
	if err := writeNodes(out, to.nodes, g.IDs); err != nil {
		return err
	}
	if to.ids != "" || to.dists != "" {
		nb := g.KNN.KNN.Found.Nearest(g.KNN.KNN.Neighbors)
		if err := out.Write(to.ids, func(w io.Writer) error { return vecs.WriteIDs(w, to.ids, nb.IDs, nb.N, nb.K) }); err != nil {
			return err
		}
		if err := out.Write(to.dists, func(w io.Writer) error { return vecs.WriteDists(w, to.dists, nb.Dist, nb.N, nb.K) }); err != nil {
			return err
		}
	}
	return writeJSON(out, to.report, struct {
		Version    string    `json:"version"`
		Built      *knnFacts `json:"built"`
		Edges      int       `json:"edges"`
		Components int       `json:"components"`
		Isolated   int       `json:"isolated"`
		PeakBytes  int64     `json:"peak_bytes"`
	}{program.Version(), g.KNN, g.W.NNZ() / 2, len(sizes), countOnes(sizes), machine.PeakResident()})
}

// print tells how a graph was made, if it was.
func (k *knnFacts) print(w io.Writer) {
	if k == nil {
		return
	}
	if k.Dims > 0 {
		fmt.Fprintf(w, "features\t%s points of %s dimensions, read in %.2f s\n", figures.Count(k.Points), figures.Count(k.Dims), k.ReadSec)
	}
	switch {
	case k.L1 != nil:
		fmt.Fprintf(w, "l1\t%.1f coefficients a point, residual %.3f, %s of %s points certified, in %.2f s\n", k.L1.Support, k.L1.Residual, figures.Count(k.L1.Certified), figures.Count(k.Points), k.BuildSec)
	case k.KNN != nil:
		fmt.Fprintf(w, "knn\t%d neighbours by %v%s, %s, %v weights, in %.2f s\n", k.KNN.Neighbors, k.KNN.Metric, k.ofColumns(), k.how(), k.KNN.Weighting, k.BuildSec)
	case k.Kind != "edges":
		fmt.Fprintf(w, "%s\tin %.2f s\n", k.Kind, k.BuildSec)
	}
	if k.Share > 0 {
		fmt.Fprintf(w, "blend\t%.3g of the weight is of features, the rest of the edges\n", k.Share)
	}
	if chosen := k.chosen(); chosen != "" {
		fmt.Fprintf(w, "graph chosen\t%s\n", chosen)
	}
}

// chosen says which graph left-out seeds chose of which; nothing where there was
// one.
func (k *knnFacts) chosen() string {
	if len(k.Choice) < 2 {
		return ""
	}
	var best string
	var others []string
	for _, t := range k.Choice {
		if t.Chosen {
			best = fmt.Sprintf("%s, by which %.3f of %d left-out seeds are right", t.Graph, t.Accuracy, t.LeftOut)
		} else {
			others = append(others, fmt.Sprintf("%s %.3f", t.Graph, t.Accuracy))
		}
	}
	return best + "; " + strings.Join(others, ", ")
}

// ofColumns says whether columns were scaled.
func (k *knnFacts) ofColumns() string {
	if !k.Scaled {
		return ""
	}
	return fmt.Sprintf(" of scaled columns (largest spread %.3g times the median)", k.Ratio)
}

// how says how the neighbours were found.
func (k *knnFacts) how() string {
	r := k.KNN
	switch {
	case k.Dims == 0 || r.Kernel == "" && !k.Sparse:
		return "found elsewhere"
	case r.Method == knn.Approx:
		return fmt.Sprintf("approximate: recall@%d %.4f on %d points, %d of %d cells, %s kernel", r.K, r.Recall, r.RecallSample, r.Probes, r.Cells, r.Kernel)
	}
	text := "exact"
	if r.Kernel != "" {
		text += ", " + r.Kernel + " kernel"
	}
	if r.Distinct > 0 && r.Distinct < r.Points {
		text += fmt.Sprintf(", %s points are duplicates", figures.Count(r.Points-r.Distinct))
	}
	return text
}
