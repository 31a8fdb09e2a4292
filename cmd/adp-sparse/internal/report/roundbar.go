package report

import (
	"io"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/cmd/internal/progress"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
)

// RoundBar shows the rounds of a run as a bar.
type RoundBar struct {
	bar progress.Bar
	log *streams.Console
}

// perRound is the number of steps of the bar for one A-step.
const perRound = 1000

func NewRoundBar(w io.Writer, rounds int) *RoundBar {
	total := int64(rounds) * perRound
	if rounds == 0 {
		total = progress.Unknown
	}
	return &RoundBar{log: streams.ConsoleOf(w), bar: progress.New(w, "round 0", total, false)}
}

// Round is the observer of a run.
func (p *RoundBar) Round(r adp.Round) {
	p.log.Event("round", r)
	p.bar.Describe("after round %d, residual %.1e", r.Index, r.Solve.Residual)
	p.bar.Set(r.Index * perRound)
}

// Add counts a share of an A-step.
func (p *RoundBar) Add(share float64) { p.bar.Add(int(share * perRound)) }

func (p *RoundBar) End() { p.bar.End() }
