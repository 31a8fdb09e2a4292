package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/crossval"
	"github.com/adp-sparse/adp-sparse/adp/fit"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/methodflags"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/internal/figures"
)

// mostLines is the length of a summary without --verbose.
const mostLines = 12

// Facts are what a summary says of a run beside its results.
type Facts struct {
	Read        string // what was read
	Graph       string // how the graph was made of vectors; empty for edges
	Notes       string // what the readers did not take as it stands
	Start       string // where the run started; empty for nothing
	Method      string
	Kept        bool // the choice of an earlier run was kept
	Combination *fit.Combination
	Calibration *adp.Calibration
	Seconds     float64
	Several     bool // nodes have several labels
	Shared      bool // by --label-share
	NoPage      bool // no page can be made of the run, and explain does not take it
}

// Written are the files that a run wrote.
type Written struct {
	Files []string // - is standard output
	Page  string   // of them, the one to look at
}

// line is a line of a summary: a word, and what it says.
type line struct{ what, text string }

// Brief writes the summary of a run, and the warnings as far as there are lines for them.
func (r *Results) Brief(w io.Writer, f *Facts, wrote Written) {
	head := slices.DeleteFunc([]line{
		{"read", f.Read},
		{"notes", f.Notes},
		{"graph", f.Graph},
		{"start", f.Start},
		{"result", r.result(f)},
		{"accuracy", r.accuracy(f)},
		{"labels", r.labels()},
		wrote.files(f.Seconds),
		wrote.next(f.NoPage),
	}, func(l line) bool { return l.text == "" })
	last := head[len(head)-1]
	printLines(w, head[:len(head)-1])
	r.Warnings.printMost(w, mostLines-len(head))
	printLines(w, []line{last})
}

func printLines(w io.Writer, lines []line) {
	for _, l := range lines {
		fmt.Fprintf(w, "%-10s%s\n", l.what, streams.Clean(l.text))
	}
}

// printMost writes the warnings on at most `lines` lines. The last line holds all that are left.
func (w Warnings) printMost(to io.Writer, lines int) {
	most := min(len(w), lines)
	if most == 0 {
		return
	}
	w[:most-1].Print(to)
	var texts []string
	for _, warning := range w[most-1:] {
		texts = append(texts, fmt.Sprintf("[%s]: %s", warning.Code, streams.Clean(warning.Message)))
	}
	fmt.Fprintf(to, "warning %s\n", strings.Join(texts, "; "))
}

// result says what the result is of, and why.
func (r *Results) result(f *Facts) string {
	method, _ := adp.ParseMethod(f.Method)
	switch {
	case f.Combination != nil:
		return mixture(f.Combination)
	case !methodflags.Has(f.Method, adp.Tries) && f.Kept:
		return fmt.Sprintf("%v with the setting of the earlier run", method)
	case f.Several:
		return fmt.Sprintf("%v, for several labels a node (--multilabel)", method)
	case !methodflags.Has(f.Method, adp.Tries):
		return fmt.Sprintf("%v, as --method says", method)
	case f.Kept:
		return r.graphOfResult() + ", with the setting of the earlier run"
	}
	return r.graphOfResult() + reason(r.Trial)
}

// graphOfResult says which graph the labels of ADP are of.
func (r *Results) graphOfResult() string {
	round := r.Rounds[r.Chosen]
	if round.TopK == 0 {
		return fmt.Sprintf("label spreading (LGC) on the given graph, α %g", round.Alpha)
	}
	averaged := 0
	for _, one := range r.Rounds {
		if one.Weight > 0 {
			averaged++
		}
	}
	if averaged > 1 {
		return fmt.Sprintf("the learned graph, a mean over %d rounds", averaged)
	}
	return fmt.Sprintf("the learned graph, top-k %d", round.TopK)
}

