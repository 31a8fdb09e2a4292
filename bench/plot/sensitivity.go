package plot

import (
	"fmt"

	gplot "gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"github.com/adp-sparse/adp-sparse/bench"
)

// Sensitivity draws the mean accuracy, with its standard deviation as bars, against each option: a
// row of panels a set, a panel an option, a line a form. Values stand side by side at equal steps.
// The panels of a row have one scale of accuracy.
func Sensitivity(all []bench.KnobPoint) (*Figure, error) {
	if len(all) == 0 {
		return nil, ErrEmpty
	}
	knobOf := func(p bench.KnobPoint) string { return p.Knob }
	setOf := func(p bench.KnobPoint) string { return p.Set }
	formOf := func(p bench.KnobPoint) string { return p.Form }
	forms := distinct(all, formOf)
	f := newFigure(fmt.Sprintf("Sensitivity to one option at a time, mean ± sd of %d draws of labels", len(all[0].Accuracy)))
	for _, set := range distinct(all, setOf) {
		here := having(all, setOf, set)
		var row []*gplot.Plot
		for _, knob := range distinct(all, knobOf) {
			p := newPanel(set, knob, "accuracy")
			of := having(here, knobOf, knob)
			values := distinct(of, func(p bench.KnobPoint) float64 { return p.Value })
			scaleValues(p, values)
			for k, form := range forms {
				if err := addKnob(p, having(of, formOf, form), style{k}); err != nil {
					return nil, fmt.Errorf("set %s, %s, %s: %w", set, knob, form, err)
				}
			}
			row = append(row, p)
		}
		sameScale(row)
		f.panels = append(f.panels, row)
	}
	for k, form := range forms {
		f.legend.Add(form, sample(k)...)
	}
	return f, nil
}

// scaleValues puts a tick at each value, at equal steps.
func scaleValues(p *gplot.Plot, values []float64) {
	var ticks gplot.ConstantTicks
	for k, v := range values {
		ticks = append(ticks, gplot.Tick{Value: float64(k), Label: fmt.Sprint(v)})
	}
	p.X.Tick.Marker = ticks
	p.X.Min, p.X.Max = -0.3, float64(len(values))-0.7
}

// addKnob adds the line of a form.
func addKnob(p *gplot.Plot, of []bench.KnobPoint, s style) error {
	var at points
	for k, point := range of {
		mean, sd := point.Mean()
		at.XYs = append(at.XYs, plotter.XY{X: float64(k) + 0.08*float64(s.k), Y: mean})
		at.YErrors = append(at.YErrors, struct{ Low, High float64 }{sd, sd})
	}
	return at.add(p, s)
}

// sameScale gives the panels the widest range of any.
func sameScale(row []*gplot.Plot) {
	low, high := row[0].Y.Min, row[0].Y.Max
	for _, p := range row {
		low, high = min(low, p.Y.Min), max(high, p.Y.Max)
	}
	for _, p := range row {
		p.Y.Min, p.Y.Max = low, high
	}
}
