package report

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/choice"
	"github.com/adp-sparse/adp-sparse/adp/diagnose"
	"github.com/adp-sparse/adp-sparse/adp/fit"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/methodflags"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/opened"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/internal/clock"
	"github.com/adp-sparse/adp-sparse/internal/figures"
	"github.com/adp-sparse/adp-sparse/internal/notes"
)

// Tables writes the rounds, the classes and the kinds of status.
func (r *Results) Tables(w io.Writer) {
	r.roundTable(w)
	fmt.Fprintln(w)
	r.classTable(w)
	fmt.Fprintf(w, "\nnodes by status: %s\n", StatusLine(r.Status))
}

// NotesText says in one line what the readers did not take as it stands; nothing where they took
// all.
func NotesText(edges, labels notes.List, built *opened.Built) string {
	var texts []string
	add := func(what string, list notes.List) {
		if len(list) > 0 {
			texts = append(texts, what+": "+streams.Clean(list.String()))
		}
	}
	add("edges", edges)
	if built != nil {
		add("features", built.Notes)
	}
	add("labels", labels)
	return strings.Join(texts, "; ")
}

func printPriorTrial(w io.Writer, t *choice.PriorTrial) {
	if t == nil {
		return
	}
	fmt.Fprintf(w, "cross-validation on %s: LGC with equal classes %.3f right, with class sizes of the known labels %.3f (%d won, %d lost, lead %.1f); ", figures.Counted(t.LeftOut, "known label"), t.Equal, t.Seeds, t.Won, t.Lost, t.Lead)
	if t.Chosen {
		fmt.Fprintln(w, "the sizes of the known labels are taken (--class-prior seeds)")
	} else {
		fmt.Fprintln(w, "classes are equal, as the lead is below 2 standard deviations")
	}
}

// CombinationText says which methods made the answer, and whether edges or features carried it;
// nothing where one method did.
func CombinationText(c *fit.Combination) string {
	if c == nil {
		return ""
	}
	var text strings.Builder
	fmt.Fprintf(&text, "the result is a mixture of %s", figures.Counted(len(c.Members), "method"))
	if c.LeftOut > 0 {
		right := "right"
		if c.Several != nil {
			right = "are the most probable of their node"
		}
		fmt.Fprintf(&text, ", weighted by cross-validation on %s: %.3f %s", figures.Counted(c.LeftOut, "known label"), c.Accuracy, right)
	} else {
		text.WriteString(" with fixed weights: cross-validation needs two known labels of a class")
	}
	if c.Homophily != nil {
		fmt.Fprintf(&text, "; %s", carried(c))
	}
	text.WriteString("\n")
	members := slices.Clone(c.Members)
	slices.SortStableFunc(members, func(a, b fit.Member) int { return cmp.Compare(b.Weight, a.Weight) })
	for _, m := range members {
		if m.Weight >= 0.05 {
			fmt.Fprintf(&text, "  %3.0f %%  %s", 100*m.Weight, m.Name())
			if c.LeftOut > 0 {
				fmt.Fprintf(&text, ", %.3f by itself", m.Accuracy)
			}
			text.WriteString("\n")
		}
	}
	if c.Several != nil && c.Several.LeftOut.Nodes > 0 {
		of := c.Several.LeftOut
		fmt.Fprintf(&text, "labels of %s that were left out: micro-F1 %.3f, macro-F1 %.3f, %.2f labels a node where %.2f are true\n", figures.Counted(of.Nodes, "known node"), of.MicroF1, of.MacroF1, of.Predicted, of.True)
	}
	if c.Bias != nil && max(-slices.Min(c.Bias), slices.Max(c.Bias)) >= 0.01 {
		fmt.Fprintf(&text, "the known labels correct the classes by factors from %.2f to %.2f\n", math.Exp(slices.Min(c.Bias)), math.Exp(slices.Max(c.Bias)))
	}
	if c.Sizes != nil {
		fmt.Fprintf(&text, "labels lean towards the class sizes that the unlabelled nodes suggest: shares from %.3f to %.3f\n", slices.Min(c.Sizes), slices.Max(c.Sizes))
	}
	return text.String()
}

// carried says whether edges or features carried the answer.
func carried(c *fit.Combination) string {
	edges, features, both := c.Shares()
	text := fmt.Sprintf("%.0f %% of the weight is on edges and features together, %.0f %% on the features alone, %.0f %% on the edges alone", 100*both, 100*features, 100*edges)
	return text + "; " + goTogether(c)
}

