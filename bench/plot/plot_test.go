package plot

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	gplot "gonum.org/v1/plot"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/bench"
)

// cells are two methods on two sets at 1, 5 and 10 labels a class.
func cells() (all []bench.Cell) {
	for s, set := range []string{"one<two", "three@knn"} {
		for k, labels := range []int{1, 5, 10} {
			for m, method := range []string{"lgc", "adp & co"} {
				mean := 0.5 + 0.1*float64(k*k+1)*0.5 + 0.05*float64(m) + 0.01*float64(s)
				all = append(all, bench.Cell{Set: set, Method: method, PerClass: labels, Accuracy: []float64{mean - 0.02, mean, mean + 0.02}})
			}
		}
	}
	return all
}

func record(method string, draw, index, topK int, value float64) bench.RoundRecord {
	return bench.RoundRecord{
		Set: "s", Method: method, PerClass: 1, Draw: draw, Nodes: 10, Accuracy: value,
		Round: adp.Round{Index: index, Setting: adp.Setting{TopK: topK}, Changed: 4 - index, DeltaF: math.Pow(10, -float64(index)), Modularity: value / 2},
	}
}

// rounds are two draws of adp, with three and two A-steps, and one round of lgc.
func rounds() []bench.RoundRecord {
	all := []bench.RoundRecord{
		record("lgc", 0, 0, 0, 0.5),
		record("adp", 0, 0, 0, 0.5), record("adp", 0, 1, 5, 0.6), record("adp", 0, 2, 5, 0.7), record("adp", 0, 3, 5, 0.9),
		record("lgc", 1, 0, 0, 0.6),
		record("adp", 1, 0, 0, 0.6), record("adp", 1, 1, 5, 0.7), record("adp", 1, 2, 5, 0.8),
	}
	all[3].Chosen, all[8].Chosen = true, true
	return all
}

func svg(t *testing.T, f *Figure, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := f.Write(&text, SVG); err != nil {
		t.Fatal(err)
	}
	for d := xml.NewDecoder(bytes.NewReader(text.Bytes())); ; {
		if _, err := d.Token(); err == io.EOF {
			return text.String()
		} else if err != nil {
			t.Fatalf("not XML: %v", err)
		}
	}
}

// thick returns the heights of the corners of each thick line of a colour, in
// the order in which they were drawn.
func thick(t *testing.T, text, colour string) (lines [][]float64) {
	t.Helper()
	for _, path := range regexp.MustCompile(`<path d="M([^"AZ]*)" style="fill:none;stroke:`+colour+`;stroke-width:1.5"`).FindAllStringSubmatch(text, -1) {
		var heights []float64
		for _, point := range strings.Split(path[1], "L") {
			_, y, _ := strings.Cut(point, ",")
			v, err := strconv.ParseFloat(y, 64)
			if err != nil {
				t.Fatal(err)
			}
			heights = append(heights, v)
		}
		lines = append(lines, heights)
	}
	return lines
}

// TestAccuracy: a panel a set with a line a method through its means, whose
// heights are in the proportions of the means; names are text of the figure.
func TestAccuracy(t *testing.T) {
	f, err := Accuracy(cells())
	text := svg(t, f, err)
	if f, err := Accuracy(cells()); svg(t, f, err) != text {
		t.Error("the same cells gave other bytes")
	}
	for _, want := range []string{">one&lt;two<", ">three@knn<", ">lgc<", ">adp &amp; co<", ">10<", "mean ± sd of 3 draws"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in the figure", want)
		}
	}
	for _, colour := range []string{"#0072B2", "#D55E00"} {
		lines := thick(t, text, colour)
		if len(lines) != 3 { // two sets and the legend
			t.Fatalf("%s: %d lines, want 3", colour, len(lines))
		}
		for _, y := range lines[:2] { // the means rise by 1 and then 3 times 0.05
			if len(y) != 3 || math.Abs((y[2]-y[1])/(y[1]-y[0])-3) > 0.01 {
				t.Errorf("%s: heights %v", colour, y)
			}
		}
		bars := regexp.MustCompile(`<path d="M([0-9.]+),([0-9.]+)L([0-9.]+),([0-9.]+)" style="fill:none;stroke:`+colour+`;stroke-width:0.8"`).FindAllStringSubmatch(text, -1)
		upright := 0
		for _, bar := range bars {
			if low, _ := strconv.ParseFloat(bar[2], 64); bar[1] == bar[3] {
				high, _ := strconv.ParseFloat(bar[4], 64)
				if mean := lines[upright/3][upright%3]; math.Abs((low+high)/2-mean) > 0.02 || high-low < 1 {
					t.Errorf("%s: bar from %g to %g around %g", colour, low, high, mean)
				}
				upright++
			}
		}
		if upright != 6 {
			t.Errorf("%s: %d bars, want 6", colour, upright)
		}
	}
}

