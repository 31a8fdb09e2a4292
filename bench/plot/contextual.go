package plot

import (
	"fmt"

	gplot "gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"

	"github.com/adp-sparse/adp-sparse/bench"
)

// Contextual draws the mean accuracy of each method against the strength of the signal: a panel a
// place of the signal, with a line at the threshold of detection, s = 1.
func Contextual(all []bench.Strength) (*Figure, error) {
	if len(all) == 0 {
		return nil, ErrEmpty
	}
	mixOf := func(s bench.Strength) string { return s.Mix }
	methodOf := func(s bench.Strength) string { return s.Method }
	methods := distinct(all, methodOf)
	f := newFigure(fmt.Sprintf("Contextual block model, mean of %d graphs", len(all[0].Accuracy)))
	var panels []*gplot.Plot
	for _, mix := range distinct(all, mixOf) {
		p := newPanel("signal in "+mix, "λ² + μ²/γ", "accuracy")
		p.Y.Min, p.Y.Max = 0.4, 1
		if err := addLine(p, plotter.XYs{{X: 1, Y: 0.4}, {X: 1, Y: 1}}, draw.LineStyle{Color: grey, Width: 1}); err != nil {
			return nil, err
		}
		for k, method := range methods {
			var at plotter.XYs
			for _, s := range having(having(all, mixOf, mix), methodOf, method) {
				mean, _ := s.Mean()
				at = append(at, plotter.XY{X: s.Value, Y: mean})
			}
			if err := addMarkedLine(p, at, style{k}); err != nil {
				return nil, err
			}
		}
		panels = append(panels, p)
	}
	for k, method := range methods {
		f.legend.Add(method, sample(k)...)
	}
	f.grid(panels, 2)
	return f, nil
}
