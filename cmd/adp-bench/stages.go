package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/bench"
	"github.com/adp-sparse/adp-sparse/bench/gen"
	"github.com/adp-sparse/adp-sparse/bench/plot"
	"github.com/adp-sparse/adp-sparse/cmd/internal/outputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
)

func newStages(std streams.Stdio) *cobra.Command {
	var dir, set, kind, out, program string
	e := bench.Stages{}
	random := gen.Options{}
	cmd := &cobra.Command{
		Use:   "stages [--data DIR --set NAME | --graph FILE | --kind KIND --nodes N]",
		Short: "Each stage of a run: time, speed-up by threads, share of what the machine can do",
		Long: `Time the stages of a run with each number of --threads, in turn: an edge list
to .csr, nearest neighbours, S, an F-step, an A-step, whole runs. With --peers
the least time that the machine needs stands beside, from memory read in order,
rows gathered by the graph's own columns, and float32 operations, all measured
by a C program that is compiled on the spot (bench/peers/limits.c). The input is
a set, an edge list, or a random graph. Times are medians. A second table says
where the time of the whole runs goes, in seconds and shares, by the phases that a
run reports (docs/report.md#phases), of the run with the median time. NAME@auto runs
as by default on vectors, NAME@both on edges and features.`,
		Example: `  adp-bench stages --data sets --set usps@auto --runs-only --threads 2
  adp-bench stages --data sets --set mnist --peers bench/peers
  adp-bench stages --kind geometric --nodes 1000000 --peers bench/peers --out stages.md`,
		Args: usage.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if set != "" && e.Edges != "" {
				return usage.Errorf("--set and --graph: expected one input")
			}
			inputs := []outputs.File{{Flag: "graph", Name: e.Edges}}
			if set != "" {
				s, err := bench.ParseSet(dir, set)
				if err != nil {
					return usage.Error{Err: err}
				}
				e.Set, inputs = &s, setInputs(s)
			} else if e.Edges == "" {
				random.Kind, random.Seed = gen.Kind(kind), e.Seed
				if _, err := gen.New(random); err != nil {
					return usage.Error{Err: err}
				}
				e.Random = &random
			}
			if e.K < 1 || e.TopK < 1 || e.PerClass < 1 || e.Points < 0 || e.Dims < 1 || !(e.Recall > 0 && e.Recall <= 1) {
				return usage.Errorf("--k %d, --topk %d, --labels %d, --points %d, --dims %d, --recall %v: out of range", e.K, e.TopK, e.PerClass, e.Points, e.Dims, e.Recall)
			}
			if err := checkThreads(e.Rounds, e.Threads); err != nil {
				return err
			}
			if e.Program, err = findProgram(program); err != nil {
				return err
			}
			e.Log = logTo(std)
			return record(cmd.Context(), std, inputs, e.Run, table(out, func(w io.Writer, t *bench.StageTimes) error { return t.Write(w) }))
		},
	}
	f := cmd.Flags()
	bindProgram(cmd, &program)
	f.StringVar(&dir, "data", ".", "folder of the sets")
	f.StringVar(&set, "set", "", "a set: NAME[:CLASSES][@KIND]")
	f.StringVar(&e.Edges, "graph", "", "an edge list")
	randomFlags(cmd, &kind, &random)
	f.IntVar(&random.Nodes, "nodes", 1_000_000, "nodes of the random graph")
	f.IntVar(&e.Points, "points", 0, "clustered points for the kNN stages, where the input has no features (default none)")
	f.IntVar(&e.Dims, "dims", 64, "coordinates of these points")
	f.IntVar(&e.K, "k", 10, "neighbours a point")
	f.Float64Var(&e.Recall, "recall", 0.99, "recall of the approximate search")
	f.IntVar(&e.TopK, "topk", 5, "entries that the A-step keeps a row")
	f.IntVar(&e.PerClass, "labels", 10, "labelled nodes a class")
	f.Uint64Var(&e.Seed, "seed", 1, "seed of every random choice")
	f.IntSliceVar(&e.Threads, "threads", []int{1, 2}, "numbers of threads; speed-ups are against the first")
	f.IntVar(&e.Rounds, "rounds", 3, "runs of each stage and number of threads")
	f.BoolVar(&e.RunsOnly, "runs-only", false, "whole runs alone")
	f.StringSliceVar(&e.Methods, "methods", []string{"lgc", "adp"}, "methods of whole runs")
	f.StringSliceVar(&e.Args, "run-args", nil, "further arguments of whole runs, separated by commas")
	f.StringVar(&e.Peers, "peers", "", "folder of the peers' sources, bench/peers, for the roofline (default none)")
	f.StringVar(&out, "out", "-", "the tables")
	return cmd
}

