package run

import (
	"context"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/fit"
	"github.com/adp-sparse/adp-sparse/adp/multilabel"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/opened"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/points"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/report"
	"github.com/adp-sparse/adp-sparse/cmd/internal/outputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/program"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
)

// writeModel writes what the run found for later.
func (s *settings) writeModel(out *outputs.Set, in *input, result *fit.Result, sets *multilabel.Sets) error {
	if s.model == "" {
		return nil
	}
	defer result.Tell(in.seeds)()
	method, err := adp.ParseMethod(in.method)
	if err != nil {
		return err
	}
	m := result.Model(method, in.graph.IDs, in.labels.Classes, in.graph.Features, s.source.Threads)
	m.Program, m.Several = program.Version(), s.source.Multilabel
	if sets != nil {
		m.Labels = sets.Rule()
	}
	if in.before != nil { // of the run that started from nothing
		m.Rounds, m.Products = in.before.Rounds, in.before.Products
	}
	return out.Write(s.model, m.Write)
}

// readPrevious reads the model of --warm, if any, before the graph is made as it says.
func (s *settings) readPrevious(std streams.Stdio) (*previous, error) {
	if s.warm == "" {
		return nil, nil
	}
	m, err := points.ReadModel(s.warm, std)
	if err != nil {
		return nil, err
	}
	if m.Start != nil {
		m.F = nil // nothing starts from it
	}
	return &previous{m, s.source.Features.KeepGraph(m)}, nil
}

// bytes are those of the model while the graph is made.
func (p *previous) bytes() int64 {
	if p == nil {
		return 0
	}
	n, c := int64(p.Nodes.Len()), int64(len(p.Classes))
	return p.Nodes.Bytes() + 4*n*c
}

// readGraph reads the graph, with the model in memory.
func (s *settings) readGraph(ctx context.Context, std streams.Stdio, before *previous) (*opened.Graph, error) {
	limit, held := s.source.Memory, before.bytes()
	if held > 0 {
		s.source.Memory.Bytes = max(limit.Bytes-held, 1)
	}
	graph, err := s.source.Read(ctx, std)
	if s.source.Memory = limit; err == nil {
		graph.Peak += held
	}
	return graph, err
}

// start starts the run from the model of --warm, if any: with its choice, where it made one, and
// with its F for nodes of the same names.
func (in *input) start(file string) {
	p, opt := in.before, &in.fit.Run
	if p == nil {
		return
	}
	in.warm = &report.Warm{File: file, FromNothing: p.Products, RoundsFromNothing: p.Rounds, Graph: p.graph}
	if p.graph != nil {
		p.graph.Chosen = len(in.graph.Built.Choice) > 0
	}
	in.warm.LeftOut = in.fit.Calibrate || p.graph != nil && p.graph.Chosen
	if opt.Method.Has(adp.Tries) {
		in.warm.KeptChoice, in.warm.OtherGraph = true, points.OtherGraph(p.Model, in.graph.Built)
		opt.Alpha = p.Alpha
		if p.Choice.TopK == 0 {
			in.method, opt.Method = "lgc", adp.LGC
		} else {
			*opt = opt.Alone(p.Choice)
		}
	}
	start, known := p.From(in.graph.IDs, in.labels.Classes)
	if in.warm.Nodes = known; known > 0 {
		opt.Start = start
	}
	p.F, p.Start, p.Nodes = nil, nil, nil // the rest is small
	if in.fit.Prior != fit.AutoPrior {
		return
	}
	in.fit.Prior = fit.EqualPrior // a run that keeps the choice of another keeps its classes
	if in.warm.KeptChoice && p.SeedPrior {
		in.fit.Prior = fit.SeedPrior
	}
}
