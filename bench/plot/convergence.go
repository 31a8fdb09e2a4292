package plot

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	gplot "gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/bench"
)

// Convergence draws how runs go on from round to round, as Figure 1 of the
// paper does: accuracy, ‖F − F_prev‖/‖F‖, the share of changed labels and the
// modularity of the labels on W. A row of panels a set and number of labels;
// a thin line a draw and a thick one their mean, a line a method. A method
// that tries several settings of the A-step has a line for each, from round 0.
//
// In the means of accuracy and modularity a run that has stopped counts with
// its last round; in the others it does not count. Marks on thin lines are
// the chosen rounds. A method of one round is a level line without them. The
// change of F of the literal form is not relative and is left out.
func Convergence(rounds []bench.RoundRecord) (*Figure, error) { return ofRounds(rounds, measures) }

// Collapse draws the accuracy and the share of the largest class from round to round, as
// [Convergence] draws its measures. A form that collapses puts all nodes but the seeds in one class.
func Collapse(rounds []bench.RoundRecord) (*Figure, error) {
	return ofRounds(rounds, []measure{measures[0], {name: "largest class, share", holds: true, fromZero: true, value: func(r bench.RoundRecord) float64 { return r.Largest }}})
}

// ofRounds draws measures of rounds.
func ofRounds(rounds []bench.RoundRecord, measures []measure) (*Figure, error) {
	if len(rounds) == 0 {
		return nil, ErrEmpty
	}
	f := newFigure(convergenceTitle(rounds))
	all := paths(rounds)
	nameOf := func(p path) string { return p.name }
	names := distinct(all, nameOf)
	type place struct {
		set    string
		labels int
	}
	of := func(p path) place { return place{p.rounds[0].Set, p.rounds[0].PerClass} }
	for _, at := range distinct(all, of) {
		here := having(all, of, at)
		var row []*gplot.Plot
		for _, m := range measures {
			p := newPanel(fmt.Sprintf("%s, labels a class: %d", at.set, at.labels), "round", m.name)
			for k, name := range names {
				if err := m.add(p, having(here, nameOf, name), style{k}, last(here)); err != nil {
					return nil, fmt.Errorf("set %s, %s: %w", at.set, name, err)
				}
			}
			m.scale(p, last(here))
			row = append(row, p)
		}
		f.panels = append(f.panels, row)
	}
	for k, name := range names {
		f.legend.Add(name, sample(k)...)
	}
	return f, nil
}

func convergenceTitle(rounds []bench.RoundRecord) string {
	draws := distinct(rounds, func(r bench.RoundRecord) int { return r.Draw })
	if len(draws) == 1 {
		return "Rounds of one draw of labels; marks: the chosen round"
	}
	return fmt.Sprintf("Rounds: mean (thick) of %d draws of labels (thin); marks: the chosen round of each draw", len(draws))
}

// path is what a run does with one setting of the A-step, from round 0.
type path struct {
	name   string
	rounds []bench.RoundRecord
}

// paths splits the rounds of all runs, which come in order, at the settings.
func paths(rounds []bench.RoundRecord) []path {
	several := map[string]map[adp.Setting]bool{}
	var all []path
	var start bench.RoundRecord
	var now adp.Setting
	for _, r := range rounds {
		set := r.Setting
		if several[r.Method] == nil {
			several[r.Method] = map[adp.Setting]bool{}
		}
		switch last := len(all) - 1; {
		case r.Index == 0:
			start, now = r, set
			all = append(all, path{rounds: []bench.RoundRecord{r}})
			continue
		case len(all[last].rounds) == 1 || set == now:
			all[last].rounds = append(all[last].rounds, r)
		default:
			all = append(all, path{rounds: []bench.RoundRecord{start, r}})
		}
		now = set
		several[r.Method][set] = true
	}
	for k, p := range all {
		r := p.rounds[len(p.rounds)-1]
		all[k].name = r.Method
		if len(several[r.Method]) > 1 {
			all[k].name = fmt.Sprintf("%s, top-k %d, anchor %g, graph α %g", r.Method, r.TopK, r.Anchor, r.GraphAlpha)
		}
	}
	return all
}

// last returns the largest number of A-steps of the paths.
func last(all []path) int {
	most := 0
	for _, p := range all {
		most = max(most, len(p.rounds)-1)
	}
	return most
}

// measure is what one column of panels shows.
type measure struct {
	name          string
	value         func(bench.RoundRecord) float64 // NaN where there is none
	holds         bool                            // it stays when a run has stopped
	fromZero, log bool                            // its scale
}

