// Package run is the command that labels a graph and learns it.
package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/calibrate"
	"github.com/adp-sparse/adp-sparse/adp/fit"
	"github.com/adp-sparse/adp-sparse/adp/labelfile"
	"github.com/adp-sparse/adp-sparse/adp/labelparquet"
	"github.com/adp-sparse/adp-sparse/adp/model"
	"github.com/adp-sparse/adp-sparse/adp/multilabel"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/clock"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/format"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/methodflags"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/needs"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/opened"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/points"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/report"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/source"
	"github.com/adp-sparse/adp-sparse/cmd/internal/exits"
	"github.com/adp-sparse/adp-sparse/cmd/internal/limit"
	"github.com/adp-sparse/adp-sparse/cmd/internal/machine"
	"github.com/adp-sparse/adp-sparse/cmd/internal/outputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/progress"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
	"github.com/adp-sparse/adp-sparse/csr/ids"
	"github.com/adp-sparse/adp-sparse/csr/parts"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/lines"
)

// Flags are the flags of `run`.
type Flags struct {
	source.Flags
	checkpoint                                               checkpointFlags
	out, graphOut, nodesOut, model, warm                     string
	reports                                                  report.Flags
	method, balance, prior, harden, hubs, pick, cgs, reorder string
	calibrate, faint                                         string
	proba, quiet, requireConverged, diagnose                 bool
	share                                                    float64 // θ of --multilabel
	opt                                                      adp.Options
	previous                                                 *model.Model // that --warm names
	priorBy                                                  fit.Prior
	warmGraph                                                *points.WarmGraph // of it
	given                                                    func(flag string) bool
	resumeCommand                                            string // the command line that resumes
}