// goTogether says how edges and features go together.
func goTogether(c *fit.Combination) string {
	relative := fmt.Sprintf("(relative homophily %.2f)", *c.Homophily)
	switch {
	case c.Formless && *c.Worth == 0:
		return "the features seem to say nothing: their neighbours have no structure, and on the edges shuffled features do as well"
	case c.Formless:
		return "the features' neighbours have no structure, so that labels spread over the edges"
	case c.Independent >= 0.5 && c.Idle:
		return "the edges seem to say nothing: they and the features are independent of each other, and half of them foresees nothing of the other half"
	case c.Independent >= 0.5:
		return "edges and features are independent of each other: one of them may say nothing of the classes"
	case c.Homophilous() && c.Joint != nil && *c.Joint >= 1:
		return fmt.Sprintf("edges and features tell of the same classes (joint homophily %.2f)", *c.Joint)
	case c.Homophilous():
		return "edges join nodes with like features " + relative
	case c.Lead != nil && *c.Lead >= 0.5:
		return "edges and features tell of different classes, and the edges have the stronger structure " + relative
	case !c.EdgesHelp():
		return "edges help little " + relative
	}
	return "edges help, though they join nodes with unlike features " + relative
}

// PrintTime writes the time of the phases that took any; those that took little are other.
func PrintTime(w io.Writer, seconds map[string]float64) {
	const shown = 0.005 // as 0.01
	var parts []string
	other := seconds[clock.Total]
	for _, phase := range clock.Phases {
		if took := seconds[phase.Key]; took >= shown && phase.Key != clock.Other {
			parts = append(parts, fmt.Sprintf("%s %.2f", phase.Title, took))
			other -= took
		}
	}
	if other >= shown || len(parts) == 0 {
		parts = append(parts, fmt.Sprintf("other %.2f", other))
	}
	fmt.Fprintf(w, "time\t%.2f s: %s\n", seconds[clock.Total], strings.Join(parts, ", "))
}

// PrintUnlearned writes that the result of ADP has no learned graph. Where the choice of an earlier
// run was kept, ADP runs as LGC.
func (r *Results) PrintUnlearned(w io.Writer, method string, kept bool) {
	if (methodflags.Has(method, adp.Tries) || kept) && !r.HasLearned(method) {
		fmt.Fprintf(w, "the result has no learned graph; %s\n", howToLearn(kept))
	}
}

// PrintTrial writes what a trial chose: the result, or the graph's part of a mixture.
func PrintTrial(w io.Writer, t *adp.Trial, mixture bool) {
	what := "the result"
	if mixture {
		what = "the graph's part of the mixture"
	}
	if t == nil {
		return
	}
	if t.Folds == 0 {
		fmt.Fprintln(w, what+" is LGC: cross-validation needs two known labels of a class, and the association of the learned graphs is no evidence here")
		return
	}
	if t.PseudoLabels > 0 {
		fmt.Fprintf(w, "too few known labels for cross-validation; of %s pseudo-labels in %s LGC repeats %.3f, the learned graphs %.3f (%s won, %s lost, lead %.1f); ", figures.Count(t.PseudoLabels), figures.Counted(t.Folds, "fold"), t.LGC, t.ADP, figures.Count(t.Won), figures.Count(t.Lost), t.Lead)
		if t.Accepted {
			fmt.Fprintln(w, what+" is of the learned graphs")
		} else {
			fmt.Fprintln(w, what+" is LGC: the learned graphs do not lead clearly in all folds")
		}
		return
	}
	if t.Untried && t.Alpha == 0 {
		why := "no learned graph has more association"
		if t.Doubt {
			why = "its association exceeds its accuracy by more than 0.1, and no learned graph was compared"
		}
		fmt.Fprintf(w, "cross-validation on %s in %s: LGC %.3f right; %s is LGC: %s\n", figures.Counted(t.LeftOut, "known label"), figures.Counted(t.Folds, "fold"), t.LGC, what, why)
		return
	}
	fmt.Fprintf(w, "cross-validation on %s in %s: LGC %.3f right, learned graphs %.3f (%d won, %d lost, %s); ", figures.Counted(t.LeftOut, "known label"), figures.Counted(t.Folds, "fold"), t.LGC, t.ADP, t.Won, t.Lost, leadOf(t))
	switch {
	case t.Alpha > 0:
		fmt.Fprintf(w, "%s is LGC with α = %g, which leads by two standard deviations or more\n", what, t.Alpha)
	case t.Accepted && math.Round(10*t.Lead) <= 0:
		fmt.Fprintln(w, what+" is of the learned graphs: their association is higher, and cross-validation is not clearly against them")
	case t.Accepted:
		fmt.Fprintln(w, what+" is of the learned graphs")
	case t.Doubt:
		fmt.Fprintln(w, what+" is LGC: its association exceeds its accuracy by more than 0.1, and the learned graphs lead by less than 1.5 standard deviations")
	default:
		fmt.Fprintln(w, what+" is LGC")
	}
}

