package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/bench"
	"github.com/adp-sparse/adp-sparse/bench/baseline"
	"github.com/adp-sparse/adp-sparse/bench/plot"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
)

func newContextual(std streams.Stdio) *cobra.Command {
	var out, plotted string
	var methods []string
	var peers baseline.Comparison
	e := bench.Contextual{}
	cmd := &cobra.Command{
		Use:   "contextual",
		Short: "Accuracy against the strength of edges and features of random graphs",
		Long: `Graphs of the contextual stochastic block model with two classes, whose signal is in the
edges, in the features, in both, or in both with edges that join unlike nodes. Without labels the
classes can be told by theory where the strength λ² + μ²/γ is above 1, γ = nodes/dims.`,
		Example: "  adp-bench contextual --draws 10 --plot contextual.svg",
		Args:    usage.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkFigures(plotted); err != nil {
				return err
			}
			for _, name := range methods {
				m, err := accuracyMethod(name, &peers)
				if err != nil {
					return err
				}
				e.Methods = append(e.Methods, m)
			}
			if len(e.Methods) == 0 || e.Draws < 1 || e.PerClass < 1 || e.Dims < 1 {
				return usage.Errorf("--methods, --draws, --per-class and --dims, expected at least one of each")
			}
			e.Each = func(s bench.Strength) {
				mean, sd := s.Mean()
				fmt.Fprintf(std.Err, "%s %v %s: %.4f ± %.4f\n", s.Mix, s.Value, s.Method, mean, sd)
			}
			write := func(w io.Writer, all []bench.Strength) error { return bench.WriteStrengths(w, all, e.Methods) }
			return record(cmd.Context(), std, nil, e.Run, table(out, write), figure(plotted, plot.Contextual))
		},
	}
	f := cmd.Flags()
	f.IntVar(&e.Nodes, "nodes", 2000, "nodes of a graph")
	f.IntVar(&e.Dims, "dims", 400, "features of a node")
	f.Float64Var(&e.Degree, "degree", 8, "mean number of neighbours")
	f.IntVar(&e.PerClass, "per-class", 20, "labelled nodes of each class")
	f.Float64SliceVar(&e.Strengths, "strengths", []float64{0.25, 0.5, 1, 1.5, 2, 3, 4}, "values of λ² + μ²/γ, at most --degree")
	f.StringSliceVar(&methods, "methods", []string{"adp", "lgc:edges", "ridge", "sgc", "appnp"}, "methods of accuracy")
	f.IntVar(&e.Draws, "draws", 10, "graphs of each strength")
	f.Uint64Var(&e.Seed, "seed", 1, "seed of the graphs and of the labelled nodes")
	f.StringVar(&out, "out", "-", "the table")
	f.StringVar(&plotted, "plot", "", "figure of accuracy against strength, .svg or .png")
	return cmd
}
