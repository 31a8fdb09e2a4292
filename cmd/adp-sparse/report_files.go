package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/labelfile"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/format"
	"github.com/adp-sparse/adp-sparse/cmd/internal/figures"
	"github.com/adp-sparse/adp-sparse/cmd/internal/outputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/htmlreport"
)

// reportFlags say where a run is told of.
type reportFlags struct {
	files    []string // .html is a page, all others are JSON
	pictures string   // the folder of pictures
	command  string   // the command line, for who wants the same again
	made     bool     // the folder was made by this run, and is removed if it fails
}

func (f *reportFlags) bind(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&f.files, "report", nil, "what was done and found: a page to read (.html, one file, no network) or JSON; may be given several times")
	flags.StringVar(&f.pictures, "pictures", "", "a folder for the pictures of the page, as SVG; made if it is not there")
}

// outputs are all files that will be written.
func (f *reportFlags) outputs() (outs []outputs.File) {
	for _, name := range f.files {
		outs = append(outs, outputs.File{Flag: "report", Name: name})
	}
	for _, name := range f.pictureFiles() {
		outs = append(outs, outputs.File{Flag: "pictures", Name: name})
	}
	return outs
}

func (f *reportFlags) pictureFiles() (names []string) {
	if f.pictures == "" {
		return nil
	}
	for _, name := range htmlreport.Names {
		names = append(names, filepath.Join(f.pictures, name+".svg"))
	}
	return names
}

// names are the files, without the flags.
func (f *reportFlags) names() (names []string) {
	for _, out := range f.outputs() {
		names = append(names, out.Name)
	}
	return names
}

func isPage(name string) bool { return format.Ending(name) == ".html" || format.Ending(name) == ".htm" }

// page returns the first report that is a page, "" if none is.
func (f *reportFlags) page() string {
	for _, name := range f.files {
		if isPage(name) {
			return name
		}
	}
	return ""
}

// drawn reports whether there is a page or a picture to draw.
func (f *reportFlags) drawn() bool { return f.page() != "" || f.pictures != "" }

// bytes is the memory that drawing takes beside that of the run, whose blocks
// are free by then: dots and letters of the pictures.
func (f *reportFlags) bytes() int64 {
	if f.drawn() {
		return 4 << 20
	}
	return 0
}

// makeFolder makes the folder of the pictures.
func (f *reportFlags) makeFolder() error {
	if f.pictures == "" {
		return nil
	}
	err := os.Mkdir(f.pictures, 0o755)
	f.made = err == nil
	if errors.Is(err, fs.ErrExist) {
		return nil // what it is shows when files are made in it
	}
	return err
}

// removeFolder removes the folder again, of a run that wrote nothing to it.
func (f *reportFlags) removeFolder() {
	if f.made {
		os.Remove(f.pictures) // only an empty one goes
	}
}

// write writes the reports and the pictures.
func (f *reportFlags) write(out *outputs.Set, r *runReport, graph *graph, seeds *diffuse.Seeds, labels *labelfile.Labels, result *adp.Result) error {
	var page *htmlreport.Report
	if f.drawn() {
		page = htmlreport.New(f.data(r, graph, seeds, labels, result))
	}
	for _, name := range f.files {
		if !isPage(name) {
			if err := writeJSON(out, name, r); err != nil {
				return err
			}
			continue
		}
		if err := out.Write(name, page.Write); err != nil {
			return err
		}
	}
	if f.pictures == "" {
		return nil
	}
	for _, p := range page.Pictures() {
		if err := out.Write(filepath.Join(f.pictures, p.Name+".svg"), p.WriteSVG); err != nil {
			return err
		}
	}
	return nil
}

// data is what the page shows. Nothing in it depends on the time that the run
// took or on the number of its threads.
func (f *reportFlags) data(r *runReport, graph *graph, seeds *diffuse.Seeds, labels *labelfile.Labels, result *adp.Result) *htmlreport.Data {
	title := filepath.Base(r.Graph.File)
	if r.Graph.File == "-" {
		title = "(standard input)"
	}
	return &htmlreport.Data{
		Title: title, Summary: r.words(), Warnings: r.Warnings, Settings: r.settings(), Command: streams.Clean(f.command), Version: r.Version,
		W: graph.W, Seeds: seeds, Result: result, Learned: r.learned(r.Options.Method), Calibration: r.Calibration, Classes: labels.Classes, Name: graph.IDs.Name,
	}
}

