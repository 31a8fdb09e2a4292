package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/bench"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

func newBench(std stdio) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure accuracy, time and memory on data sets",
		Long: `Measure on a folder of sets: NAME.edges.tsv.gz or NAME.features.npy.gz,
NAME.labels.tsv and, where there is one, NAME.split.tsv (train, val, test).
Tables are Markdown.`,
		Args: noArgs,
	}
	cmd.AddCommand(newBenchGraphs(std), newBenchAccuracy(std), newBenchKernels(std))
	return cmd
}

func newBenchGraphs(std stdio) *cobra.Command {
	var dir, out string
	e := bench.Runs{}
	var names []string
	cmd := &cobra.Command{
		Use:     "graphs --data DIR",
		Short:   "Whole runs of the program: time, peak memory and accuracy on each set",
		Example: "  adp-sparse bench graphs --data sets --sets cora,pubmed --out table.md",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if e.Sets, err = bench.ParseSets(dir, names); err != nil {
				return usageError{err}
			}
			if e.Program, err = os.Executable(); err != nil {
				return err
			}
			e.Each = func(r bench.RunRecord) {
				fmt.Fprintf(std.err, "%s %s: %.2f s, %s, accuracy %.3f on %d nodes (%d unreached) %v\n", r.Set, r.Method, r.Seconds, size(r.PeakBytes), r.Accuracy, r.Tested, r.Unreached, r.Warnings)
			}
			records, err := e.Run(cmd.Context())
			if err != nil {
				return err
			}
			return writeOutput(out, std, func(w io.Writer) error { return bench.WriteRuns(w, records, e.Methods) })
		},
	}
	f := cmd.Flags()
	f.StringVar(&dir, "data", ".", "folder of the sets")
	f.StringSliceVar(&names, "sets", graphSets, "sets: NAME[:CLASSES][@KIND], KIND one of edges, knn, l1, lle")
	f.StringSliceVar(&e.Methods, "methods", []string{"lgc", "adp"}, "methods of run")
	f.IntVar(&e.PerClass, "labels", 10, "labelled nodes a class, where a set has no split")
	f.Uint64Var(&e.Seed, "seed", 1, "seed of the draw")
	f.StringSliceVar(&e.Args, "run-args", nil, "further arguments of run, separated by commas")
	f.StringVar(&out, "out", "-", "the table")
	return cmd
}

// graphSets are the graphs with labels (and one without) that the figures in
// the README are of.
var graphSets = []string{
	"karate", "football", "cora", "citeseer", "pubmed", "polblogs", "email-eu-core",
	"musae-facebook", "musae-github", "sbm-20000", "dblp-2010",
}

// accuracyMethods are the columns of `bench accuracy`.
var accuracyMethods = map[string]adp.Options{
	"adp":            {},
	"adp-full":       {Select: adp.Full},
	"adp-none":       {Select: adp.None},
	"adp1":           {Method: adp.ADP1},
	"lgc":            {Method: adp.LGC},
	"lgc-unbalanced": {Method: adp.LGC, Balance: diffuse.Unbalanced},
	"gfhf":           {Method: adp.GFHF},
	"gfhf-plain":     {Method: adp.GFHF, Balance: diffuse.Unbalanced},
	"dense":          {Method: adp.DenseADP, Balance: diffuse.Unbalanced},
}

func newBenchAccuracy(std stdio) *cobra.Command {
	var dir, cache string
	var to accuracyOutputs
	var names, methods []string
	e := bench.Accuracy{}
	cmd := &cobra.Command{
		Use:     "accuracy --data DIR",
		Short:   "Accuracy of methods over draws of labelled nodes, the same for all",
		Example: "  adp-sparse bench accuracy --data sets --sets polblogs,email-eu-core --labels 5 --methods lgc,lgc-unbalanced,adp",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if e.Sets, err = bench.ParseSets(dir, names); err != nil {
				return usageError{err}
			}
			for _, name := range methods {
				opt, err := choose("methods", name, accuracyMethods)
				if err != nil {
					return err
				}
				e.Methods = append(e.Methods, bench.Method{Name: name, Options: opt})
			}
			for k := range e.Sets {
				e.Sets[k].Cache = cache
			}
			return runAccuracy(cmd.Context(), std, e, to)
		},
	}
	f := cmd.Flags()
	f.StringVar(&dir, "data", ".", "folder of the sets")
	f.StringSliceVar(&names, "sets", graphSets[:len(graphSets)-1], "sets: NAME[:CLASSES][@KIND], KIND one of edges, knn, l1, lle")
	f.StringSliceVar(&methods, "methods", []string{"lgc-unbalanced", "lgc", "adp"}, "methods: adp, adp-full, adp-none, adp1, lgc, lgc-unbalanced, gfhf, gfhf-plain, dense")
	f.IntSliceVar(&e.PerClass, "labels", []int{1, 5}, "labelled nodes a class")
	f.StringVar(&cache, "cache", "", "folder to keep graphs made of features in")
	f.IntVar(&e.Draws, "draws", 10, "draws of labelled nodes")
	f.Uint64Var(&e.Seed, "seed", 1, "seed of the draws")
	f.StringVar(&to.table, "out", "-", "the table")
	f.StringVar(&to.paired, "paired", "", "the differences to the first method, with 95 % intervals")
	f.StringVar(&to.csv, "csv", "", "every draw, as csv")
	return cmd
}

// accuracyOutputs are the files that `bench accuracy` writes.
type accuracyOutputs struct{ table, paired, csv string }

func runAccuracy(ctx context.Context, std stdio, e bench.Accuracy, to accuracyOutputs) error {
	e.Each = func(c bench.Cell) {
		mean, sd := c.Mean()
		fmt.Fprintf(std.err, "%s %d %s: %.4f ± %.4f\n", c.Set, c.PerClass, c.Method, mean, sd)
	}
	cells, err := e.Run(ctx)
	if err != nil {
		return err
	}
	for _, output := range []struct {
		name  string
		write func(w io.Writer) error
	}{
		{to.table, func(w io.Writer) error { return bench.WriteAccuracy(w, cells, e.Methods) }},
		{to.paired, func(w io.Writer) error {
			return bench.WriteDifferences(w, bench.Differences(cells, len(e.Methods)), e.Methods)
		}},
		{to.csv, func(w io.Writer) error { return bench.WriteCSV(w, cells) }},
	} {
		if output.name == "" {
			continue
		}
		if err := writeOutput(output.name, std, output.write); err != nil {
			return err
		}
	}
	return nil
}