// reason says why a trial chose the result.
func reason(t *adp.Trial) string {
	switch {
	case t == nil:
		return ""
	case t.Folds == 0:
		return ": too few known labels to test the learned graph"
	case t.PseudoLabels > 0 && t.Accepted:
		return fmt.Sprintf(": it repeats %.3f of the pseudo-labels, LGC %.3f", t.ADP, t.LGC)
	case t.PseudoLabels > 0:
		return fmt.Sprintf(": it repeats %.3f of the pseudo-labels, the learned graph %.3f, no clear lead", t.LGC, t.ADP)
	case t.Alpha > 0:
		return ": the best α by cross-validation"
	case t.Untried && t.Doubt:
		return fmt.Sprintf(": %.3f right in cross-validation, more than 0.1 below its association; no learned graph was compared", t.LGC)
	case t.Untried:
		return fmt.Sprintf(": %.3f right in cross-validation; no learned graph has more association", t.LGC)
	case t.Accepted && t.ADP > t.LGC:
		return fmt.Sprintf(": %.3f right in cross-validation, LGC %.3f", t.ADP, t.LGC)
	case t.Accepted:
		return fmt.Sprintf(": %.3f right in cross-validation, LGC %.3f, no clear difference; its association is higher", t.ADP, t.LGC)
	case t.ADP > t.LGC:
		return fmt.Sprintf(": %.3f right in cross-validation; the lead of the learned graph, %.3f, is not clear", t.LGC, t.ADP)
	}
	return fmt.Sprintf(": %.3f right in cross-validation; the learned graph is no better, %.3f", t.LGC, t.ADP)
}

// mixture says of how many methods the result is, and which has the largest weight.
func mixture(c *fit.Combination) string {
	by := "weighted by cross-validation"
	if c.LeftOut == 0 {
		by = "with fixed weights, as too few labels are known"
	}
	most := slices.MaxFunc(c.Members, func(a, b fit.Member) int { return cmp.Compare(a.Weight, b.Weight) })
	return fmt.Sprintf("a mixture of %s, %s; %.0f %% is %s", figures.Counted(len(c.Members), "method"), by, 100*most.Weight, most.Name())
}

// accuracy says how many labels are right, as far as left-out labels tell, or why nothing tells it.
func (r *Results) accuracy(f *Facts) string {
	e := r.Accuracy
	switch c := f.Combination; {
	case c == nil || c.Several == nil || c.Several.LeftOut.Nodes == 0:
	case f.Shared:
		return "not estimated: --label-share sets another threshold than those that left-out nodes suggest"
	default:
		of := c.Several.LeftOut
		return fmt.Sprintf("micro-F1 about %.2f, macro-F1 %.2f, estimated by cross-validation on %s, which also made the choice", of.MicroF1, of.MacroF1, figures.Counted(of.Nodes, "known node"))
	}
	switch {
	case e != nil:
	case f.Combination == nil && r.Trial == nil:
		return "not estimated: this run does no cross-validation (adp-sparse tune does)"
	default:
		return "not estimated: cross-validation needs two known labels of a class"
	}
	text := fmt.Sprintf("about %.2f (95 %%: %.2f to %.2f), estimated by cross-validation on %s", e.Accuracy, e.Low, e.High, figures.Counted(e.LeftOut, "known label"))
	if e.By == fit.ByCalibration && f.Calibration.Calibrated {
		text += ", as the confidence is"
	} else {
		text += ", which also made the choice"
	}
	if e.Verdict() == crossval.PerhapsBetter { // where it is not, a warning says so
		text += fmt.Sprintf("; perhaps no better than the most frequent class for all nodes (%.2f)", e.Largest)
	}
	return text
}

// labels says how many nodes have which status, and which label.
func (r *Results) labels() string {
	const most = 8
	var text strings.Builder
	text.WriteString(StatusLine(r.Status))
	for k, c := range r.Predicted[:min(most, len(r.Predicted))] {
		fmt.Fprintf(&text, "%s%s: %s", []string{"; by class ", ", "}[min(k, 1)], streams.Brief(c.Label), figures.Count(c.Predicted))
	}
	if more := len(r.Predicted) - most; more > 0 {
		fmt.Fprintf(&text, " and %d more", more)
	}
	return text.String()
}

// files says what was written.
func (o Written) files(seconds float64) line {
	var names []string
	for _, name := range o.Files {
		if name == "-" {
			name = "standard output"
		}
		names = append(names, name)
	}
	return line{"wrote", fmt.Sprintf("%s, in %.2f s", strings.Join(names, ", "), seconds)}
}

// next says what to do next.
func (o Written) next(noPage bool) line {
	switch {
	case noPage:
		return line{"next", "--verbose prints all steps, --report report.json keeps them"}
	case o.Page != "":
		return line{"next", "open " + o.Page + " in a browser; adp-sparse explain says why a node has its label"}
	}
	return line{"next", "--report report.html makes a page to read, --verbose prints all steps; adp-sparse explain says why a node has its label"}
}

