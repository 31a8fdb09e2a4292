// Package tune is the command that compares settings on seeds that are left out.
package tune

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/crossval"
	"github.com/adp-sparse/adp-sparse/adp/fit"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/methodflags"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/needs"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/opened"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/report"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/source"
	"github.com/adp-sparse/adp-sparse/cmd/internal/outputs"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/cmd/internal/usage"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/figures"
)

func New(std streams.Stdio) *cobra.Command {
	f := flags{Flags: source.Flags{OneLabelFor: "tune"}}
	cmd := &cobra.Command{
		Use:   "tune (--edges | --graph | --features) FILE --labels FILE",
		Short: "Find the best setting by cross-validation on the known labels",
		Long: `Compare settings by cross-validation on the known labels. Every combination of the
lists is run on the same folds. The table has the best first, and the known labels that
each setting wins and loses against it. The last line is the command that runs the best.
If the known labels are too few to tell settings apart, tune says so.

Plain run is a row too, as --method adp: a mixture of methods, where run mixes them. All
other rows are of one method. The last line is plain run unless another row is better.`,
		Example: `  adp-sparse tune --features vectors.npy --labels seeds.tsv --ks 5,10,20 --metrics l2,cosine
  adp-sparse tune --features vectors.npy --labels seeds.tsv --graph-kinds knn,l1,lle
  adp-sparse tune --edges graph.tsv.gz --labels seeds.tsv --methods lgc --alphas 0.5,0.9,0.99,0.999`,
		Args: usage.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			f.changed, f.given = cmd.Flags().Changed, givenFlags(cmd)
			return f.run(cmd.Context(), std)
		},
	}
	f.Bind(cmd)
	f.BindLimit(cmd)
	flags := cmd.Flags()
	flags.StringSliceVar(&f.methods, "methods", []string{"lgc", "adp"}, "methods: "+tunable.Names("and"))
	flags.Float64SliceVar(&f.alphas, "alphas", []float64{0.5, 0.8, 0.9, 0.99}, "values of --alpha\n"+adp.LearnsSparse.Names("and")+" try them only if they are given.")
	flags.Float64SliceVar(&f.zetas, "zetas", nil, "values of --zeta\nFor "+adp.LearnsSparse.Names("and")+". Default: that of run.")
	flags.IntSliceVar(&f.topKs, "topks", nil, "values of --topk\nFor "+adp.LearnsSparse.Names("and")+". Default: what --select auto tries.")
	flags.StringSliceVar(&f.kinds, "graph-kinds", nil, "values of --graph-kind: knn, l1, lle\nWith --features, beside the graph that run takes by itself. Default with other lists of graphs: --graph-kind, knn for auto.")
	flags.IntSliceVar(&f.ks, "ks", nil, "values of --k, with --features (default: --k)\nl1 has none.")
	flags.StringSliceVar(&f.metrics, "metrics", nil, "values of --metric, with --features (default: --metric)\nl1 has none.")
	flags.StringSliceVar(&f.scales, "scales", nil, "values of --scale, with --features (default: --scale)")
	flags.Float64SliceVar(&f.shares, "feature-shares", nil, "values of --feature-share (default: --feature-share)\nWith --features beside --edges or --graph.")
	flags.IntVar(&f.folds, "folds", 4, "folds of the cross-validation")
	flags.IntVar(&f.repeats, "repeats", 1, "cross-validations, each with other folds\nTheir mean depends less on the folds. It is of the same labels: the standard error stays.")
	flags.BoolVar(&f.asJSON, "json", false, "write JSON: the settings, the best first, and the command of the best")
	return cmd
}

// tuneOwn are the flags that run does not have.
var tuneOwn = []string{"methods", "alphas", "zetas", "topks", "graph-kinds", "ks", "metrics", "scales", "feature-shares", "folds", "repeats", "json"}

// givenFlags returns the flags of the command line that run has too: those of the inputs.
func givenFlags(cmd *cobra.Command) (given []givenFlag) {
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		if slices.Contains(tuneOwn, flag.Name) {
			return
		}
		value := flag.Value.String()
		if list, several := flag.Value.(pflag.SliceValue); several {
			value = strings.Join(list.GetSlice(), ",")
		}
		given = append(given, givenFlag{flag.Name, "--" + flag.Name + "=" + usage.ShellQuote(value)})
	})
	return given
}

// candidate is a setting on a graph, and the flags of run that ask for both.
type candidate struct {
	words, flags string
	opt          adp.Options
	plain        bool // run without flags
	extra        bool // of no list: tried on run's own graph alone
	graph        graphOf
	own          bool // the graph is run's own choice
	held         crossval.Hits
}

// setting returns the flags of the candidate.
func (c *candidate) setting() string { return strings.TrimPrefix(c.words+" "+c.flags, " ") }

