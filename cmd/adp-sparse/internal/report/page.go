package report

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/fit"
	"github.com/adp-sparse/adp-sparse/adp/labelfile"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/methodflags"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/opened"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/figures"
	"github.com/adp-sparse/adp-sparse/internal/htmlreport"
)

// data is the content of the page. It does not depend on the time of the run, nor on its threads.
func data(command string, r *Run, graph *opened.Graph, seeds *diffuse.Seeds, labels *labelfile.Labels, result *adp.Result) *htmlreport.Data {
	title := filepath.Base(r.Graph.File)
	if r.Graph.File == "-" {
		title = "(standard input)"
	}
	return &htmlreport.Data{
		Title: title, Summary: r.words(), Warnings: r.Warnings, Settings: r.settings(), Command: streams.Clean(command), Version: r.Version,
		W: graph.W, Seeds: seeds, Result: result, Learned: r.HasLearned(r.Options.Method), Calibration: r.Calibration, Classes: labels.Classes, Name: graph.IDs.Name,
	}
}

// words is the summary of a run as sentences.
func (r *Run) words() (lines []string) {
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	what := "nodes"
	if r.Graph.Built != nil {
		what = "points"
	}
	add("%s %s with %s edges, in %s, were labelled from %s in %s.", figures.Count(r.Graph.Nodes), what, figures.Count(r.Graph.Edges),
		figures.Counted(r.Graph.Components, "component"), figures.Counted(r.Labels.Seeds, "seed"), figures.Counted(r.Labels.Classes, "class"))
	if r.Graph.Built != nil {
		if chosen := r.Graph.Built.Chosen(); chosen != "" {
			add("The graph of the points is %s.", chosen)
		}
	}
	predicted, mean := 0, 0.0
	for _, c := range r.Predicted {
		predicted += c.Predicted
		mean += float64(c.Predicted) * c.Mean
	}
	status := "By status: " + StatusLine(r.Status) + "."
	if predicted > 0 {
		status += fmt.Sprintf(" The mean confidence of the predicted labels is %.3f", mean/float64(predicted))
		switch {
		case r.Calibration != nil && r.Calibration.Calibrated:
			status += ", which is the probability of being right on average over the nodes."
		case r.Combination != nil:
			status += ", a probability of being right that too few known labels can check."
		case r.Calibration != nil:
			status += "; it is raw, not a probability, as too few known labels can be left out."
		default:
			status += "; it is raw, not a probability (--calibrate auto makes it one on average over the nodes)."
		}
	}
	lines = append(lines, status)
	add("Accuracy: %s.", r.accuracy(r.facts()))
	if r.HasLearned(r.Options.Method) {
		add("Of the weight of edges, %.1f %% is inside the predicted classes in the original graph, %.1f %% in the learned one.", 100*r.Learned.InsideBefore, 100*r.Learned.InsideAfter)
	} else if r.Combination != nil {
		add("No graph was learned; of the weight of the edges, %.1f %% is inside the predicted classes.", 100*r.Learned.InsideBefore)
	} else {
		method, _ := adp.ParseMethod(r.Options.Method)
		add("The result is %s on the original graph; of the weight of its edges, %.1f %% is inside the predicted classes.", method.OnW(), 100*r.Learned.InsideBefore)
	}
	for _, print := range []func(w io.Writer){
		func(w io.Writer) { io.WriteString(w, mixtureSentence(r.Combination)) },
		func(w io.Writer) { PrintTrial(w, r.Trial, r.Combination != nil) },
		func(w io.Writer) { r.PrintUnlearned(w, r.Options.Method, r.Warm.Kept()) },
		func(w io.Writer) { PrintCalibration(w, r.Calibration) },
	} {
		var text bytes.Buffer
		print(&text)
		if line := strings.TrimSpace(text.String()); line != "" {
			add("%s.", strings.ToUpper(line[:1])+line[1:])
		}
	}
	return lines
}

// mixtureSentence is [CombinationText] in one line.
func mixtureSentence(c *fit.Combination) string {
	first, rest, _ := strings.Cut(strings.TrimSpace(CombinationText(c)), "\n")
	parts := []string{first}
	for line := range strings.Lines(rest) {
		parts = append(parts, strings.Join(strings.Fields(line), " "))
	}
	return strings.Join(parts, "; ")
}

// chosen names the setting of the result, which may be another than the options begin with.
func (r *Run) chosen() string {
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
func (r *Run) settings() (lines []htmlreport.Setting) {
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
	if methodflags.Has(o.Method, adp.Tries) {
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
