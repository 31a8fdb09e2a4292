// Command adp-sparse labels the nodes of large graphs from a few known
// labels, and learns the graph on the way. See the README.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
)

func main() {
	// A crash exits 134 and so never looks like a usage error (2).
	debug.SetTraceback("crash")
	if os.Getenv("GOGC") == "" {
		// The heap is a few large arrays without pointers: collecting often is
		// cheap, and the default would let it grow to twice what is in use.
		debug.SetGCPercent(20)
	}
	// A reader of standard output that leaves is an error of writing: the default would end
	// the program at once and leave temporary files.
	signal.Ignore(syscall.SIGPIPE)
	os.Exit(endRanks(execute(untilSignal(), os.Args[1:], stdio{os.Stdin, os.Stdout, os.Stderr})))
}

// interrupted is why the context of the program ended.
type interrupted struct{ signal syscall.Signal }

func (i interrupted) Error() string { return "interrupted by signal: " + i.signal.String() }

// untilSignal returns a context that the first interrupt or termination
// ends. The second has its usual effect: the program stops at once.
func untilSignal() context.Context {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		caught, _ := (<-signals).(syscall.Signal)
		signal.Stop(signals)
		cancel(interrupted{caught})
	}()
	return ctx
}
