package main

import (
	"fmt"
	"io"

	"github.com/schollz/progressbar/v3"

	"github.com/adp-sparse/adp-sparse/adp"
)

// progress shows how far a run is, with the time left: on a terminal only.
type progress struct {
	bar *progressbar.ProgressBar // nil when nothing is shown
	log *console
}

// perRound is the number of steps of the bar that one A-step is.
const perRound = 1000

func newProgress(w io.Writer, quiet bool, rounds int) *progress {
	log := consoleOf(w)
	f := log.terminal()
	if quiet || rounds == 0 || f == nil {
		return &progress{log: log}
	}
	return &progress{log: log, bar: progressbar.NewOptions(rounds*perRound,
		progressbar.OptionSetWriter(f),
		progressbar.OptionSetDescription("round 0"),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionThrottle(100_000_000),
		progressbar.OptionClearOnFinish(),
	)}
}

// round is the observer of a run.
func (p *progress) round(r adp.Round) {
	p.log.event("round", r)
	if p.bar != nil {
		p.bar.Describe(fmt.Sprintf("round %d, residual %.1e", r.Index, r.Solve.Residual))
		_ = p.bar.Set(r.Index * perRound) // a terminal that cannot be written to is no fault of the run
	}
}

// add counts a share of an A-step.
func (p *progress) add(share float64) {
	if p.bar != nil {
		_ = p.bar.Add(int(share * perRound))
	}
}

func (p *progress) end() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}
