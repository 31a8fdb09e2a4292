package bench

import (
	"io"
	"math"

	"github.com/adp-sparse/adp-sparse/internal/clock"
)

// Spent says where the time of a whole run went, of the run with the median wall time.
type Spent struct {
	Run     string
	Wall    float64
	Seconds map[string]float64 // by phase ([clock.Phases]); they add up to Wall
}

// spent returns that of runs and what they reported. Other also has what a run cannot report: its
// start, its report and its end.
func spent(name string, runs []sample, facts []runFacts) Spent {
	middle, median := 0, medianOf(runs, wallOf)
	for r := range runs {
		if math.Abs(runs[r].Wall-median) < math.Abs(runs[middle].Wall-median) {
			middle = r
		}
	}
	s := Spent{Run: name, Wall: runs[middle].Wall, Seconds: map[string]float64{clock.Other: runs[middle].Wall}}
	for _, phase := range clock.Phases {
		if phase.Key != clock.Other {
			took := facts[middle].Seconds[phase.Key]
			s.Seconds[phase.Key] = took
			s.Seconds[clock.Other] -= took
		}
	}
	return s
}

// WriteSpent writes a row a phase and a column a run: seconds, and their share of the whole.
func WriteSpent(w io.Writer, runs []Spent) error {
	header := []string{"phase"}
	for _, s := range runs {
		header = append(header, s.Run+": s", "%")
	}
	table := NewTable(header...)
	row := func(title string, took func(Spent) float64) {
		cells, any := []string{title}, false
		for _, s := range runs {
			if v := took(s); v < 0.00005 { // 0.0000
				cells = append(cells, "–", "–")
			} else {
				cells, any = append(cells, seconds(v), number("%.1f", 100*v/s.Wall)), true
			}
		}
		if any {
			table.Add(cells...)
		}
	}
	for _, phase := range clock.Phases {
		row(phase.Title, func(s Spent) float64 { return s.Seconds[phase.Key] })
	}
	row("whole", func(s Spent) float64 { return s.Wall })
	return table.Write(w)
}
