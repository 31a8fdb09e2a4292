package htmlreport

import (
	"fmt"
	"math"
	"slices"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/internal/picture"
)

// measure is what one of the charts of rounds shows.
type measure struct {
	title, label string
	log          bool
	first        bool // round 0 has one
	share        bool // between 0 and 1
	of           func(r *adp.Round) float64
}

func (d *Data) measures() []measure {
	nodes := float64(d.Seeds.Nodes)
	return []measure{
		{title: "Cut of the labels on the original graph", label: "cut", first: true, share: true, of: func(r *adp.Round) float64 { return r.Association }},
		{title: "Modularity of the labels on the original graph", label: "modularity", first: true, of: func(r *adp.Round) float64 { return r.Modularity }},
		{title: "Change of F from the round before", label: "‖ΔF‖ / ‖F‖", log: true, of: func(r *adp.Round) float64 { return r.DeltaF }},
		{title: "Labels that changed", label: "share of labels changed", of: func(r *adp.Round) float64 { return float64(r.Changed) / nodes }},
	}
}

// roundCharts are a chart for each measure: a line for each setting, from round
// 0, where it starts; the round of the result has a ring. nil where there is
// but round 0.
func (d *Data) roundCharts() (charts []*picture.Chart) {
	if len(d.Result.Rounds) < 2 {
		return nil
	}
	for _, m := range d.measures() {
		charts = append(charts, d.roundChart(m))
	}
	return charts
}

func (d *Data) roundChart(m measure) *picture.Chart {
	rounds := d.Result.Rounds
	low, high := math.Inf(1), math.Inf(-1)
	shown := func(k int) bool {
		return (m.first || stepped(&rounds[k])) && !(m.log && m.of(&rounds[k]) <= 0)
	}
	for k := range rounds {
		if shown(k) {
			low, high = min(low, m.of(&rounds[k])), max(high, m.of(&rounds[k]))
		}
	}
	y := picture.Axis{Label: m.label, Log: m.log, Low: low, High: high}
	switch {
	case low > high:
		y.Low, y.High = 0.1, 1
	case m.log:
		y.Low, y.High = math.Pow(10, math.Floor(math.Log10(low))), math.Pow(10, math.Ceil(math.Log10(high)+1e-9))
	case !m.first:
		y.Low = 0
		y.High = max(high, 1e-6)
	default:
		margin := max(0.06*(high-low), 1e-3)
		y.Low, y.High = low-margin, high+margin
		if m.share {
			y.Low, y.High = max(y.Low, min(low, 0)), min(y.High, max(high, 1))
		}
	}
	last := float64(len(rounds) - 1)
	const aside = 0.03 // round 0 is not on the labels of the axis
	c := picture.NewChart(m.title, picture.Axis{Label: "round", Low: -aside * last, High: last, Whole: true}, y)
	point := func(k int) picture.Point { return picture.Point{X: float64(k), Y: m.of(&rounds[k])} }
	for number, part := range d.settings() {
		var line []picture.Point
		ink, form := picture.Class(number), picture.FormOf(number)
		for _, k := range part {
			if shown(k) {
				line = append(line, point(k))
				c.Dot(point(k), 3, ink, form, "")
			}
		}
		c.Path(line, ink, false)
	}
	if k := d.Result.Chosen; shown(k) {
		at := c.At(float64(k), m.of(&rounds[k]))
		c.Items = append(c.Items, picture.Item{Kind: picture.Mark, At: at, Radius: 3.4, Ink: picture.Strong, Ring: true})
		c.Text(picture.Point{X: 350, Y: 17}, "ring: the result", 11, picture.End, picture.Soft)
	}
	return c
}

// stepped reports whether a round has one before it that it can be compared
// with.
func stepped(r *adp.Round) bool { return r.TopK != 0 || r.DeltaF != 0 || r.Changed != 0 }

// settings returns the rounds of each setting of the A-step, and first round 0.
func (d *Data) settings() (parts [][]int) {
	rounds := d.Result.Rounds
	for k := range rounds {
		if k < 2 || rounds[k].Setting != rounds[k-1].Setting || rounds[k].Alpha != rounds[k-1].Alpha {
			parts = append(parts, nil)
		}
		parts[len(parts)-1] = append(parts[len(parts)-1], k)
	}
	return parts
}

// settingNames are what the lines of the charts of rounds are of, in the order of
// settings: round 0 is of the first.
func (d *Data) settingNames() (names []string) {
	for _, part := range d.settings() {
		names = append(names, d.settingOf(part[0]))
	}
	return names
}

// settingOf says what graph a round is on.
func (d *Data) settingOf(k int) string {
	switch r := d.Result.Rounds[k]; {
	case r.TopK != 0:
		return fmt.Sprintf("k %d, anchor %.2g, α_A %.2g", r.TopK, r.Anchor, r.GraphAlpha)
	case r.Alpha != d.Result.Rounds[0].Alpha:
		return fmt.Sprintf("original graph, α %.2g", r.Alpha)
	}
	return "original graph"
}

// withLegend is a chart of rounds with the names of its lines below it, for a picture
// that stands alone.
func (d *Data) withLegend(c *picture.Chart) *picture.Picture {
	p := *c.Picture
	p.Items = slices.Clone(p.Items)
	const row, indent, apart = 16, 20, 170
	for k, name := range d.settingNames() {
		at := picture.Point{X: indent + apart*float64(k%2), Y: c.Height + row*float64(k/2)}
		p.Mark(picture.Point{X: at.X, Y: at.Y + 4}, 4, picture.Class(k), picture.FormOf(k), "")
		p.Text(picture.Point{X: at.X + 9, Y: at.Y + 8}, name, 11, picture.Start, picture.Strong)
		p.Height = at.Y + row
	}
	return &p
}

// reliability is the diagram of left-out seeds: how often labels of about the
// same confidence are right.
func (d *Data) reliability() *picture.Chart {
	one := func(label string) picture.Axis { return picture.Axis{Label: label, High: 1} }
	c := picture.NewChart("Reliability of the confidence", one("confidence"), one("share that is right"))
	c.Path([]picture.Point{{X: 0, Y: 0}, {X: 1, Y: 1}}, picture.Soft, true)
	var line []picture.Point
	for _, bin := range d.Calibration.Bins {
		p := picture.Point{X: bin.Mean, Y: bin.Right}
		line = append(line, p)
		c.Dot(p, 4, inkBefore, formBefore, fmt.Sprintf("%d left-out seeds of confidence %.3f: %.3f right", bin.Cases, bin.Mean, bin.Right))
	}
	c.Path(line, inkBefore, false)
	c.Entry("left-out seeds, in bins", inkBefore, formBefore)
	return c
}