// facts are what the summary says of the run.
func (r *Run) facts() *Facts {
	read := fmt.Sprintf("%s, %s, %s", figures.Counted(r.Graph.Nodes, "node"), figures.Counted(r.Graph.Edges, "edge"), figures.Counted(r.Graph.Components, "component"))
	b := r.Graph.Built
	switch {
	case b == nil:
	case b.Share > 0 || b.Without > 0 || b.Kind == "edges":
		read = fmt.Sprintf("%s, %s, %s", figures.Counted(r.Graph.Nodes, "node"), figures.Counted(b.Edges, "edge"), figures.Counted(b.Dims, "feature"))
	case b.Dims > 0:
		read = fmt.Sprintf("%s of %s", figures.Counted(b.Points, "point"), figures.Counted(b.Dims, "feature"))
	default:
		read = fmt.Sprintf("neighbours of %s", figures.Counted(b.Points, "point"))
	}
	read += fmt.Sprintf("; %s of %s", figures.Counted(r.Labels.Seeds, "known label"), figures.Counted(r.Labels.Classes, "class"))
	f := &Facts{
		Read: read, Notes: NotesText(r.Graph.Notes, r.Labels.Notes, b), Method: r.Options.Method, Kept: r.Warm.Kept(),
		Combination: r.Combination, Calibration: r.Calibration, Seconds: r.Seconds["total"], Several: r.Options.Multilabel, Shared: r.Options.Share > 0, NoPage: r.Options.Multilabel,
	}
	if b != nil {
		f.Graph = fmt.Sprintf("%s; %s, %s", b.Brief(), figures.Counted(r.Graph.Edges, "edge"), figures.Counted(r.Graph.Components, "component"))
	}
	if r.Warm != nil {
		var graph strings.Builder
		r.Warm.Graph.Print(&graph)
		f.Start = fmt.Sprintf("%s, which has %s of the nodes%s", r.Warm.File, figures.Count(r.Warm.Nodes), graph.String())
	}
	return f
}

// Summary writes the report for a reader at a terminal: all of it where verbose is set.
func (r *Run) Summary(w io.Writer, wrote Written, verbose bool) {
	f := r.facts()
	if !verbose {
		printDiagnosis(w, r.Diagnosis)
		r.Brief(w, f, wrote)
		return
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	r.Graph.Built.Print(t)
	fmt.Fprintf(t, "graph\t%s, %s, %s (%s without a known label)\n", figures.Counted(r.Graph.Nodes, "node"), figures.Counted(r.Graph.Edges, "edge"), figures.Counted(r.Graph.Components, "component"), figures.Count(r.Graph.Seedless))
	fmt.Fprintf(t, "seeds\t%s in %s\n", figures.Count(r.Labels.Seeds), figures.Counted(r.Labels.Classes, "class"))
	if f.Notes != "" {
		fmt.Fprintf(t, "read\t%s\n", f.Notes)
	}
	fmt.Fprintf(t, "memory\t%s estimated, %s peak\n", figures.Bytes(r.EstimatedBytes), figures.Bytes(r.PeakBytes))
	PrintTime(t, r.Seconds)
	t.Flush()
	r.PrintEnd(w, f, wrote)
	fmt.Fprintln(w)
	r.Tables(w)
	fmt.Fprintf(w, "edge weight inside the predicted classes: %.3f of the original graph", r.Learned.InsideBefore)
	if r.Learned.Learned {
		fmt.Fprintf(w, ", %.3f of the learned one", r.Learned.InsideAfter)
	}
	if r.Learned.Components > r.Graph.Components {
		fmt.Fprintf(w, ", which has %s", figures.Counted(r.Learned.Components, "component"))
	}
	fmt.Fprintln(w)
	r.Warm.print(w, r.Graph.Nodes)
	printPriorTrial(w, r.PriorTrial)
	fmt.Fprint(w, CombinationText(r.Combination))
	PrintTrial(w, r.Trial, r.Combination != nil)
	r.PrintUnlearned(w, r.Options.Method, r.Warm.Kept())
	PrintCalibration(w, r.Calibration)
	printDiagnosis(w, r.Diagnosis)
	r.Warnings.Print(w)
}

// PrintEnd writes how good the result is, and where it is.
func (r *Results) PrintEnd(w io.Writer, f *Facts, wrote Written) {
	printLines(w, []line{{"accuracy", r.accuracy(f)}, wrote.files(f.Seconds)})
}