func New(std streams.Stdio) *cobra.Command {
	var f Flags
	cmd := &cobra.Command{
		Use:   "run (--edges | --graph | --features) FILE --labels FILE [--out FILE] [--graph-out FILE]",
		Short: "Label every node of a graph and learn the graph",
		Long: `Label every node of a graph from the labels of a few, and learn the graph on the way.
The graph is a list of edges (--edges), a file of another format (--graph), or made of
vectors by joining each to its nearest neighbours (--features); --labels has the known
labels, a line "id label" each. --out gets a line for every node: its label, the
confidence in it and its status. No other flag is needed: the method, the graph of
vectors and all settings have defaults, or are chosen by leaving known labels out.`,
		Example: `  adp-sparse run --edges graph.tsv --labels seeds.tsv --out labels.tsv
  adp-sparse run --features vectors.npy --labels seeds.tsv --out labels.tsv --report report.html

  adp-sparse run --edges graph.tsv.gz --labels seeds.tsv --out labels.tsv --graph-out learned.tsv.gz
  zcat graph.tsv.gz | adp-sparse run --edges - --labels seeds.tsv --method lgc > labels.tsv
  adp-sparse run --edges graph.csv --labels seeds.csv --proba --report report.html --report report.json --out labels.tsv
  adp-sparse run --features table.csv --labels table.csv --label-column species --out labels.parquet
  adp-sparse run --edges edges.parquet --labels topics.tsv --multilabel --out labels.tsv
  adp-sparse run --edges large.tsv.gz --labels seeds.tsv --out labels.tsv --checkpoint run.state
  adp-sparse run --edges large.tsv.gz --labels seeds.tsv --out labels.tsv --checkpoint run.state --resume`,
		Args: usage.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			f.given = cmd.Flags().Changed
			f.reports.Command = usage.CommandLine(cmd)
			f.resumeCommand = f.reports.Command + " --resume"
			return f.run(cmd.Context(), std)
		},
	}
	f.Bind(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.out, "out", "-", "labels of all nodes: node label confidence margin status, as text (.csv separates by commas; .gz and .zst compress), or in a file .parquet (- is standard output)")
	opened.BindNodesOut(cmd, &f.nodesOut)
	flags.StringVar(&f.graphOut, "graph-out", "", "the learned graph, or the graph as given where the result is LGC (--select none always learns one): "+format.LearnedHelp())
	f.reports.Bind(cmd)
	flags.StringVar(&f.model, "model", "", "what the run found, for predict and for --warm (.npz)")
	flags.StringVar(&f.warm, "warm", "", "start from the --model of another run, with other labels or edges: for lgc the same solution, to within --tolerance, by fewer products; for adp with the setting that the other run chose, or lgc where it chose that. Nothing is chosen anew by left-out seeds: a graph of --features has the kind, k, metric, scale and weights that the model records and no flag says otherwise, and is the first graph of knn where it records none; --graph-kind auto, said, chooses it anew")
	flags.BoolVar(&f.proba, "proba", false, "add a column for each class to --out")
	flags.BoolVar(&f.Multilabel, "multilabel", false, "a node may have several labels, in --labels (a row each) and in --out; by "+adp.ListMethods(adp.TakesSeveral.Methods(), "or", defaultThen)+", with the classes of the seeds as --class-prior unless it is given. Not with --method "+adp.ListMethods(adp.TakesSeveral.Without(), "or", adp.Method.String)+", --proba, --calibrate, --min-confidence, --report FILE.html and --pictures; its --model is not for predict")
	flags.Float64Var(&f.share, "label-share", multilabel.DefaultThreshold, "labels of a node with --multilabel: those whose share of F exceeds their mean by at least this part of the largest excess, above 0 and at most 1")
	flags.StringVar(&f.method, "method", "adp", adp.ListMethods(adp.Methods(), "or", adp.Method.Described))
	flags.Float64Var(&f.opt.Alpha, "alpha", 0.99, "diffusion weight α of the labels, between 0 and 1")
	flags.Float64Var(&f.opt.GraphAlpha, "graph-alpha", 0.9, "diffusion weight α_A of the graph, between 0 and 1; for one setting, see --select")
	flags.Float64Var(&f.opt.Zeta, "zeta", 0.5, "weight of the label similarity in the graph, relative to it; 0 is none")
	flags.IntVar(&f.opt.TopK, "topk", 0, "entries kept in each row of the learned graph (default 5, or all other nodes of a smaller graph); for one setting, see --select")
	flags.Float64Var(&f.opt.Anchor, "anchor", 0.5, "multiple of the original graph added to the learned one, 0 is none; for one setting, see --select")
	flags.StringVar(&f.hubs, "hubs", "cut", "rows of the learned graph next to hubs, where whole ones would take long (nodes · entries above 2^35): cut (made of their largest terms) or whole")
	flags.StringVar(&f.harden, "harden", "sqrt-margin", "how labels enter the learned graph: sqrt-margin (by the root of the lead of the first class), hard or soft")
	flags.IntVar(&f.opt.Rounds, "rounds", 0, "most rounds of a setting (default "+roundsByDefault()+")")
	flags.StringVar(&f.pick, "select", "auto", fmt.Sprintf("choice of the result by its cut on the original graph and by left-out seeds: full (among the rounds of up to five settings; up to 72 rounds of work), fast (among those of --topk, --anchor and --graph-alpha; 16), none (the last round; 8), or auto (full for up to %d nodes where those three are not given, else fast)", adp.FullNodes))
	flags.StringVar(&f.balance, "balance", "degree", "weigh classes by the degrees of their seeds: degree or none")
	flags.StringVar(&f.prior, "class-prior", "auto", "expected class sizes: equal, seeds (as the numbers of seeds tell, drawn together as far as chance would make them differ), "+methodflags.PriorPairs+", or auto: equal, but with --method adp those of the seeds where these are clearly better on left-out seeds")
	flags.StringVar(&f.cgs, "solver", "cg", "cg (conjugate gradients) or power (the paper's iteration)")
	flags.Float64Var(&f.opt.Tolerance, "tolerance", 1e-6, "relative residual at which the label diffusion ends; one that is the rounding of scores in float32, which can be larger, counts as converged too")
	flags.IntVar(&f.opt.MaxIterations, "max-iterations", 0, "most iterations of the label diffusion (default 2000; 20000 for power)")
	flags.StringVar(&f.faint, "faint", "auto", fmt.Sprintf("nodes so far from all labels that what reaches them is below --tolerance: solve (for them again: up to three times the time where there are many, nothing where there are none), leave, or auto (solve, but on learned graphs of more than %d nodes); --warm solves always", adp.FullNodes))
	flags.StringVar(&f.reorder, "reorder", "auto", fmt.Sprintf("order of the nodes while they are worked on: cluster (densely joined ones near each other), degree, none, or auto (cluster for %s with at least %d nodes)", adp.LearnsSparse.Names("and"), adp.OrderNodes))
	flags.Float64Var(&f.opt.MinConfidence, "min-confidence", 0, "a label of less confidence has the status uncertain")
	flags.StringVar(&f.calibrate, "calibrate", "off", fmt.Sprintf("confidence as the probability of being right, on average over the nodes (of those of the smallest margins it can say far too much): auto (from seeds left out in %d more runs, of the chosen setting; where fewer than %d can be left out it stays raw) or off", adp.CalibrationFolds, calibrate.MinCases))
	flags.BoolVar(&f.diagnose, "diagnose", false, "say what truncation costs: the learned graph against the untruncated one, by about 150 sparse products at the default --graph-alpha ("+adp.LearnsSparse.Names("and")+")")
	flags.BoolVar(&f.requireConverged, "require-converged", false, "exit 6 if a limit was reached before convergence")
	limit.Bind(cmd, &f.Limit, "; over several processes the limit of each")
	flags.StringVar(&f.opt.Scratch, "scratch", "", "keep the graphs that the run makes in temporary files in this folder, mapped, where they do not fit the memory: the same outputs; best with --graph FILE.csr")
	f.checkpoint.bind(cmd)
	flags.BoolVar(&f.quiet, "quiet", false, "no summary on standard error")
	return cmd
}