// TestConvergence: four panels; means of stopped draws stay where they stand
// a state and drop out where they are changes.
func TestConvergence(t *testing.T) {
	f, err := Convergence(rounds())
	text := svg(t, f, err)
	if f, err := Convergence(rounds()); svg(t, f, err) != text {
		t.Error("the same rounds gave other bytes")
	}
	for _, want := range []string{">accuracy<", ">‖ΔF‖ / ‖F‖<", ">changed labels, share<", ">modularity on W<", ">lgc<", ">adp<", ">s, labels a class: 1<", "mean (thick) of 2 draws"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in the figure", want)
		}
	}
	unmarked := rounds()
	unmarked[3].Chosen = false
	if f, err := Convergence(unmarked); svg(t, f, err) == text {
		t.Error("the chosen round has no mark")
	}
	level := thick(t, text, "#0072B2") // accuracy, modularity, legend
	if len(level) != 3 || len(level[0]) != 4 || level[0][0] != level[0][3] {
		t.Errorf("lgc: %v", level)
	}
	adp := thick(t, text, "#D55E00")
	if len(adp) != 5 {
		t.Fatalf("adp: %d thick lines, want 4 and the legend", len(adp))
	}
	draws := having(paths(rounds()), func(p path) string { return p.name }, "adp")
	for k, want := range [][]float64{{0.55, 0.65, 0.75, 0.85}, {0.1, 0.01, 0.001}, {0.3, 0.2, 0.1}, {0.275, 0.325, 0.375, 0.425}} {
		got := measures[k].mean(draws, 3)
		for i := range want {
			if len(got) != len(want) || math.Abs(got[i].Y-want[i]) > 1e-12 {
				t.Errorf("%s: mean %v, want %v", measures[k].name, got, want)
				break
			}
		}
		y := adp[k] // each of these falls on a line of equal steps
		for i := 2; i < len(want); i++ {
			if len(y) != len(want) || math.Abs(y[i]-2*y[i-1]+y[i-2]) > 0.02 {
				t.Errorf("%s: heights %v", measures[k].name, y)
			}
		}
	}
}

// TestPaths: a method that tries several settings has a path for each, all
// from round 0, also where two have the same numbers of rounds.
func TestPaths(t *testing.T) {
	got := paths([]bench.RoundRecord{
		record("lgc", 0, 0, 0, 0.5),
		record("full", 0, 0, 0, 0.1), record("full", 0, 1, 5, 0.2), record("full", 0, 2, 5, 0.3), record("full", 0, 3, 10, 0.4),
		record("full", 1, 0, 0, 0.5), record("full", 1, 1, 5, 0.6), record("full", 1, 2, 10, 0.7), record("full", 1, 3, 10, 0.8),
	})
	want := []struct {
		name   string
		values []float64
	}{
		{"lgc", []float64{0.5}},
		{"full, top-k 5, anchor 0, graph α 0", []float64{0.1, 0.2, 0.3}},
		{"full, top-k 10, anchor 0, graph α 0", []float64{0.1, 0.4}},
		{"full, top-k 5, anchor 0, graph α 0", []float64{0.5, 0.6}},
		{"full, top-k 10, anchor 0, graph α 0", []float64{0.5, 0.7, 0.8}},
	}
	if len(got) != len(want) {
		t.Fatalf("%d paths, want %d", len(got), len(want))
	}
	for k, p := range got {
		ok := p.name == want[k].name && len(p.rounds) == len(want[k].values)
		for i, v := range want[k].values {
			ok = ok && p.rounds[i].Accuracy == v
		}
		if !ok {
			t.Errorf("path %d: %+v, want %v", k, p, want[k])
		}
	}
}

