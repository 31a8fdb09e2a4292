package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/adp-sparse/adp-sparse/adp/model"
	"github.com/adp-sparse/adp-sparse/knn"
)

// keptGraph says how the graph of vectors of a run that starts from a model came to be.
type keptGraph struct {
	// Settings are the flags of the model's graph that were taken over: all that it records and
	// that are not given.
	Settings []string `json:"settings,omitempty"`
	// Recorded says that the model records its graph; Chosen that left-out seeds chose this
	// one, as --graph-kind auto asked for.
	Recorded bool `json:"recorded"`
	Chosen   bool `json:"chosen,omitempty"`
}

// keep takes over what a model records of its graph, but for flags that are given and what
// does not go with them, and leaves nothing to left-out seeds: what is not recorded is the
// default. Where --graph-kind auto is given the graph is chosen anew.
func (f *featureFlags) keep(m *model.Model) *keptGraph {
	if f.source() == "" {
		return nil
	}
	kept := &keptGraph{Recorded: m.Joins != nil}
	if f.kind == "auto" && f.given("graph-kind") {
		return kept
	}
	f.settled = true
	if m.Joins == nil {
		return kept
	}
	take := func(flag, value string, set func()) {
		if !f.given(flag) {
			set()
			kept.Settings = append(kept.Settings, "--"+flag+" "+value)
		}
	}
	joins, scale := m.Joins, "none"
	if m.Features.Scaling != nil {
		scale = "columns"
	}
	take("graph-kind", "knn", func() { f.kind = "knn" })
	if f.neighbors == "" { // else they are found
		take("scale", scale, func() { f.scale = scale })
	}
	if f.kind == "l1" {
		return kept
	}
	take("k", fmt.Sprint(joins.K), func() { f.keptK = joins.K })
	take("metric", joins.Metric.String(), func() { f.metric, f.graph.Search.Metric = joins.Metric.String(), joins.Metric })
	if f.kind == "knn" && weighs(joins.Weighting, f.graph.Search.Metric) {
		take("weights", joins.Weighting.String(), func() { f.graph.Weighting = joins.Weighting })
	}
	for name, symmetry := range symmetries {
		if symmetry == joins.Symmetry {
			take("symmetrize", name, func() { f.graph.Symmetry = symmetry })
		}
	}
	return kept
}

// weighs reports whether a weighting goes with a metric.
func weighs(by knn.Weighting, metric knn.Metric) bool {
	switch by {
	case knn.SymmetricGaussian, knn.Uniform:
		return true
	case knn.CosineWeight:
		return metric != knn.L2
	}
	return metric != knn.InnerProduct
}

// print writes the end of a sentence about the model.
func (k *keptGraph) print(to io.Writer) {
	switch {
	case k == nil:
	case k.Chosen:
		fmt.Fprint(to, "; the graph was chosen by left-out seeds, as --graph-kind auto says")
	case len(k.Settings) > 0:
		fmt.Fprintf(to, "; of its graph were kept %s", strings.Join(k.Settings, ", "))
	case !k.Recorded:
		fmt.Fprint(to, "; it records no graph of dense vectors by neighbours: this one is by the flags and defaults, not chosen by left-out seeds")
	}
}

// otherGraph says, of a model and the graph of a run that starts from it, why they are not of
// one kind; nothing where they are, or where a model does not say.
func otherGraph(m *model.Model, facts *knnFacts) string {
	joined := m.Joins != nil
	switch {
	case facts == nil && joined:
		return "a graph of vectors, and this one is of edges alone"
	case facts != nil && facts.KNN == nil && joined:
		return "neighbours of vectors, and this graph is of the kind " + facts.Kind
	case facts != nil && facts.KNN != nil && facts.joinable() && !joined:
		return "a graph that is not of neighbours of dense vectors, as this one is"
	}
	return ""
}