// leadOf writes the lead of the learned graphs on left-out seeds. It counts the ranks of the right
// classes, also of seeds that both get wrong, and says so where it contradicts won and lost.
func leadOf(t *adp.Trial) string {
	lead := math.Round(10 * t.Lead)
	text := fmt.Sprintf("lead %.1f", lead/10+0) // no −0.0
	if cmp.Compare(lead, 0) != cmp.Compare(t.Won, t.Lost) {
		text += " by the ranks of the right classes"
	}
	return text
}

func PrintCalibration(w io.Writer, c *adp.Calibration) {
	switch {
	case c == nil || !c.Calibrated:
	case c.Model == nil:
		fmt.Fprintf(w, "confidence is a probability of being right: with the classes corrected, but not for their sizes among the nodes, %.3f of the left-out known labels (%s in %s) are right, for a confidence of %.3f; expected calibration error %.3f\n",
			c.Accuracy, figures.Count(c.LeftOut), figures.Counted(c.Folds, "fold"), c.Said(), c.ECE)
	default:
		fmt.Fprintf(w, "confidence is calibrated by cross-validation on %s known labels in %d folds: %.3f right; expected calibration error %.3f, raw %.3f; it is a probability on average over all nodes, and too high for nodes with the smallest margins\n",
			figures.Count(c.LeftOut), c.Folds, c.Accuracy, c.ECE, c.RawECE)
	}
}

func printDiagnosis(w io.Writer, d *diagnose.Report) {
	if d == nil {
		return
	}
	fmt.Fprintf(w, "‖(X − X*)v‖/‖X*v‖ on %d random vectors v (mean ± sd; in brackets, over all):\n", d.Vectors)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, line := range []struct {
		what   string
		spread diagnose.RelativeError
	}{
		{"one A-step, truncated against whole", d.Step},
		{"learned graph A against the fixed point A*", d.FixedPoint},
		{fmt.Sprintf("%.3g·A against A*", d.Scale), d.Scaled},
		{"both normalised by their degrees", d.Normalized},
	} {
		fmt.Fprintf(t, "  %s\t%.3g ± %.2g\t(%.3g)\n", line.what, line.spread.Mean, line.spread.SD, line.spread.Frobenius)
	}
	t.Flush()
}

func (r *Results) roundTable(w io.Writer) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "round\ttop-k\tanchor\tα_A\tproducts\tresidual\tchanged\tΔF\tassociation\tmodularity\tlargest\tweight\tseconds\t")
	for _, round := range r.Rounds {
		mark := ""
		if round.Index == r.Chosen {
			mark = " ← result"
		}
		fmt.Fprintf(t, "%d\t%d\t%.2g\t%.2g\t%d\t%.1e\t%d\t%.3f\t%.4f\t%.4f\t%.3f\t%.2f\t%.2f\t%s\n", round.Index, round.TopK, round.Anchor, round.GraphAlpha, round.Solve.Iterations, round.Solve.Residual,
			round.Changed, round.DeltaF, round.Association, round.Modularity, round.Largest, round.Weight, round.Time.Seconds(), mark)
	}
	t.Flush()
}

// classTable shows at most 20 classes.
func (r *Results) classTable(w io.Writer) {
	const most = 20
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "class\tseeds\tpredicted\tmean confidence")
	for _, c := range r.Predicted[:min(most, len(r.Predicted))] {
		mean := "–"
		if c.Predicted > 0 {
			mean = fmt.Sprintf("%.3f", c.Mean)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", streams.Brief(c.Label), figures.Count(c.Seeds), figures.Count(c.Predicted), mean)
	}
	t.Flush()
	if more := len(r.Predicted) - most; more > 0 {
		fmt.Fprintf(w, "… and %d more\n", more)
	}
}

func StatusLine(status map[string]int) string {
	var parts []string
	for _, s := range []adp.Status{adp.Seed, adp.Predicted, adp.Uncertain, adp.Unreached} {
		if n := status[s.String()]; n > 0 {
			parts = append(parts, figures.Count(n)+" "+s.String())
		}
	}
	return strings.Join(parts, ", ")
}
