package clock

import (
	"context"
	"math"
	"testing"
	"time"
)

// TestParts: a part is no time of its lap, a part of a part is time of the outer one, and all add up
// to the time that passed.
func TestParts(t *testing.T) {
	const nap = 2 * time.Millisecond
	begun := time.Now()
	s := New()
	ctx := With(context.Background(), s)
	time.Sleep(nap)
	end := Part(ctx, Folds)
	time.Sleep(nap)
	inner := Part(ctx, ASteps)
	time.Sleep(nap)
	inner()
	time.Sleep(nap)
	end()
	s.Lap(Read)
	s.Lap(Write)
	passed := time.Since(begun).Seconds()
	sum := 0.0
	for _, p := range Phases {
		sum += s.Seconds[p.Key]
	}
	if total := s.Seconds[Total]; math.Abs(sum-total) > 1e-9 || total > passed || total < 4*nap.Seconds() {
		t.Errorf("%v: sum %v, total %v, %v passed", s.Seconds, sum, total, passed)
	}
	if _, counted := s.Seconds[ASteps]; counted || s.Seconds[Folds] < 3*nap.Seconds() || s.Seconds[Read] < nap.Seconds() {
		t.Errorf("%v: expected 3 naps of folds and one of read", s.Seconds)
	}
	Part(context.Background(), Folds)() // no stopwatch
}
