// Package program is what the programs of this module have in common: how they start, the
// flags of all their commands, their version, and how they end.
package program

import (
	"context"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/cmd/internal/exits"
	"github.com/adp-sparse/adp-sparse/cmd/internal/interrupt"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
)

// Start sets up the process and runs its command line, and returns the exit code.
func Start(build func(std streams.Stdio) *cobra.Command) int {
	// A crash exits 134 and so never looks like a usage error (2).
	debug.SetTraceback("crash")
	if os.Getenv("GOGC") == "" {
		collectOften()
	}
	// A reader of standard output that leaves is an error of the write: the default would end
	// the program at once and leave temporary files.
	signal.Ignore(syscall.SIGPIPE)
	std := streams.Stdio{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}
	caller := callerOf(&std)
	defer caller.tidy()
	return Run(interrupt.Context(caller.left), os.Args[1:], std, build)
}

// collectOften lets a large heap grow by a fifth between collections: it is a few large arrays
// without pointers, so that collecting is cheap, and the default would let it grow to twice
// the memory in use. A small heap is left to the default, for which it is right: a fifth of
// it is soon full.
func collectOften() {
	runtime.AddCleanup(new(*byte), func(int) { // after the next collection
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		if metrics.Read(live); live[0].Value.Uint64() < 4<<20 {
			collectOften()
		} else {
			debug.SetGCPercent(20)
		}
	}, 0)
}

// Run runs a command line and returns the exit code. The root command is built for the
// standard streams that it is given.
func Run(ctx context.Context, args []string, std streams.Stdio, build func(std streams.Stdio) *cobra.Command) int {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1)) // commands set it, and a process may run several
	log := streams.ConsoleOf(std.Err)
	log.JSON = strings.Contains(strings.Join(args, " ")+" ", "--log json ") || slices.Contains(args, "--log=json") // for errors of flags too
	defer log.Flush()
	std.Err = log
	std.In = streams.NewInput(ctx, std.In)
	out := streams.NewOutput(std.Out)
	std.Out = out
	root := build(std)
	if slices.Equal(args, []string{"--version"}) {
		args = []string{"version"}
	}
	root.SetArgs(args)
	root.SetIn(std.In)
	root.SetOut(std.Out)
	root.SetErr(std.Err)
	usage.Strict(root)
	usage.Once(root)
	cmd, err := root.ExecuteContextC(ctx)
	err = usage.AdvisedCommand(root, err)
	if err == nil {
		err = out.Failed() // of help, and of tables: who printed them did not look
	}
	has := func(flag string) bool { return cmd != nil && slices.Contains(usage.FlagNames(cmd), flag) }
	return exits.Report(ctx, std.Err, root.Name(), has, err)
}