// TestLiteral: the change of F of the literal form is not on the relative
// scale, also when it is all there is.
func TestLiteral(t *testing.T) {
	all := rounds()[1:5]
	for k := range all {
		all[k].Literal = true
	}
	f, err := Convergence(all)
	if lines := thick(t, svg(t, f, err), "#0072B2"); len(lines) != 4 { // three panels and the legend
		t.Errorf("%d lines, want 4", len(lines))
	}
}

// TestCollapse: two panels, and the heights of the largest class.
func TestCollapse(t *testing.T) {
	all := rounds()[1:5]
	for k := range all {
		all[k].Largest = []float64{0.25, 0.5, 0.75, 1}[k]
	}
	f, err := Collapse(all)
	text := svg(t, f, err)
	lines := thick(t, text, "#0072B2")
	if len(lines) != 3 || !strings.Contains(text, ">largest class, share<") || strings.Contains(text, "modularity") {
		t.Fatalf("%d lines, want two panels and the legend", len(lines))
	}
	if y := lines[1]; len(y) != 4 || y[3] == y[0] || math.Abs((y[3]-y[2])-(y[1]-y[0])) > 0.02 {
		t.Errorf("heights %v, want equal steps", y)
	}
}

// TestSensitivity: a panel an option, a line a form in each; values at equal
// steps; one scale of accuracy.
func TestSensitivity(t *testing.T) {
	var all []bench.KnobPoint
	for _, knob := range []string{"α", "k"} {
		for k, v := range []float64{0.5, 20} {
			for f, form := range bench.Forms() {
				mean := 0.5 + 0.1*float64(k+f)
				all = append(all, bench.KnobPoint{Set: "s", Form: form, Knob: knob, Value: v, Accuracy: []float64{mean - 0.01, mean + 0.01}})
			}
		}
	}
	f, err := Sensitivity(all)
	text := svg(t, f, err)
	for _, want := range []string{">α<", ">k<", ">20<", ">0.5<", ">the program<", "of 2 draws"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in the figure", want)
		}
	}
	lines := thick(t, text, "#D55E00")
	if len(lines) != 3 || len(lines[0]) != 2 || lines[0][0] != lines[1][0] || lines[0][1] == lines[0][0] {
		t.Errorf("lines %v, want the same in both panels, and the legend", lines)
	}
}

// TestManyRounds: past twelve rounds their scale is logarithmic.
func TestManyRounds(t *testing.T) {
	var all []bench.RoundRecord
	for k := range 50 {
		all = append(all, record("adp1", 0, k, 5, 0.5))
	}
	f, err := Convergence(all)
	text := svg(t, f, err)
	for _, want := range []string{">round (log scale)<", ">20<"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in the figure", want)
		}
	}
	if strings.Contains(text, ">30<") {
		t.Error("a tick at round 30")
	}
}

