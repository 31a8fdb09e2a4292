package run

import (
	"context"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/fit"
	"github.com/adp-sparse/adp-sparse/adp/labelfile"
	"github.com/adp-sparse/adp-sparse/adp/model"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/opened"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/points"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/report"
	"github.com/adp-sparse/adp-sparse/cmd/internal/outputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/program"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/csr"
)

// writeModel writes what the run found for later.
func (f *Flags) writeModel(out *outputs.Set, graph *opened.Graph, labels *labelfile.Labels, result *fit.Result) error {
	if f.model == "" {
		return nil
	}
	chosen := result.Rounds[result.Chosen]
	m := &model.Model{
		Program: program.Version(), Method: f.method, Alpha: chosen.Alpha,
		Choice: chosen.Setting,
		Rounds: len(result.Rounds) - 1, SeedPrior: result.OfSeeds,
		Products: result.Rounds[0].Solve.Iterations,
		Classes:  labels.Classes, Nodes: graph.IDs, Several: f.Multilabel,
		F: result.F, Degrees: result.Degrees(graph.W, f.opt.Method, f.Threads),
		Features: graph.Features, Joins: graph.Joins,
	}
	if f.previous != nil {
		m.Rounds, m.Products = f.previous.Rounds, f.previous.Products // of the run that started from nothing
	}
	if result.First != result.F {
		m.Start = result.First
	}
	return out.Write(f.model, m.Write)
}

// readWarm reads the model that the run starts from, if any, before the graph is made as
// it says.
func (f *Flags) readWarm(std streams.Stdio) (err error) {
	if f.warm == "" {
		return nil
	}
	if f.previous, err = points.ReadModel(f.warm, std); err != nil {
		return err
	}
	if f.previous.Start != nil {
		f.previous.F = nil // nothing starts from it
	}
	f.warmGraph = f.Features.KeepGraph(f.previous)
	return nil
}

// oldBytes are those of the model while the graph is made.
func (f *Flags) oldBytes() int64 {
	if f.previous == nil {
		return 0
	}
	n, c := int64(f.previous.Nodes.Len()), int64(len(f.previous.Classes))
	return f.previous.Nodes.Bytes() + 4*n*c
}

// readBeside reads the graph beside what is held already.
func (f *Flags) readBeside(ctx context.Context, std streams.Stdio, held int64) (*opened.Graph, error) {
	limit := f.Memory
	if held > 0 {
		f.Memory.Bytes = max(limit.Bytes-held, 1)
	}
	graph, err := f.Read(ctx, std)
	if f.Memory = limit; err == nil {
		graph.Peak += held
	}
	return graph, err
}

// start starts the run from the model, if any.
func (f *Flags) start(graph *opened.Graph, labels *labelfile.Labels) *report.Warm {
	f.opt.KeepFirst = f.model != ""
	if f.previous == nil {
		return nil
	}
	var start *csr.Dense
	facts := &report.Warm{File: f.warm, FromNothing: f.previous.Products, RoundsFromNothing: f.previous.Rounds, Graph: f.warmGraph}
	if f.warmGraph != nil {
		f.warmGraph.Chosen = len(graph.Built.Choice) > 0
	}
	facts.LeftOut = f.calibrate != "off" || f.warmGraph != nil && f.warmGraph.Chosen
	if f.opt.Method.Has(adp.Tries) {
		facts.KeptChoice, facts.OtherGraph = true, points.OtherGraph(f.previous, graph.Built)
		f.opt.Alpha = f.previous.Alpha
		if f.previous.Choice.TopK == 0 {
			f.method, f.opt.Method = "lgc", adp.LGC
		} else {
			f.opt = f.opt.Alone(f.previous.Choice)
		}
	}
	if start, facts.Nodes = f.previous.From(graph.IDs, labels.Classes); facts.Nodes > 0 {
		f.opt.Start = start
	}
	f.previous.F, f.previous.Start, f.previous.Nodes = nil, nil, nil // what is left is small
	return facts
}
