package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/demo"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/diffusion"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/predict"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/run"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/serve"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/tables"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/tune"
	"github.com/adp-sparse/adp-sparse/cmd/internal/configfile"
	"github.com/adp-sparse/adp-sparse/cmd/internal/program"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
)

// execute runs the command line and returns the exit code.
func execute(ctx context.Context, args []string, std streams.Stdio) int {
	return program.Run(ctx, args, std, newRoot)
}

// fileFlags are the flags of files, of all commands.
var fileFlags = configfile.Files{
	Written: []string{"out", "report", "graph-out", "nodes-out", "neighbors-out", "distances-out", "features-out", "labels-out", "seeds-out", "model", "checkpoint"},
	Others: []string{
		"items", "items-root",
		"edges", "graph", "labels", "features", "neighbors", "distances", "similarities", "nodes", "points", "learned", "warm", "predictions", "truth",
		"part-of", "token-file", "dir", "scratch", "pictures", "write",
	},
}

func newRoot(std streams.Stdio) *cobra.Command {
	root := &cobra.Command{
		Use:   "adp-sparse",
		Short: "Label the nodes of a large graph from a few known labels, and learn the graph",
		Long: `adp-sparse takes a graph and the labels of a few of its nodes. It gives every
other node a label and a confidence, and returns the learned graph, by the
alternating diffusion process: labels diffuse over the graph, the graph is
rebuilt with the labels' help, again and again.

Exit codes: 0 ok, 1 bad data, 2 usage, 3 input/output, 4 memory limit,
5 internal error, 6 not converged (--require-converged), 130/143 interrupted, 141 the reader of standard output left.`,
		Example: `  adp-sparse demo
  adp-sparse run --edges graph.tsv.gz --labels seeds.tsv --out labels.tsv
  adp-sparse run --config study.toml --log json 2>log.jsonl
  source <(adp-sparse completion bash)`,
	}
	program.Frame(root, std, fileFlags, func(cmd *cobra.Command) bool {
		return cmd.Name() == "run" && run.LaunchedAs() > 0 // one run over several processes begins once
	})
	root.AddCommand(run.New(std), predict.New(std), tune.New(std), tables.NewKNN(std), tables.NewConvert(std), tables.NewPartition(std), tables.NewGen(std), tables.NewEval(std), diffusion.NewExplain(std), diffusion.NewSuggest(std), serve.New(std), tables.NewInspect(std), demo.New(std), newBench(), newMan(std))
	bindHelp(root)
	return root
}

// newBench is a command that has moved to adp-bench: its error says so.
func newBench() *cobra.Command {
	return &cobra.Command{
		Use: "bench", Hidden: true, DisableFlagParsing: true,
		RunE: func(_ *cobra.Command, args []string) error {
			return usage.Errorf("bench is a program of its own, adp-bench: say %s", strings.Join(append([]string{"adp-bench"}, args...), " "))
		},
	}
}
