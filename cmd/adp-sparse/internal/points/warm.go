package points

import (
	"fmt"
	"io"
	"strings"

	"github.com/adp-sparse/adp-sparse/adp/model"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/opened"
	"github.com/adp-sparse/adp-sparse/knn"
)

// KeepGraph takes over what a model records of its graph, but for flags that are given and what
// does not go with them, and leaves nothing to left-out seeds: what is not recorded is the
// default. Where --graph-kind auto is given the graph is chosen anew.
func (f *Flags) KeepGraph(m *model.Model) *WarmGraph {
	if f.Source() == "" {
		return nil
	}
	kept := &WarmGraph{Recorded: m.Joins != nil}
	if f.Kind == "auto" && f.Given("graph-kind") {
		return kept
	}
	f.Settled = true
	if m.Joins == nil {
		return kept
	}
	take := func(flag, value string, set func()) {
		if !f.Given(flag) {
			set()
			kept.Settings = append(kept.Settings, "--"+flag+" "+value)
		}
	}
	joins, scale := m.Joins, "none"
	if m.Features.Scaling != nil {
		scale = "columns"
	}
	take("graph-kind", "knn", func() { f.Kind = "knn" })
	if f.Neighbors == "" { // else they are found
		take("scale", scale, func() { f.Scale = scale })
	}
	if f.Kind == "l1" {
		return kept
	}
	take("k", fmt.Sprint(joins.K), func() { f.warmK = joins.K })
	take("metric", joins.Metric.String(), func() { f.Metric, f.graph.Search.Metric = joins.Metric.String(), joins.Metric })
	if f.Kind == "knn" && weighs(joins.Weighting, f.graph.Search.Metric) {
		take("weights", joins.Weighting.String(), func() { f.graph.Weighting = joins.Weighting })
	}
	for name, symmetry := range symmetries {
		if symmetry == joins.Symmetry {
			take("symmetrize", name, func() { f.graph.Symmetry = symmetry })
		}
	}
	return kept
}

// WarmGraph says how the graph of vectors of a run that starts from a model came to be.
type WarmGraph struct {
	// Settings are the flags of the model's graph that were taken over: all that it records and
	// that are not given.
	Settings []string `json:"settings,omitempty"`
	// Recorded says that the model records its graph; Chosen that left-out seeds chose this
	// one, as --graph-kind auto asked for.
	Recorded bool `json:"recorded"`
	Chosen   bool `json:"chosen,omitempty"`
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

// Print writes the end of a sentence about the model.
func (k *WarmGraph) Print(to io.Writer) {
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

// OtherGraph says, of a model and the graph of a run that starts from it, why they are not of
// one kind; nothing where they are, or where a model does not say.
func OtherGraph(m *model.Model, facts *opened.Built) string {
	joined := m.Joins != nil
	switch {
	case facts == nil && joined:
		return "a graph of vectors, and this one is of edges alone"
	case facts != nil && facts.KNN == nil && joined:
		return "neighbours of vectors, and this graph is of the kind " + facts.Kind
	case facts != nil && facts.KNN != nil && facts.Joinable() && !joined:
		return "a graph that is not of neighbours of dense vectors, as this one is"
	}
	return ""
}
