package plot

import (
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// palette is Okabe and Ito's, less yellow, which is too pale on white.
// https://jfly.uni-koeln.de/color/
var palette = []color.NRGBA{
	{0x00, 0x72, 0xB2, 255}, // blue
	{0xD5, 0x5E, 0x00, 255}, // vermillion
	{0x00, 0x9E, 0x73, 255}, // bluish green
	{0xCC, 0x79, 0xA7, 255}, // reddish purple
	{0xE6, 0x9F, 0x00, 255}, // orange
	{0x56, 0xB4, 0xE9, 255}, // sky blue
	{0x00, 0x00, 0x00, 255}, // black
}

var glyphs = []draw.GlyphDrawer{
	draw.CircleGlyph{}, draw.SquareGlyph{}, draw.PyramidGlyph{}, draw.RingGlyph{}, draw.BoxGlyph{}, draw.TriangleGlyph{},
}

// dashes tell lines apart whose colour comes again.
var dashes = [][]vg.Length{nil, {vg.Points(6), vg.Points(2)}, {vg.Points(2), vg.Points(2)}}

var (
	grey     = color.Gray{0x60}
	paleGrey = color.Gray{0xE4}
)

// style is how the k-th line of a figure looks.
type style struct{ k int }

func (s style) line() draw.LineStyle {
	return draw.LineStyle{Color: palette[s.k%len(palette)], Width: vg.Points(1.5), Dashes: dashes[s.k/len(palette)%len(dashes)]}
}

// thin is the line of one draw of many.
func (s style) thin() draw.LineStyle {
	c := palette[s.k%len(palette)]
	c.A = 70
	return draw.LineStyle{Color: c, Width: vg.Points(0.6)}
}

func (s style) glyph() draw.GlyphStyle {
	return draw.GlyphStyle{Color: palette[s.k%len(palette)], Radius: vg.Points(2.6), Shape: glyphs[s.k%len(glyphs)]}
}