func (f *Flags) run(ctx context.Context, std streams.Stdio) error {
	if err := f.check(); err != nil {
		return err
	}
	if parts.Is(f.Graph) {
		if f.Features.Source() != "" {
			return usage.Errorf("--features beside a graph in parts, expected a graph in one file")
		}
		return f.runRanks(ctx, std)
	}
	if n := launched(); n > 1 {
		return usage.Errorf("--graph %s: %d processes were started for a graph that is not in parts; see adp-sparse partition --help", f.Source(), n)
	}
	if err := f.reports.MakeFolder(); err != nil {
		return err
	}
	defer f.reports.RemoveFolder()
	out, err := outputs.Open(std, append(f.Inputs(), outputs.File{Flag: "warm", Name: f.warm}), append([]outputs.File{{Flag: "out", Name: f.out}, {Flag: "graph-out", Name: f.graphOut}, {Flag: "nodes-out", Name: f.nodesOut}, {Flag: "model", Name: f.model}}, f.reports.Outputs()...))
	if err != nil {
		return err
	}
	return errors.Join(f.readAndLabel(ctx, std, out), out.Close())
}

func (f *Flags) readAndLabel(ctx context.Context, std streams.Stdio, out *outputs.Set) error {
	clock := clock.New()
	f.Features.Joinable = f.model != ""
	f.Memory.Collect(f.Memory.Bytes)
	if err := f.readWarm(std); err != nil {
		return err
	}
	graph, err := f.readBeside(ctx, std, f.oldBytes())
	if err != nil {
		return f.checkpoint.untouched(err, f.resumeCommand)
	}
	defer graph.Close()
	state, err := f.checkpoint.open(std.Err, f.quiet)
	state.unchanged = graph.Unchanged
	if err == nil {
		err = graph.Guard(func() error { return f.label(ctx, std, graph, out, state, clock) })
	}
	return state.close(err, f.resumeCommand)
}

