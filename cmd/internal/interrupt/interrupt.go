// Package interrupt ends the work of a program at a signal.
package interrupt

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// Signal is why the context of the program ended.
type Signal struct{ Signal syscall.Signal }

// Error names the signal.
func (i Signal) Error() string { return "interrupted by signal: " + i.Signal.String() }

// Context returns a context that the first interrupt or termination
// ends. The second has its usual effect: the program stops at once.
func Context() context.Context {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		caught, _ := (<-signals).(syscall.Signal)
		signal.Stop(signals)
		cancel(Signal{caught})
	}()
	return ctx
}
