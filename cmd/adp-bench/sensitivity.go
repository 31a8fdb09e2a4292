package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/bench"
	"github.com/adp-sparse/adp-sparse/bench/plot"
	"github.com/adp-sparse/adp-sparse/cmd/internal/outputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
)

func newSensitivity(std streams.Stdio) *cobra.Command {
	var dir, cache, out, figure string
	var names []string
	e := bench.Sensitivity{}
	cmd := &cobra.Command{
		Use:   "sensitivity --data DIR",
		Short: "Accuracy of ADP against α, ζ, k and the number of rounds, one at a time",
		Long: `Accuracy of ADP against α of the F-step, ζ of the label similarity, the k entries that are kept
of a row of A, and the number of rounds: one at a time, all others at their defaults. Each value is tried
in two forms: one setting alone, without an anchor, whose last round counts; and the default program,
which chooses among settings and rounds.`,
		Example: "  adp-bench sensitivity --data sets --sets coil20@l1,yaleb:15@l1 --labels 3 --plot sensitivity.svg",
		Args:    usage.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if e.Sets, err = bench.ParseSets(dir, names); err != nil {
				return usage.Error{Err: err}
			}
			if err := checkDraws(e.Sets, "labels", []int{e.PerClass}, e.Draws); err != nil {
				return err
			}
			if _, err := plot.FormatOf(figure); figure != "" && err != nil {
				return usage.Error{Err: err}
			}
			for k := range e.Sets {
				e.Sets[k].Cache = cache
			}
			e.Each = func(c bench.Cell) {
				mean, sd := c.Mean()
				fmt.Fprintf(std.Err, "%s %s: %.4f ± %.4f\n", c.Set, c.Method, mean, sd)
			}
			return outputs.With(std, setInputs(e.Sets...), []outputs.File{{Flag: "out", Name: out}, {Flag: "plot", Name: figure}}, func(to *outputs.Set) error {
				points, err := e.Run(cmd.Context())
				if err != nil {
					return err
				}
				if err := to.Write(out, func(w io.Writer) error { return bench.WriteSensitivity(w, points) }); err != nil {
					return err
				}
				return to.Write(figure, func(w io.Writer) error { return writeFigure(w, figure, points, plot.Sensitivity) })
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&dir, "data", ".", "folder of the sets")
	f.StringSliceVar(&names, "sets", []string{"coil20@l1", "yaleb:15@l1", "orl@l1"}, "sets: NAME[:CLASSES][@KIND], KIND one of edges, knn, l1, lle, auto, both")
	f.IntVar(&e.PerClass, "labels", 3, "labelled nodes a class")
	f.StringVar(&cache, "cache", "", "folder to keep graphs made of features in")
	f.IntVar(&e.Draws, "draws", 5, "draws of labelled nodes")
	f.Uint64Var(&e.Seed, "seed", 1, "seed of the draws")
	f.StringVar(&out, "out", "-", "the table")
	f.StringVar(&figure, "plot", "", "figure of accuracy against each option, .svg or .png")
	return cmd
}