// label labels the nodes of the graph, from the state that there is.
func (f *Flags) label(ctx context.Context, std streams.Stdio, graph *opened.Graph, out *outputs.Set, state *keeper, clock *clock.Stopwatch) error {
	if err := format.CheckNamed("graph-out", f.graphOut, f.nodesOut, graph.IDs); err != nil {
		return err
	}
	labels, err := f.ReadLabels(std, graph)
	if err != nil {
		return err
	}
	if err := f.checkNames(graph.IDs, labels.Classes); err != nil {
		return err
	}
	clock.Lap("load")
	n := graph.IDs.Len()
	seeds, err := diffuse.NewSeeds(n, len(labels.Classes), labels.Seeds)
	if err != nil {
		return err
	}
	if f.opt.Prior, f.priorBy, err = methodflags.ParsePrior(f.prior, labels.Classes); err != nil {
		return err
	}
	if f.Multilabel && f.prior == "auto" {
		f.opt.Prior = make([]float64, seeds.Classes)
		for _, seed := range seeds.List() {
			f.opt.Prior[seed.Class] += float64(seed.Weight)
		}
	}
	f.opt.Threads = f.Threads
	warm := f.start(graph, labels)
	r := report.New(f.settings(graph, seeds), graph, labels, seeds)
	r.Warm = warm
	r.Warnings.AddWarm(warm)
	fitting, err := needs.Fits(f.Memory, f.work(), graph, seeds.Classes)
	if err != nil {
		return err
	}
	if f.opt.ClassColumns = fitting.Opt.ClassColumns; f.opt.ClassColumns > 0 {
		r.Options.ClassColumns, r.EstimatedBytes = f.opt.ClassColumns, f.work().Peak(graph, seeds.Classes)+graph.MappedBytes()
	}
	if warm != nil && f.priorBy == fit.AutoPrior { // a run that keeps the choice of another keeps its
		f.priorBy = fit.EqualPrior
		if warm.KeptChoice && f.previous.SeedPrior {
			f.priorBy = fit.SeedPrior
		}
	}
	fitted, err := f.fit(ctx, std, graph, seeds, state, clock)
	if err != nil {
		return err
	}
	result := fitted.Result
	defer result.Close() // the files have no names: whatever fails, they are gone with the program
	r.PriorTrial, r.Calibration = fitted.PriorTrial, fitted.Calibration
	if err := f.examine(ctx, std, graph, result, r); err != nil {
		return err
	}
	clock.Lap("examine")
	r.Finish(result)
	r.Options.TakePrior(fitted.Prior, labels.Classes)
	if f.graphOut != "" && !r.HasLearned(f.method) {
		r.Warnings.AddAsGiven(f.method, r.Warm.Kept())
	}
	var sets *multilabel.Sets
	if f.Multilabel {
		if sets, err = multilabel.New(result.F, f.share); err != nil {
			return err
		}
		r.TakeSets(sets, result)
		r.MeasureInside(result, report.InCommon(sets, len(result.Labels)))
	}
	if err := f.write(out, graph, labels, seeds, result, sets); err != nil {
		return err
	}
	if err := f.writeModel(out, graph, labels, fitted); err != nil {
		return err
	}
	clock.Lap("write")
	r.Seconds, r.PeakBytes = clock.Seconds, machine.PeakResident()
	if err := f.reports.Write(out, r, graph, seeds, labels, result); err != nil {
		return err
	}
	if err := graph.Unchanged(); err != nil {
		return err
	}
	if err := out.Commit(); err != nil {
		return err
	}
	if err := state.end(); err != nil {
		return err
	}
	streams.ConsoleOf(std.Err).Event("done", r)
	if !f.quiet && !streams.ConsoleOf(std.Err).JSON {
		r.Summary(std.Err)
	}
	if f.requireConverged && !result.Converged {
		return exits.ErrNotConverged
	}
	return nil
}

