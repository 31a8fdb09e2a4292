package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/bench"
	"github.com/adp-sparse/adp-sparse/cmd/internal/outputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
	"github.com/adp-sparse/adp-sparse/internal/figures"
)

func newMemory(std streams.Stdio) *cobra.Command {
	var out, program string
	var names []string
	e := bench.Memory{}
	cmd := &cobra.Command{
		Use:   "memory --dir DIR",
		Short: "What run says that it needs beside what it takes, and runs under random limits",
		Long: `Make graphs of 10^4 to 10^7 nodes in a folder, where they stay, run on each and
compare the estimate with the largest resident memory of the process. With
--limits, run on each under random limits too: every run must end well or refuse.`,
		Example: "  adp-bench memory --dir graphs --limits 30 --out table.md",
		Args:    usage.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			for _, g := range bench.MemoryGraphs {
				chosen := len(names) == 0
				for _, name := range names {
					chosen = chosen || strings.HasPrefix(g.Name, name)
				}
				if chosen {
					e.Graphs = append(e.Graphs, g)
				}
			}
			if e.Dir == "" || len(e.Graphs) == 0 || e.Limits < 0 || len(e.Kinds) == 0 {
				return usage.Errorf("say where graphs are made (--dir), beginnings of names of graphs, no negative number of runs, and kinds of limits")
			}
			for _, kind := range e.Kinds {
				if !slices.Contains(bench.LimitKinds, kind) {
					return usage.Errorf("--limit-kinds %q, expected some of %s", kind, strings.Join(bench.LimitKinds, ", "))
				}
			}
			if err := os.MkdirAll(e.Dir, 0o755); err != nil {
				return err
			}
			if e.Program, err = findProgram(program); err != nil {
				return err
			}
			e.Each = func(r bench.MemoryRecord) {
				fmt.Fprintf(std.Err, "%s: %s estimated, %s peak, ratio %.2f; under limits %v\n", r.Name, figures.Bytes(r.Estimated), figures.Bytes(r.Peak), r.Ratio(), r.Ended)
			}
			records, err := e.Run(cmd.Context())
			if err != nil {
				return err
			}
			return outputs.Write(out, std, func(w io.Writer) error { return bench.WriteMemory(w, records) })
		},
	}
	f := cmd.Flags()
	bindProgram(cmd, &program)
	f.StringVar(&e.Dir, "dir", "", "folder for the graphs")
	f.StringSliceVar(&names, "graphs", nil, "beginnings of the names of graphs, such as 1e4 (default all)")
	f.IntVar(&e.Limits, "limits", 0, "runs of each graph under a random limit")
	f.StringSliceVar(&e.Kinds, "limit-kinds", bench.LimitKinds[:3], "kinds of limits, in turn: "+strings.Join(bench.LimitKinds, ", ")+" (which takes the rights of root)")
	f.Uint64Var(&e.Seed, "seed", 1, "seed of the limits")
	f.StringSliceVar(&e.Args, "run-args", nil, "further arguments of run, separated by commas")
	f.StringVar(&out, "out", "-", "the table")
	return cmd
}
