package picture

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strconv"
)

// fonts are those of the words of a picture.
const fonts = `system-ui,-apple-system,"Segoe UI",Roboto,"Liberation Sans",Arial,Helvetica,sans-serif`

// WriteSVG writes the picture as a file of its own, in colours on white.
func (p *Picture) WriteSVG(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, `<svg xmlns="http://www.w3.org/2000/svg" class="picture" width="%[1]s" height="%[2]s" viewBox="0 0 %[1]s %[2]s" font-family='%[3]s'><style>%[4]s</style>`,
		number(p.Width), number(p.Height), fonts, fixed())
	fmt.Fprintf(out, `<rect class="f paper" width="%s" height="%s"/>`, number(p.Width), number(p.Height))
	p.body(out)
	out.WriteString("</svg>\n")
	return out.Flush()
}

// Inline returns the picture as an element of a page that has [Style]. It is as
// wide as the page lets it be.
func (p *Picture) Inline() string {
	var b bytes.Buffer
	out := bufio.NewWriter(&b)
	fmt.Fprintf(out, `<svg class="picture" viewBox="0 0 %s %s" role="img" aria-label="%s">`, number(p.Width), number(p.Height), escape(p.Title))
	p.body(out)
	out.WriteString("</svg>")
	out.Flush() // a buffer takes all
	return b.String()
}

// body writes the items; an error stays with out until it is flushed.
func (p *Picture) body(out *bufio.Writer) {
	for k := range p.Items {
		switch item := &p.Items[k]; item.Kind {
		case Line:
			item.line(out)
		case Mark:
			item.mark(out)
		case Text:
			item.text(out)
		}
	}
}

func (i *Item) line(out *bufio.Writer) {
	dash := ""
	if i.Dashed {
		dash = ` stroke-dasharray="4 3"`
	}
	fmt.Fprintf(out, `<path class="l %s" fill="none" stroke-width="%s"%s d="%s"/>`, name(i.Ink.place()), number(i.Width), dash, path(i.Lines, Point{}, 1, ""))
}

func (i *Item) mark(out *bufio.Writer) {
	tag, shape := "path", ""
	if i.Form == Circle {
		tag = "circle"
		shape = fmt.Sprintf(`cx="%s" cy="%s" r="%s"`, number(i.At.X), number(i.At.Y), number(i.Radius))
	} else {
		shape = fmt.Sprintf(`d="%s"`, path([][]Point{i.Form.Corners()}, i.At, i.Radius, "z"))
	}
	if i.Ring {
		fmt.Fprintf(out, `<circle class="f paper" cx="%[1]s" cy="%[2]s" r="%[3]s"/><circle class="l strong" fill="none" stroke-width="1.2" cx="%[1]s" cy="%[2]s" r="%[3]s"/>`,
			number(i.At.X), number(i.At.Y), number(i.Radius+ringGap))
	}
	fmt.Fprintf(out, `<%s class="f %s" %s`, tag, name(i.Ink.place()), shape)
	if i.Title == "" {
		out.WriteString("/>")
		return
	}
	fmt.Fprintf(out, "><title>%s</title></%s>", escape(i.Title), tag)
}

// ringGap is between a mark and the ring around it.
const ringGap = 2.5

func (i *Item) text(out *bufio.Writer) {
	turn := ""
	if i.Turned {
		turn = fmt.Sprintf(` transform="rotate(-90 %s %s)"`, number(i.At.X), number(i.At.Y))
	}
	fmt.Fprintf(out, `<text class="f %s" x="%s" y="%s" font-size="%s" text-anchor="%s"%s>%s</text>`, name(i.Ink.place()),
		number(i.At.X), number(i.At.Y), number(i.Size), [...]string{"start", "middle", "end"}[i.Anchor], turn, escape(i.Words))
}

// path returns lines as the value of a path's d: scaled, moved, and each ended
// by end.
func path(lines [][]Point, at Point, scale float64, end string) string {
	var b []byte
	for _, line := range lines {
		for k, p := range line {
			switch k {
			case 0:
				b = append(b, 'M')
			case 1:
				b = append(b, 'L')
			default:
				b = append(b, ' ')
			}
			b = append(b, number(at.X+scale*p.X)...)
			b = append(b, ' ')
			b = append(b, number(at.Y+scale*p.Y)...)
		}
		b = append(b, end...)
	}
	return string(b)
}

// number writes a coordinate to a tenth.
func number(v float64) string {
	v = math.Round(10*v) / 10
	if v == 0 {
		v = 0 // no -0
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// escape makes words safe in XML and in HTML. What XML cannot hold becomes
// U+FFFD.
func escape(words string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(words)) // a buffer takes all
	return b.String()
}