// fitsRow refuses the name of a node or class that a row of a file cannot hold. Text quotes names
// with commas.
func fitsRow(file string, name []byte) error {
	if of, _ := format.ByName(file); of == format.Parquet {
		return of.CheckName(file, name)
	}
	return lines.CheckName(name, '\t')
}

// checkNames refuses names that an output cannot hold, before the work that it would be
// lost with, and says where they are from.
func (f *Flags) checkNames(nodes *ids.Table, classes []string) error {
	outs := []struct {
		outputs.File
		fits func(file string, name []byte) error
	}{{outputs.File{Flag: "out", Name: f.out}, fitsRow}, {outputs.File{Flag: "graph-out", Name: f.graphOut}, nil}, {outputs.File{Flag: "nodes-out", Name: f.nodesOut}, fitsRow}}
	graphOut, _ := format.ByName(f.graphOut)
	outs[1].fits = graphOut.CheckName
	check := func(what, file string, name []byte, last int) error {
		for _, out := range outs[:last] {
			if out.Name == "" || out.fits == nil {
				continue
			}
			if err := out.fits(out.Name, name); err != nil {
				return fmt.Errorf("%s: a %s's %w; it is for --%s %s", file, what, err, out.Flag, out.Name)
			}
		}
		return nil
	}
	for _, name := range classes {
		if err := check("label", f.Labels, []byte(name), 1); err != nil {
			return err
		}
	}
	if nodes.IsSequence() {
		return nil
	}
	from := cmp.Or(f.Features.Names.File, f.Source())
	var name []byte
	for i := range nodes.Len() {
		name = nodes.AppendName(name[:0], i)
		if err := check("node", from, name, len(outs)); err != nil {
			return err
		}
	}
	return nil
}

// work is what the flags ask for.
func (f *Flags) work() needs.Work {
	return needs.Work{Opt: f.opt, Calibrate: f.calibrate == "auto", Diagnose: f.diagnose, Beside: f.reports.Bytes()}
}

// settings are those of the report.
func (f *Flags) settings(graph *opened.Graph, seeds *diffuse.Seeds) report.Settings {
	return report.Settings{
		Command: f.reports.Command, Source: f.Source(), Labels: f.Labels,
		Method: f.method, Harden: f.harden, Balance: f.balance, Solver: f.cgs, Faint: f.faint, Calibrate: f.calibrate,
		Multilabel: f.Multilabel, Share: f.share, Run: f.opt,
		EstimatedBytes: f.work().Peak(graph, seeds.Classes) + graph.MappedBytes(),
	}
}

// fit runs the method, from the state that there is, with a bar for each stage.
func (f *Flags) fit(ctx context.Context, std streams.Stdio, graph *opened.Graph, seeds *diffuse.Seeds, state *keeper, clock *clock.Stopwatch) (*fit.Result, error) {
	end := func() {}
	opt := fit.Options{Run: f.opt, Prior: f.priorBy, Calibrate: f.calibrate == "auto"}
	show := &report.RoundBar{}
	opt.Run.Observer = func(r adp.Round) { show.Round(r) }
	opt.Run.Progress = func(share float64) { show.Add(share) }
	opt.Stage = func(stage fit.Stage) {
		end()
		switch stage {
		case fit.ChoosingPrior:
			shown := progress.New(std.Err, "trying class sizes as the seeds have them", progress.Unknown, false)
			end = shown.End
		case fit.Running:
			state.ran = true
			show = report.NewRoundBar(std.Err, f.opt.Steps(seeds.Nodes, seeds.Classes))
			end = func() { show.End(); clock.Lap("run") }
		case fit.Calibrating:
			shown := progress.New(std.Err, fmt.Sprintf("calibrating on left-out seeds, %d runs", adp.CalibrationFolds), progress.Unknown, false)
			end = shown.End
		case fit.Done:
			end = func() {}
		}
	}
	defer func() { end() }()
	return state.run(ctx, graph.W, seeds, opt)
}

