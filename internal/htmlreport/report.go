package htmlreport

import (
	"cmp"
	"context"
	_ "embed" // the page and its style
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/internal/figures"
	"github.com/adp-sparse/adp-sparse/internal/picture"
)

//go:embed page.html
var pageText string

//go:embed style.css
var styleText string

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"picture": func(p *picture.Picture) template.HTML { return template.HTML(p.Inline()) }, // escaped there
	"style":   func() template.CSS { return template.CSS(picture.Style() + styleText) },
	"swatch":  swatch,
	"count":   figures.Count,

	"wonAndLost": wonAndLost,
	"add":        func(a, b int) int { return a + b },
}).Parse(pageText))

// Report is a finished report.
type Report struct {
	data     *Data
	drawings *drawings
	rounds   []*picture.Chart
	degrees  *picture.Chart
	weights  *picture.Chart
	calibr   *picture.Chart // nil without a calibration
	degree   twin
	weight   twin
}

// New draws the pictures of a report. Where the context ends, nodes lie where they happen to be by then.
func New(ctx context.Context, d *Data) *Report {
	d = d.shown()
	r := &Report{data: d, drawings: d.draw(ctx), rounds: d.roundCharts()}
	r.degree.Before, r.weight.Before = degrees(d.W), weights(d.W)
	if d.Learned {
		r.degree.After, r.weight.After = degrees(d.Result.Graph), weights(d.Result.Graph)
	}
	r.degrees, r.weights = r.degree.degreeChart(d.Learned), r.weight.weightChart(d.Learned)
	if c := d.Calibration; c != nil && c.Calibrated {
		r.calibr = d.reliability()
	}
	return r
}

// Picture is a picture of a report, by the name of its file without an ending.
type Picture struct {
	Name string
	*picture.Picture
}

// Names of the pictures of any report.
var Names = []string{"graph-original", "graph-learned", "rounds-cut", "rounds-modularity", "rounds-change", "rounds-labels", "degrees", "weights", "reliability", "graphs"}

// Pictures returns the pictures of the report, in the order of [Names]. In the
// place of one that the run has no data for is a sheet that says so.
func (r *Report) Pictures() (out []Picture) {
	add := func(p *picture.Picture, without string) {
		if p == nil {
			p = &picture.Picture{Title: without, Width: 360, Height: 60}
			p.Text(picture.Point{X: 180, Y: 34}, without, 12, picture.Middle, picture.Soft)
		}
		out = append(out, Picture{Names[len(out)], p})
	}
	plain := func(c *picture.Chart) *picture.Picture {
		if c == nil {
			return nil
		}
		return c.Picture
	}
	add(r.drawings.Original, "")
	add(r.drawings.Learned, "The result is LGC: the graph stays as it was.")
	for k := range 4 {
		var p *picture.Picture
		if r.rounds != nil {
			p = r.data.withLegend(r.rounds[k])
		}
		add(p, "The run has one round.")
	}
	add(r.degrees.Picture, "")
	add(r.weights.Picture, "")
	add(plain(r.calibr), "The confidence was not calibrated.")
	add(r.data.both(r.drawings), "")
	return out
}

// Write writes the page.
func (r *Report) Write(w io.Writer) error { return page.Execute(w, r.view()) }

// view is what the page's template shows.
type view struct {
	*Data
	Drawings          *drawings
	AllNodes, Most    int
	Fitting           int // rounds that the table shows without scrolling
	Rounds            []roundRow
	Charts            []*picture.Picture
	Lines             []string // of the charts
	ClassRows         []classRow
	Spreads           []*picture.Picture
	SpreadRows        []spreadRow
	Reliability       *picture.Picture
	Bins              []binRow
	Seedless          []seedless
	SeedlessCount     int
	SeedlessNodes     int
	Unsure            []unsureRow
	Changed, Weighted bool
}

