// Package progress shows how much of some work is done.
package progress

import (
	"fmt"
	"io"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
)

// Bar shows how much of some work is done, with the time left: on a terminal only.
type Bar struct {
	shown *progressbar.ProgressBar // nil when nothing is shown
	done  chan struct{}
}

// Unknown is the total of work of unknown size: a bar of it shows
// the time that it takes.
const Unknown = -1

// sign is the longest time that a bar stands still.
const sign = time.Second

// New returns a bar for work of total steps, or bytes. It must be ended.
func New(w io.Writer, what string, total int64, bytes bool) Bar {
	f := streams.ConsoleOf(w).Terminal()
	if total == 0 || f == nil {
		return Bar{}
	}
	b := Bar{done: make(chan struct{}), shown: progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(f),
		progressbar.OptionSetDescription(what),
		progressbar.OptionShowBytes(bytes),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionThrottle(100_000_000),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionSetSpinnerChangeInterval(0), // the clock below turns it
	)}
	b.shown.StartWithoutRender() // time counts from now on
	go b.tick(time.NewTicker(sign))
	return b
}

// tick shows the bar anew, with the time, also while nothing of the work is done.
func (b Bar) tick(clock *time.Ticker) {
	defer clock.Stop()
	for {
		select {
		case <-clock.C:
			_ = b.shown.RenderBlank()
		case <-b.done:
			return
		}
	}
}

// Describe changes what the bar says of the work.
func (b Bar) Describe(format string, args ...any) {
	if b.shown != nil {
		b.shown.Describe(fmt.Sprintf(format, args...))
	}
}

// Set says how much is done.
func (b Bar) Set(done int) {
	if b.shown != nil {
		_ = b.shown.Set(done) // a terminal that cannot be written to is no fault of the work
	}
}

// Add says how much more is done.
func (b Bar) Add(more int) {
	if b.shown != nil {
		_ = b.shown.Add(more)
	}
}

// End takes the bar away.
func (b Bar) End() {
	if b.shown != nil {
		close(b.done)
		_ = b.shown.Finish()
	}
}
