package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/knn"
	"github.com/adp-sparse/adp-sparse/knn/vecs"
)

func newKNN(std stdio) *cobra.Command {
	var f featureFlags
	var to knnOutputs
	var threads int
	var limit string
	cmd := &cobra.Command{
		Use:   "knn --features FILE --out FILE",
		Short: "Make a graph of feature vectors",
		Example: `  adp-sparse knn --features vectors.npy --k 10 --out graph.csr
  adp-sparse knn --features vectors.npz --metric cosine --weights cosine --out graph.tsv.gz
  adp-sparse knn --features images.npy --graph-kind l1 --out graph.npz
  adp-sparse knn --neighbors ids.npy --distances dists.npy --out graph.mtx`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.file == "" && f.neighbors == "" {
				return usagef("say where the points are: --features FILE, or --neighbors and --distances")
			}
			if to.graph == "" && to.ids == "" {
				return usagef("say where the graph goes: --out FILE")
			}
			if (to.ids != "" || to.dists != "") && f.kind != "knn" && f.kind != "auto" {
				return usagef("--graph-kind %s has no neighbours to write", f.kind)
			}
			if err := checkWritten("out", to.graph, false); err != nil {
				return err
			}
			if err := fewThreads(threads); err != nil {
				return err
			}
			if err := f.check(); err != nil {
				return err
			}
			var err error
			if f.memory, err = parseLimit(limit); err != nil {
				return err
			}
			return makeGraph(cmd.Context(), std, &f, threads, to)
		},
	}
	f.bind(cmd)
	f.names.bind(cmd)
	bindNodesOut(cmd, &to.nodes)
	flags := cmd.Flags()
	flags.StringVar(&to.graph, "out", "", "the graph: .tsv or .csv (.gz, .zst), .csr, .mtx, .npz (scipy) or .parquet")
	flags.StringVar(&to.ids, "neighbors-out", "", "the neighbours of each point: .npy (int32) or .ivecs; a point that equals an earlier one has that one alone")
	flags.StringVar(&to.dists, "distances-out", "", "distances of the --neighbors-out, of scaled columns where --scale has them so: .npy (float32) or .fvecs")
	flags.StringVar(&to.report, "report", "", "how the graph was made, as JSON")
	flags.IntVar(&threads, "threads", 0, "worker threads; the result does not depend on it (default: all cores)")
	flags.BoolVar(&to.quiet, "quiet", false, "no summary on standard error")
	bindLimit(cmd, &limit, "")
	return cmd
}

// knnOutputs are the files that knn writes.
type knnOutputs struct {
	graph, nodes, ids, dists, report string
	quiet                            bool
}

func makeGraph(ctx context.Context, std stdio, f *featureFlags, threads int, to knnOutputs) error {
	var g *graph
	var sizes []int
	outs := []named{{"out", to.graph}, {"nodes-out", to.nodes}, {"neighbors-out", to.ids}, {"distances-out", to.dists}, {"report", to.report}}
	if err := withOutputs(std, f.inputs(), outs, func(out *outputSet) (err error) {
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
	t := tabwriter.NewWriter(std.err, 0, 0, 2, ' ', 0)
	g.KNN.print(t)
	fmt.Fprintf(t, "graph\t%s, %s, %s, %s\n", counted(g.IDs.Len(), "node"), counted(g.W.NNZ()/2, "edge"), counted(len(sizes), "component"), counted(countOnes(sizes), "isolated node"))
	fmt.Fprintf(t, "memory\t%s peak\n", size(peakRSS()))
	return t.Flush()
}

// write writes the graph, the neighbours that became edges, and the report.
func (to knnOutputs) write(out *outputSet, g *graph, sizes []int) error {
	if err := checkNamed("out", to.graph, to.nodes, g.IDs); err != nil {
		return err
	}
	if err := out.writeGraph(to.graph, g.W, g.IDs); err != nil {
		return err
	}
	if err := out.writeNodes(to.nodes, g.IDs); err != nil {
		return err
	}
	if to.ids != "" || to.dists != "" {
		nb := g.KNN.KNN.Found.Nearest(g.KNN.KNN.Neighbors)
		if err := out.write(to.ids, func(w io.Writer) error { return vecs.WriteIDs(w, to.ids, nb.IDs, nb.N, nb.K) }); err != nil {
			return err
		}
		if err := out.write(to.dists, func(w io.Writer) error { return vecs.WriteDists(w, to.dists, nb.Dist, nb.N, nb.K) }); err != nil {
			return err
		}
	}
	return out.writeJSON(to.report, struct {
		Version    string    `json:"version"`
		Built      *knnFacts `json:"built"`
		Edges      int       `json:"edges"`
		Components int       `json:"components"`
		Isolated   int       `json:"isolated"`
		PeakBytes  int64     `json:"peak_bytes"`
	}{version(), g.KNN, g.W.NNZ() / 2, len(sizes), countOnes(sizes), peakRSS()})
}

// print tells how a graph was made, if it was.
func (k *knnFacts) print(w io.Writer) {
	if k == nil {
		return
	}
	if k.Dims > 0 {
		fmt.Fprintf(w, "features\t%s points of %s dimensions, read in %.2f s\n", count(k.Points), count(k.Dims), k.ReadSec)
	}
	switch {
	case k.L1 != nil:
		fmt.Fprintf(w, "l1\t%.1f coefficients a point, residual %.3f, %s of %s points certified, in %.2f s\n", k.L1.Support, k.L1.Residual, count(k.L1.Certified), count(k.Points), k.BuildSec)
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
		text += fmt.Sprintf(", %s points are duplicates", count(r.Points-r.Distinct))
	}
	return text
}