var measures = []measure{
	{name: "accuracy", holds: true, value: func(r bench.RoundRecord) float64 { return r.Accuracy }},
	{name: "‖ΔF‖ / ‖F‖", log: true, value: func(r bench.RoundRecord) float64 {
		if r.Index == 0 || r.Literal || r.DeltaF == 0 { // 0 is nowhere on a logarithmic scale
			return math.NaN()
		}
		return r.DeltaF
	}},
	{name: "changed labels, share", fromZero: true, value: func(r bench.RoundRecord) float64 {
		if r.Index == 0 {
			return math.NaN()
		}
		return r.ChangedShare()
	}},
	{name: "modularity on W", holds: true, value: func(r bench.RoundRecord) float64 { return r.Modularity }},
}

// add adds the paths of one name to a panel: each, and their mean. end is the
// last round of the panel.
func (m measure) add(p *gplot.Plot, draws []path, s style, end int) error {
	if len(draws) == 0 {
		return nil
	}
	var chosen plotter.XYs
	for _, d := range draws {
		var line plotter.XYs
		for step, r := range d.rounds {
			v := m.value(r)
			if math.IsNaN(v) {
				continue
			}
			line = append(line, plotter.XY{X: float64(step), Y: v})
			if r.Chosen && last(draws) > 0 {
				chosen = append(chosen, line[len(line)-1])
			}
		}
		if len(draws) > 1 && len(line) > 1 {
			if err := addLine(p, line, s.thin()); err != nil {
				return err
			}
		}
	}
	if err := addLine(p, m.mean(draws, end), s.line()); err != nil {
		return err
	}
	return addMarks(p, chosen, s)
}

func addLine(p *gplot.Plot, at plotter.XYs, s draw.LineStyle) error {
	if len(at) == 0 {
		return nil
	}
	line, err := plotter.NewLine(at)
	if err != nil {
		return err
	}
	line.LineStyle = s
	p.Add(line)
	return nil
}

// mean returns the mean of the measure over the draws, round by round. Draws
// of one round alone are a level line to the end of the panel.
func (m measure) mean(draws []path, end int) (line plotter.XYs) {
	if most := last(draws); most > 0 {
		end = most
	}
	for step := range end + 1 {
		sum, count := 0.0, 0
		for _, d := range draws {
			at := step
			if m.holds {
				at = min(step, len(d.rounds)-1)
			}
			if at >= len(d.rounds) {
				continue
			}
			if v := m.value(d.rounds[at]); !math.IsNaN(v) {
				sum += v
				count++
			}
		}
		if count > 0 {
			line = append(line, plotter.XY{X: float64(step), Y: sum / float64(count)})
		}
	}
	return line
}

// scale sets the axes of a panel: rounds from 0 to end, and whole decades
// where the measure is logarithmic.
func (m measure) scale(p *gplot.Plot, end int) {
	end = max(end, 1)
	p.X.Min, p.X.Max, p.X.Tick.Marker = 0, float64(end), roundNumbers(end)
	if end > manyRounds {
		p.X.Scale = logRounds{}
		p.X.Label.Text += " (log scale)"
	}
	switch {
	case math.IsInf(p.Y.Min, 0): // no line has a value: an empty panel
		p.Y.Min, p.Y.Max = 0, 1
		p.Y.Tick.Marker = gplot.ConstantTicks{}
	case m.log:
		p.Y.Min = math.Pow(10, math.Floor(math.Log10(p.Y.Min)))
		p.Y.Max = max(math.Pow(10, math.Ceil(math.Log10(p.Y.Max))), 10*p.Y.Min)
		p.Y.Scale, p.Y.Tick.Marker = gplot.LogScale{}, gplot.LogTicks{Prec: -1}
	case m.fromZero:
		p.Y.Min = 0
	}
}

// manyRounds is the number of rounds above which their scale is logarithmic,
// so that methods of few rounds can be read beside those of many.
const manyRounds = 12

// logRounds is the scale log(1 + round).
type logRounds struct{}

func (logRounds) Normalize(low, high, x float64) float64 {
	return (math.Log1p(x) - math.Log1p(low)) / (math.Log1p(high) - math.Log1p(low))
}

// roundNumbers are the numbers of rounds that get a tick: all of few, else 0
// and 1, 2 and 5 times the powers of 10.
func roundNumbers(end int) (ticks gplot.ConstantTicks) {
	for v := range end + 1 {
		digits := strconv.Itoa(v)
		if lead := strings.TrimRight(digits, "0"); end <= manyRounds || lead == "" || lead == "1" || lead == "2" || lead == "5" {
			ticks = append(ticks, gplot.Tick{Value: float64(v), Label: digits})
		}
	}
	return ticks
}
