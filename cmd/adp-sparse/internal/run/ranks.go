package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/fit"
	"github.com/adp-sparse/adp-sparse/adp/ranks"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/format"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/methodflags"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/opened"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/report"
	"github.com/adp-sparse/adp-sparse/cmd/internal/machine"
	"github.com/adp-sparse/adp-sparse/cmd/internal/outputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/program"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
	"github.com/adp-sparse/adp-sparse/csr/parts"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/diffuse/dist"
	"github.com/adp-sparse/adp-sparse/internal/clock"
	"github.com/adp-sparse/adp-sparse/internal/figures"
	"github.com/adp-sparse/adp-sparse/internal/kernel"
)

// runRanks runs on a graph in parts: over the processes of MPI, else over ranks of this process, one
// a part.
func (s *settings) runRanks(ctx context.Context, std streams.Stdio) error {
	if err := s.checkRanks(); err != nil {
		return err
	}
	watch := clock.New()
	folder, err := parts.Open(s.source.Graph)
	if err != nil {
		return err
	}
	defer folder.Close()
	return onRanks(ctx, folder.Parts(), func(c dist.Comm) error {
		return folder.Guard(func() (err error) {
			r := rankRun{settings: s, comm: c, folder: folder, watch: watch}
			if c.Rank() != 0 {
				return r.runRank(ctx, std, nil)
			}
			out, err := outputs.Open(std, s.source.Inputs(), append([]outputs.File{{Flag: "out", Name: s.out}, {Flag: "graph-out", Name: s.graphOut}, {Flag: "nodes-out", Name: s.nodesOut}}, s.reports.Outputs()...))
			if err != nil {
				return dist.Agree(c, err)
			}
			defer func() { err = errors.Join(err, out.Close()) }() // after a panic too
			return r.runRank(ctx, std, out)
		})
	})
}

// checkRanks refuses flags that are not for runs over ranks.
func (s *settings) checkRanks() error {
	if s.diagnose {
		return usage.Errorf("--diagnose is not for a graph in parts (--graph %s): it compares with the untruncated graph on one machine, from --graph FILE.csr", s.source.Graph)
	}
	for _, flag := range []string{"reorder", "directed", "duplicates", "warm", "model", "multilabel", "pictures", "scratch", "nodes"} {
		if s.given(flag) {
			return usage.Errorf("--%s is not for a graph in parts (--graph %s)", flag, s.source.Graph)
		}
	}
	switch {
	case s.reports.Drawn():
		return usage.Errorf("a page as --report is not for a graph in parts (--graph %s), expected JSON", s.source.Graph)
	case !s.opt.Method.Has(adp.OverRanks):
		return usage.Errorf("--method %s is not for a graph in parts (--graph %s), expected %s", s.words.method, s.source.Graph, adp.OverRanks.Names("or"))
	case s.source.Labels == "-":
		return usage.Errorf("--labels - is not for a graph in parts: every process reads the labels")
	}
	return nil
}

// ranksReport is what --report writes of a run over ranks.
type ranksReport struct {
	Version string         `json:"version"`
	Command string         `json:"command"`
	Kernel  string         `json:"kernel"`
	Ranks   int            `json:"ranks"`
	Graph   partitionFacts `json:"graph"`
	Labels  report.Labels  `json:"labels"`
	// Bytes are those of the process with most.
	EstimatedBytes int64              `json:"estimated_bytes"`
	PeakBytes      int64              `json:"peak_bytes"`
	Seconds        map[string]float64 `json:"seconds"` // of rank 0
	report.Results
	Calibration *adp.Calibration `json:"calibration,omitempty"`
}

type partitionFacts struct {
	File  string `json:"file"`
	Nodes int    `json:"nodes"`
	Edges int64  `json:"edges"`
	Parts int    `json:"parts"`
	Order string `json:"order"`
}

