package points

import (
	"fmt"
	"io"
	"strings"

	"github.com/adp-sparse/adp-sparse/adp/model"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/opened"
)

// KeepGraph takes over the flags of the graph that a model records, except flags that are given and
// flags that do not go with them. Flags that are not recorded have their defaults, and left-out
// seeds choose nothing; with --graph-kind auto they choose the graph anew. It returns nil without
// features.
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
	if f.Neighbors == "" { // neighbours that were found elsewhere are not of scaled columns
		take("scale", scale, func() { f.Scale = scale })
	}
	if f.Kind == "l1" {
		return kept
	}
	take("k", fmt.Sprint(joins.K), func() { f.warmK = joins.K })
	take("metric", joins.Metric.String(), func() { f.Metric, f.graph.Search.Metric = joins.Metric.String(), joins.Metric })
	if f.Kind == "knn" && joins.Weighting.Fits(f.graph.Search.Metric) {
		take("weights", joins.Weighting.String(), func() { f.graph.Weighting = joins.Weighting })
	}
	for name, symmetry := range symmetries {
		if symmetry == joins.Symmetry {
			take("symmetrize", name, func() { f.graph.Symmetry = symmetry })
		}
	}
	return kept
}

// WarmGraph says where the settings of a graph of vectors come from, in a run that starts from a
// model.
type WarmGraph struct {
	// Settings are the flags that were taken over from the model's graph.
	Settings []string `json:"settings,omitempty"`
	// Recorded: the model records its graph. Chosen: left-out seeds chose this one, by
	// --graph-kind auto.
	Recorded bool `json:"recorded"`
	Chosen   bool `json:"chosen,omitempty"`
}

// Print writes the settings as the end of a sentence about the model.
func (k *WarmGraph) Print(to io.Writer) {
	switch {
	case k == nil:
	case k.Chosen:
		fmt.Fprint(to, "; the graph was chosen by cross-validation, as --graph-kind auto says")
	case len(k.Settings) > 0:
		fmt.Fprintf(to, "; of its graph were kept %s", strings.Join(k.Settings, ", "))
	case !k.Recorded:
		fmt.Fprint(to, "; it records no graph of neighbours of vectors: this graph is of the flags and defaults, not chosen by cross-validation")
	}
}

// OtherGraph names the graph that a model was chosen on, where the graph of this run is of another
// kind. It returns nothing where they are of one kind, or the model does not record it.
func OtherGraph(m *model.Model, facts *opened.Built) string {
	joined := m.Joins != nil
	switch {
	case facts == nil && joined:
		return "a graph of vectors, and this one is of edges alone"
	case facts != nil && facts.KNN == nil && joined:
		return "neighbours of vectors, and this graph is of the kind " + facts.Kind
	case facts != nil && facts.KNN != nil && facts.Joinable() && !joined:
		return "a graph that is not of neighbours of vectors, as this one is"
	}
	return ""
}
