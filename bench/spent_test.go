package bench

import (
	"math"
	"strings"
	"testing"
)

// TestSpent: the phases of the run with the median time add up to its wall time, and the table says so.
func TestSpent(t *testing.T) {
	runs := []sample{{Wall: 9}, {Wall: 4}, {Wall: 1}}
	facts := []runFacts{{}, {Seconds: map[string]float64{"read": 1, "lgc": 2, "other": 0.25, "total": 3.25}}, {}}
	s := spent("lgc, 1 thread", runs, facts)
	sum := 0.0
	for _, took := range s.Seconds {
		sum += took
	}
	if s.Wall != 4 || math.Abs(sum-4) > 1e-12 || s.Seconds["other"] != 1 {
		t.Errorf("%+v: sum %v, expected the wall time of the middle run, 4 s, and 1 s of other", s, sum)
	}
	var text strings.Builder
	if err := WriteSpent(&text, []Spent{s}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| phase | lgc, 1 thread: s | %     |", "| read  | 1.00             | 25.0  |", "| whole | 4.00             | 100.0 |"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
	if strings.Contains(text.String(), "folds") {
		t.Errorf("a row of a phase that took no time:\n%s", text.String())
	}
}
