package report

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/fit"
	"github.com/adp-sparse/adp-sparse/adp/labelfile"
	"github.com/adp-sparse/adp-sparse/adp/model"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/methodflags"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/opened"
	"github.com/adp-sparse/adp-sparse/cmd/internal/limit"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
	"github.com/adp-sparse/adp-sparse/csr/edgelist"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/figures"
	"github.com/adp-sparse/adp-sparse/internal/notes"
)

// The codes of warnings about what was read; those about the result are adp's.
// All are listed in docs/errors.md. They are stable: scripts look for them.
const (
	WarnSelfLoops     = "self-loops"
	WarnDuplicates    = "duplicates"
	WarnZeroWeights   = "zero-weights"
	WarnScaled        = "weights-scaled"
	WarnRaised        = "weights-raised"
	WarnUnknownLabels = "unknown-labels"
	WarnRepeated      = "repeated-labels"
	WarnZeroLabels    = "zero-labels"
	WarnMissingLike   = "missing-like"
	WarnHeader        = "header-is-data"
	WarnHeaderLike    = "header-like"
	WarnWeightTitle   = "weight-title"
	WarnOneClass      = "one-class"
	WarnAllKnown      = "all-known"
	WarnSeedless      = "seedless-components"
	WarnEqualPoints   = "equal-points"
	WarnFeatureless   = "featureless"
	WarnBlankPoints   = "blank-points"
	WarnFewFound      = "few-neighbours-found"
	WarnOneColumn     = "one-column"
	WarnCounting      = "counting-column"
	WarnShuffled      = "shuffled-column"
	WarnCoarse        = "coarse-column"
	WarnMissingCode   = "missing-like-values"
	WarnUntried       = "untried"
	WarnUncertified   = "uncertified-points"
	WarnTruncated     = "truncated-points"
	WarnNotCalibrated = "not-calibrated"
	WarnAsGiven       = "graph-as-given"
	WarnChance        = "no-better-than-chance"
	WarnOtherGraph    = "warm-other-graph"
	WarnGraphAlone    = "graph-alone"
	WarnUnjoinable    = "unjoinable-model"
	WarnFarPoints     = "far-points"
)

// Warnings collects the warnings whose count is not 0.
type Warnings []adp.Warning

func (w *Warnings) add(code string, n int, format string, args ...any) {
	if n != 0 {
		*w = append(*w, adp.Warning{Code: code, Count: n, Message: fmt.Sprintf(format, args...)})
	}
}

// Print writes a line a warning.
func (w Warnings) Print(to io.Writer) {
	for _, warning := range w {
		fmt.Fprintf(to, "warning [%s]: %s\n", warning.Code, streams.Clean(warning.Message))
	}
}

// AddGiven warns of inputs that were changed in reading, and of components without a seed.
func (w *Warnings) AddGiven(graph *opened.Graph, labels *labelfile.Labels, seedless, components int) {
	w.AddRead(graph.Read)
	w.AddNotes("edges", graph.Notes)
	w.AddBuilt(graph.Built)
	w.AddLabels(labels.Stats)
	w.AddNotes("labels", labels.Notes)
	w.add(WarnSeedless, seedless, "%s of %s %s no seed", figures.Count(seedless), figures.Counted(components, "component"), figures.Either(seedless, "has", "have"))
}

// AddRead warns of edges that were changed or dropped in reading.
func (w *Warnings) AddRead(r edgelist.Stats) {
	w.add(WarnDuplicates, r.Duplicates, "%s merged", figures.Counted(r.Duplicates, "duplicate"))
	w.add(WarnSelfLoops, r.SelfLoops, "%s dropped", figures.Counted(r.SelfLoops, "self-loop"))
	w.add(WarnZeroWeights, r.ZeroWeight, "%s of weight 0 dropped", figures.Counted(r.ZeroWeight, "edge"))
	w.addDoubtful(r)
}

// addDoubtful warns of a first line and of weights that may not be what they were taken for.
func (w *Warnings) addDoubtful(r edgelist.Stats) {
	if r.ScaleExponent != 0 {
		w.add(WarnScaled, 1, "weights past 2^±64: all were multiplied by 2^%d, which changes no result", r.ScaleExponent)
	}
	if r.HeaderNode != "" {
		w.add(WarnHeader, 1, "the first line of the edges was taken for a header, and %q in it is a node: if it is an edge, say --header no", streams.Brief(r.HeaderNode))
	}
	if r.HeaderLike != "" {
		w.add(WarnHeaderLike, 1, "the first line of the edges, %q, was taken for an edge between two nodes that no other line has: if it is a header, say --header yes, else --header no", streams.Brief(r.HeaderLike))
	}
	w.addTitle("edges", r.WeightTitle, " with --columns 1,2")
	w.add(WarnRaised, r.Raised, "%s raised to the smallest that can be stored", figures.Counted(r.Raised, "tiny weight"))
}

