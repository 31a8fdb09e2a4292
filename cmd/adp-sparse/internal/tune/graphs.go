package tune

import (
	"fmt"
	"strings"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/opened"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/source"
	"github.com/adp-sparse/adp-sparse/knn"
)

// triedGraph is a graph that tune tries, with the flags of run that ask for it: none for the graph
// of run's own choice.
type triedGraph struct {
	*source.Flags
	words string
}

// graphs returns the graph of run's own choice, and then those of the lists.
func (f *flags) graphs() (all []triedGraph) {
	own := f.Flags
	own.Features.Combine = f.tries(adp.Tries) // as run keeps the features
	all = append(all, triedGraph{&own, ""})
	if len(f.kinds)+len(f.metrics)+len(f.scales)+len(f.ks)+len(f.shares) == 0 {
		return all
	}
	kind := f.Features.Kind
	if kind == "auto" {
		kind = "knn" // settings of the lists are compared on one kind of graph
	}
	for _, kind := range orOne(f.kinds, kind) {
		metrics, ks := f.metrics, f.ks
		if kind == "l1" {
			metrics, ks = nil, nil // it has neither
		}
		for _, metric := range orOne(metrics, f.Features.Metric) {
			for _, scale := range orOne(f.scales, f.Features.Scale) {
				for _, k := range orOne(ks, f.Features.K) {
					for _, share := range orOne(f.shares, f.Features.Share) {
						g := triedGraph{Flags: &source.Flags{}}
						*g.Flags = f.Flags
						g.Features.Kind, g.Features.Metric, g.Features.Scale, g.Features.K, g.Features.Share = kind, metric, scale, k, share
						g.ask(kind != f.Features.Kind || len(f.kinds) > 0, "--graph-kind %s", kind)
						g.ask(len(ks) > 0, "--k %d", k)
						g.ask(len(metrics) > 0, "--metric %s", metric)
						g.ask(len(f.scales) > 0, "--scale %s", scale)
						g.ask(len(f.shares) > 0, "--feature-share %g", share)
						all = append(all, g)
					}
				}
			}
		}
	}
	return all
}

// ask adds a flag whose value comes from a list.
func (g *triedGraph) ask(listed bool, flag string, value any) {
	if listed {
		g.words = strings.TrimPrefix(g.words+" "+fmt.Sprintf(flag, value), " ")
	}
}

// graphOf identifies a graph of features.
type graphOf struct {
	name  string // as run's choice calls it
	k     int
	share float64
}

// of identifies the graph that was made; empty for edges alone.
func (g *triedGraph) of(made *opened.Graph) graphOf {
	facts := made.Built
	if facts == nil {
		return graphOf{}
	}
	start := knn.Start{L1: facts.Kind == "l1", Metric: made.Made.Make.Search.Metric, Scaled: made.Made.Scaling != nil}
	out := graphOf{name: start.String(), k: made.Made.Make.Search.K, share: facts.Share}
	switch facts.Kind {
	case "l1":
		out.k = 0
	case "lle":
		out.name = strings.Replace(out.name, "knn", "lle", 1)
	case "edges":
		return graphOf{name: "edges"}
	}
	if facts.Share > 0 {
		out.name = "edges and " + out.name
	}
	return out
}
