package plot

import (
	"bytes"
	"errors"
	"fmt"
	"image/color"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	gplot "gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// ErrFormat is wrapped when the ending of a file names no format of figures.
var ErrFormat = errors.New("plot: unknown format")

// ErrEmpty means that a figure has nothing to draw.
var ErrEmpty = errors.New("plot: no data")

// Format is a file format of figures.
type Format int

// The formats.
const (
	SVG Format = iota
	PNG        // 150 dots an inch
)

// FormatOf returns the format that the ending of a file's name says.
func FormatOf(name string) (Format, error) {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".svg":
		return SVG, nil
	case ".png":
		return PNG, nil
	}
	return 0, fmt.Errorf("%w: %q, expected a name that ends in .svg or .png", ErrFormat, name)
}

// Figure is a grid of panels under a title, with one legend for all beside
// them.
type Figure struct {
	title  string
	panels [][]*gplot.Plot // rows of equal length; nil for no panel
	legend gplot.Legend
}

const (
	panelWidth  = 3.1 * vg.Inch
	panelHeight = 2.5 * vg.Inch
	margin      = 0.12 * vg.Inch
	titleHeight = 0.42 * vg.Inch
	dots        = 150 // an inch, of PNG
)

func newFigure(title string) *Figure {
	f := &Figure{title: title, legend: gplot.NewLegend()}
	f.legend.TextStyle.Font = sans(10)
	f.legend.Top, f.legend.Left = true, true
	f.legend.ThumbnailWidth = vg.Points(26)
	f.legend.Padding = vg.Points(5)
	return f
}

// sans returns the font of all text, which comes with the library.
func sans(size float64) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: vg.Points(size)}
}

// grid lays panels out in rows of at most columns.
func (f *Figure) grid(panels []*gplot.Plot, columns int) {
	columns = min(columns, len(panels))
	for len(panels) > 0 {
		row := make([]*gplot.Plot, columns)
		panels = panels[copy(row, panels):]
		f.panels = append(f.panels, row)
	}
}

// newPanel returns an empty panel with light horizontal and vertical lines.
func newPanel(title, x, y string) *gplot.Plot {
	p := gplot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	p.Title.TextStyle.Font = sans(11)
	p.Title.Padding = vg.Points(4)
	for _, axis := range []*gplot.Axis{&p.X, &p.Y} {
		axis.Label.TextStyle.Font = sans(9)
		axis.Tick.Label.Font = sans(8.5)
		axis.Label.Padding = vg.Points(3)
		axis.LineStyle.Color, axis.Tick.LineStyle.Color = grey, grey
	}
	p.Y.Tick.Marker = gplot.TickerFunc(roundTicks)
	lines := plotter.NewGrid()
	lines.Horizontal.Color, lines.Vertical.Color = paleGrey, paleGrey
	p.Add(lines)
	return p
}

// roundTicks puts three to seven ticks at the multiples of 1, 2 or 5 times a
// power of 10.
func roundTicks(low, high float64) (ticks []gplot.Tick) {
	power := math.Floor(math.Log10((high - low) / 3))
	unit := math.Pow(10, power)
	for _, times := range []float64{5, 2, 1} {
		if unit*times <= (high-low)/3 {
			unit *= times
			break
		}
	}
	for k := int(math.Ceil(low / unit)); float64(k)*unit <= high; k++ { // an integer: there is no -0
		v := float64(k) * unit
		ticks = append(ticks, gplot.Tick{Value: v, Label: strconv.FormatFloat(v, 'f', max(0, -int(power)), 64)})
	}
	return ticks
}

// size returns the width and height of the figure, and the width of the
// legend.
func (f *Figure) size() (width, height, legend vg.Length) {
	legend = f.legend.Rectangle(draw.Canvas{}).Size().X + 2*margin
	width = vg.Length(len(f.panels[0]))*panelWidth + legend + margin
	width = max(width, titleStyle().Width(f.title)+2*margin)
	return width, vg.Length(len(f.panels))*panelHeight + titleHeight + margin, legend
}

func titleStyle() draw.TextStyle {
	style := gplot.New().Title.TextStyle
	style.Font, style.XAlign, style.YAlign = sans(12), draw.XLeft, draw.YTop
	return style
}

// Write writes the figure.
func (f *Figure) Write(w io.Writer, format Format) error {
	if len(f.panels) == 0 {
		return ErrEmpty
	}
	width, height, _ := f.size()
	var buffer bytes.Buffer
	if format == PNG {
		c := vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(dots))
		f.draw(draw.New(c))
		if _, err := (vgimg.PngCanvas{Canvas: c}).WriteTo(&buffer); err != nil {
			return err
		}
	} else {
		c := vgsvg.New(width, height)
		f.draw(draw.New(c))
		if _, err := c.WriteTo(&buffer); err != nil {
			return err
		}
	}
	_, err := w.Write(withFallback(buffer.Bytes(), format))
	return err
}

// withFallback names fonts of the same widths, or any without serifs, for
// readers of an SVG who do not have the one that it was laid out with.
func withFallback(figure []byte, format Format) []byte {
	if format != SVG {
		return figure
	}
	return bytes.ReplaceAll(figure, []byte("font-family:Liberation Sans;"), []byte("font-family:Liberation Sans,Arial,Helvetica,sans-serif;"))
}

func (f *Figure) draw(c draw.Canvas) {
	_, _, legend := f.size()
	c.SetColor(color.White)
	c.Fill(c.Rectangle.Path())
	c.FillText(titleStyle(), vg.Point{X: c.Min.X + margin, Y: c.Max.Y - margin}, f.title)
	tiles := draw.Tiles{
		Rows: len(f.panels), Cols: len(f.panels[0]),
		PadX: 2 * margin, PadY: 2 * margin, PadLeft: margin, PadRight: margin, PadBottom: margin / 2,
	}
	area := draw.Crop(c, 0, -(c.Max.X - vg.Length(tiles.Cols)*panelWidth - margin), 0, -titleHeight)
	for i, row := range f.panels {
		for j, panel := range row {
			if panel != nil {
				panel.Draw(tiles.At(area, j, i))
			}
		}
	}
	f.legend.Draw(draw.Crop(c, area.Max.X+margin, legend, 0, -titleHeight-margin))
}