// examine diagnoses the result, if asked for.
func (f *Flags) examine(ctx context.Context, std streams.Stdio, graph *opened.Graph, result *adp.Result, r *report.Run) (err error) {
	if !f.diagnose {
		return nil
	}
	shown := progress.New(std.Err, "diagnosing", progress.Unknown, false)
	defer shown.End()
	r.Diagnosis, err = adp.Diagnose(ctx, graph.W, result, f.opt, needs.DiagnoseVectors, 1)
	return err
}

// check validates all that needs no file.
func (f *Flags) check() (err error) {
	if err := f.Flags.Check(); err != nil {
		return err
	}
	if f.Labels == "" {
		return usage.Errorf("say where the known labels are: --labels FILE")
	}
	if err := format.CheckRowsOut(f.out, "labels", true); err != nil {
		return err
	}
	if err := format.CheckWritten("graph-out", f.graphOut, false); err != nil {
		return err
	}
	if f.Multilabel && !f.given("method") {
		f.method = severalBy.String()
	}
	if f.opt.Method, err = adp.ParseMethod(f.method); err != nil {
		return usage.Errorf("--method %q, expected %s", f.method, adp.Trait(0).Names("or"))
	}
	if err := f.checkMultilabel(); err != nil {
		return err
	}
	if err := f.checkMethod(); err != nil {
		return err
	}
	if f.opt.Harden, err = usage.Choose("harden", f.harden, map[string]diffuse.Harden{
		"sqrt-margin": diffuse.SqrtMargin, "hard": diffuse.Hard, "soft": diffuse.Soft,
	}); err != nil {
		return err
	}
	if f.opt.Select, err = usage.Choose("select", f.pick, methodflags.Selects); err != nil {
		return err
	}
	if f.opt.Order, err = usage.Choose("reorder", f.reorder, methodflags.Orders); err != nil {
		return err
	}
	if f.opt.Cut, err = usage.Choose("hubs", f.hubs, methodflags.Cuts); err != nil {
		return err
	}
	if f.opt.Balance, err = usage.Choose("balance", f.balance, methodflags.Balances); err != nil {
		return err
	}
	if err := methodflags.CheckPrior(f.given, f.opt.Balance); err != nil {
		return err
	}
	if f.opt.Solver, err = usage.Choose("solver", f.cgs, map[string]diffuse.Solver{"cg": diffuse.CG, "power": diffuse.Power}); err != nil {
		return err
	}
	if f.calibrate != "auto" && f.calibrate != "off" {
		return usage.Errorf("--calibrate %q, expected auto or off", f.calibrate)
	}
	if err := f.checkpoint.check(f.Inputs(), append(f.reports.Names(), f.out, f.graphOut, f.nodesOut, f.model)...); err != nil {
		return err
	}
	if f.checkpoint.file == "" && f.given("checkpoint-every") {
		return usage.Errorf("--checkpoint-every is for --checkpoint")
	}
	if f.diagnose && !f.opt.Method.Has(adp.LearnsSparse) {
		return usage.Errorf("--diagnose with --method %s, expected %s: only these truncate the graph they learn", f.method, adp.LearnsSparse.Names("or"))
	}
	if f.warm != "" && (f.checkpoint.file != "" || !f.diffuses()) {
		return usage.Errorf("--warm goes with --method %s, --solver cg and no --checkpoint", adp.SolvesLGC.Names("or"))
	}
	if f.opt.Faint, err = usage.Choose("faint", f.faint, map[string]adp.Faint{"auto": adp.AutoFaint, "solve": adp.SolveFaint, "leave": adp.LeaveFaint}); err != nil {
		return err
	}
	if f.opt.Faint == adp.SolveFaint && !f.diffuses() {
		return usage.Errorf("--faint solve goes with --method %s and --solver cg", adp.SolvesLGC.Names("or"))
	}
	if f.warm != "" && f.opt.Method.Has(adp.Tries) {
		for _, flag := range []string{"select", "topk", "anchor", "graph-alpha", "alpha"} {
			if f.given(flag) {
				return usage.Errorf("--%s with --warm: adp takes over the setting of the other run", flag)
			}
		}
	}
	if err := f.checkScratch(); err != nil {
		return err
	}
	if f.model == "-" {
		return usage.Errorf("--model - is no file; a model is not text for standard output")
	}
	if f.model != "" {
		if err := f.Features.CheckForModel(); err != nil {
			return err
		}
	}
	return f.checkNumbers()
}

