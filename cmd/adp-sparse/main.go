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
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := execute(ctx, os.Args[1:], stdio{os.Stdin, os.Stdout, os.Stderr})
	stop()
	os.Exit(code)
}