// command returns the command line that runs the candidate and writes labels to out. Its flags replace those that were
// given.
func (c *candidate) command(given []givenFlag, out string) string {
	words := []string{"adp-sparse run"}
	own := strings.Fields(c.words)
	if c.plain {
		own = nil
	}
	for _, flag := range given {
		if !slices.Contains(own, "--"+flag.name) {
			words = append(words, flag.text)
		}
	}
	if !c.plain {
		words = append(words, c.setting())
	}
	return strings.Join(append(words, "--out "+out), " ")
}

// freeName returns a name for the labels that no input has.
func (f *flags) freeName(std streams.Stdio) string {
	out := outputs.File{Flag: "out", Name: "labels.tsv"}
	for k := 2; slices.ContainsFunc(f.Inputs(), func(in outputs.File) bool { return out.Spares(in, std) != nil }); k++ {
		out.Name = fmt.Sprintf("labels-%d.tsv", k)
	}
	return out.Name
}

func (f *flags) run(ctx context.Context, std streams.Stdio) error {
	switch {
	case f.Labels == "":
		return usage.Errorf("say where the known labels are: --labels FILE")
	case len(f.methods) == 0:
		return usage.Errorf("--methods names none, expected some of %s", tunable.Names("and"))
	case f.folds < 2 || f.repeats < 1:
		return usage.Errorf("--folds %d and --repeats %d, expected at least 2 and 1", f.folds, f.repeats)
	case len(f.ks) > 0 && slices.Min(f.ks) < 1:
		return usage.Errorf("--ks %d, expected at least 1", slices.Min(f.ks))
	case f.Features.File == "" && len(f.kinds)+len(f.ks)+len(f.metrics)+len(f.scales) > 0:
		return usage.Errorf("--graph-kinds, --ks, --metrics and --scales are for graphs made of --features")
	case slices.Contains(f.kinds, "auto"):
		return usage.Errorf("--graph-kinds auto, expected knn, l1 and lle: the graph that run takes by itself is tried anyway")
	case len(f.shares) > 0 && (f.Features.Source() == "" || f.Edges == "" && f.Graph == ""):
		return usage.Errorf("--feature-shares is for --features beside --edges or --graph")
	case len(f.graphs()) > 1 && slices.ContainsFunc(f.Inputs(), func(in outputs.File) bool { return in.Name == "-" }):
		return usage.Errorf("standard input cannot be read again for each graph; give a file")
	case len(f.zetas) > 0 && !f.tries(adp.LearnsSparse):
		return usage.Errorf("--zetas is for --methods %s", adp.LearnsSparse.Names("and"))
	case len(f.topKs) > 0 && !f.tries(adp.LearnsSparse):
		return usage.Errorf("--topks is for --methods %s", adp.LearnsSparse.Names("and"))
	case f.changed("alphas") && !f.tries(adp.LooksAtAlpha):
		return usage.Errorf("--alphas is for --methods %s", (tunable | adp.LooksAtAlpha).Names("and"))
	}
	grid, err := f.grid()
	if err != nil {
		return err
	}
	graphs := f.graphs()
	for _, part := range graphs { // all, before the first is run
		if err := part.Check(); err != nil {
			return err
		}
	}
	var all []candidate
	for _, part := range graphs {
		held, err := f.try(ctx, std, part, grid, all)
		if err != nil {
			return err
		}
		all = append(all, held...)
	}
	return f.print(std, all)
}

// checkKs refuses numbers of neighbours that there are not enough points for, before anything is run.
func (f *flags) checkKs(points int) error {
	none := len(f.ks) == 0 || len(f.kinds) > 0 && !slices.ContainsFunc(f.kinds, func(kind string) bool { return kind != "l1" })
	if !none && slices.Max(f.ks) >= points {
		return usage.Errorf("--ks %d for %s, expected fewer neighbours than points", slices.Max(f.ks), figures.Counted(points, "point"))
	}
	return nil
}

// tunable is the trait of the methods that tune tries. Dense ones would take too long: each is run
// many times.
const tunable = adp.KeepsSparse

// tries reports whether a method with the trait is tried.
func (f *flags) tries(t adp.Trait) bool {
	return slices.ContainsFunc(f.methods, func(name string) bool { return methodflags.Has(name, t) })
}

