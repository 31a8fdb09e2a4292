package picture

import (
	"math"
	"strconv"
)

// Axis is one of the two of a chart.
type Axis struct {
	Label     string
	Low, High float64
	Log       bool // Low and High are above 0
	Whole     bool // of whole numbers
}

// Chart is a picture of points between two axes.
type Chart struct {
	*Picture
	x, y   Axis
	legend float64 // where the next entry begins
}

// The place of a chart's axes.
const (
	chartWidth, chartHeight     = 360, 230
	chartLeft, chartRight       = 58, 350
	chartTop, chartBottom       = 30, 186
	smallLetters, chartLetters  = 11, 12
	lineWidth, thinLine, legend = 1.8, 0.7, 11
)

// NewChart returns a chart with its axes and their grid.
func NewChart(title string, x, y Axis) *Chart {
	c := &Chart{Picture: &Picture{Title: title, Width: chartWidth, Height: chartHeight}, x: x, y: y, legend: chartLeft}
	for _, t := range y.ticks() {
		at := c.At(x.Low, t.value).Y
		c.Picture.Line([]Point{{chartLeft, at}, {chartRight, at}}, Faint, thinLine, false)
		c.Text(Point{chartLeft - 5, at + 4}, t.label, smallLetters, End, Soft)
	}
	for _, t := range x.ticks() {
		at := c.At(t.value, y.Low).X
		c.Picture.Line([]Point{{at, chartBottom}, {at, chartBottom + 4}}, Soft, thinLine, false)
		c.Text(Point{at, chartBottom + 16}, t.label, smallLetters, Middle, Soft)
	}
	c.Picture.Line([]Point{{chartLeft, chartBottom}, {chartRight, chartBottom}}, Soft, 1, false)
	c.Text(Point{(chartLeft + chartRight) / 2, chartHeight - 8}, x.Label, chartLetters, Middle, Strong)
	c.Items = append(c.Items, Item{Kind: Text, At: Point{12, (chartTop + chartBottom) / 2}, Words: y.Label, Size: chartLetters, Anchor: Middle, Ink: Strong, Turned: true})
	return c
}

// At returns the place of the point (x, y).
func (c *Chart) At(x, y float64) Point {
	return Point{
		chartLeft + c.x.share(x)*(chartRight-chartLeft),
		chartBottom - c.y.share(y)*(chartBottom-chartTop),
	}
}

// Path adds a line through the points, in the units of the axes.
func (c *Chart) Path(points []Point, ink Ink, dashed bool) {
	line := make([]Point, len(points))
	for k, p := range points {
		line[k] = c.At(p.X, p.Y)
	}
	c.Line(line, ink, lineWidth, dashed)
}

// Dot adds a mark, in the units of the axes.
func (c *Chart) Dot(p Point, radius float64, ink Ink, form Form, title string) {
	c.Mark(c.At(p.X, p.Y), radius, ink, form, title)
}

// Entry adds an entry to the legend, which lies above the axes.
func (c *Chart) Entry(words string, ink Ink, form Form) {
	c.Mark(Point{c.legend + 5, 13}, 4, ink, form, "")
	c.Text(Point{c.legend + 14, 17}, words, legend, Start, Strong)
	c.legend += 24 + 5.8*float64(len([]rune(words)))
}

// share returns where v lies between the ends.
func (a Axis) share(v float64) float64 {
	if a.Log {
		return math.Log(v/a.Low) / math.Log(a.High/a.Low)
	}
	return (v - a.Low) / (a.High - a.Low)
}

type tick struct {
	value float64
	label string
}

// ticks are round numbers between the ends: multiples of 1, 2 or 5 times a power
// of 10, at most seven; powers of 10 on a logarithmic axis.
func (a Axis) ticks() (ticks []tick) {
	if a.Log {
		low, high := math.Ceil(math.Log10(a.Low)-1e-9), math.Floor(math.Log10(a.High)+1e-9)
		step := math.Ceil((high - low + 1) / 7)
		for e := low; e <= high; e += step {
			ticks = append(ticks, tick{math.Pow(10, e), powerOf10(int(e))})
		}
		return ticks
	}
	power := math.Floor(math.Log10((a.High - a.Low) / 3))
	unit := math.Pow(10, power)
	for _, times := range []float64{5, 2, 1} {
		if unit*times <= (a.High-a.Low)/3 {
			unit *= times
			break
		}
	}
	if a.Whole {
		unit, power = max(unit, 1), max(power, 0)
	}
	for k := int(math.Ceil(a.Low/unit - 1e-9)); float64(k)*unit <= a.High*(1+1e-9); k++ { // an integer: there is no -0
		v := float64(k) * unit
		ticks = append(ticks, tick{v, strconv.FormatFloat(v, 'f', max(0, -int(power)), 64)})
	}
	return ticks
}

// powerOf10 writes 10^e: plainly where that is short.
func powerOf10(e int) string {
	if e < -3 || e > 4 {
		return "1e" + strconv.Itoa(e)
	}
	return strconv.FormatFloat(math.Pow(10, float64(e)), 'f', max(0, -e), 64)
}
