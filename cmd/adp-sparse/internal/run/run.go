// Package run is the command that labels a graph and learns it. A run opens its files, loads the
// graph and the labels, fits the method, examines what it found, and writes it.
package run

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/diagnose"
	"github.com/adp-sparse/adp-sparse/adp/fit"
	"github.com/adp-sparse/adp-sparse/adp/labelfile"
	"github.com/adp-sparse/adp-sparse/adp/labelnpz"
	"github.com/adp-sparse/adp-sparse/adp/labelparquet"
	"github.com/adp-sparse/adp-sparse/adp/multilabel"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/format"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/methodflags"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/needs"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/opened"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/report"
	"github.com/adp-sparse/adp-sparse/cmd/internal/exits"
	"github.com/adp-sparse/adp-sparse/cmd/internal/machine"
	"github.com/adp-sparse/adp-sparse/cmd/internal/outputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/progress"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/clock"
)

// open opens the outputs.
func (s *settings) open(std streams.Stdio) (*outputs.Set, error) {
	in := append(s.source.Inputs(), outputs.File{Flag: "warm", Name: s.warm})
	out := []outputs.File{{Flag: "out", Name: s.out}, {Flag: "graph-out", Name: s.graphOut}, {Flag: "nodes-out", Name: s.nodesOut}, {Flag: "model", Name: s.model}}
	return outputs.Open(std, in, append(out, s.reports.Outputs()...))
}

// runOn reads the graph, and labels it from the state of --checkpoint if it has one.
func (s *settings) runOn(ctx context.Context, std streams.Stdio, out *outputs.Set) error {
	watch := clock.New()
	ctx = clock.With(ctx, watch)
	out.Stops = true
	s.source.Features.Joinable = s.model != ""
	opt := s.options()
	s.source.Features.Combine = opt.MayCombine()
	s.source.Memory.Collect(s.source.Memory.Bytes)
	before, err := s.readPrevious(std)
	if err != nil {
		return err
	}
	graph, err := s.readGraph(ctx, std, before)
	if err != nil {
		return s.checkpoint.untouched(err, s.resumeCommand())
	}
	defer graph.Close()
	state, err := s.checkpoint.open(std.Err, s.quiet)
	state.unchanged = graph.Unchanged
	if err == nil {
		err = graph.Guard(func() error { return s.label(ctx, std, graph, before, out, state, watch) })
	}
	return state.close(err, s.resumeCommand())
}

// resumeCommand is the command line that goes on from the state.
func (s *settings) resumeCommand() string { return s.reports.Command + " --resume" }

// label labels the nodes of the graph: the stages of a run, one after the other.
func (s *settings) label(ctx context.Context, std streams.Stdio, graph *opened.Graph, before *previous, out *outputs.Set, state *keeper, watch *clock.Stopwatch) error {
	in, err := s.load(std, graph, before)
	if err != nil {
		return err
	}
	watch.Lap(clock.Read)
	r, err := s.admit(in)
	if err != nil {
		return err
	}
	watch.Lap(clock.Prepare)
	fitted, err := s.fit(ctx, std, in, state)
	if err != nil {
		return err
	}
	defer fitted.Close() // the files have no names: whatever fails, they are gone with the program
	watch.Lap(clock.Other)
	sets, err := s.examine(ctx, std, in, fitted, r)
	if err != nil {
		return err
	}
	page, err := s.reports.Draw(ctx, r, graph, in.seeds, in.labels, fitted.Result)
	if err != nil {
		return err
	}
	watch.Lap(clock.Examine)
	if err := s.write(out, in, fitted, sets); err != nil {
		return err
	}
	watch.Lap(clock.Write)
	r.Seconds, r.PeakBytes = watch.Seconds, machine.PeakResident()
	if err := s.reports.Write(out, r, page); err != nil {
		return err
	}
	watch.Lap(clock.Write) // of the reports, for the summary
	if err := s.commit(out, graph.Unchanged, state); err != nil {
		return err
	}
	return s.tell(std, r, func(w io.Writer) { r.Summary(w, s.written(), s.verbose) }, fitted.Converged)
}

