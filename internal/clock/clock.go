// Package clock measures the phases of a command by wall time.
package clock

import (
	"context"
	"time"
)

// The phases of a command, as reports name them.
const (
	Read      = "read"
	Neighbors = "neighbors"  // the graph of the features
	Rivals    = "rivals"     // other graphs of them, and the choice among all
	Prepare   = "prepare"    // checks, the order of the nodes, S
	LGC       = "lgc"        // round 0, or the only one
	ASteps    = "a_steps"    // of the rounds
	FSteps    = "f_steps"    // that follow them, with the measures of their labels
	Folds     = "folds"      // of left-out seeds: trial and class prior
	Pool      = "pool"       // the methods of the feature step
	PoolFolds = "pool_folds" // the same on left-out seeds
	Calibrate = "calibrate"
	Examine   = "examine" // measures of the result, and pictures, for its report
	Write     = "write"
	Other     = "other"

	Total = "total" // the sum of all
)

// Phases are the phases of a run, in their order, and their titles.
var Phases = []struct{ Key, Title string }{
	{Read, "read"},
	{Neighbors, "neighbours"},
	{Rivals, "other graphs"},
	{Prepare, "prepare"},
	{LGC, "LGC"},
	{ASteps, "A-steps"},
	{FSteps, "F-steps"},
	{Folds, "folds"},
	{Pool, "feature step"},
	{PoolFolds, "its folds"},
	{Calibrate, "calibrate"},
	{Examine, "examine"},
	{Write, "write"},
	{Other, "other"},
}

// Stopwatch measures the phases of a command. It is for one goroutine.
type Stopwatch struct {
	last    time.Time
	lap     float64 // seconds of the lap so far, less its parts
	inside  bool    // a part
	Seconds map[string]float64
}

func New() *Stopwatch { return &Stopwatch{last: time.Now(), Seconds: map[string]float64{}} }

// since returns the seconds since it was last asked.
func (s *Stopwatch) since() float64 {
	last := s.last
	s.last = time.Now()
	return s.last.Sub(last).Seconds()
}

// Lap ends a lap, whose time belongs to a phase, less its parts.
func (s *Stopwatch) Lap(phase string) {
	s.add(phase, s.lap+s.since())
	s.lap = 0
}

func (s *Stopwatch) add(phase string, seconds float64) {
	s.Seconds[phase] += seconds
	s.Seconds[Total] += seconds
}

type key struct{}

// With returns a context whose work s measures.
func With(ctx context.Context, s *Stopwatch) context.Context { return context.WithValue(ctx, key{}, s) }

// Part begins a part of a lap that is a phase of its own, and returns its end. A part of a part counts
// for the outer one: the A-steps of a fold are time of the folds. Without a stopwatch it does nothing.
func Part(ctx context.Context, phase string) (end func()) {
	s, _ := ctx.Value(key{}).(*Stopwatch)
	if s == nil || s.inside {
		return func() {}
	}
	s.lap += s.since()
	s.inside = true
	return func() {
		s.add(phase, s.since())
		s.inside = false
	}
}
