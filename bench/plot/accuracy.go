package plot

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	gplot "gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/adp-sparse/adp-sparse/bench"
)

// Accuracy draws the mean accuracy of each method, and its standard deviation
// over the draws as bars, against the number of labels a class: a panel a
// set, as Figure 2 of the paper has it. The scale of labels is logarithmic,
// that of accuracy is each panel's own.
func Accuracy(cells []bench.Cell) (*Figure, error) {
	if len(cells) == 0 {
		return nil, ErrEmpty
	}
	setOf := func(c bench.Cell) string { return c.Set }
	methodOf := func(c bench.Cell) string { return c.Method }
	sets, methods := distinct(cells, setOf), distinct(cells, methodOf)
	f := newFigure(accuracyTitle(cells))
	var panels []*gplot.Plot
	for _, set := range sets {
		p := newPanel(set, "labels a class", "accuracy")
		of := having(cells, setOf, set)
		scaleLabels(p, of)
		for k, method := range methods {
			line := having(of, methodOf, method)
			if len(line) == 0 {
				continue
			}
			if err := addMethod(p, line, k, len(methods)); err != nil {
				return nil, fmt.Errorf("set %s, method %s: %w", set, method, err)
			}
		}
		panels = append(panels, p)
	}
	for k, method := range methods {
		f.legend.Add(method, sample(k)...)
	}
	f.grid(panels, 4)
	return f, nil
}

func accuracyTitle(cells []bench.Cell) string {
	draws := len(cells[0].Accuracy)
	if draws == 1 {
		return "Accuracy, one draw of labels"
	}
	return fmt.Sprintf("Accuracy, mean ± sd of %d draws of labels", draws)
}

// scaleLabels puts a tick at each number of labels that occurs.
func scaleLabels(p *gplot.Plot, cells []bench.Cell) {
	numbers := distinct(cells, func(c bench.Cell) int { return c.PerClass })
	slices.Sort(numbers)
	var ticks gplot.ConstantTicks
	for _, v := range numbers {
		ticks = append(ticks, gplot.Tick{Value: place(v), Label: strconv.Itoa(v)})
	}
	p.X.Tick.Marker = ticks
	p.X.Min, p.X.Max = place(numbers[0])-0.15, place(numbers[len(numbers)-1])+0.15
}

// place is where a number of labels lies on the logarithmic scale.
func place(labels int) float64 { return math.Log(float64(max(labels, 1))) }

// points are means with their standard deviations.
type points struct {
	plotter.XYs
	plotter.YErrors
}

// addMethod adds the line of the k-th method of m. Methods stand beside each
// other by a little, so that bars do not hide one another.
func addMethod(p *gplot.Plot, cells []bench.Cell, k, m int) error {
	slices.SortStableFunc(cells, func(a, b bench.Cell) int { return a.PerClass - b.PerClass })
	beside := 0.12 * (float64(k) - float64(m-1)/2) / float64(max(m-1, 1))
	var at points
	for _, c := range cells {
		mean, sd := c.Mean()
		at.XYs = append(at.XYs, plotter.XY{X: place(c.PerClass) + beside, Y: mean})
		at.YErrors = append(at.YErrors, struct{ Low, High float64 }{sd, sd})
	}
	return at.add(p, style{k})
}

// add adds the points as bars with a line and marks over them.
func (at points) add(p *gplot.Plot, s style) error {
	bars, err := plotter.NewYErrorBars(at)
	if err != nil {
		return err
	}
	bars.LineStyle, bars.CapWidth = s.line(), vg.Points(4)
	bars.LineStyle.Width, bars.LineStyle.Dashes = vg.Points(0.8), nil
	p.Add(bars)
	return addMarkedLine(p, at.XYs, s)
}

// sample is what the legend shows of the k-th line.
func sample(k int) []gplot.Thumbnailer {
	line := plotter.Line{LineStyle: style{k}.line()}
	marks := plotter.Scatter{GlyphStyle: style{k}.glyph()}
	return []gplot.Thumbnailer{&line, &marks}
}
