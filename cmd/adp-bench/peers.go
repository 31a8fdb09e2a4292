package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/bench"
	"github.com/adp-sparse/adp-sparse/cmd/internal/outputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
)

func newFStep(std streams.Stdio) *cobra.Command {
	var dir, set, out, program string
	e := bench.LabelSteps{}
	cmd := &cobra.Command{
		Use:   "fstep --data DIR --set NAME",
		Short: "Label spreading beside scikit-learn (features) or networkx (edges)",
		Long: `Spread labels over a set's graph to a relative residual, in turn with
scikit-learn's LabelSpreading (kernel knn) where the set has features and with
networkx where it has edges: the step alone (iterate), and the whole way from
the features or the edge list to labels (whole; ours as a process of its own,
reading and writing included). Peers do as many iterations as the same residual
takes on their own matrix. Times are medians.`,
		Example: "  adp-bench fstep --data sets --set mnist --peers bench/peers --python /usr/bin/python3",
		Args:    usage.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if e.Set, err = bench.ParseSet(dir, set); err != nil {
				return usage.Error{Err: err}
			}
			if !(e.Alpha > 0 && e.Alpha < 1) || !(e.Tolerance > 0 && e.Tolerance < 1) || e.PerClass < 1 || e.K < 1 {
				return usage.Errorf("--alpha %v, --tolerance %v, --labels %d, --k %d: expected two numbers between 0 and 1, and at least 1", e.Alpha, e.Tolerance, e.PerClass, e.K)
			}
			if err := checkTurns(e.Rounds, e.Threads); err != nil {
				return err
			}
			if e.Program, err = findProgram(program); err != nil {
				return err
			}
			e.Log = logTo(std)
			return record(cmd.Context(), std, setInputs(e.Set), e.Run, table(out, func(w io.Writer, t *bench.LabelStepTimes) error { return t.Write(w) }))
		},
	}
	f := cmd.Flags()
	bindProgram(cmd, &program)
	f.StringVar(&dir, "data", ".", "folder of the sets")
	f.StringVar(&set, "set", "", "NAME[@KIND], KIND edges or knn")
	f.IntVar(&e.PerClass, "labels", 10, "labelled nodes a class")
	f.Float64Var(&e.Alpha, "alpha", 0.99, "diffusion weight α")
	f.Float64Var(&e.Tolerance, "tolerance", 1e-6, "relative residual")
	f.IntVar(&e.K, "k", 10, "neighbours, where the graph is made of features")
	f.StringSliceVar(&e.Args, "run-args", nil, "further arguments of run, separated by commas")
	f.Uint64Var(&e.Seed, "seed", 1, "seed of the draw of labels")
	turnFlags(cmd, &e.Rounds, &e.Threads, 3, 2)
	peerFlags(cmd, &e.Peers, &e.Python)
	f.StringVar(&out, "out", "-", "the table")
	return cmd
}

func newAStep(std streams.Stdio) *cobra.Command {
	var out string
	e := bench.AffinitySteps{}
	cmd := &cobra.Command{
		Use:   "astep",
		Short: "The product of an A-step with its top k beside a C program",
		Long: `Time the k largest entries of each row of S·A·Sᵀ, A = S, in turn with a C
program with a dense accumulator that is compiled on the spot, and the A-step as
it is in a run, with label factor and made symmetric. A row has about twice
--degree entries. What the programs keep must add up to the same.`,
		Example: "  adp-bench astep --nodes 100000 --peers bench/peers",
		Args:    usage.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if e.Nodes < 2 || e.Degree < 1 || e.Degree >= e.Nodes || e.TopK < 1 || e.TopK >= e.Nodes-1 || e.Classes < 1 {
				return usage.Errorf("--nodes %d, --degree %d, --topk %d, --classes %d: expected at least 2, 1, 1 and 1, and fewer neighbours than nodes", e.Nodes, e.Degree, e.TopK, e.Classes)
			}
			if err := checkTurns(e.Rounds, e.Threads); err != nil {
				return err
			}
			e.Log = logTo(std)
			t, err := e.Run(cmd.Context())
			if err != nil {
				return err
			}
			return outputs.Write(out, std, t.Write)
		},
	}
	f := cmd.Flags()
	f.IntVar(&e.Nodes, "nodes", 100_000, "rows of S")
	f.IntVar(&e.Degree, "degree", 7, "entries a row of the pattern, before it is made symmetric")
	f.StringVar(&e.Pattern, "pattern", "random", "pattern of S: "+strings.Join(bench.Patterns, ", "))
	f.IntVar(&e.TopK, "topk", 32, "entries kept a row")
	f.IntVar(&e.Classes, "classes", 10, "classes of the whole A-step")
	f.Uint64Var(&e.Seed, "seed", 1, "seed of the matrix")
	turnFlags(cmd, &e.Rounds, &e.Threads, 5, 1)
	f.StringVar(&e.Peers, "peers", "", "folder of the peers' sources, bench/peers (default none)")
	f.StringVar(&out, "out", "-", "the table")
	return cmd
}

