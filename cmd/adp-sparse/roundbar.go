package main

import (
	"io"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/cmd/internal/progress"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
)

// roundBar shows how far a run is.
type roundBar struct {
	bar progress.Bar
	log *streams.Console
}

// perRound is the number of steps of the bar that one A-step is.
const perRound = 1000

func newRoundBar(w io.Writer, rounds int) *roundBar {
	total := int64(rounds) * perRound
	if rounds == 0 {
		total = progress.Unknown
	}
	return &roundBar{log: streams.ConsoleOf(w), bar: progress.New(w, "round 0", total, false)}
}

// round is the observer of a run.
func (p *roundBar) round(r adp.Round) {
	p.log.Event("round", r)
	p.bar.Describe("after round %d, residual %.1e", r.Index, r.Solve.Residual)
	p.bar.Set(r.Index * perRound)
}

// add counts a share of an A-step.
func (p *roundBar) add(share float64) { p.bar.Add(int(share * perRound)) }

func (p *roundBar) end() { p.bar.End() }