// words is the summary of a run as sentences.
func (r *runReport) words() (lines []string) {
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	what := "nodes"
	if r.Graph.Built != nil {
		what = "points"
	}
	add("%s %s with %s edges, in %s, were labelled from %s in %s.", figures.Count(r.Graph.Nodes), what, figures.Count(r.Graph.Edges),
		figures.Counted(r.Graph.Components, "component"), figures.Counted(r.Labels.Seeds, "seed"), figures.Counted(r.Labels.Classes, "class"))
	if r.Graph.Built != nil {
		if chosen := r.Graph.Built.chosen(); chosen != "" {
			add("The graph of the points is %s.", chosen)
		}
	}
	predicted, mean := 0, 0.0
	for _, c := range r.Predicted {
		predicted += c.Predicted
		mean += float64(c.Predicted) * c.Mean
	}
	told := "By status: " + statusLine(r.Status) + "."
	if predicted > 0 {
		told += fmt.Sprintf(" The mean confidence of the predicted labels is %.3f", mean/float64(predicted))
		if r.Calibration != nil && r.Calibration.Calibrated {
			told += ", which is the probability of being right on average over the nodes."
		} else {
			told += "; it is raw, not a probability (--calibrate auto makes it one on average over the nodes)."
		}
	}
	lines = append(lines, told)
	if r.learned(r.Options.Method) {
		add("Of the weight of edges, %.1f %% is inside the predicted classes in the original graph, %.1f %% in the learned one.", 100*r.Learned.InsideBefore, 100*r.Learned.InsideAfter)
	} else {
		method, _ := adp.ParseMethod(r.Options.Method)
		add("The result is %s on the original graph; of the weight of its edges, %.1f %% is inside the predicted classes.", method.OnW(), 100*r.Learned.InsideBefore)
	}
	for _, print := range []func(w io.Writer){
		func(w io.Writer) { printTrial(w, r.Trial) },
		func(w io.Writer) { r.printUnlearned(w, r.Options.Method, r.Warm.kept()) },
		func(w io.Writer) { printCalibration(w, r.Calibration) },
	} {
		var text bytes.Buffer
		print(&text)
		if line := strings.TrimSpace(text.String()); line != "" {
			add("%s.", strings.ToUpper(line[:1])+line[1:])
		}
	}
	return lines
}

// chosen says what the result was made with: the choice may try other settings than those
// that the options begin with.
func (r *runReport) chosen() string {
	round := r.Rounds[r.Chosen]
	switch {
	case round.TopK == 0:
		return fmt.Sprintf("LGC on the graph as given, α %g (round %d)", round.Alpha, round.Index)
	case round.Weight > 0 && round.Weight < 1:
		return fmt.Sprintf("top-k %d, anchor %g, α_A %g (round %d, %.2f of the mean of rounds that the result is)", round.TopK, round.Anchor, round.GraphAlpha, round.Index, round.Weight)
	}
	return fmt.Sprintf("top-k %d, anchor %g, α_A %g (round %d)", round.TopK, round.Anchor, round.GraphAlpha, round.Index)
}

// settings are the lines of the table of settings.
func (r *runReport) settings() (lines []htmlreport.Setting) {
	add := func(name, format string, args ...any) {
		lines = append(lines, htmlreport.Setting{Name: name, Value: streams.Clean(fmt.Sprintf(format, args...))})
	}
	add("graph", "%s", r.Graph.File)
	if b := r.Graph.Built; b != nil {
		add("made from features", "%s, %s points of %d dimensions", b.Kind, figures.Count(b.Points), b.Dims)
		if b.Scaled {
			add("columns scaled", "each less its mean, over its spread; the largest spread is %.3g times the median one", b.Ratio)
		}
		if b.Share > 0 {
			add("share of features", "%g of all weight, those of %s beside the edges", b.Share, b.File)
		}
	}
	add("known labels", "%s", r.Labels.File)
	o := r.Options
	add("method", "%s", o.Method)
	if hasTrait(o.Method, adp.Tries) {
		add("chosen", "%s", r.chosen())
	}
	add("α", "%g", o.Alpha)
	add("α_A, of the graph", "%g", o.GraphAlpha)
	add("ζ", "%g", o.Zeta)
	add("top-k", "%d", o.TopK)
	add("anchor", "%g", o.Anchor)
	add("rounds at most", "%d", o.Rounds)
	add("label factor", "%s", o.Harden)
	add("rows over hubs", "%s", o.Hubs)
	add("balance", "%s", o.Balance)
	add("choice", "%s", o.Select)
	add("solver", "%s, tolerance %g", o.Solver, o.Tolerance)
	return lines
}