// LookedAt are the flags that some methods do not look at, and what those have that do.
var LookedAt = []struct {
	Trait adp.Trait
	Flags []string
}{
	{adp.LearnsSparse, []string{"topk", "zeta", "anchor", "graph-alpha", "harden", "hubs"}},
	{adp.Repeats, []string{"rounds"}},
	{adp.LooksAtAlpha, []string{"alpha"}},
	{adp.SolvesLGC, []string{"solver", "faint"}},
	{adp.Iterates, []string{"tolerance", "max-iterations"}},
	{adp.Weighs, []string{"class-prior"}},
	{adp.KeepsSparse, []string{"reorder"}},
	{adp.LearnsSparse, []string{"select"}},
}

// checkMethod refuses flags that the method does not look at.
func (f *Flags) checkMethod() error {
	for _, part := range LookedAt {
		if f.opt.Method.Has(part.Trait) {
			continue
		}
		for _, flag := range part.Flags {
			if f.given(flag) {
				return usage.Errorf("--%s is for --method %s; this is %v", flag, part.Trait.Names("or"), f.opt.Method)
			}
		}
	}
	return nil
}

// severalBy is the method of --multilabel without --method.
const severalBy = adp.LGC

func defaultThen(m adp.Method) string {
	if m == severalBy {
		return m.String() + " (default then)"
	}
	return m.String()
}

// roundsByDefault tells the default of --rounds: that of the first method, and of those
// that have another.
func roundsByDefault() string {
	usual := adp.Repeats.Methods()[0].Rounds()
	text := strconv.Itoa(usual)
	others := map[int][]adp.Method{}
	for _, m := range adp.Repeats.Methods() {
		others[m.Rounds()] = append(others[m.Rounds()], m)
	}
	for _, rounds := range slices.Sorted(maps.Keys(others)) {
		if rounds != usual {
			text += fmt.Sprintf("; %d for %s", rounds, adp.ListMethods(others[rounds], "and", adp.Method.String))
		}
	}
	return text
}

// diffuses says whether F-steps are solved by conjugate gradients.
func (f *Flags) diffuses() bool {
	return f.opt.Solver == diffuse.CG && f.opt.Method.Has(adp.SolvesLGC)
}

// checkScratch refuses a --scratch that cannot be used before anything is read.
func (f *Flags) checkScratch() error {
	switch dir := f.opt.Scratch; {
	case dir == "":
		return nil
	case !f.opt.Method.Has(adp.KeepsSparse):
		return usage.Errorf("--scratch does not go with --method %v, whose matrices are dense", f.opt.Method)
	default:
		info, err := os.Stat(dir)
		if err == nil && !info.IsDir() {
			return usage.Errorf("--scratch %s is a file, expected a folder", dir)
		}
		return err
	}
}