// grid returns the candidates on one graph. Where adp is tried plain run is among them; where the
// lists lack it, it is the first, and tried on run's own graph alone.
func (f *flags) grid() (grid []candidate, err error) {
	for _, name := range f.methods {
		method, err := adp.ParseMethod(name)
		if err != nil || !method.Has(tunable) {
			return nil, usage.Errorf("--methods %q, expected %s", name, tunable.Names("or"))
		}
		learns := method.Has(adp.LearnsSparse)
		alphas, zetas, topKs := f.alphas, f.zetas, f.topKs
		if !method.Has(adp.LooksAtAlpha) || learns && !f.changed("alphas") {
			alphas = nil
		}
		if !learns {
			zetas, topKs = nil, nil
		}
		for _, alpha := range orNone(alphas) {
			for _, zeta := range orNone(zetas) {
				for _, k := range orNone(topKs) {
					c := candidate{flags: "--method " + name, opt: adp.Options{Method: method, Threads: f.Threads}}
					if alpha != nil {
						c.add("alpha", *alpha, &c.opt.Alpha)
					}
					if zeta != nil {
						c.add("zeta", *zeta, &c.opt.Zeta)
					}
					if k != nil {
						c.flags += fmt.Sprintf(" --topk %d", *k)
						c.opt.TopK = *k
					}
					if _, err := c.opt.WithDefaults(adp.MaxDense); err != nil || k != nil && *k < 1 || zeta != nil && !(*zeta >= 0) || alpha != nil && !(*alpha > 0) {
						return nil, usage.Errorf("%s is no setting of run; see run --help", c.flags)
					}
					c.plain = c.flags == plainFlags
					grid = append(grid, c)
				}
			}
		}
	}
	isPlain := func(c candidate) bool { return c.plain }
	if f.tries(adp.Tries) && !slices.ContainsFunc(grid, isPlain) {
		grid = append([]candidate{{flags: plainFlags, opt: adp.Options{Threads: f.Threads}, plain: true, extra: true}}, grid...)
	}
	return grid, nil
}

// plainFlags are the flags of a row of plain run: the default method.
const plainFlags = "--method adp"

func (c *candidate) add(flag string, value float64, field *float64) {
	c.flags += fmt.Sprintf(" --%s %g", flag, value)
	if *field = value; value == 0 {
		*field = -1 // zero means the default in Options
	}
}

// try runs the grid on one graph. Where it equals run's own graph, which was tried first, the
// candidates on that get its flags, and nothing is run.
func (f *flags) try(ctx context.Context, std streams.Stdio, g triedGraph, grid, before []candidate) (held []candidate, err error) {
	graph, err := g.Read(ctx, std)
	if err != nil {
		return nil, err
	}
	defer graph.Close()
	of, own := g.of(graph), len(before) == 0
	if tried := same(before, of); len(tried) > 0 {
		for _, c := range tried {
			c.words = g.words
		}
		return nil, nil
	}
	if own && graph.Built != nil {
		if err := f.checkKs(graph.Built.Points); err != nil {
			return nil, err
		}
		if chosen := graph.Built.Chosen(); chosen != "" {
			fmt.Fprintf(std.Err, "graph chosen: %s\n", chosen)
		}
	}
	err = graph.Guard(func() error {
		held, err = f.hold(ctx, std, g, graph, of, own, grid)
		return err
	})
	return held, err
}

// hold runs the grid on a graph with seeds held out. Candidates of no list run on run's own graph
// alone.
func (f *flags) hold(ctx context.Context, std streams.Stdio, g triedGraph, graph *opened.Graph, of graphOf, own bool, grid []candidate) (held []candidate, err error) {
	labels, err := g.ReadLabels(std, graph)
	if err != nil {
		return nil, err
	}
	if !f.warned {
		report.Notes(graph, labels).Print(std.Err)
		f.warned = true
	}
	seeds, err := diffuse.NewSeeds(graph.IDs.Len(), len(labels.Classes), labels.Seeds)
	if err != nil {
		return nil, err
	}
	for _, c := range grid {
		work := needs.Work{Opt: c.opt}
		if c.plain && own {
			work.Input = graph.Mixes(seeds)
		}
		if err := g.Memory.AllowsInAll("tune", work.Bytes(graph, seeds.Classes)); err != nil {
			return nil, err
		}
	}
	var prior []float64 // as run has it with adp
	if f.tries(adp.Tries) {
		if prior, _, err = fit.ChoosePrior(ctx, graph.W, seeds, fit.Options{Run: adp.Options{Threads: f.Threads}}); err != nil {
			return nil, err
		}
	}
	for _, c := range grid {
		if c.extra && !own {
			continue
		}
		if c.opt.Method.Has(adp.Tries) {
			c.opt.Prior = prior
		}
		c.words, c.graph, c.own, c.plain = g.words, of, own, c.plain && own
		if !c.plain && c.flags == plainFlags && graph.Built != nil {
			c.flags += " --combine none" // the method on this graph alone
		}
		if c.held, err = f.heldOut(ctx, graph, seeds, &c); err != nil {
			return nil, err
		}
		if len(c.held) == 0 {
			return nil, usage.Errorf("no seed can be left out: every class has one; tune needs two of some")
		}
		share, _ := c.held.Accuracy()
		fmt.Fprintf(std.Err, "%s: %.4f\n", c.setting(), share)
		held = append(held, c)
	}
	return held, nil
}

