package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/bench"
	"github.com/adp-sparse/adp-sparse/bench/baseline"
	"github.com/adp-sparse/adp-sparse/bench/plot"
	"github.com/adp-sparse/adp-sparse/cmd/internal/outputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
	"github.com/adp-sparse/adp-sparse/internal/figures"
)

func newGraphs(std streams.Stdio) *cobra.Command {
	var dir, out, program string
	e := bench.Runs{}
	var names []string
	cmd := &cobra.Command{
		Use:     "graphs --data DIR",
		Short:   "Whole runs of the program: time, peak memory and accuracy on each set",
		Example: "  adp-bench graphs --data sets --sets cora,pubmed --out table.md",
		Args:    usage.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if e.Sets, err = bench.ParseSets(dir, names); err != nil {
				return usage.Error{Err: err}
			}
			if err := checkDraws(e.Sets, "labels", []int{e.PerClass}, 1); err != nil {
				return err
			}
			if len(e.Methods) == 0 {
				return usage.Errorf("no methods, expected some")
			}
			if e.Program, err = findProgram(program); err != nil {
				return err
			}
			e.Each = func(r bench.RunRecord) {
				fmt.Fprintf(std.Err, "%s %s: %.2f s, %s, accuracy %.3f on %d nodes (%d unreached) %v\n", r.Set, r.Method, r.Seconds, figures.Bytes(r.PeakBytes), r.Accuracy, r.Tested, r.Unreached, r.Warnings)
			}
			return outputs.With(std, setInputs(e.Sets...), []outputs.File{{Flag: "out", Name: out}}, func(to *outputs.Set) error {
				records, err := e.Run(cmd.Context())
				if err != nil {
					return err
				}
				return to.Write(out, func(w io.Writer) error { return bench.WriteRuns(w, records, e.Methods) })
			})
		},
	}
	f := cmd.Flags()
	bindProgram(cmd, &program)
	f.StringVar(&dir, "data", ".", "folder of the sets")
	f.StringSliceVar(&names, "sets", graphSets, "sets: NAME[:CLASSES][@KIND], KIND one of edges, knn, l1, lle, auto, both")
	f.StringSliceVar(&e.Methods, "methods", []string{"lgc", "adp"}, "methods of run")
	f.IntVar(&e.PerClass, "labels", 10, "labelled nodes a class, where a set has no split")
	f.Uint64Var(&e.Seed, "seed", 1, "seed of the draw")
	f.StringSliceVar(&e.Args, "run-args", nil, "further arguments of run, separated by commas")
	f.StringVar(&out, "out", "-", "the table")
	return cmd
}

// checkDraws refuses an experiment that draws nothing.
func checkDraws(sets []bench.Set, flag string, numbers []int, draws int) error {
	switch {
	case len(sets) == 0:
		return usage.Errorf("no sets, expected some")
	case len(numbers) == 0:
		return usage.Errorf("--%s has no number, expected some", flag)
	case slices.Min(numbers) < 1:
		return usage.Errorf("--%s %d, expected at least 1", flag, slices.Min(numbers))
	case draws < 1:
		return usage.Errorf("--draws %d, expected at least 1", draws)
	}
	return nil
}

// setInputs are the files of sets, which no output may replace.
func setInputs(sets ...bench.Set) (in []outputs.File) {
	for _, set := range sets {
		for _, file := range set.Files() {
			in = append(in, outputs.File{Flag: "data", Name: file})
		}
	}
	return in
}

// graphSets are the graphs with labels, and one without.
var graphSets = []string{
	"karate", "football", "cora", "citeseer", "pubmed", "polblogs", "email-eu-core",
	"musae-facebook", "musae-github", "sbm-20000", "dblp-2010",
}