// AddTruth warns of true labels that were changed or dropped in reading. Those of other nodes are
// counted elsewhere.
func (w *Warnings) AddTruth(s labelfile.Stats) {
	s.Unknown = 0
	w.AddLabels(s)
}

// AddLabels warns of labels that were changed or dropped in reading.
func (w *Warnings) AddLabels(s labelfile.Stats) {
	w.add(WarnUnknownLabels, s.Unknown, "%s of nodes that are not in the graph skipped", figures.Counted(s.Unknown, "label"))
	w.add(WarnRepeated, s.Repeated, "%s %s the label of a node", figures.Counted(s.Repeated, "line"), figures.Either(s.Repeated, "repeats", "repeat"))
	lost := ""
	if s.ZeroClasses != "" {
		lost = ", and with them all of class " + streams.Brief(s.ZeroClasses)
	}
	w.add(WarnZeroLabels, s.Zero, "%s of weight 0 dropped%s", figures.Counted(s.Zero, "label"), lost)
	w.AddMissing(s)
	w.addTitle("labels", s.WeightTitle, "")
	if s.HeaderData != "" {
		w.add(WarnHeader, 1, "the first line of the labels was taken for a header, and %q in it is a node, or a label of other lines: if the line has a label, it was not read", streams.Brief(s.HeaderData))
	}
}

// AddNotes warns of what a reader did and the format does not ask for.
func (w *Warnings) AddNotes(what string, list notes.List) {
	for _, n := range list.Doubtful() {
		w.add(n.Code, n.Count, "%s: %s; %s", what, n, n.Advice)
	}
}

// Notes returns warnings of the notes of a graph and of labels, which may be nil, and of features, for
// commands that count in their summaries what was merged or dropped.
func Notes(graph *opened.Graph, labels *labelfile.Labels) (w Warnings) {
	w.addDoubtful(graph.Read)
	w.AddNotes("edges", graph.Notes)
	w.AddBuilt(graph.Built)
	if labels != nil {
		w.addTitle("labels", labels.Stats.WeightTitle, "")
		w.AddNotes("labels", labels.Notes)
	}
	return w
}

// AddAlone warns that a command has labels by the graph alone where plain run would mix methods. How says what makes run mix them.
func (w *Warnings) AddAlone(graph *opened.Graph, classes int, how string) {
	if k := graph.Built; (k != nil && k.Dims > 0 || k == nil && (&fit.Input{Edges: graph.W}).MayCombine()) && classes > 1 {
		w.add(WarnGraphAlone, 1, "labels are by the graph alone; %s mixes methods, and gives some nodes another label", how)
	}
}

// AddUnmixed warns that a run has labels by the graph alone, since a mixture does not fit the memory.
func (w *Warnings) AddUnmixed(need int64, l limit.Memory) {
	w.add(WarnGraphAlone, 1, "labels are by the graph alone: the mixture of methods needs about %s, and the limit is %s (%s)", figures.Bytes(need), figures.Bytes(l.Bytes), l.From)
}

// AddRanks warns that a run over ranks has labels by the graph alone, where one process would mix methods.
func (w *Warnings) AddRanks(opt fit.Options, nodes, classes int) {
	if opt.MayCombine() && nodes <= fit.MostLinked && classes > 1 {
		w.add(WarnGraphAlone, 1, "labels are by the graph alone: methods are not combined over ranks, as run in one process does without --combine none")
	}
}

// AddUnjoinable warns of a model of a graph of features that new points cannot join, and says what predict does with it.
func (w *Warnings) AddUnjoinable(graph *opened.Graph, guessed bool) {
	if graph.Built == nil || graph.Joins != nil {
		return
	}
	does := "predict refuses the model"
	switch {
	case guessed:
		does = "predict labels them by their edges and by regression on features alone"
	case graph.Built.Edges > 0:
		does = "predict labels them by --edges alone"
	}
	w.add(WarnUnjoinable, 1, "new points cannot join the graph of features: %s; they can join one of --graph-kind knn, of features of all nodes", does)
}