// runRank is the work of a rank; out is nil in all but rank 0.
func (r *rankRun) runRank(ctx context.Context, std streams.Stdio, out *outputs.Set) error {
	job, err := r.load(std)
	if err := dist.Agree(r.comm, err); err != nil {
		return err
	}
	if job.estimated, err = r.fit(job); err != nil {
		return err
	}
	if r.comm.Rank() == 0 {
		r.watch.Lap(clock.Read)
		show := report.NewRoundBar(std.Err, job.opt.Steps(r.folder.Nodes, job.seeds.Classes))
		defer show.End()
		job.opt.Observer = show.Round
	}
	state, err := r.openState(std, job)
	if err := dist.Agree(r.comm, err); err != nil {
		return state.close(err, r.settings.resumeCommand())
	}
	return state.close(r.label(ctx, std, out, job, state), r.settings.resumeCommand())
}

// openState opens the file of --checkpoint, in rank 0; others have none.
func (r *rankRun) openState(std streams.Stdio, job *rankJob) (*keeper, error) {
	state := &keeper{}
	if r.settings.checkpoint.file == "" {
		return state, nil
	}
	job.opt.Checkpoint = func(*adp.Snapshot) error { return nil }
	if r.comm.Rank() != 0 {
		return state, nil
	}
	state, err := r.settings.checkpoint.open(std.Err, r.settings.quiet)
	job.opt.Checkpoint, state.ran, state.unchanged = state.save, true, r.folder.Unchanged
	return state, err
}

// label labels the nodes, from the state in the file if it has one.
func (r *rankRun) label(ctx context.Context, std streams.Stdio, out *outputs.Set, job *rankJob, state *keeper) error {
	if r.comm.Rank() == 0 {
		ctx = clock.With(ctx, r.watch)
	}
	from := state.from
	state.from = nil
	result, err := ranks.Resume(ctx, job.world, job.w, job.seeds, r.folder.Place(), job.opt, from)
	if errors.Is(err, adp.ErrSnapshot) {
		err = fmt.Errorf("%s: %w", state.name, err)
	}
	if err != nil {
		return err
	}
	if r.settings.calibrate {
		end := clock.Part(ctx, clock.Calibrate)
		job.calibration, err = ranks.Calibrate(ctx, job.world, job.w, job.seeds, r.folder.Place(), job.opt.Chosen(result), 0)
		if end(); err != nil {
			return err
		}
	}
	whole := ranks.Gather(job.world, result, r.folder.Place(), r.settings.proba, r.settings.graphOut != "", job.opt.Threads)
	peaks := dist.Gather(r.comm, []int64{machine.PeakResident()})
	if r.comm.Rank() != 0 {
		return nil
	}
	if job.calibration != nil {
		job.calibration.Apply(whole, job.opt.MinConfidence)
	}
	r.watch.Lap(clock.Other)
	return r.write(std, out, job, whole, slices.Max(peaks), state)
}

// load reads the rank's rows, and the labels.
func (r *rankRun) load(std streams.Stdio) (*rankJob, error) {
	rank, size, all := r.comm.Rank(), r.comm.Size(), r.folder.Parts()
	if size > all {
		return nil, usage.Errorf("--graph %s has %d parts, too few for %d processes", r.settings.source.Graph, all, size)
	}
	if err := format.CheckNamed("graph-out", r.settings.graphOut, r.settings.nodesOut, r.folder.IDs()); err != nil {
		return nil, err
	}
	// Each rank takes as many parts as the others, or one more.
	bounds := make([]int, size+1)
	for q := range bounds {
		bounds[q] = r.folder.Bounds[q*all/size]
	}
	job := &rankJob{world: dist.NewWorld(r.comm, bounds), opt: r.settings.opt}
	var err error
	if job.w, err = r.folder.Rows(rank*all/size, (rank+1)*all/size); err != nil {
		return nil, err
	}
	if job.labels, err = r.settings.source.ReadLabels(std, &opened.Graph{IDs: r.folder.IDs()}); err != nil {
		return nil, err
	}
	if err := r.settings.checkNames(r.folder.IDs(), job.labels.Classes); err != nil {
		return nil, err
	}
	job.opt.Threads = threadsOfRank(r.settings.source.Threads, size)
	if job.seeds, err = diffuse.NewSeeds(r.folder.Nodes, len(job.labels.Classes), job.labels.Seeds); err != nil {
		return nil, err
	}
	job.opt.Prior, err = methodflags.StatedPrior(r.settings.prior, job.labels.Classes, job.seeds)
	return job, err
}

