package main

import (
	"context"
	"fmt"
	"io"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// stdio is where a command reads and writes.
type stdio struct {
	in       io.Reader
	out, err io.Writer
}

// execute runs the command line and returns the exit code.
func execute(ctx context.Context, args []string, std stdio) int {
	root := newRoot(std)
	root.SetArgs(args)
	root.SetIn(std.in)
	root.SetOut(std.out)
	root.SetErr(std.err)
	return report(ctx, std.err, root.ExecuteContext(ctx))
}

func newRoot(std stdio) *cobra.Command {
	root := &cobra.Command{
		Use:   "adp-sparse",
		Short: "Label the nodes of a large graph from a few known labels, and learn the graph",
		Long: `adp-sparse takes a graph and the labels of a few of its nodes. It gives every
other node a label and a confidence, and returns the learned graph, by the
alternating diffusion process: labels diffuse over the graph, the graph is
rebuilt with the labels' help, again and again.

Exit codes: 0 ok, 1 bad data, 2 usage, 3 input/output, 4 memory limit,
5 internal error, 6 not converged (--require-converged), 130/143 interrupted.`,
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	root.AddCommand(newRun(std), newTune(std), newKNN(std), newConvert(std), newPartition(std), newGen(std), newEval(std), newExplain(std), newInspect(std), newDemo(std), newBench(std), newVersion(std))
	return root
}

// noArgs refuses arguments that are no flags.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usageError{fmt.Errorf("unexpected argument %q; see %s --help", args[0], cmd.CommandPath())}
	}
	return nil
}

func newVersion(std stdio) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  noArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(std.out, "adp-sparse", version())
			return err
		},
	}
}

// version is the module's version as the Go tool recorded it.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version + " " + info.GoVersion
}