// AddFar warns of new points on another scale than those of a model; nil is for none. Titles are those of the columns, if they have some.
func (w *Warnings) AddFar(f *model.Far, titles []string) {
	if f == nil {
		return
	}
	those := "the " + figures.Counted(f.Nodes, "point") + " of the model"
	what := fmt.Sprintf("%s of %s %s far from the values of %s", figures.Count(f.Points), figures.Counted(f.Asked, "new point"), figures.Either(f.Points, "is", "are"), those)
	if f.Slight {
		what = fmt.Sprintf("in %s of %s columns, a third of the %s or more are outside the range of %s", figures.Count(f.Columns), figures.Count(f.Varying), figures.Counted(f.Asked, "new point"), those)
	}
	where := "their lengths are"
	if f.Column >= 0 {
		where = (&opened.Built{Titles: titles}).Column(f.Column + 1)
		if f.UnitLength {
			where += ", of points of length 1,"
		}
		where += " has"
	}
	others := ""
	if f.Columns > 1 && !f.Slight {
		others = fmt.Sprintf(" (%s %s off, too)", figures.Counted(f.Columns-1, "other column"), figures.Either(f.Columns-1, "is", "are"))
	}
	w.add(WarnFarPoints, f.Points, "%s: %s %s, and the model has %s%s; if they are in other units, or not prepared as those of the run, prepare them alike", what, where, ends(f.New), ends(f.Run), others)
}

// ends writes the ends of a range, with four digits or all that are before the point.
func ends(ends [2]float64) string {
	var texts [2]string
	for k, v := range ends {
		if texts[k] = fmt.Sprintf("%.4g", v); math.Abs(v) >= 1000 && math.Abs(v) < 1e15 {
			texts[k] = fmt.Sprintf("%.0f", v)
		}
	}
	if texts[0] == texts[1] {
		return texts[0]
	}
	return texts[0] + " to " + texts[1]
}

// addTitle warns of a column of weights with another title.
func (w *Warnings) addTitle(what, title, how string) {
	if title != "" {
		w.add(WarnWeightTitle, 1, "the third column of the %s was read as weights, and its title is %q: if it holds no weights, leave it out%s", what, streams.Brief(title), how)
	}
}

// AddMissing warns of labels that may mean unknown.
func (w *Warnings) AddMissing(s labelfile.Stats) {
	w.add(WarnMissingLike, s.MissingLike, "%s %s %q: if that means unknown, say --missing %s", figures.Counted(s.MissingLike, "label"), figures.Either(s.MissingLike, "is", "are"), s.MissingTexts, usage.ShellQuote(s.MissingTexts))
}

// addSeeds warns of one class, and of a graph whose nodes are all known.
func (w *Warnings) addSeeds(classes []string, seeds *diffuse.Seeds) {
	if len(classes) == 1 {
		w.add(WarnOneClass, 1, "all labels are %q: every node that they reach gets it", streams.Brief(classes[0]))
	}
	known := 0
	for k, list := 0, seeds.List(); k < len(list); k++ { // in order of node
		if k == 0 || list[k].Node != list[k-1].Node {
			known++
		}
	}
	if known == seeds.Nodes {
		w.add(WarnAllKnown, known, "%s a known label: nothing is predicted", figures.Either(known, "the one node has", "all "+figures.Count(known)+" nodes have"))
	}
}

// AddCalibration warns of a confidence that could not be calibrated.
func (w *Warnings) AddCalibration(c *adp.Calibration) {
	if c != nil && !c.Calibrated {
		w.add(WarnNotCalibrated, 1, "confidence is not calibrated: %s", c.Reason)
	}
}

// AddAsGiven warns of a --graph-out that is the graph as given, in a mixture too, and names the flag that gives a
// learned one.
func (w *Warnings) AddAsGiven(method string, kept, mixed bool) {
	why := "the result is LGC; " + howToLearn(kept)
	if mixed {
		why = "the graph's part of the mixture is LGC; " + howToLearn(kept)
	}
	if !methodflags.Has(method, adp.Tries) && !kept {
		why = "--method " + method + " learns none"
	}
	w.add(WarnAsGiven, 1, "--graph-out is the graph as given: %s", why)
}

// AddWarm warns of a choice that was made on another kind of graph.
func (w *Warnings) AddWarm(facts *Warm) {
	if facts != nil && facts.OtherGraph != "" {
		w.add(WarnOtherGraph, 1, "the setting in %s was chosen on %s; without --warm this run chooses its own", facts.File, facts.OtherGraph)
	}
}

// addFeatureless warns of nodes without features, and of rows beside that are no nodes.
func (w *Warnings) addFeatureless(k *opened.Built) {
	first, rest := "", ""
	if u := k.Unmatched; u.FirstFeatureless != "" {
		first = fmt.Sprintf(" (the first: %q)", streams.Brief(u.FirstFeatureless))
		if u.Edgeless > 0 {
			rest = fmt.Sprintf("; %s of the features %s no edges (the first: %q)", figures.Counted(u.Edgeless, "row"), figures.Either(u.Edgeless, "has", "have"), streams.Brief(u.FirstEdgeless))
		}
	}
	w.add(WarnFeatureless, k.Without, "%s of the edges %s no features%s%s", figures.Counted(k.Without, "node"), figures.Either(k.Without, "has", "have"), first, rest)
}

