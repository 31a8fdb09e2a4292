package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/bench"
	"github.com/adp-sparse/adp-sparse/bench/plot"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
)

func newSensitivity(std streams.Stdio) *cobra.Command {
	var out, plotted string
	var sets setFlags
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
			if e.Sets, err = sets.read("labels", []int{e.PerClass}, e.Draws); err != nil {
				return err
			}
			if err := checkFigures(plotted); err != nil {
				return err
			}
			e.Each = func(c bench.Cell) {
				mean, sd := c.Mean()
				fmt.Fprintf(std.Err, "%s %s: %.4f ± %.4f\n", c.Set, c.Method, mean, sd)
			}
			return record(cmd.Context(), std, setInputs(e.Sets...), e.Run, table(out, bench.WriteSensitivity), figure(plotted, plot.Sensitivity))
		},
	}
	f := cmd.Flags()
	sets.bind(cmd, []string{"coil20@l1", "yaleb:15@l1", "orl@l1"}, "")
	sets.bindCache(cmd)
	f.IntVar(&e.PerClass, "labels", 3, "labelled nodes a class")
	f.IntVar(&e.Draws, "draws", 5, "draws of labelled nodes")
	f.Uint64Var(&e.Seed, "seed", 1, "seed of the draws")
	f.StringVar(&out, "out", "-", "the table")
	f.StringVar(&plotted, "plot", "", "figure of accuracy against each option, .svg or .png")
	return cmd
}
