// Package clock measures the phases of a command.
package clock

import (
	"time"
)

// Stopwatch measures the phases of a run.
type Stopwatch struct {
	last    time.Time
	Seconds map[string]float64
}

func New() *Stopwatch { return &Stopwatch{last: time.Now(), Seconds: map[string]float64{}} }

func (s *Stopwatch) Lap(phase string) {
	now := time.Now()
	lap := now.Sub(s.last).Seconds()
	s.Seconds[phase] += lap
	s.Seconds["total"] += lap
	s.last = now
}