func newScaling(std streams.Stdio) *cobra.Command {
	var kind, out, csvOut, plotted, program string
	e := bench.Scaling{}
	random := gen.Options{}
	cmd := &cobra.Command{
		Use:   "scaling",
		Short: "Whole runs on random graphs of growing size: time, peak memory, exponents",
		Long: `Run the program on random graphs of each size, every run a process of its own:
wall and processor time (medians), peak memory against the estimate that the run
makes (the formula of docs/trust.md), the exponents of a fit of a·n^b, and where the
time goes by phases. The method features is the default on edges and features, on a
contextual block model of its own: degree 20, 100 features, --knn approx --recall 0.8.
Runs that need more memory than there is are left out with a word.`,
		Example: `  adp-bench scaling --nodes 100000,1000000,10000000 --out scaling.md --csv scaling.csv --plot scaling.svg
  adp-bench scaling --methods lgc,adp,features --nodes 10000,100000 --plot scaling.svg`,
		Args: usage.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if err := checkFigures(plotted); err != nil {
				return err
			}
			e.Kind = gen.Kind(kind)
			e.Degree, e.Classes = random.Degree, random.Classes
			for _, n := range e.Nodes {
				random.Kind, random.Nodes = e.Kind, n
				g, err := gen.New(random)
				if err != nil {
					return usage.Error{Err: err}
				}
				if !g.HasLabels() {
					return usage.Errorf("--kind %s has no classes", kind)
				}
			}
			if len(e.Nodes) == 0 || e.Labels < 1 || len(e.Methods) == 0 {
				return usage.Errorf("no sizes, no methods, or --labels %d: expected some, and at least 1", e.Labels)
			}
			if err := checkThreads(e.Rounds, e.Threads); err != nil {
				return err
			}
			if e.Program, err = findProgram(program); err != nil {
				return err
			}
			e.Log = logTo(std)
			lines := product[[]bench.ScalingPoint]{outputs.File{Flag: "csv", Name: csvOut}, bench.WriteScalingCSV}
			return record(cmd.Context(), std, nil, e.Run, table(out, bench.WriteScaling), lines, figure(plotted, plot.Scaling))
		},
	}
	f := cmd.Flags()
	bindProgram(cmd, &program)
	randomFlags(cmd, &kind, &random)
	f.IntSliceVar(&e.Nodes, "nodes", []int{100_000, 1_000_000, 10_000_000}, "sizes")
	f.IntVar(&e.Labels, "labels", 10, "labelled nodes a class")
	f.Uint64Var(&e.Seed, "seed", 1, "seed of the graphs")
	f.StringSliceVar(&e.Methods, "methods", []string{"lgc", "adp"}, "methods of run, and features")
	f.IntSliceVar(&e.Threads, "threads", []int{2}, "numbers of threads")
	f.IntVar(&e.Rounds, "rounds", 1, "runs of each size, method and number of threads")
	f.BoolVar(&e.CSR, "csr", false, "runs map a .csr file (by default they read an edge list)")
	f.StringSliceVar(&e.Args, "run-args", []string{"--select", "fast"}, "further arguments of run, separated by commas; without --select, adp does more for small graphs than for large ones")
	f.StringVar(&e.Dir, "dir", "", "folder for the graphs while they are needed (default: the system's for temporary files)")
	f.StringVar(&out, "out", "-", "the tables")
	f.StringVar(&csvOut, "csv", "", "every run, as csv")
	f.StringVar(&plotted, "plot", "", "figure of time and memory against size, .svg or .png")
	return cmd
}

// randomFlags are those of a random graph whose size is another flag.
func randomFlags(cmd *cobra.Command, kind *string, opt *gen.Options) {
	f := cmd.Flags()
	f.StringVar(kind, "kind", "geometric", "random graph: planted, rmat or geometric")
	f.Float64Var(&opt.Degree, "degree", 10, "mean number of neighbours of the random graph")
	f.IntVar(&opt.Classes, "classes", 10, "classes of the random graph")
}

func checkThreads(rounds int, threads []int) error {
	if len(threads) == 0 {
		return usage.Errorf("--threads: expected at least one number")
	}
	for _, t := range threads {
		if err := checkTurns(rounds, t); err != nil {
			return err
		}
	}
	return nil
}