// checkMultilabel refuses what several labels a node do not go with.
func (f *Flags) checkMultilabel() error {
	of, _ := format.ByName(f.out)
	switch {
	case f.proba && of == format.Parquet:
		return usage.Errorf("--proba is written as text only, and --out is %s", f.out)
	case !f.Multilabel && f.given("label-share"):
		return usage.Errorf("--label-share is for --multilabel")
	case !f.Multilabel:
		return nil
	case !f.opt.Method.Has(adp.TakesSeveral):
		return usage.Errorf("--multilabel with --method %s, expected %s: the graph is learned from one label a node", f.method, adp.TakesSeveral.Names("or"))
	case f.proba || f.calibrate != "off" || f.given("min-confidence"):
		return usage.Errorf("--multilabel does not go with --proba, --calibrate and --min-confidence, which are for one label a node")
	case f.reports.Drawn():
		return usage.Errorf("--multilabel does not go with --pictures and --report %s, which are of one label a node; --report FILE.json goes", cmp.Or(f.reports.Page(), "FILE.html"))
	case !(f.share > 0 && f.share <= 1):
		return usage.Errorf("--label-share %v, expected above 0 and at most 1", f.share)
	}
	return nil
}

func (f *Flags) checkNumbers() error {
	o := &f.opt
	for _, open := range []struct {
		flag  string
		value float64
	}{{"alpha", o.Alpha}, {"graph-alpha", o.GraphAlpha}, {"tolerance", o.Tolerance}} {
		if !(open.value > 0 && open.value < 1) {
			return usage.Errorf("--%s %v, expected between 0 and 1, both excluded", open.flag, open.value)
		}
	}
	for _, whole := range []struct {
		flag  string
		value int
	}{{"topk", o.TopK}, {"rounds", o.Rounds}, {"max-iterations", o.MaxIterations}} {
		if whole.value < 1 && f.given(whole.flag) { // zero means the default in Options
			return usage.Errorf("--%s %d, expected at least 1", whole.flag, whole.value)
		}
	}
	switch {
	case !(o.Zeta >= 0) || !(o.Anchor >= 0) || o.Zeta > 1e6 || o.Anchor > 1e6:
		return usage.Errorf("--zeta %v and --anchor %v, expected 0 to 1e6", o.Zeta, o.Anchor)
	case !(o.MinConfidence >= 0 && o.MinConfidence <= 1):
		return usage.Errorf("--min-confidence %v, expected 0 to 1", o.MinConfidence)
	}
	for _, value := range []*float64{&o.Zeta, &o.Anchor} {
		if *value == 0 {
			*value = -1 // zero means the default in Options
		}
	}
	// What the user leaves open, the choice may vary.
	for flag, value := range map[string]*float64{"alpha": &o.Alpha, "graph-alpha": &o.GraphAlpha, "anchor": &o.Anchor} {
		if !f.given(flag) {
			*value = 0
		}
	}
	return nil
}

func (f *Flags) write(out *outputs.Set, graph *opened.Graph, labels *labelfile.Labels, seeds *diffuse.Seeds, result *adp.Result, sets *multilabel.Sets) error {
	if err := out.Write(f.out, func(w io.Writer) error {
		rows := labelfile.Predictions(result, graph.IDs, labels.Classes)
		if sets != nil {
			rows = labelfile.MultiPredictions(result, sets, seeds, graph.IDs, labels.Classes)
		}
		switch of, _ := format.ByName(f.out); {
		case of == format.Parquet:
			return labelparquet.Write(w, rows)
		case sets != nil:
			return labelfile.WritePredictions(w, rows, labelfile.Table{Comma: format.Commas(f.out), Proba: false})
		}
		return labelfile.Write(w, result, graph.IDs, labels.Classes, labelfile.Table{Comma: format.Commas(f.out), Proba: f.proba})
	}); err != nil {
		return err
	}
	if err := opened.WriteNodes(out, f.nodesOut, graph.IDs); err != nil {
		return err
	}
	return format.WriteGraph(out, f.graphOut, result.Graph, graph.IDs)
}