func newAccuracy(std streams.Stdio) *cobra.Command {
	var dir, cache string
	var to accuracyOutputs
	var names, methods []string
	var splits, how, peerFolder, python string
	var peers baseline.Comparison
	e := bench.Accuracy{}
	cmd := &cobra.Command{
		Use:     "accuracy --data DIR",
		Short:   "Accuracy of methods over draws of labelled nodes, the same for all",
		Example: "  adp-bench accuracy --data sets --sets polblogs,email-eu-core --labels 5 --methods lgc,lgc-unbalanced,adp",
		Args:    usage.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if e.Sets, err = bench.ParseSets(dir, names); err != nil {
				return usage.Error{Err: err}
			}
			if err := checkDraws(e.Sets, "labels", e.PerClass, e.Draws); err != nil {
				return err
			}
			if len(methods) == 0 {
				return usage.Errorf("no methods, expected some")
			}
			for _, name := range methods {
				if s := spreading(name, peerFolder, python); s != nil {
					defer s.Close()
					e.Methods = append(e.Methods, s.Column(name))
					continue
				}
				m, err := accuracyMethod(name, &peers)
				if err != nil {
					return err
				}
				e.Methods = append(e.Methods, m)
			}
			if err := setSplits(&e, splits, how, to); err != nil {
				return err
			}
			for k := range e.Sets {
				e.Sets[k].Cache = cache
			}
			return runAccuracy(cmd.Context(), std, e, to)
		},
	}
	f := cmd.Flags()
	f.StringVar(&dir, "data", ".", "folder of the sets")
	f.StringSliceVar(&names, "sets", graphSets[:len(graphSets)-1], "sets: NAME[:CLASSES][@KIND], KIND one of edges, knn, l1, lle, auto, both (the last two as run has them)")
	f.StringSliceVar(&methods, "methods", []string{"lgc-unbalanced", "lgc", "adp"}, "methods, with @first on the graph that the choice of auto starts from: "+strings.Join(slices.Sorted(maps.Keys(accuracyMethods)), ", ")+"; with features: "+strings.Join(baseline.PeerNames(), ", ")+"; of scikit-learn, with dense features: "+strings.Join(spreadingNames(), ", ")+"; "+elsewhere+"NAME for the values of another program in --journal, of the same draws (--draws-out)")
	f.StringVar(&splits, "splits", "drawn", "drawn: --labels of each class; random: as many, drawn from all nodes; published: NAME.splits10.tsv.gz, else NAME.split.tsv")
	f.StringVar(&how, "score", "accuracy", "accuracy, or balanced: the mean over the classes of the share of their nodes that is right")
	f.IntSliceVar(&e.PerClass, "labels", []int{1, 5}, "labelled nodes a class")
	f.StringVar(&cache, "cache", "", "folder to keep graphs made of features in")
	f.IntVar(&e.Draws, "draws", 10, "draws of labelled nodes")
	f.Uint64Var(&e.Seed, "seed", 1, "seed of the draws")
	f.StringVar(&to.table, "out", "-", "the table")
	f.StringVar(&to.paired, "paired", "", "the differences to the first method, with 95 % intervals")
	f.StringVar(&to.csv, "csv", "", "every draw, as csv")
	f.StringVar(&to.plot, "plot", "", "figure of accuracy against labels a class, .svg or .png")
	f.StringVar(&to.convergence, "convergence", "", "figure of the rounds: accuracy, change of F, changed labels, modularity; .svg or .png")
	f.StringVar(&to.collapse, "collapse", "", "figure of the rounds: accuracy and the share of the largest class; .svg or .png")
	f.StringVar(&to.rounds, "rounds-csv", "", "every round of every draw, as csv")
	f.StringVar(&to.journal, "journal", "", "every value as soon as it is known; the same command goes on from it (of the same program and data)")
	f.StringVar(&peerFolder, "peers", "bench/peers", "folder of the peers' sources")
	f.StringVar(&python, "python", "python3", "the Python that has scikit-learn, where a method is of it")
	f.StringVar(&to.draws, "draws-out", "", "folder for the drawn labels, a file SET-LABELS-DRAW.seeds.tsv a draw, of --splits random SET-random-LABELS-DRAW.seeds.tsv")
	return cmd
}

func newConfidence(std streams.Stdio) *cobra.Command {
	var dir, cache, out, method, splits string
	var names []string
	var peers baseline.Comparison
	e := bench.Confidence{}
	cmd := &cobra.Command{
		Use:   "confidence --data DIR",
		Short: "How well the confidence holds as the probability of being right",
		Long: `The confidence of run --calibrate auto on the nodes that are not seeds, means over
draws: its mean, beside the share of the labels that is right; its expected calibration error; its Brier score, beside
that of one number for all nodes, the true share; and both shares in each tenth of the nodes.`,
		Example: "  adp-bench confidence --data sets --sets polblogs,email-eu-core --labels 5,10",
		Args:    usage.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if e.Sets, err = bench.ParseSets(dir, names); err != nil {
				return usage.Error{Err: err}
			}
			if err := checkDraws(e.Sets, "labels", e.PerClass, e.Draws); err != nil {
				return err
			}
			for k := range e.Sets {
				e.Sets[k].Cache = cache
			}
			if e.Method, err = accuracyMethod(method, &peers); err != nil {
				return err
			}
			if e.Method.Label != nil || e.Method.Elsewhere {
				return usage.Errorf("--method %s has no confidence, expected a method of run", method)
			}
			if e.Splits, err = usage.Choose("splits", splits, splitNames); err != nil {
				return err
			}
			return outputs.With(std, setInputs(e.Sets...), []outputs.File{{Flag: "out", Name: out}}, func(to *outputs.Set) error {
				rows, err := e.Run(cmd.Context())
				if err != nil {
					return err
				}
				return to.Write(out, func(w io.Writer) error { return bench.WriteConfidence(w, rows) })
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&dir, "data", ".", "folder of the sets")
	f.StringSliceVar(&names, "sets", graphSets[:len(graphSets)-1], "sets: NAME[:CLASSES][@KIND], KIND one of edges, knn, l1, lle, auto, both (the last two as run has them)")
	f.StringVar(&splits, "splits", "drawn", "drawn, random or published, as of accuracy")
	f.StringVar(&method, "method", "adp", "one of the methods of accuracy")
	f.IntSliceVar(&e.PerClass, "labels", []int{3, 5, 10}, "labelled nodes a class")
	f.StringVar(&cache, "cache", "", "folder to keep graphs made of features in")
	f.IntVar(&e.Draws, "draws", 5, "draws of labelled nodes")
	f.Uint64Var(&e.Seed, "seed", 1, "seed of the draws")
	f.StringVar(&out, "out", "-", "the table")
	return cmd
}

// accuracyOutputs are the files that `adp-bench accuracy` writes, the folder of
// its draws and its journal; empty for none.
type accuracyOutputs struct {
	table, paired, csv, plot, convergence, collapse, rounds, draws, journal string
}

func runAccuracy(ctx context.Context, std streams.Stdio, e bench.Accuracy, to accuracyOutputs) (err error) {
	for _, name := range []string{to.plot, to.convergence, to.collapse} {
		if _, err := plot.FormatOf(name); name != "" && err != nil {
			return usage.Error{Err: err}
		}
	}
	inputs := setInputs(e.Sets...)
	if to.journal != "" {
		if err := to.checkJournal(inputs, std); err != nil {
			return err
		}
		if to.needsRounds() {
			return usage.Errorf("--journal has no rounds, so it does not go with --convergence, --collapse and --rounds-csv")
		}
		if e.Journal, err = bench.OpenJournal(to.journal); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, e.Journal.Close()) }()
		inputs = append(inputs, outputs.File{Flag: "journal", Name: to.journal})
	}
	return outputs.With(std, inputs, to.named(), func(out *outputs.Set) error { return to.measure(ctx, std, e, out) })
}