func (r *Report) view() *view {
	d := r.data
	v := &view{
		Data: d, Drawings: r.drawings, AllNodes: d.Seeds.Nodes, Most: MostNodes, Fitting: fittingRounds, Changed: d.Learned,
		Rounds: d.roundRows(), ClassRows: d.classRows(), Unsure: d.unsure(10),
		Spreads: []*picture.Picture{r.degrees.Picture, r.weights.Picture},
	}
	v.Seedless, v.SeedlessCount, v.SeedlessNodes = d.seedless()
	for _, c := range r.rounds {
		v.Charts = append(v.Charts, c.Picture)
	}
	v.Lines = d.settingNames()
	for _, row := range v.Rounds {
		v.Weighted = v.Weighted || row.Weight != ""
	}
	row := func(what string, s spread) {
		v.SpreadRows = append(v.SpreadRows, spreadRow{what, figures.Count(s.Count), figure(s.Min), figure(s.Mean), figure(s.Max)})
	}
	row("neighbours of a node, original graph", r.degree.Before)
	if v.Changed {
		row("neighbours of a node, learned graph", r.degree.After)
	}
	row("weight of an edge, original graph", r.weight.Before)
	if v.Changed {
		row("weight of an edge, learned graph", r.weight.After)
	}
	if r.calibr != nil {
		v.Reliability = r.calibr.Picture
		for _, b := range d.Calibration.Bins {
			v.Bins = append(v.Bins, binRow{figures.Count(b.Cases), share(b.Mean), share(b.Right)})
		}
	}
	return v
}

// fittingRounds is about the number of rows that a .scroll of style.css has room for.
const fittingRounds = 14

type spreadRow struct{ What, Count, Min, Mean, Max string }

type binRow struct{ Cases, Mean, Right string }

type roundRow struct {
	Index                                                                int
	Setting                                                              string
	Products                                                             int
	Residual, Changed, DeltaF, Association, Modularity, Largest, Entries string
	Weight                                                               string
	Result                                                               bool
}

func (d *Data) roundRows() (rows []roundRow) {
	for k, r := range d.Result.Rounds {
		row := roundRow{
			Index: r.Index, Setting: d.settingOf(k), Products: r.Solve.Iterations, Residual: fmt.Sprintf("%.1e", r.Solve.Residual),
			Changed: figures.Count(r.Changed), DeltaF: fmt.Sprintf("%.3g", r.DeltaF), Association: fmt.Sprintf("%.4f", r.Association), Modularity: fmt.Sprintf("%.4f", r.Modularity),
			Largest: share(r.Largest), Entries: figures.Count(r.Entries), Result: k == d.Result.Chosen,
		}
		if !stepped(&d.Result.Rounds[k]) {
			row.Changed, row.DeltaF = "", ""
		}
		if r.Weight > 0 {
			row.Weight = fmt.Sprintf("%.2f", r.Weight)
		}
		rows = append(rows, row)
	}
	return rows
}

type classRow struct {
	Number                   int
	Name                     string
	Seeds, Predicted, Unsure string
	Confidence               string
	Mean                     float64 // of the confidence
	Share                    float64 // of the predicted nodes, against the largest class
	hits, uncertain          int
}

// classRows counts, for each class, its seeds and the other nodes that got it.
func (d *Data) classRows() []classRow {
	rows := make([]classRow, len(d.Classes))
	for i, j := range d.Result.Labels {
		if j < 0 || d.Result.Status[i] == adp.Seed {
			continue
		}
		row := &rows[j]
		row.hits++
		row.Mean += float64(d.Result.Confidence[i])
		if d.Result.Status[i] == adp.Uncertain {
			row.uncertain++
		}
	}
	most := 1
	for j := range rows {
		most = max(most, rows[j].hits)
	}
	for j, seeds := range d.Seeds.PerClass() {
		row := &rows[j]
		row.Number, row.Name, row.Seeds, row.Predicted, row.Unsure = j, d.Classes[j], figures.Count(seeds), figures.Count(row.hits), figures.Count(row.uncertain)
		row.Confidence = "–"
		if row.hits > 0 {
			row.Mean /= float64(row.hits)
			row.Confidence = share(row.Mean)
		}
		row.Share = 100 * float64(row.hits) / float64(most)
	}
	return rows
}

