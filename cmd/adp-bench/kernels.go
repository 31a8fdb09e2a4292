package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/bench"
	"github.com/adp-sparse/adp-sparse/cmd/internal/outputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
)

func newKernels(std streams.Stdio) *cobra.Command {
	var out string
	e := bench.Kernels{}
	cmd := &cobra.Command{
		Use:   "kernels",
		Short: "The sparse-dense product beside hand-written C, SciPy and GraphBLAS",
		Long: `Time Y = A·X for matrices of three patterns and several numbers of columns,
in turn with the peers in the folder --peers: C compiled on the spot, SciPy, and
GraphBLAS where its library is installed. A peer that cannot run is left out.
Times are medians of processor time, of wall time with more than one thread.`,
		Example: "  adp-bench kernels --peers bench/peers --python /usr/bin/python3",
		Args:    usage.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if e.Nodes < 2 || e.Degree < 1 || e.Rounds < 1 || len(e.Columns) == 0 {
				return usage.Error{Err: fmt.Errorf("%d nodes, degree %d, %d rounds, columns %v: expected at least 2, 1, 1 and one number", e.Nodes, e.Degree, e.Rounds, e.Columns)}
			}
			for _, c := range e.Columns {
				if c < 1 {
					return usage.Error{Err: fmt.Errorf("%d columns, expected at least 1", c)}
				}
			}
			e.Log = func(format string, args ...any) { fmt.Fprintf(std.Err, format+"\n", args...) }
			cases, err := e.Run(cmd.Context())
			if err != nil {
				return err
			}
			return outputs.Write(out, std, func(w io.Writer) error { return bench.WriteKernels(w, cases) })
		},
	}
	f := cmd.Flags()
	f.IntVar(&e.Nodes, "nodes", 1_000_000, "rows of A")
	f.IntVar(&e.Degree, "degree", 20, "mean entries a row")
	f.StringSliceVar(&e.Patterns, "patterns", bench.Patterns, "patterns of A")
	f.IntSliceVar(&e.Columns, "columns", []int{4, 10, 32}, "columns of X")
	f.IntVar(&e.Threads, "threads", 1, "threads of all programs")
	f.IntVar(&e.Rounds, "rounds", 7, "products of each program that are timed")
	f.Uint64Var(&e.Seed, "seed", 1, "seed of the matrices")
	f.StringVar(&e.Peers, "peers", "", "folder of the peers' sources, bench/peers (default none)")
	f.StringVar(&e.Python, "python", "python3", "the Python that has SciPy")
	f.StringVar(&out, "out", "-", "the table")
	return cmd
}
