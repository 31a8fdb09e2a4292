package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/labelfile"
	"github.com/adp-sparse/adp-sparse/csr/edgelist"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// The codes of warnings about what was read; those about the result are adp's.
// All are listed in docs/errors.md. They are stable: scripts look for them.
const (
	warnSelfLoops     = "self-loops"
	warnDuplicates    = "duplicates"
	warnZeroWeights   = "zero-weights"
	warnScaled        = "weights-scaled"
	warnRaised        = "weights-raised"
	warnUnknownLabels = "unknown-labels"
	warnRepeated      = "repeated-labels"
	warnZeroLabels    = "zero-labels"
	warnMissingLike   = "missing-like"
	warnHeader        = "header-is-data"
	warnWeightTitle   = "weight-title"
	warnOneClass      = "one-class"
	warnAllKnown      = "all-known"
	warnSeedless      = "seedless-components"
	warnEqualPoints   = "equal-points"
	warnFeatureless   = "featureless"
	warnBlankPoints   = "blank-points"
	warnOneColumn     = "one-column"
	warnCounting      = "counting-column"
	warnUntried       = "untried"
	warnUncertified   = "uncertified-points"
	warnTruncated     = "truncated-points"
	warnNotCalibrated = "not-calibrated"
)

// warnings collects the warnings whose count is not 0.
type warnings []adp.Warning

func (w *warnings) add(code string, n int, format string, args ...any) {
	if n != 0 {
		*w = append(*w, adp.Warning{Code: code, Count: n, Message: fmt.Sprintf(format, args...)})
	}
}

// print writes a line a warning.
func (w warnings) print(to io.Writer) {
	for _, warning := range w {
		fmt.Fprintf(to, "warning [%s]: %s\n", warning.Code, clean(warning.Message))
	}
}

// addGiven warns of what was not taken as it was, and of components without a seed.
func (w *warnings) addGiven(graph *graph, labels *labelfile.Labels, seedless, components int) {
	w.addRead(graph.Read)
	w.addBuilt(graph.KNN)
	w.addLabels(labels.Stats)
	w.add(warnSeedless, seedless, "%s of %s components have no seed", count(seedless), count(components))
}

// addRead warns of edges that were not taken as they were.
func (w *warnings) addRead(r edgelist.Stats) {
	w.add(warnDuplicates, r.Duplicates, "%s merged", counted(r.Duplicates, "duplicate"))
	w.add(warnSelfLoops, r.SelfLoops, "%s dropped", counted(r.SelfLoops, "self-loop"))
	w.add(warnZeroWeights, r.ZeroWeight, "%s of weight 0 dropped", counted(r.ZeroWeight, "edge"))
	if r.ScaleExponent != 0 {
		w.add(warnScaled, 1, "weights past 2^±64: all were multiplied by 2^%d, which changes no result", r.ScaleExponent)
	}
	if r.HeaderNode != "" {
		w.add(warnHeader, 1, "the first line of the edges was taken for a header, and %q in it is a node: if it is an edge, say --header no", brief(r.HeaderNode))
	}
	w.addTitle("edges", r.WeightTitle)
	w.add(warnRaised, r.Raised, "%s raised to the smallest that can be stored", counted(r.Raised, "tiny weight"))
}

// addLabels warns of labels that were not taken as they were.
func (w *warnings) addLabels(s labelfile.Stats) {
	w.add(warnUnknownLabels, s.Unknown, "%s of nodes that are not in the graph skipped", counted(s.Unknown, "label"))
	w.add(warnRepeated, s.Repeated, "%s lines repeat the label of a node", count(s.Repeated))
	w.add(warnZeroLabels, s.Zero, "%s of weight 0 dropped", counted(s.Zero, "label"))
	w.addMissing(s)
	w.addTitle("labels", s.WeightTitle)
	if s.HeaderData != "" {
		w.add(warnHeader, 1, "the first line of the labels was taken for a header, and %q in it is data of others too: if it has a label, that was not read", brief(s.HeaderData))
	}
}

// addTitle warns of a column that was read as weights although it has another title.
func (w *warnings) addTitle(what, title string) {
	if title != "" {
		w.add(warnWeightTitle, 1, "the third column of the %s was read as weights, and its title is %q: if it holds no weights, leave it out", what, brief(title))
	}
}

// addMissing warns of labels that may stand for none.
func (w *warnings) addMissing(s labelfile.Stats) {
	is := "are"
	if s.MissingLike == 1 {
		is = "is"
	}
	w.add(warnMissingLike, s.MissingLike, "%s %s %q: if that means unknown, say --missing %s", counted(s.MissingLike, "label"), is, s.MissingTexts, shellQuote(s.MissingTexts))
}

// addSeeds warns of labels that leave little to say.
func (w *warnings) addSeeds(classes []string, seeds *diffuse.Seeds) {
	if len(classes) == 1 {
		w.add(warnOneClass, 1, "all labels are %q: every node that they reach gets it", brief(classes[0]))
	}
	known := 0
	for k, list := 0, seeds.List(); k < len(list); k++ { // in order of node
		if k == 0 || list[k].Node != list[k-1].Node {
			known++
		}
	}
	if known == seeds.Nodes {
		w.add(warnAllKnown, known, "all %s have a known label: nothing is predicted", counted(known, "node"))
	}
}

// addCalibration warns of a confidence that could not be calibrated.
func (w *warnings) addCalibration(c *adp.Calibration) {
	if c != nil && !c.Calibrated {
		w.add(warnNotCalibrated, 1, "confidence is raw, not calibrated: %s", c.Reason)
	}
}

// addBuilt warns of points that the graph of features does not show as they
// are.
func (w *warnings) addBuilt(k *knnFacts) {
	if k == nil {
		return
	}
	w.add(warnFeatureless, k.Without, "%s nodes of the edges have no features", count(k.Without))
	if k.KNN != nil && k.KNN.Distinct > 0 {
		equal := k.KNN.Points - k.KNN.Distinct
		w.add(warnBlankPoints, k.KNN.Blank, "%s points are all zeros: by %v they are near no other, and have no neighbours", count(k.KNN.Blank), k.KNN.Metric)
		w.add(warnEqualPoints, equal, "%s points equal others: each is joined to the first of them, and has its neighbours from there", count(equal))
	}
	if w2 := k.Widest; w2 != nil && w2.Share > mostOfVariance && k.Dims >= 3 {
		w.add(warnOneColumn, w2.Column, "column %d of the features has %.1f %% of the variance of all %d: distances are of it alone; columns of unlike units need --scale columns", w2.Column, 100*w2.Share, k.Dims)
	}
	w.add(warnCounting, k.Counting, "column %d of the features counts the points: if it is their id, it is no feature; leave it out, or say --id-column", k.Counting)
	w.add(warnUntried, len(k.Untried), "left-out seeds might have chosen another graph (%s), which new points could not join: without --model it is tried", strings.Join(k.Untried, ", "))
	if k.L1 != nil {
		open := k.Points - k.L1.Certified
		w.add(warnUncertified, open, "the combinations of %s points were not certified to be the best", count(open))
		w.add(warnTruncated, k.L1.Truncated, "%s points had more coefficients than are kept", count(k.L1.Truncated))
	}
}
