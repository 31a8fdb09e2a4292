package main

import (
	"fmt"
	"io"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/adp-sparse/adp-sparse/adp"
)

// bar shows how much of some work is done, with the time left: on a terminal only.
type bar struct {
	shown *progressbar.ProgressBar // nil when nothing is shown
	done  chan struct{}
}

// unknown is the total of work of which nothing tells how much there is: a bar of it shows
// the time that it takes.
const unknown = -1

// sign is the longest time that a bar stands still.
const sign = time.Second

// newBar returns a bar for work of so many steps, or bytes. It must be ended.
func newBar(w io.Writer, what string, total int64, bytes bool) bar {
	f := consoleOf(w).terminal()
	if total == 0 || f == nil {
		return bar{}
	}
	b := bar{done: make(chan struct{}), shown: progressbar.NewOptions64(total,
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
func (b bar) tick(clock *time.Ticker) {
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

// describe changes what the bar says of the work.
func (b bar) describe(format string, args ...any) {
	if b.shown != nil {
		b.shown.Describe(fmt.Sprintf(format, args...))
	}
}

// set says how much is done, add how much more.
func (b bar) set(done int) {
	if b.shown != nil {
		_ = b.shown.Set(done) // a terminal that cannot be written to is no fault of the work
	}
}

func (b bar) add(more int) {
	if b.shown != nil {
		_ = b.shown.Add(more)
	}
}

// end takes the bar away.
func (b bar) end() {
	if b.shown != nil {
		close(b.done)
		_ = b.shown.Finish()
	}
}

// readingBar is the size of a file from which on a bar shows how much of it has been
// read.
const readingBar = 16 << 20

// shownFile is a file with a bar of the bytes that are read in order.
type shownFile struct {
	stoppable
	bar bar
}

func (f shownFile) Read(b []byte) (int, error) {
	n, err := f.stoppable.Read(b)
	f.bar.add(n)
	return n, err
}

// progress shows how far a run is.
type progress struct {
	bar bar
	log *console
}

// perRound is the number of steps of the bar that one A-step is.
const perRound = 1000

func newProgress(w io.Writer, rounds int) *progress {
	total := int64(rounds) * perRound
	if rounds == 0 {
		total = unknown
	}
	return &progress{log: consoleOf(w), bar: newBar(w, "round 0", total, false)}
}

// round is the observer of a run.
func (p *progress) round(r adp.Round) {
	p.log.event("round", r)
	p.bar.describe("after round %d, residual %.1e", r.Index, r.Solve.Residual)
	p.bar.set(r.Index * perRound)
}

// add counts a share of an A-step.
func (p *progress) add(share float64) { p.bar.add(int(share * perRound)) }

func (p *progress) end() { p.bar.end() }
