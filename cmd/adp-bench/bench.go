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
	var out, program string
	var sets setFlags
	e := bench.Runs{}
	cmd := &cobra.Command{
		Use:     "graphs --data DIR",
		Short:   "Whole runs of the program: time, peak memory and accuracy on each set",
		Example: "  adp-bench graphs --data sets --sets cora,pubmed --out table.md",
		Args:    usage.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if e.Sets, err = sets.read("labels", []int{e.PerClass}, 1); err != nil {
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
			write := func(w io.Writer, records []bench.RunRecord) error { return bench.WriteRuns(w, records, e.Methods) }
			return record(cmd.Context(), std, setInputs(e.Sets...), e.Run, table(out, write))
		},
	}
	f := cmd.Flags()
	bindProgram(cmd, &program)
	sets.bind(cmd, graphSets, "")
	f.StringSliceVar(&e.Methods, "methods", []string{"lgc", "adp"}, "methods of run")
	f.IntVar(&e.PerClass, "labels", 10, "labelled nodes a class, where a set has no split")
	f.Uint64Var(&e.Seed, "seed", 1, "seed of the draw")
	f.StringSliceVar(&e.Args, "run-args", nil, "further arguments of run, separated by commas")
	f.StringVar(&out, "out", "-", "the table")
	return cmd
}

func newAccuracy(std streams.Stdio) *cobra.Command {
	var sets setFlags
	var to accuracyOutputs
	var methods []string
	var splits, how, peerFolder, python string
	var peers baseline.Comparison
	e := bench.Accuracy{}
	cmd := &cobra.Command{
		Use:     "accuracy --data DIR",
		Short:   "Accuracy of methods over draws of labelled nodes, the same for all",
		Example: "  adp-bench accuracy --data sets --sets polblogs,email-eu-core --labels 5 --methods lgc,lgc-unbalanced,adp",
		Args:    usage.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if e.Sets, err = sets.read("labels", e.PerClass, e.Draws); err != nil {
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
			return runAccuracy(cmd.Context(), std, e, to)
		},
	}
	f := cmd.Flags()
	sets.bind(cmd, labelledSets, asRun)
	sets.bindCache(cmd)
	f.StringSliceVar(&methods, "methods", []string{"lgc-unbalanced", "lgc", "adp"}, "methods, with @first on the graph that the choice of auto starts from: "+strings.Join(slices.Sorted(maps.Keys(accuracyMethods)), ", ")+"; with features: "+strings.Join(baseline.PeerNames(), ", ")+"; of scikit-learn, with dense features: "+strings.Join(spreadingNames(), ", ")+"; "+elsewhere+"NAME for the values of another program in --journal, of the same draws (--draws-out)")
	f.StringVar(&splits, "splits", "drawn", "drawn: --labels of each class; random: as many, drawn from all nodes; published: NAME.splits10.tsv.gz, else NAME.split.tsv")
	f.StringVar(&how, "score", "accuracy", "accuracy, or balanced: the mean over the classes of the share of their nodes that is right")
	f.IntSliceVar(&e.PerClass, "labels", []int{1, 5}, "labelled nodes a class")
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
	var out, method, splits string
	var sets setFlags
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
			if e.Sets, err = sets.read("labels", e.PerClass, e.Draws); err != nil {
				return err
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
			return record(cmd.Context(), std, setInputs(e.Sets...), e.Run, table(out, bench.WriteConfidence))
		},
	}
	f := cmd.Flags()
	sets.bind(cmd, labelledSets, asRun)
	sets.bindCache(cmd)
	f.StringVar(&splits, "splits", "drawn", "drawn, random or published, as of accuracy")
	f.StringVar(&method, "method", "adp", "one of the methods of accuracy")
	f.IntSliceVar(&e.PerClass, "labels", []int{3, 5, 10}, "labelled nodes a class")
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
	if err := checkFigures(to.plot, to.convergence, to.collapse); err != nil {
		return err
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
	return record(ctx, std, inputs, func(ctx context.Context) (measurement, error) { return to.measure(ctx, std, e) }, to.products(e.Methods)...)
}

// measurement is what an experiment of accuracy found.
type measurement struct {
	cells  []bench.Cell
	rounds []bench.RoundRecord
}

// products are the files.
func (to accuracyOutputs) products(methods []bench.Method) []product[measurement] {
	return []product[measurement]{
		table(to.table, func(w io.Writer, m measurement) error { return bench.WriteAccuracy(w, m.cells, methods) }),
		{outputs.File{Flag: "paired", Name: to.paired}, func(w io.Writer, m measurement) error {
			return bench.WriteDifferences(w, bench.Differences(m.cells, len(methods)), methods)
		}},
		{outputs.File{Flag: "csv", Name: to.csv}, func(w io.Writer, m measurement) error { return bench.WriteCSV(w, m.cells) }},
		{outputs.File{Flag: "rounds-csv", Name: to.rounds}, func(w io.Writer, m measurement) error { return bench.WriteRounds(w, m.rounds) }},
		{outputs.File{Flag: "plot", Name: to.plot}, func(w io.Writer, m measurement) error { return writeFigure(w, to.plot, m.cells, plot.Accuracy) }},
		{outputs.File{Flag: "convergence", Name: to.convergence}, func(w io.Writer, m measurement) error {
			return writeFigure(w, to.convergence, m.rounds, plot.Convergence)
		}},
		{outputs.File{Flag: "collapse", Name: to.collapse}, func(w io.Writer, m measurement) error {
			return writeFigure(w, to.collapse, m.rounds, plot.Collapse)
		}},
	}
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
	for _, out := range to.products(nil) {
		if out.Name != "" && filepath.Clean(out.Name) == filepath.Clean(to.journal) {
			return usage.Errorf("--%s %s and --journal %s are the same file", out.Flag, out.Name, to.journal)
		}
	}
	return nil
}

// measure does the experiment.
func (to accuracyOutputs) measure(ctx context.Context, std streams.Stdio, e bench.Accuracy) (m measurement, err error) {
	e.Each = func(c bench.Cell) {
		mean, sd := c.Mean()
		fmt.Fprintf(std.Err, "%s %d %s: %.4f ± %.4f\n", c.Set, c.PerClass, c.Method, mean, sd)
	}
	if to.draws != "" {
		if err := os.MkdirAll(to.draws, 0o755); err != nil {
			return m, err
		}
		e.EachDraw = func(d bench.Drawn) error {
			return outputs.Write(filepath.Join(to.draws, d.File()), std, d.Write)
		}
	}
	if to.needsRounds() {
		e.EachRound = func(r bench.RoundRecord) { m.rounds = append(m.rounds, r) }
	}
	m.cells, err = e.Run(ctx)
	if errors.Is(err, bench.ErrNoFeatures) || errors.Is(err, bench.ErrNoSplit) || errors.Is(err, bench.ErrNoValue) {
		err = usage.Error{Err: err}
	}
	return m, err
}