// load reads the labels, and makes the options of the method for their classes.
func (s *settings) load(std streams.Stdio, graph *opened.Graph, before *previous) (*input, error) {
	if err := format.CheckNamed("graph-out", s.graphOut, s.nodesOut, graph.IDs); err != nil {
		return nil, err
	}
	labels, err := s.source.ReadLabels(std, graph)
	if err != nil {
		return nil, err
	}
	if err := s.checkNames(graph.IDs, labels.Classes); err != nil {
		return nil, err
	}
	in := &input{graph: graph, labels: labels, method: s.options().Method().String(), before: before}
	if in.seeds, err = diffuse.NewSeeds(graph.IDs.Len(), len(labels.Classes), labels.Seeds); err != nil {
		return nil, err
	}
	in.fit = s.options()
	in.fit.Guess = s.model != ""
	opt := &in.fit.Run
	opt.Threads, opt.KeepFirst = s.source.Threads, s.model != ""
	*opt = opt.On(graph.W)
	if opt.Prior, in.fit.Prior, err = methodflags.ParsePrior(s.prior, labels.Classes); err != nil {
		return nil, err
	}
	in.start(s.warm)
	return in, nil
}

// work is what the run does, as far as its memory depends on it.
func (s *settings) work(in *input) needs.Work {
	work := needs.Work{Opt: in.fit.Run, Calibrate: s.calibrate, Diagnose: s.diagnose, Several: s.source.Multilabel, Beside: s.reports.Bytes()}
	if in.seeds.Classes > 1 {
		work.Input = in.graph.Mixes(in.seeds)
	}
	return work
}

// admit fits the run to the memory, and begins its report.
func (s *settings) admit(in *input) (*report.Run, error) {
	mixture := needs.Unmixed(s.source.Memory, s.work(in), in.graph, in.seeds.Classes)
	if mixture > 0 {
		in.graph.Input = nil
	}
	r := report.New(report.Settings{
		Command: s.reports.Command, Source: s.source.Source(), Labels: s.source.Labels,
		Method: in.method, Solver: s.words.solver, Faint: s.words.faint, Calibrate: s.words.calibrate,
		Multilabel: s.source.Multilabel, Run: in.fit.Run, EstimatedBytes: s.work(in).Estimate(in.graph, in.seeds.Classes),
	}, in.graph, in.labels, in.seeds)
	r.Warm = in.warm
	r.Warnings.AddWarm(in.warm)
	if mixture > 0 {
		r.Warnings.AddUnmixed(mixture, s.source.Memory)
	}
	if s.alone != "" {
		r.Warnings.AddAlone(in.graph, in.seeds.Classes, "run without --"+s.alone)
	}
	fitting, err := needs.Fits(s.source.Memory, s.work(in), in.graph, in.seeds.Classes)
	if err != nil {
		return nil, err
	}
	if columns := fitting.Opt.ClassColumns; columns > 0 {
		in.fit.Run.ClassColumns, r.Options.ClassColumns = columns, columns
		r.EstimatedBytes = s.work(in).Estimate(in.graph, in.seeds.Classes)
	}
	return r, nil
}

// fit runs the method with a bar for each stage, from the state of --checkpoint if it has one.
func (s *settings) fit(ctx context.Context, std streams.Stdio, in *input, state *keeper) (*fit.Result, error) {
	end := func() {}
	bar := func(what string) func() { return progress.New(std.Err, what, progress.Unknown, false).End }
	opt, show := in.fit, &report.RoundBar{}
	opt.Run.Observer = func(r adp.Round) { show.Round(r) }
	opt.Run.Progress = func(share float64) { show.Add(share) }
	opt.Stage = func(stage fit.Stage) {
		end()
		switch stage {
		case fit.ChoosingPrior:
			end = bar("trying the class sizes of the known labels")
		case fit.Running:
			state.ran = true
			show = report.NewRoundBar(std.Err, in.fit.Run.Steps(in.seeds.Nodes, in.seeds.Classes))
			end = show.End
		case fit.Calibrating:
			end = bar(fmt.Sprintf("calibrating by cross-validation, %d runs", adp.CalibrationFolds))
		case fit.Combining:
			end = bar("combining methods")
		case fit.Done:
			end = func() {}
		}
	}
	defer func() { end() }()
	return state.run(ctx, in.graph, in.seeds, opt)
}