// write writes the outputs, in rank 0.
func (r *rankRun) write(std streams.Stdio, out *outputs.Set, job *rankJob, result *adp.Result, peak int64, state *keeper) error {
	in := &input{graph: &opened.Graph{IDs: r.folder.IDs()}, labels: job.labels, seeds: job.seeds}
	if err := r.settings.writeRows(out, in, result, nil); err != nil {
		return err
	}
	r.watch.Lap(clock.Write)
	facts := r.describe(job, result, peak)
	for _, name := range r.settings.reports.Files {
		if err := report.WriteJSON(out, name, facts); err != nil {
			return err
		}
	}
	if err := r.settings.commit(out, r.folder.Unchanged, state); err != nil { // names are mapped
		return err
	}
	return r.settings.tell(std, facts, func(w io.Writer) { facts.summary(w, r.settings) }, result.Converged)
}

func (r *rankRun) describe(job *rankJob, result *adp.Result, peak int64) *ranksReport {
	facts := &ranksReport{
		Version: program.Version(), Command: streams.Clean(r.settings.reports.Command), Kernel: kernel.Name(), Ranks: r.comm.Size(),
		Graph:          partitionFacts{File: r.settings.source.Graph, Nodes: r.folder.Nodes, Edges: r.folder.Entries / 2, Parts: r.folder.Parts(), Order: r.folder.Order},
		Labels:         report.Labels{File: r.settings.source.Labels, Seeds: len(job.seeds.List()), Classes: job.seeds.Classes, Read: job.labels.Stats, Notes: job.labels.Notes},
		EstimatedBytes: job.estimated + r.mappedBytes(), PeakBytes: peak, Seconds: r.watch.Seconds,
		Results:     report.NewResults(job.labels.Classes, job.seeds),
		Calibration: job.calibration,
	}
	facts.Warnings.AddLabels(job.labels.Stats)
	facts.Warnings.AddNotes("labels", job.labels.Notes)
	facts.Take(&fit.Result{Result: result, Calibration: job.calibration}, job.seeds)
	if r.settings.graphOut != "" && !facts.HasLearned(r.settings.words.method) {
		facts.Warnings.AddAsGiven(r.settings.words.method, false, false)
	}
	facts.Warnings.AddCalibration(job.calibration)
	facts.Warnings.AddRanks(r.settings.options(), r.folder.Nodes, job.seeds.Classes)
	return facts
}

// mappedBytes is the part of the file of the nodes that each process reads. It is resident where
// memory is free, and needs none.
func (r *rankRun) mappedBytes() int64 {
	const perNode = 16 // an offset, a row and a value
	return perNode*int64(r.folder.Nodes) + r.folder.IDs().Bytes()
}

// summary writes the report for a reader at a terminal.
func (r *ranksReport) summary(w io.Writer, s *settings) {
	graph := fmt.Sprintf("%s nodes, %s edges in %d parts", figures.Count(r.Graph.Nodes), figures.Count(int(r.Graph.Edges)), r.Graph.Parts)
	f := &report.Facts{
		Read:   fmt.Sprintf("%s; %s of %s", graph, figures.Counted(r.Labels.Seeds, "known label"), figures.Counted(r.Labels.Classes, "class")),
		Method: s.words.method, Calibration: r.Calibration, Seconds: r.Seconds["total"], NoPage: true,
	}
	if !s.verbose {
		r.Brief(w, f, s.written())
		return
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "graph\t%s\n", graph)
	fmt.Fprintf(t, "seeds\t%s in %s\n", figures.Count(r.Labels.Seeds), figures.Counted(r.Labels.Classes, "class"))
	fmt.Fprintf(t, "ranks\t%d\n", r.Ranks)
	fmt.Fprintf(t, "memory\t%s estimated, %s peak, of the process with most\n", figures.Bytes(r.EstimatedBytes), figures.Bytes(r.PeakBytes))
	report.PrintTime(t, r.Seconds)
	t.Flush()
	r.PrintEnd(w, f, s.written())
	fmt.Fprintln(w)
	r.Tables(w)
	report.PrintTrial(w, r.Trial, false)
	r.PrintUnlearned(w, f.Method, false)
	report.PrintCalibration(w, r.Calibration)
	r.Warnings.Print(w)
}