// named are the files.
func (to accuracyOutputs) named() []outputs.File {
	return []outputs.File{{Flag: "out", Name: to.table}, {Flag: "paired", Name: to.paired}, {Flag: "csv", Name: to.csv}, {Flag: "rounds-csv", Name: to.rounds}, {Flag: "plot", Name: to.plot}, {Flag: "convergence", Name: to.convergence}, {Flag: "collapse", Name: to.collapse}}
}

// needsRounds reports whether a file is of the rounds.
func (to accuracyOutputs) needsRounds() bool {
	return to.convergence != "" || to.collapse != "" || to.rounds != ""
}

// checkJournal refuses a journal, which is written all along, in the place of another file.
func (to accuracyOutputs) checkJournal(inputs []outputs.File, std streams.Stdio) error {
	for _, in := range inputs {
		if err := (outputs.File{Flag: "journal", Name: to.journal}).Spares(in, std); err != nil {
			return err
		}
	}
	for _, out := range to.named() {
		if out.Name != "" && filepath.Clean(out.Name) == filepath.Clean(to.journal) {
			return usage.Errorf("--%s %s and --journal %s are the same file", out.Flag, out.Name, to.journal)
		}
	}
	return nil
}

// measure does the experiment and fills the outputs.
func (to accuracyOutputs) measure(ctx context.Context, std streams.Stdio, e bench.Accuracy, out *outputs.Set) error {
	e.Each = func(c bench.Cell) {
		mean, sd := c.Mean()
		fmt.Fprintf(std.Err, "%s %d %s: %.4f ± %.4f\n", c.Set, c.PerClass, c.Method, mean, sd)
	}
	if to.draws != "" {
		if err := os.MkdirAll(to.draws, 0o755); err != nil {
			return err
		}
		e.EachDraw = func(d bench.Drawn) error {
			return outputs.Write(filepath.Join(to.draws, d.File()), std, d.Write)
		}
	}
	var rounds []bench.RoundRecord
	if to.needsRounds() {
		e.EachRound = func(r bench.RoundRecord) { rounds = append(rounds, r) }
	}
	cells, err := e.Run(ctx)
	if errors.Is(err, bench.ErrNoFeatures) || errors.Is(err, bench.ErrNoSplit) || errors.Is(err, bench.ErrNoValue) {
		return usage.Error{Err: err}
	}
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
		{to.rounds, func(w io.Writer) error { return bench.WriteRounds(w, rounds) }},
		{to.plot, func(w io.Writer) error { return writeFigure(w, to.plot, cells, plot.Accuracy) }},
		{to.convergence, func(w io.Writer) error { return writeFigure(w, to.convergence, rounds, plot.Convergence) }},
		{to.collapse, func(w io.Writer) error { return writeFigure(w, to.collapse, rounds, plot.Collapse) }},
	} {
		if err := out.Write(output.name, output.write); err != nil {
			return err
		}
	}
	return nil
}

// writeFigure draws the data in the format that the file's name says.
func writeFigure[T any](w io.Writer, name string, data []T, draw func([]T) (*plot.Figure, error)) error {
	format, err := plot.FormatOf(name)
	if err != nil {
		return err
	}
	figure, err := draw(data)
	if err != nil {
		return err
	}
	return figure.Write(w, format)
}
