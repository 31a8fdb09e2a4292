// Package interrupt ends the work of a program at a signal.
package interrupt

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// Signal is why the context of the program ended.
type Signal struct{ Signal syscall.Signal }

// Error names the signal.
func (i Signal) Error() string { return "interrupted by signal: " + i.Signal.String() }

// settling is how long after the first signal others are taken for the same one: who signals a process and its
// group, as timeout does, sends two within milliseconds.
const settling = 500 * time.Millisecond

// Context returns a context that the first interrupt or termination
// ends, or the end of the caller, as an interrupt does; left is closed then, or nil. A later signal, but for those
// within half a second, has its usual effect: the program stops at once.
func Context(left <-chan struct{}) context.Context {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		caught := syscall.SIGINT
		select {
		case <-left:
		case s := <-signals:
			caught, _ = s.(syscall.Signal)
		}
		cancel(Signal{caught})
		time.Sleep(settling)
		signal.Stop(signals)
	}()
	return ctx
}
