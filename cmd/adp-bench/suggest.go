package main

import (
	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/bench"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
)

func newSuggest(std streams.Stdio) *cobra.Command {
	var out, method string
	var sets setFlags
	e := bench.Suggest{}
	cmd := &cobra.Command{
		Use:   "suggest --data DIR",
		Short: "What nodes to label next are worth: accuracy after labelling by rules",
		Long: `From one labelled node a class, as many nodes as there are classes are labelled at a
time, at random, by their uncertainty alone, or as the command suggest says, and again;
then --method labels the rest. Accuracy on the nodes without a known label, a mean over draws.`,
		Example: "  adp-bench suggest --data sets --sets cora,orl --batches 1,4",
		Args:    usage.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if e.Sets, err = sets.read("batches", e.Batches, e.Draws); err != nil {
				return err
			}
			if e.Method.Options, err = usage.Choose("method", method, accuracyMethods); err != nil {
				return err
			}
			return record(cmd.Context(), std, setInputs(e.Sets...), e.Run, table(out, bench.WriteSuggest))
		},
	}
	f := cmd.Flags()
	sets.bind(cmd, labelledSets, "")
	sets.bindCache(cmd)
	f.StringVar(&method, "method", "lgc", "what labels the rest, one of the methods of accuracy")
	f.IntSliceVar(&e.Batches, "batches", []int{1, 4}, "batches of nodes to label, a node for each class in a batch")
	f.BoolVar(&e.Cold, "cold", false, "begin without any label")
	f.IntVar(&e.Draws, "draws", 10, "draws of labelled nodes")
	f.Uint64Var(&e.Seed, "seed", 1, "seed of the draws")
	f.StringVar(&out, "out", "-", "the table")
	return cmd
}