// examine diagnoses the result if that is asked for, makes the sets of labels of --multilabel,
// else nil, and fills in the report.
func (s *settings) examine(ctx context.Context, std streams.Stdio, in *input, fitted *fit.Result, r *report.Run) (sets *multilabel.Sets, err error) {
	result := fitted.Result
	if s.diagnose {
		shown := progress.New(std.Err, "diagnosing", progress.Unknown, false)
		r.Diagnosis, err = diagnose.Graph(ctx, in.graph.W, result, in.fit.Run, needs.DiagnoseVectors, 1)
		if shown.End(); err != nil {
			return nil, err
		}
	}
	r.Options.Tolerance = cmp.Or(fitted.Tolerance, r.Options.Tolerance)
	r.Finish(fitted, in.seeds)
	r.Options.TakePrior(fitted.Prior, in.labels.Classes)
	if s.graphOut != "" && !r.HasLearned(in.method) {
		r.Warnings.AddAsGiven(in.method, r.Warm.Kept(), r.Combination != nil)
	}
	if s.model != "" {
		r.Warnings.AddUnjoinable(in.graph, fitted.Guess != nil)
	}
	if !s.source.Multilabel {
		return nil, nil
	}
	if sets, err = fitted.Sets(s.share); err != nil {
		return nil, err
	}
	r.Options.Share = sets.Rule().Threshold
	r.TakeSets(sets, in.seeds, result)
	r.MeasureInside(result, report.InCommon(sets, len(result.Labels)))
	return sets, nil
}

// write writes what the run found, but for the reports.
func (s *settings) write(out *outputs.Set, in *input, fitted *fit.Result, sets *multilabel.Sets) error {
	if err := s.writeRows(out, in, fitted.Result, sets); err != nil {
		return err
	}
	return s.writeModel(out, in, fitted, sets)
}

// writeRows writes the labels, the names of the nodes and the graph.
func (s *settings) writeRows(out *outputs.Set, in *input, result *adp.Result, sets *multilabel.Sets) error {
	names, classes := in.graph.IDs, in.labels.Classes
	if err := out.Write(s.out, func(w io.Writer) error {
		rows := labelfile.Predictions(result, names, classes)
		if sets != nil {
			rows = labelfile.MultiPredictions(result, sets, in.seeds, names, 0, classes)
		}
		switch of, _ := format.ByName(s.out); {
		case of == format.Parquet:
			return labelparquet.Write(w, rows)
		case of == format.NPZ && sets != nil:
			to := labelnpz.NewSetWriter(w, classes, s.proba)
			to.Add(result, sets, in.seeds, names, 0)
			return to.Flush()
		case of == format.NPZ:
			return labelnpz.Write(w, result, names, classes, s.proba)
		case sets != nil:
			return labelfile.WritePredictions(w, rows, labelfile.Table{Comma: format.Commas(s.out), Guard: s.guard, Proba: false})
		}
		return labelfile.Write(w, result, names, classes, labelfile.Table{Comma: format.Commas(s.out), Guard: s.guard, Proba: s.proba})
	}); err != nil {
		return err
	}
	if err := opened.WriteNodes(out, s.nodesOut, names); err != nil {
		return err
	}
	return format.WriteGraph(out, s.graphOut, result.Graph, names)
}

// commit puts the outputs in their places, and removes the state.
func (s *settings) commit(out *outputs.Set, unchanged func() error, state *keeper) error {
	if err := unchanged(); err != nil {
		return err
	}
	if err := out.Commit(); err != nil {
		return err
	}
	return state.end()
}

// written are the files that the run wrote.
func (s *settings) written() report.Written {
	var files []string
	for _, name := range append([]string{s.out, s.graphOut, s.nodesOut, s.model}, s.reports.Names()...) {
		if name != "" {
			files = append(files, name)
		}
	}
	return report.Written{Files: files, Page: s.reports.Page()}
}

// tell says what was done, as the log or as a summary.
func (s *settings) tell(std streams.Stdio, facts any, summary func(io.Writer), converged bool) error {
	log := streams.ConsoleOf(std.Err)
	log.Event("done", facts)
	if !s.quiet && !log.JSON {
		summary(std.Err)
	}
	if s.requireConverged && !converged {
		return exits.ErrNotConverged
	}
	return nil
}