type unsureRow struct {
	Node, Label, RunnerUp, Confidence, Margin string
	LabelClass, RunnerClass                   int
}

// unsure returns the few predicted nodes of the smallest margins.
func (d *Data) unsure(few int) []unsureRow {
	var nodes []int
	margin := func(i int) float32 { return d.Result.Margin[i] }
	for i, j := range d.Result.Labels {
		if j < 0 || d.Result.Status[i] == adp.Seed || len(nodes) == few && margin(i) >= margin(nodes[few-1]) {
			continue
		}
		at, _ := slices.BinarySearchFunc(nodes, i, func(a, b int) int { return cmp.Or(cmp.Compare(margin(a), margin(b)), cmp.Compare(a, b)) })
		nodes = slices.Insert(nodes, at, i)
		nodes = nodes[:min(few, len(nodes))]
	}
	var rows []unsureRow
	for _, i := range nodes {
		row := unsureRow{Node: d.Name(i), Label: d.class(d.Result.Labels[i]), LabelClass: int(d.Result.Labels[i]), RunnerUp: "–", RunnerClass: -1}
		row.Confidence, row.Margin = share(float64(d.Result.Confidence[i])), share(float64(margin(i)))
		if second := runnerUp(d.Result.F.Row(i), row.LabelClass); second >= 0 {
			row.RunnerUp, row.RunnerClass = d.Classes[second], second
		}
		rows = append(rows, row)
	}
	return rows
}

// runnerUp returns the class of the largest score but the label's; -1 for none.
func runnerUp(scores []float32, label int) int {
	second := -1
	for j, v := range scores {
		if j != label && v > 0 && (second < 0 || v > scores[second]) {
			second = j
		}
	}
	return second
}

// largest returns the few candidates of the largest sizes, of equal ones the
// first.
func largest(candidates, sizes []int, few int) []int {
	slices.SortStableFunc(candidates, func(a, b int) int { return cmp.Compare(sizes[b], sizes[a]) })
	return candidates[:min(few, len(candidates))]
}

// swatch is the mark of a class.
func swatch(j int) template.HTML {
	p := &picture.Picture{Width: 12, Height: 12}
	ink, form := picture.Soft, picture.Circle
	if j >= 0 {
		ink, form = picture.Class(j), picture.FormOf(j)
	}
	p.Mark(picture.Point{X: 6, Y: 6}, 4.6, ink, form, "")
	return template.HTML(strings.Replace(p.Inline(), `role="img" aria-label=""`, `aria-hidden="true"`, 1))
}

// wonAndLost says how many left-out seeds one of the two has right and the other wrong, and
// the lead by ranks where that says something else.
func wonAndLost(t *adp.Trial) string {
	text := fmt.Sprintf("%s right by the learned graphs alone, %s by LGC alone", figures.Count(t.Won), figures.Count(t.Lost))
	if t.Won+t.Lost == 0 {
		text = "none was right by one of the two and wrong by the other"
	}
	lead := math.Round(10 * t.Lead)
	if ahead := cmp.Compare(lead, 0); t.PseudoLabels == 0 && ahead != cmp.Compare(t.Won, t.Lost) {
		who := [...]string{"LGC leads by %.1f standard deviations", "neither leads", "the learned graphs lead by %.1f standard deviations"}[ahead+1]
		if ahead != 0 {
			who = fmt.Sprintf(who, math.Abs(lead)/10)
		}
		text += "; by the ranks of the right classes " + who
	}
	return text
}

func share(v float64) string { return fmt.Sprintf("%.3f", v) }

func figure(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }
