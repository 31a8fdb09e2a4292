package picture

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"testing"
)

// contrast is the ratio of the relative luminances of two colours (WCAG 2.2).
func contrast(a, b string) float64 {
	luminance := func(hex string) float64 {
		sum := 0.0
		for k, weight := range []float64{0.2126, 0.7152, 0.0722} {
			digits := "0123456789abcdef"
			v := float64(16*strings.IndexByte(digits, hex[1+2*k])+strings.IndexByte(digits, hex[2+2*k])) / 255
			if v <= 0.04045 {
				v /= 12.92
			} else {
				v = math.Pow((v+0.055)/1.055, 2.4)
			}
			sum += weight * v
		}
		return sum
	}
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// TestContrast: text has the contrast that readers need, and marks can be told
// from the ground, by day and by night.
func TestContrast(t *testing.T) {
	for what, theme := range map[string]theme{"light": light, "dark": dark} {
		paper := theme[Paper.place()]
		for _, need := range []struct {
			ink   Ink
			least float64
		}{{Strong, 7}, {Soft, 4.5}, {Alert, 4.5}} {
			if got := contrast(theme[need.ink.place()], paper); got < need.least {
				t.Errorf("%s: ink %d has a contrast of %.2f, expected %.1f", what, need.ink, got, need.least)
			}
		}
		for k := range colours {
			if got := contrast(theme[k], paper); got < 2.5 {
				t.Errorf("%s: class %d has a contrast of %.2f", what, k, got)
			}
		}
	}
}

// oklab is a colour as lightness and two axes in which distances are about those that
// people see (B. Ottosson, 2020).
func oklab(hex string) (lab [3]float64) {
	var rgb [3]float64
	for k := range rgb {
		const digits = "0123456789abcdef"
		v := float64(16*strings.IndexByte(digits, hex[1+2*k])+strings.IndexByte(digits, hex[2+2*k])) / 255
		if v <= 0.04045 {
			rgb[k] = v / 12.92
		} else {
			rgb[k] = math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	var cones [3]float64
	for i, row := range [3][3]float64{{0.4122214708, 0.5363325363, 0.0514459929}, {0.2119034982, 0.6806995451, 0.1073969566}, {0.0883024619, 0.2817188376, 0.6299787005}} {
		cones[i] = math.Cbrt(row[0]*rgb[0] + row[1]*rgb[1] + row[2]*rgb[2])
	}
	for i, row := range [3][3]float64{{0.2104542553, 0.7936177850, -0.0040720468}, {1.9779984951, -2.4285922050, 0.4505937099}, {0.0259040371, 0.7827717662, -0.8086757660}} {
		lab[i] = row[0]*cones[0] + row[1]*cones[1] + row[2]*cones[2]
	}
	return lab
}

// TestTenHues: ten classes have ten hues, by day and by night, that lie apart.
func TestTenHues(t *testing.T) {
	for what, theme := range map[string]theme{"light": light, "dark": dark} {
		for a := range 10 {
			for b := range a {
				x, y := oklab(theme[Class(a).place()]), oklab(theme[Class(b).place()])
				between := math.Abs(math.Remainder(math.Atan2(x[2], x[1])-math.Atan2(y[2], y[1]), 2*math.Pi)) * 180 / math.Pi
				distance := math.Hypot(math.Hypot(x[0]-y[0], x[1]-y[1]), x[2]-y[2])
				if between < 20 || distance < 0.09 {
					t.Errorf("%s: the hues of classes %d and %d are %.0f° apart, the colours %.3f", what, b, a, between, distance)
				}
			}
		}
	}
}

// TestServeHasTheInks: the page of serve, which is no picture of ours, has the colours of
// the classes, and goes through all of them.
func TestServeHasTheInks(t *testing.T) {
	style, err := os.ReadFile("../service/page/app.css")
	if err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile("../service/page/base.js")
	if err != nil {
		t.Fatal(err)
	}
	for k := range colours {
		for _, theme := range []theme{light, dark} {
			if want := fmt.Sprintf("--c%d:%s", k, theme[k]); !strings.Contains(string(style), want) {
				t.Errorf("app.css has no %s", want)
			}
		}
		if want := fmt.Sprintf(".c%d{fill:var(--c%d)}", k, k); !strings.Contains(string(style), want) {
			t.Errorf("app.css has no %s", want)
		}
	}
	if want := fmt.Sprintf("const inks = %d;", colours); !strings.Contains(string(script), want) {
		t.Errorf("base.js has no %s", want)
	}
}

// TestFiftyClassesDiffer in ink or form, and neighbours in both.
func TestFiftyClassesDiffer(t *testing.T) {
	type look struct {
		Ink
		Form
	}
	seen := map[look]int{}
	for k := range 50 {
		l := look{Class(k), FormOf(k)}
		if other, ok := seen[l]; ok {
			t.Errorf("classes %d and %d look alike", other, k)
		}
		seen[l] = k
		if Class(k) == Class(k+1) || FormOf(k) == FormOf(k+1) {
			t.Errorf("classes %d and %d share ink or form", k, k+1)
		}
	}
}

// sheet has one item of each kind, with words that would break out of it.
func sheet() *Picture {
	p := &Picture{Title: `"><script>`, Width: 100, Height: 50}
	p.Line([]Point{{0, 0}, {10.04, -0.01}, {20, 5}}, Faint, 1, true)
	for k := range 5 {
		p.Mark(Point{10, 10}, 3, Class(k), FormOf(k), "</title><script>alert(1)</script>\x00\x1b\xff")
	}
	p.Items[len(p.Items)-1].Ring = true
	p.Text(Point{1, 2}, "a<b & \"c\"", 12, Middle, Strong)
	return p
}

// TestSVG: both forms are well-formed XML whose text is what was given, so that
// nothing breaks out.
func TestSVG(t *testing.T) {
	var file bytes.Buffer
	if err := sheet().WriteSVG(&file); err != nil {
		t.Fatal(err)
	}
	for what, text := range map[string]string{"file": file.String(), "inline": sheet().Inline()} {
		tags, words := map[string]int{}, ""
		d := xml.NewDecoder(strings.NewReader(text))
		for {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v in %s", what, err, text)
			}
			switch token := token.(type) {
			case xml.StartElement:
				tags[token.Name.Local]++
			case xml.CharData:
				words += string(token)
			}
		}
		if tags["script"] > 0 || tags["title"] != 5 || tags["text"] != 1 {
			t.Errorf("%s: elements %v", what, tags)
		}
		if !strings.Contains(words, `a<b & "c"`) || strings.Count(words, "<script>alert(1)</script>") != 5 {
			t.Errorf("%s: text %q", what, words)
		}
	}
	if want := `d="M0 0L10 0 20 5"`; !strings.Contains(file.String(), want) {
		t.Errorf("no %s in %s", want, file.String())
	}
	if !strings.Contains(file.String(), light[0]) || strings.Contains(file.String(), "var(") {
		t.Error("the file has not the colours of the light theme, or variables")
	}
}

// TestTicks: round numbers in order, within the axis, three to eight of them.
func TestTicks(t *testing.T) {
	for _, a := range []Axis{
		{Low: 0, High: 1},
		{Low: 0, High: 5},
		{Low: 0, High: 38},
		{Low: 0.9689, High: 0.9742},
		{Low: -3, High: 7e6},
		{Low: 0, High: 1e-6},
		{Low: 0.01, High: 1, Log: true},
		{Low: 0.7, High: 1e9, Log: true},
		{Low: 1e-6, High: 1e6, Log: true},
	} {
		ticks := a.ticks()
		if len(ticks) < 2 || len(ticks) > 8 {
			t.Errorf("%+v: %d ticks", a, len(ticks))
		}
		seen := map[string]bool{}
		for k, tick := range ticks {
			if s := a.share(tick.value); s < -1e-6 || s > 1+1e-6 || k > 0 && tick.value <= ticks[k-1].value {
				t.Errorf("%+v: tick %v", a, tick)
			}
			if seen[tick.label] || strings.HasPrefix(tick.label, "-0") && !strings.ContainsAny(tick.label, "123456789") {
				t.Errorf("%+v: label %q", a, tick.label)
			}
			seen[tick.label] = true
		}
	}
}

// TestAt: the ends of the axes are the corners of the frame, and points outside
// of words and frame there are none.
func TestAt(t *testing.T) {
	c := NewChart("", Axis{Low: 1, High: 100, Log: true}, Axis{Low: 2, High: 4})
	for _, test := range []struct {
		x, y float64
		want Point
	}{{1, 2, Point{chartLeft, chartBottom}}, {100, 4, Point{chartRight, chartTop}}, {10, 3, Point{(chartLeft + chartRight) / 2, (chartTop + chartBottom) / 2}}} {
		if got := c.At(test.x, test.y); math.Hypot(got.X-test.want.X, got.Y-test.want.Y) > 1e-9 {
			t.Errorf("(%v, %v) is at %v, expected %v", test.x, test.y, got, test.want)
		}
	}
}
