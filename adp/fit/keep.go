package fit

import (
	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/model"
	"github.com/adp-sparse/adp-sparse/csr/ids"
)

// Model returns what the run leaves for later: it labels new points ([model.Model.NewPredictor]), and another run starts from its F, of
// round 0 where [adp.Options].KeepFirst was set. The run was of the method, on nodes and classes of these names; x describes the
// features ([model.FeaturesOf]), nil for none. Points can be joined to the graph of the features where [GraphOptions].Joinable was set,
// and features or edges have a part in their labels where [Options].Guess was.
//
// The model shares F with the result. Cost: a pass over W for the degrees of a single method.
func (r *Result) Model(method adp.Method, nodes *ids.Table, classes []string, x *model.Features, threads int) *model.Model {
	chosen, made := r.Rounds[r.Chosen], r.Affinity
	m := &model.Model{
		Method: method.String(), Alpha: chosen.Alpha, Choice: chosen.Setting, Rounds: len(r.Rounds) - 1,
		SeedPrior: r.OfSeeds, Products: r.Rounds[0].Solve.Iterations, Classes: classes, Nodes: nodes,
		F: r.F, Degrees: r.Degrees(made.W, method, threads), Joins: made.Joins, Guess: r.Guess,
	}
	if m.Joins != nil { // else a point has no vectors to be joined to
		m.Trees = r.TreeShare
	}
	if m.Guess != nil || m.Joins != nil {
		m.Features = x
	}
	switch {
	case made.Report.Kind == "":
		m.Edges = &model.Edges{}
	case made.Beta > 0:
		m.Edges = &model.Edges{Beta: made.Beta}
	}
	if r.First != r.F {
		m.Start = r.First
	}
	return m
}