// leastFound is the recall of a search among sparse rows below which there is a warning.
const leastFound = 0.5

// AddBuilt warns of points and columns that distort the graph of features.
func (w *Warnings) AddBuilt(k *opened.Built) {
	if k == nil {
		return
	}
	w.AddNotes("features", k.Notes)
	w.addFeatureless(k)
	if k.KNN != nil && k.KNN.Distinct > 0 {
		equal := k.KNN.Points - k.KNN.Distinct
		w.add(WarnBlankPoints, k.KNN.ZeroVectors, "%s %s all zeros and without neighbours by %v", figures.Counted(k.KNN.ZeroVectors, "point"), figures.Either(k.KNN.ZeroVectors, "is", "are"), k.KNN.Metric)
		w.add(WarnEqualPoints, equal, "%s", figures.Either(equal, "1 point equals another: it is joined to that alone", figures.Count(equal)+" points equal others: each is joined to the first of them alone"))
	}
	if r := k.KNN; r != nil && r.Met > 0 && r.Recall < leastFound {
		w.add(WarnFewFound, 1, "the search found %.2g %% of the nearest neighbours of a sample: --knn approx --recall 0.9 finds more and --knn exact all, in more time", 100*r.Recall)
	}
	if w2 := k.Widest; w2 != nil && w2.Share > mostOfVariance && k.Dims >= 3 {
		scale := "say --scale columns"
		if k.Sparse {
			scale = "give dense features: sparse ones are not scaled"
		}
		w.add(WarnOneColumn, w2.Column, "%s has %.1f %% of the variance of all %d columns and outweighs the others in distances; if the columns have unlike units, %s", k.Column(w2.Column), 100*w2.Share, k.Dims, scale)
	}
	out := "leave it out with --drop-columns"
	leave, name := "say --id-column, or "+out, k.FlagName(k.Shuffled)
	if k.Columns == nil { // there these flags are refused
		out = "leave it out of the file"
		leave = out + ", and name the points with --nodes FILE"
	}
	w.add(WarnCounting, k.Counting, "%s counts the points: if it is their id, %s", k.Column(k.Counting), leave)
	if name != "" {
		leave = "say --id-column " + name + ", if it is no feature, --drop-columns " + name
	}
	w.add(WarnShuffled, k.Shuffled, "%s has each whole number of a range once, in another order, as ids of points do, and was read as a feature: if it is their id, %s", k.Column(k.Shuffled), leave)
	w.add(WarnCoarse, k.Coarse, "%s has large values that differ little, and float32 rounds the differences away: subtract an offset first, such as its least value, or %s", k.Column(k.Coarse), out)
	w.addMissingCode(k, out)
	w.add(WarnUntried, len(k.Untried), "cross-validation did not try another graph (%s), because new points could not join it; without --model it does", strings.Join(k.Untried, ", "))
	if k.L1 != nil {
		open := k.Points - k.L1.Certified
		w.add(WarnUncertified, open, "the %s of %s not certified to be the best", figures.Either(open, "combination", "combinations"), figures.Counted(open, "point")+figures.Either(open, " was", " were"))
		w.add(WarnTruncated, k.L1.Truncated, "%s had more coefficients than are kept", figures.Counted(k.L1.Truncated, "point"))
	}
}

// addMissingCode warns of numbers that may say that a value is missing. out says how to leave a column out.
func (w *Warnings) addMissingCode(k *opened.Built, out string) {
	m := k.Missing
	if m == nil {
		return
	}
	if name := k.FlagName(m.Column); name != "" {
		out = "leave the column out with --drop-columns " + name
	}
	more := ""
	if m.Columns > 1 {
		more = fmt.Sprintf(" (%s more %s such numbers)", figures.Counted(m.Columns-1, "column"), figures.Either(m.Columns-1, "has", "have"))
	}
	w.add(WarnMissingCode, m.Columns, "%s has %v beside values of %v to %v%s, read as a number: if it means that a value is missing, fill one in, such as the median, or leave out those rows, or %s", k.Column(m.Column), m.Code, m.Least, m.Most, more, out)
}

// mostOfVariance is the share of the variance above which distances are of one column, where there
// are three or more.
const mostOfVariance = 0.95

// howToLearn names the flag that always gives a learned graph.
func howToLearn(kept bool) string {
	if kept {
		return "--select none in place of --warm gives the learned graph of the last round"
	}
	return "--select none gives the learned graph of the last round"
}
