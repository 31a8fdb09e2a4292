package bench

import (
	"context"
	"fmt"
	"io"

	"github.com/adp-sparse/adp-sparse/adp"
)

// Sensitivity is an experiment: the accuracy of ADP against one option at a time, all others as they
// are. Each value is tried in two forms: one setting alone, of which the last round counts, and the
// program, which chooses.
type Sensitivity struct {
	Sets     []Set
	PerClass int // labelled nodes a class
	Draws    int
	Seed     uint64
	Each     func(Cell) // for each finished cell; may be nil
}

// KnobPoint is the accuracy of a form of ADP with a value of an option: one a draw.
type KnobPoint struct {
	Set, Form, Knob string
	Value           float64
	Accuracy        []float64
}

// Mean returns the mean and the standard deviation of the draws.
func (p KnobPoint) Mean() (mean, sd float64) { return Cell{Accuracy: p.Accuracy}.Mean() }

// Forms are the names of the two forms of [Sensitivity].
func Forms() []string { return []string{"one setting, last round", "the program"} }

// knob is an option of both forms.
type knob struct {
	name         string
	values       []float64
	alone, whole func(o *adp.Options, v float64)
}

func knobs() []knob {
	alpha := func(o *adp.Options, v float64) { o.Alpha = v }
	zeta := func(o *adp.Options, v float64) {
		if o.Zeta = v; v == 0 {
			o.Zeta = -1 // 0 is the default
		}
	}
	rounds := func(o *adp.Options, v float64) { o.Rounds = int(v) }
	return []knob{
		{"α", []float64{0.5, 0.8, 0.9, 0.95, 0.99, 0.999}, alpha, alpha},
		{"ζ", []float64{0, 0.1, 0.25, 0.5, 1, 2, 5}, zeta, zeta},
		{"k", []float64{2, 3, 5, 10, 20, 40}, func(o *adp.Options, v float64) { o.TopK = int(v) }, func(o *adp.Options, v float64) {
			o.Select, o.Settings = adp.Full, []adp.Setting{{TopK: int(v), Anchor: 0.5, GraphAlpha: 0.9}, {TopK: int(v), GraphAlpha: 0.9}, {TopK: int(v), GraphAlpha: 0.99}}
		}},
		{"rounds", []float64{1, 2, 4, 8, 16, 32}, rounds, rounds},
	}
}

// methods returns the forms of each value of each option, in the order of the points.
func (e Sensitivity) methods() (methods []Method, points []KnobPoint) {
	for _, k := range knobs() {
		for _, v := range k.values {
			alone := adp.Options{Select: adp.None, Anchor: -1, MinChange: -1, Beta: 1e-12}
			whole := adp.Options{}
			k.alone(&alone, v)
			k.whole(&whole, v)
			for f, opt := range []adp.Options{alone, whole} {
				form := Forms()[f]
				methods = append(methods, Method{Name: fmt.Sprintf("%s, %s %g", form, k.name, v), Options: opt})
				points = append(points, KnobPoint{Form: form, Knob: k.name, Value: v})
			}
		}
	}
	return methods, points
}

// Run does the experiment. A set with too few labelled nodes has no points.
func (e Sensitivity) Run(ctx context.Context) ([]KnobPoint, error) {
	methods, points := e.methods()
	a := Accuracy{Sets: e.Sets, Methods: methods, PerClass: []int{e.PerClass}, Draws: e.Draws, Seed: e.Seed, Each: e.Each}
	cells, err := a.Run(ctx)
	if err != nil {
		return nil, err
	}
	all := make([]KnobPoint, len(cells))
	for i, c := range cells {
		all[i] = points[i%len(points)]
		all[i].Set, all[i].Accuracy = c.Set, c.Accuracy
	}
	return all, nil
}

// WriteSensitivity writes the points as a Markdown table, a row a value, a column a form.
func WriteSensitivity(w io.Writer, points []KnobPoint) error {
	forms := Forms()
	t := NewTable(append([]string{"set", "option", "value"}, forms...)...)
	for k := 0; k < len(points); k += len(forms) {
		p := points[k]
		row := []string{p.Set, p.Knob, fmt.Sprint(p.Value)}
		for _, of := range points[k : k+len(forms)] {
			mean, sd := of.Mean()
			row = append(row, fmt.Sprintf("%.3f ± %.3f", mean, sd))
		}
		t.Add(row...)
	}
	return t.Write(w)
}