// heldOut returns the hits of a candidate on seeds held out: plain run combines methods on
// features, as run does.
func (f *flags) heldOut(ctx context.Context, graph *opened.Graph, seeds *diffuse.Seeds, c *candidate) (crossval.Hits, error) {
	return crossval.HoldOut(seeds, f.folds, f.repeats, 1, func(train *diffuse.Seeds) ([]int32, error) {
		if !c.plain || graph.Input == nil {
			r, err := adp.Run(ctx, graph.W, train, c.opt)
			if err != nil {
				return nil, err
			}
			return r.Labels, r.Close()
		}
		r, err := fit.LabelInput(ctx, *graph.Mixes(train), graph.Affinity(), fit.Options{Run: adp.Options{Threads: f.Threads}})
		if err != nil {
			return nil, err
		}
		return r.Labels, r.Close()
	})
}

// same returns the candidates on run's own graph, if it equals the given one.
func same(all []candidate, of graphOf) (on []*candidate) {
	for k := range all {
		if c := &all[k]; c.own && c.graph == of {
			on = append(on, c)
		}
	}
	return on
}

// order puts the best first, and plain run before its equals.
func order(a, b candidate) int {
	x, _ := a.held.Accuracy()
	y, _ := b.held.Accuracy()
	const rounding = 1e-9 // of sums of shares
	switch equal := math.Abs(x-y) < rounding; {
	case equal && a.plain == b.plain:
		return 0
	case equal && a.plain || !equal && x > y:
		return -1
	}
	return 1
}

// Tried is a setting in what `tune --json` writes.
type Tried struct {
	Setting  string  `json:"setting"`         // flags of run; those of the best may be none
	Graph    string  `json:"graph,omitempty"` // of features
	Own      bool    `json:"own_graph"`       // the graph that run takes by itself
	Plain    bool    `json:"plain_run"`
	Accuracy float64 `json:"accuracy"` // of left-out seeds
	Error    float64 `json:"standard_error"`
	Won      int     `json:"won"` // left-out seeds, against the best
	Lost     int     `json:"lost"`
}

// Outcome is what `tune --json` writes.
type Outcome struct {
	Settings []Tried  `json:"settings"` // the best first
	LeftOut  int      `json:"left_out_seeds"`
	Near     int      `json:"near"` // other settings within two standard errors of the best
	Command  string   `json:"command"`
	Warnings []string `json:"warnings"`
}

// outcome compares the candidates with the best. Its command writes to out.
func (f *flags) outcome(all []candidate, out string) Outcome {
	slices.SortStableFunc(all, order)
	best := all[0]
	o := Outcome{LeftOut: len(best.held), Command: best.command(f.given, out), Warnings: []string{}}
	for k, c := range all {
		t := Tried{Setting: c.setting(), Own: c.own, Plain: c.plain}
		if f.Features.Source() != "" {
			t.Graph = c.graph.name
		}
		t.Accuracy, t.Error = c.held.Accuracy()
		var lead float64
		if t.Won, t.Lost, lead = c.held.Beats(best.held); k > 0 && lead > -2 {
			o.Near++
		}
		o.Settings = append(o.Settings, t)
	}
	if o.Near > 0 {
		o.Warnings = append(o.Warnings, fmt.Sprintf("%d other settings are within two standard errors of the best: %d known labels cannot tell them apart; more labels help", o.Near, o.LeftOut))
	}
	if !f.tries(adp.Tries) {
		o.Warnings = append(o.Warnings, "plain run uses adp, which --methods leaves out; it was not tried and may be better")
	}
	return o
}

func (f *flags) print(std streams.Stdio, all []candidate) error {
	o := f.outcome(all, f.freeName(std))
	if f.asJSON {
		return json.NewEncoder(std.Out).Encode(o)
	}
	t := tabwriter.NewWriter(std.Out, 0, 0, 2, ' ', 0)
	column := func(name string) string { // of graphs, where there may be several
		if f.Features.Source() == "" {
			return ""
		}
		return name + "\t"
	}
	fmt.Fprintf(t, "setting\t%sleft-out accuracy\tstandard error\twon\tlost against the best\n", column("graph"))
	for _, c := range o.Settings {
		name := c.Graph
		if c.Own {
			name += ", run's own"
		}
		fmt.Fprintf(t, "%s\t%s%.4f\t%.4f\t%d\t%d\n", c.Setting, column(name), c.Accuracy, c.Error, c.Won, c.Lost)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, warning := range o.Warnings {
		fmt.Fprintf(std.Err, "warning: %s\n", warning)
	}
	_, err := fmt.Fprintf(std.Out, "\n%s\n", o.Command)
	return err
}
