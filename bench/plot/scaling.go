package plot

import (
	"cmp"
	"fmt"
	"math"

	gplot "gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"github.com/adp-sparse/adp-sparse/bench"
)

// Scaling draws seconds and peak memory of runs against the number of nodes, both
// scales logarithmic: a line a method and number of threads, with the fitted
// exponent of seconds in the legend and the estimate of memory as a thin line.
func Scaling(points []bench.ScalingPoint) (*Figure, error) {
	if len(points) == 0 {
		return nil, ErrEmpty
	}
	f := newFigure("Whole runs on random graphs, medians")
	seconds, memory := newPanel("wall time", "nodes", "seconds"), newPanel("peak memory (thin: estimate)", "nodes", "MiB")
	for k, series := range bench.SeriesOf(points) {
		var time, peak, estimate plotter.XYs
		for _, p := range series.Points {
			n := float64(p.Nodes)
			for line, v := range map[*plotter.XYs]float64{&time: p.Seconds(), &peak: float64(p.Peak()) / (1 << 20), &estimate: float64(p.Estimated) / (1 << 20)} {
				if v > 0 { // a logarithmic scale has no other place
					*line = append(*line, plotter.XY{X: n, Y: v})
				}
			}
		}
		for panel, line := range map[*gplot.Plot]plotter.XYs{seconds: time, memory: peak} {
			if err := addMarkedLine(panel, line, style{k}); err != nil {
				return nil, fmt.Errorf("%s: %w", series.Name, err)
			}
		}
		if err := addLine(memory, estimate, style{k}.thin()); err != nil {
			return nil, fmt.Errorf("%s: %w", series.Name, err)
		}
		name := series.Name
		if b := bench.Exponent(series.Points, bench.ScalingPoint.Seconds); !math.IsNaN(b) {
			name += fmt.Sprintf(": time as n^%.2f", b)
		}
		f.legend.Add(name, sample(k)...)
	}
	for _, p := range []*gplot.Plot{seconds, memory} {
		decades(&p.X)
		decades(&p.Y)
	}
	f.grid([]*gplot.Plot{seconds, memory}, 2)
	return f, nil
}

// addMarkedLine adds a line with a mark at each point.
func addMarkedLine(p *gplot.Plot, at plotter.XYs, s style) error {
	return cmp.Or(addLine(p, at, s.line()), addMarks(p, at, s))
}

// addMarks adds a mark at each point.
func addMarks(p *gplot.Plot, at plotter.XYs, s style) error {
	if len(at) == 0 {
		return nil
	}
	marks, err := plotter.NewScatter(at)
	if err != nil {
		return err
	}
	marks.GlyphStyle = s.glyph()
	p.Add(marks)
	return nil
}

// decades makes an axis logarithmic, from a power of 10 to another.
func decades(a *gplot.Axis) {
	if math.IsInf(a.Min, 0) { // nothing was drawn
		a.Min, a.Max = 1, 10
	}
	a.Min = math.Pow(10, math.Floor(math.Log10(a.Min)))
	a.Max = math.Max(math.Pow(10, math.Ceil(math.Log10(a.Max))), 10*a.Min)
	a.Min *= 1 - 1e-9 // gplot.LogTicks leaves out the first decade of 0.1, whose logarithm is above -1
	a.Scale, a.Tick.Marker = gplot.LogScale{}, gplot.LogTicks{Prec: -1}
}