func TestPNG(t *testing.T) {
	f, err := Accuracy(cells()[:1])
	if err != nil {
		t.Fatal(err)
	}
	var first, second bytes.Buffer
	if err := errors.Join(f.Write(&first, PNG), f.Write(&second, PNG)); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("the same figure gave other bytes")
	}
	image, err := png.Decode(&first)
	if err != nil {
		t.Fatal(err)
	}
	width, height, _ := f.size()
	size := image.Bounds().Size()
	if math.Abs(float64(size.X)-width.Dots(dots)) > 1 || math.Abs(float64(size.Y)-height.Dots(dots)) > 1 {
		t.Errorf("%v, want %.0f × %.0f", size, width.Dots(dots), height.Dots(dots))
	}
	blue := false
	for y := range size.Y {
		for x := range size.X {
			r, g, b, _ := image.At(x, y).RGBA()
			blue = blue || r>>8 == 0 && g>>8 == 0x72 && b>>8 == 0xB2
		}
	}
	if !blue {
		t.Error("nothing has the colour of the first method")
	}
}

func TestFaults(t *testing.T) {
	if _, err := Accuracy(nil); !errors.Is(err, ErrEmpty) {
		t.Error(err)
	}
	if _, err := Convergence(nil); !errors.Is(err, ErrEmpty) {
		t.Error(err)
	}
	if _, err := Sensitivity(nil); !errors.Is(err, ErrEmpty) {
		t.Error(err)
	}
	bad := cells()
	bad[3].Accuracy[0] = math.NaN()
	if _, err := Accuracy(bad); err == nil || !strings.Contains(err.Error(), "set one<two, method adp & co") {
		t.Errorf("NaN: %v", err)
	}
	for name, want := range map[string]Format{"a.svg": SVG, "b.c/A.PNG": PNG, "svg": -1, "-": -1, "a.svg.gz": -1, "": -1} {
		got, err := FormatOf(name)
		if want >= 0 && (err != nil || got != want) || want < 0 && !errors.Is(err, ErrFormat) {
			t.Errorf("%q: %v, %v", name, got, err)
		}
	}
}

func TestRoundTicks(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		want      string
	}{
		{0.844, 1, "0.85 0.90 0.95 1.00"},
		{0, 0.42, "0.0 0.1 0.2 0.3 0.4"},
		{-0.03, 0.86, "0.0 0.2 0.4 0.6 0.8"},
		{-20, 130, "0 50 100"},
		{0.9301, 0.9342, "0.931 0.932 0.933 0.934"},
	} {
		if got := labels(roundTicks(c.low, c.high)); got != c.want {
			t.Errorf("%g to %g: %s, want %s", c.low, c.high, got, c.want)
		}
	}
}

// TestDecades: each power of 10 within the axis has its tick, also 0.1.
func TestDecades(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		want      string
	}{{0.19, 133, "0.1 1 10 100 1000"}, {25, 445, "10 100 1000"}, {1e4, 1e5, "10000 100000"}, {0.012, 0.3, "0.01 0.1 1"}} {
		a := gplot.Axis{Min: c.low, Max: c.high}
		decades(&a)
		var got []string
		for _, tick := range a.Tick.Marker.Ticks(a.Min, a.Max) {
			if tick.Label != "" && tick.Value >= a.Min && tick.Value <= a.Max {
				got = append(got, tick.Label)
			}
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%g to %g: %s, want %s", c.low, c.high, text, c.want)
		}
	}
}

func labels(ticks []gplot.Tick) string {
	var out []string
	for _, tick := range ticks {
		out = append(out, tick.Label)
	}
	return strings.Join(out, " ")
}

// TestScaling: a line and a legend entry a series, the exponent of an exact
// power, and nothing for no points.
func TestScaling(t *testing.T) {
	f, err := Scaling([]bench.ScalingPoint{
		{Method: "lgc", Threads: 1, Nodes: 1000, Estimated: 1 << 20},
		{Method: "lgc", Threads: 1, Nodes: 10000, Estimated: 1 << 23},
		{Method: "adp", Threads: 2, Nodes: 1000},
	})
	text := svg(t, f, err)
	for _, want := range []string{">lgc, 1 thread", ">adp, 2 threads", ">nodes<", ">seconds<", ">MiB<"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in the figure", want)
		}
	}
	if _, err := Scaling(nil); !errors.Is(err, ErrEmpty) {
		t.Errorf("no points: %v", err)
	}
}
