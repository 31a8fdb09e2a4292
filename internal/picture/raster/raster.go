// Package raster writes pictures as PNG. It knows the plotting library, which
// brings fonts; package picture does not.
package raster

import (
	"image/color"
	"io"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"github.com/adp-sparse/adp-sparse/internal/picture"
)

// dots are those of an inch, 72 units of a picture.
const dots = 180

// WritePNG writes a picture, in colours on white.
func WritePNG(w io.Writer, p *picture.Picture) error {
	width, height := vg.Length(p.Width), vg.Length(p.Height)
	image := vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(dots))
	c := &canvas{Canvas: draw.New(image), height: height}
	c.SetColor(color.White)
	c.Fill(c.Rectangle.Path())
	for k := range p.Items {
		c.item(&p.Items[k])
	}
	_, err := (vgimg.PngCanvas{Canvas: image}).WriteTo(w)
	return err
}

// canvas turns a picture's coordinates, which grow downwards, into the
// library's.
type canvas struct {
	draw.Canvas
	height vg.Length
}

func (c *canvas) at(p picture.Point) vg.Point {
	return vg.Point{X: vg.Length(p.X), Y: c.height - vg.Length(p.Y)}
}

func (c *canvas) item(i *picture.Item) {
	c.SetColor(i.Ink.Colour())
	switch i.Kind {
	case picture.Line:
		c.stroke(i.Width, i.Dashed)
		for _, line := range i.Lines {
			c.Stroke(c.path(line, picture.Point{}, 1))
		}
	case picture.Area:
		for _, line := range i.Lines {
			c.Fill(c.closed(line, picture.Point{}, 1))
		}
	case picture.Mark:
		c.mark(i)
	case picture.Text:
		c.text(i)
	}
}

func (c *canvas) stroke(width float64, dashed bool) {
	c.SetLineWidth(vg.Length(width))
	if dashed {
		c.SetLineDash([]vg.Length{4, 3}, 0)
	} else {
		c.SetLineDash(nil, 0)
	}
}

// path returns a line, scaled and moved.
func (c *canvas) path(line []picture.Point, at picture.Point, scale float64) (path vg.Path) {
	for k, p := range line {
		to := c.at(picture.Point{X: at.X + scale*p.X, Y: at.Y + scale*p.Y})
		if k == 0 {
			path.Move(to)
		} else {
			path.Line(to)
		}
	}
	return path
}

func (c *canvas) closed(line []picture.Point, at picture.Point, scale float64) vg.Path {
	path := c.path(line, at, scale)
	path.Close()
	return path
}

func (c *canvas) circle(at picture.Point, radius float64) (path vg.Path) {
	centre := c.at(at)
	path.Move(vg.Point{X: centre.X + vg.Length(radius), Y: centre.Y})
	path.Arc(centre, vg.Length(radius), 0, 2*math.Pi)
	path.Close()
	return path
}

func (c *canvas) mark(i *picture.Item) {
	if i.Ring {
		ring := c.circle(i.At, i.Ringed())
		c.SetColor(color.White)
		c.Fill(ring)
		c.SetColor(picture.Strong.Colour())
		c.stroke(1.2, false)
		c.Stroke(ring)
		c.SetColor(i.Ink.Colour())
	}
	if i.Form == picture.Circle {
		c.Fill(c.circle(i.At, i.Radius))
		return
	}
	c.Fill(c.closed(i.Form.Corners(), i.At, i.Radius))
}

func (c *canvas) text(i *picture.Item) {
	style := draw.TextStyle{
		Color: i.Ink.Colour(), Handler: plot.DefaultTextHandler,
		Font:   font.Font{Typeface: "Liberation", Variant: "Sans", Size: vg.Length(i.Size)},
		XAlign: [...]draw.XAlignment{draw.XLeft, draw.XCenter, draw.XRight}[i.Anchor],
		YAlign: draw.YBottom,
	}
	if i.Turned {
		style.Rotation = math.Pi / 2
	}
	// The library's bottom is that of letters like g, a picture's the line that
	// the others stand on.
	at := c.at(i.At)
	descent := style.FontExtents().Descent
	if i.Turned {
		at.X += descent
	} else {
		at.Y -= descent
	}
	c.FillText(style, at, i.Words)
}
