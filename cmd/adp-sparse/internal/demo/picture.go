package demo

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"strings"
)

// pen draws two pixels as one character, the upper one and the lower one.
type pen [2][2]string

// The pens of terminals that show Unicode, and of others.
var (
	blocks = pen{{" ", "▄"}, {"▀", "█"}}
	ascii  = pen{{" ", "."}, {"'", "#"}}
)

// penOf returns the pen of a terminal by its locale: ASCII where the locale is not of UTF-8.
func penOf(getenv func(string) string) pen {
	locale := strings.ToLower(cmp.Or(getenv("LC_ALL"), getenv("LC_CTYPE"), getenv("LANG")))
	if getenv("TERM") == "dumb" || locale != "" && !strings.Contains(locale, "utf-8") && !strings.Contains(locale, "utf8") {
		return ascii
	}
	return blocks
}

// thumbnail returns the lines of a drawing of an image, two rows of pixels a line.
func (p pen) thumbnail(pixels []float32) (lines [side / 2]string) {
	for y := range lines {
		var line strings.Builder
		for x := range side {
			upper, lower := pixels[2*y*side+x], pixels[(2*y+1)*side+x]
			line.WriteString(p[int(upper)][int(lower)])
		}
		lines[y] = line.String()
	}
	return lines
}

// column is an image with the lines of text below it.
type column struct {
	pixels  []float32
	caption []string // as many lines in each column of a row
}

// draw writes images side by side.
func (p pen) draw(w io.Writer, columns []column) {
	const width = side + 4
	line := func(text func(c column) string) {
		var b strings.Builder
		for _, c := range columns {
			fmt.Fprintf(&b, "%-*s", width, text(c))
		}
		fmt.Fprintln(w, strings.TrimRight(b.String(), " "))
	}
	for y := range side / 2 {
		line(func(c column) string { return p.thumbnail(c.pixels)[y] })
	}
	for k := range columns[0].caption {
		line(func(c column) string { return c.caption[k] })
	}
}

// terminal is the pen of this process.
func terminal() pen { return penOf(os.Getenv) }
