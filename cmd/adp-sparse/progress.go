package main

import (
	"fmt"
	"io"
	"os"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/adp-sparse/adp-sparse/adp"
)

// progress shows how far a run is, with the time left: on a terminal only.
type progress struct {
	bar *progressbar.ProgressBar // nil when nothing is shown
}

// perRound is the number of steps of the bar that one A-step is.
const perRound = 1000

func newProgress(w io.Writer, quiet bool, rounds int) *progress {
	f, ok := w.(*os.File)
	if quiet || rounds == 0 || !ok || !term.IsTerminal(int(f.Fd())) {
		return &progress{}
	}
	return &progress{bar: progressbar.NewOptions(rounds*perRound,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription("round 0"),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionThrottle(100_000_000),
		progressbar.OptionClearOnFinish(),
	)}
}

// round is the observer of a run.
func (p *progress) round(r adp.Round) {
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
