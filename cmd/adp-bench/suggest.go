package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/bench"
	"github.com/adp-sparse/adp-sparse/cmd/internal/outputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
)

func newSuggest(std streams.Stdio) *cobra.Command {
	var dir, cache, out, method string
	var names []string
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
			if e.Sets, err = bench.ParseSets(dir, names); err != nil {
				return usage.Error{Err: err}
			}
			if err := checkDraws(e.Sets, "batches", e.Batches, e.Draws); err != nil {
				return err
			}
			if e.Method.Options, err = usage.Choose("method", method, accuracyMethods); err != nil {
				return err
			}
			for k := range e.Sets {
				e.Sets[k].Cache = cache
			}
			return outputs.With(std, setInputs(e.Sets...), []outputs.File{{Flag: "out", Name: out}}, func(to *outputs.Set) error {
				rows, err := e.Run(cmd.Context())
				if err != nil {
					return err
				}
				return to.Write(out, func(w io.Writer) error { return bench.WriteSuggest(w, rows) })
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&dir, "data", ".", "folder of the sets")
	f.StringSliceVar(&names, "sets", graphSets[:len(graphSets)-1], "sets: NAME[:CLASSES][@KIND], KIND one of edges, knn, l1, lle, auto, both")
	f.StringVar(&method, "method", "lgc", "what labels the rest, one of the methods of accuracy")
	f.IntSliceVar(&e.Batches, "batches", []int{1, 4}, "batches of nodes to label, a node for each class in a batch")
	f.BoolVar(&e.Cold, "cold", false, "begin without any label")
	f.StringVar(&cache, "cache", "", "folder to keep graphs made of features in")
	f.IntVar(&e.Draws, "draws", 10, "draws of labelled nodes")
	f.Uint64Var(&e.Seed, "seed", 1, "seed of the draws")
	f.StringVar(&out, "out", "-", "the table")
	return cmd
}