func newKNN(std streams.Stdio) *cobra.Command {
	var dir, set, out string
	e := bench.Neighbors{}
	cmd := &cobra.Command{
		Use:   "knn (--data DIR --set NAME | --nodes N --dims D)",
		Short: "Nearest neighbours beside faiss (exact) and hnswlib (approximate)",
		Long: `Time the k nearest neighbours of all points of a set's features, or of clustered
points, exact and approximate, in turn with faiss IndexFlatL2 and with hnswlib
(M = 16, ef_construction = 100; building counts; the least ef with the recall
asked for). Points are in memory. Times are medians.`,
		Example: `  adp-bench knn --data sets --set mnist --peers bench/peers --python /usr/bin/python3
  adp-bench knn --nodes 1000000 --dims 64 --programs approx,hnswlib --rounds 1 --peers bench/peers`,
		Args: usage.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var inputs []outputs.File
			if set != "" {
				s, err := bench.ParseSet(dir, set+"@knn")
				if err != nil {
					return usage.Error{Err: err}
				}
				e.Set = &s
				inputs = setInputs(s)
			} else if e.Nodes < 2 || e.Dims < 1 {
				return usage.Errorf("--nodes %d --dims %d: expected a set, or at least 2 and 1", e.Nodes, e.Dims)
			}
			if e.K < 1 || !(e.Recall > 0 && e.Recall <= 1) {
				return usage.Errorf("--k %d --recall %v: expected at least 1, and above 0 to 1", e.K, e.Recall)
			}
			if err := checkTurns(e.Rounds, e.Threads); err != nil {
				return err
			}
			e.Log = logTo(std)
			return record(cmd.Context(), std, inputs, e.Run, table(out, func(w io.Writer, t *bench.NeighborTimes) error { return t.Write(w) }))
		},
	}
	f := cmd.Flags()
	f.StringVar(&dir, "data", ".", "folder of the sets")
	f.StringVar(&set, "set", "", "a set with dense features (default: clustered points)")
	f.IntVar(&e.Nodes, "nodes", 100_000, "clustered points")
	f.IntVar(&e.Dims, "dims", 64, "coordinates of clustered points")
	f.IntVar(&e.K, "k", 10, "neighbours a point")
	f.Float64Var(&e.Recall, "recall", 0.99, "recall of the approximate searches")
	f.StringSliceVar(&e.Programs, "programs", bench.NeighborPrograms, "what takes part")
	f.Uint64Var(&e.Seed, "seed", 1, "seed of the points")
	turnFlags(cmd, &e.Rounds, &e.Threads, 3, 2)
	peerFlags(cmd, &e.Peers, &e.Python)
	f.StringVar(&out, "out", "-", "the table")
	return cmd
}

func turnFlags(cmd *cobra.Command, rounds, threads *int, ofRounds, ofThreads int) {
	cmd.Flags().IntVar(rounds, "rounds", ofRounds, "runs of each program, in turn")
	cmd.Flags().IntVar(threads, "threads", ofThreads, "threads of all programs")
}

func peerFlags(cmd *cobra.Command, folder, python *string) {
	cmd.Flags().StringVar(folder, "peers", "", "folder of the peers' sources, bench/peers (default none)")
	cmd.Flags().StringVar(python, "python", "python3", "the Python that has the peers' modules")
}

func checkTurns(rounds, threads int) error {
	if rounds < 1 || threads < 1 || threads > 4096 {
		return usage.Errorf("--rounds %d --threads %d, expected at least 1", rounds, threads)
	}
	return nil
}

func logTo(std streams.Stdio) func(format string, args ...any) {
	return func(format string, args ...any) { fmt.Fprintf(std.Err, format+"\n", args...) }
}
