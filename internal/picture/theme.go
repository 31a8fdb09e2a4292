package picture

import (
	"fmt"
	"strings"
)

// colours is the number of inks of classes.
const colours = 10

// A theme has the colour of each ink, as #rrggbb: of the classes, then of
// Strong, Soft, Faint, Alert, Rosy and Paper. The hues of
// classes are 20° apart or more, and all but Faint and Rosy have a contrast of at least 2.5 to Paper.
type theme [colours + 6]string

var light = theme{
	"#0072b2", "#d55e00", "#008a65", "#aa3377", "#b8860b", "#0090ab", "#4b2ea8", "#5d8a00", "#9a54d0", "#c4173c",
	"#1b1f24", "#6b7280", "#c3c9d1", "#c0392b", "#e58d84", "#ffffff",
}

var dark = theme{
	"#5aa9e6", "#ff8a4c", "#2cc99a", "#e377c2", "#e3b341", "#4fdcf0", "#8a84f5", "#a6d854", "#cfa6ff", "#ff6b7f",
	"#e6e9ed", "#9aa4b1", "#475160", "#ff7b72", "#8f4a46", "#14181d",
}

// place returns the index of an ink in a theme.
func (i Ink) place() int {
	if i >= 0 {
		return int(i)
	}
	return colours - 1 - int(i)
}

// name is the class of an ink in style sheets, and of its variable.
func name(place int) string {
	if place < colours {
		return fmt.Sprintf("c%d", place)
	}
	return [...]string{"strong", "soft", "faint", "alert", "rosy", "paper"}[place-colours]
}

// Style is the part of a page's style sheet that gives the inks of its pictures
// their colours, by variables that elements may use too: --c0 to --c9, --strong,
// --soft, --faint, --alert, --rosy and --paper.
func Style() string {
	var b strings.Builder
	fmt.Fprintf(&b, ":root{%s}\n@media (prefers-color-scheme:dark){:root{%s}}\n", light.variables(), dark.variables())
	for k := range light {
		b.WriteString(rule(k, "var(--"+name(k)+")"))
	}
	return b.String()
}

func (t *theme) variables() string {
	var b strings.Builder
	for k, colour := range t {
		fmt.Fprintf(&b, "--%s:%s;", name(k), colour)
	}
	return b.String()
}

func rule(k int, colour string) string {
	return fmt.Sprintf(".picture .f.%[1]s{fill:%[2]s}.picture .l.%[1]s{stroke:%[2]s}\n", name(k), colour)
}

// fixed is the style sheet of an SVG that stands alone, on white.
func fixed() string {
	var b strings.Builder
	for k, colour := range light {
		b.WriteString(rule(k, colour))
	}
	return b.String()
}
