package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/labelfile"
	"github.com/adp-sparse/adp-sparse/adp/multilabel"
	"github.com/adp-sparse/adp-sparse/cmd/internal/figures"
	"github.com/adp-sparse/adp-sparse/cmd/internal/program"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/edgelist"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/kernel"
)

// runReport is what --report writes and the summary shows.
type runReport struct {
	Version string      `json:"version"`
	Command string      `json:"command"` // to do it again
	Kernel  string      `json:"kernel"`  // portable, avx2, avx512 or neon
	Graph   graphFacts  `json:"graph"`
	Labels  labelFacts  `json:"labels"`
	Options optionFacts `json:"options"`

	EstimatedBytes int64              `json:"estimated_bytes"`
	PeakBytes      int64              `json:"peak_bytes"`
	Seconds        map[string]float64 `json:"seconds"`

	runResults
	Learned learnedFacts `json:"learned_graph"`

	Warm        *warmFacts       `json:"warm,omitempty"`
	PriorTrial  *adp.PriorTrial  `json:"class_prior_trial,omitempty"`
	Calibration *adp.Calibration `json:"calibration,omitempty"`
	Diagnosis   *adp.Diagnosis   `json:"diagnosis,omitempty"`
}

// runResults are the parts of a report that runs on graphs in parts have too.
type runResults struct {
	Rounds    []adp.Round    `json:"rounds"`
	Chosen    int            `json:"chosen_round"`
	Converged bool           `json:"converged"`
	Status    map[string]int `json:"status"`
	Predicted []classFacts   `json:"classes"`
	Warnings  warnings       `json:"warnings"` // see docs/errors.md
	Trial     *adp.Trial     `json:"trial,omitempty"`
}

func newRunResults(classes []string, seeds *diffuse.Seeds) runResults {
	r := runResults{Status: map[string]int{}, Warnings: warnings{}}
	for j, count := range seeds.PerClass() {
		r.Predicted = append(r.Predicted, classFacts{Label: classes[j], Seeds: count})
	}
	r.Warnings.addSeeds(classes, seeds)
	return r
}

// take fills in what the run found.
func (r *runResults) take(result *adp.Result) {
	r.Rounds, r.Chosen, r.Converged, r.Trial = result.Rounds, result.Chosen, result.Converged, result.Trial
	for i, label := range result.Labels {
		r.Status[result.Status[i].String()]++
		if label >= 0 && result.Status[i] != adp.Seed {
			r.Predicted[label].Predicted++
			r.Predicted[label].Mean += float64(result.Confidence[i])
		}
	}
	for j := range r.Predicted {
		if c := &r.Predicted[j]; c.Predicted > 0 {
			c.Mean /= float64(c.Predicted)
		}
	}
	r.Warnings = append(r.Warnings, result.Warnings...)
}

// takeSets counts the labels of nodes that may have several, in the place of the
// one of the largest share; the mean is of their shares.
func (r *runResults) takeSets(sets *multilabel.Sets, result *adp.Result) {
	predicted, seeds := make([]int, len(r.Predicted)), make([]int, len(r.Predicted))
	means := make([]float64, len(r.Predicted))
	for i, status := range result.Status {
		if status == adp.Seed {
			continue
		}
		for _, label := range sets.Of(i) {
			predicted[label.Class]++
			means[label.Class] += label.Share
		}
	}
	for j := range r.Predicted {
		c := &r.Predicted[j]
		c.Predicted, c.Mean = predicted[j], means[j]/float64(max(predicted[j], 1))
		seeds[j] = c.Seeds
	}
	r.Warnings = slices.DeleteFunc(r.Warnings, func(w adp.Warning) bool {
		return w.Code == adp.WarnCollapse || w.Code == adp.WarnEmptyClass || w.Code == adp.WarnOutweighed
	})
	r.Warnings = append(r.Warnings, adp.JudgeClasses(predicted, seeds)...)
}

// tables writes the rounds, the classes and the kinds of status.
func (r *runResults) tables(w io.Writer) {
	r.roundTable(w)
	fmt.Fprintln(w)
	r.classTable(w)
	fmt.Fprintf(w, "\nnodes by status: %s\n", statusLine(r.Status))
}

type graphFacts struct {
	File       string         `json:"file"`
	Nodes      int            `json:"nodes"`
	Edges      int            `json:"edges"`
	Components int            `json:"components"`
	Isolated   int            `json:"isolated"`
	Seedless   int            `json:"components_without_seed"`
	Read       edgelist.Stats `json:"read"`
	Built      *knnFacts      `json:"built,omitempty"`
}

type labelFacts struct {
	File    string          `json:"file"`
	Seeds   int             `json:"seeds"`
	Classes int             `json:"classes"`
	Read    labelfile.Stats `json:"read"`
}

type optionFacts struct {
	Method     string  `json:"method"`
	Alpha      float64 `json:"alpha"`
	GraphAlpha float64 `json:"graph_alpha"`
	Zeta       float64 `json:"zeta"`
	TopK       int     `json:"topk"`
	Anchor     float64 `json:"anchor"`
	Rounds     int     `json:"rounds"`
	Harden     string  `json:"harden"`
	Hubs       string  `json:"hubs"` // whole where the graph is too small for a cut
	Balance    string  `json:"balance"`
	Select     string  `json:"select"`
	Solver     string  `json:"solver"`
	Tolerance  float64 `json:"tolerance"`
	Iterations int     `json:"max_iterations"`
	Faint      string  `json:"faint"` // nodes far from all seeds; auto where more than adp.FullNodes
	// Prior is by class; that of the seeds with Multilabel. Nil where classes are equal.
	Prior         map[string]float64 `json:"class_prior,omitempty"`
	Calibrate     string             `json:"calibrate"`
	MinConfidence float64            `json:"min_confidence"`
	Multilabel    bool               `json:"multilabel"`
	Share         float64            `json:"label_share,omitempty"` // with Multilabel
	Threads       int                `json:"threads"`               // that were used
	// ClassColumns is how many class columns F-steps worked on at a time, where
	// all together did not fit.
	ClassColumns int `json:"class_columns,omitempty"`
}

type classFacts struct {
	Label     string  `json:"label"`
	Seeds     int     `json:"seeds"`
	Predicted int     `json:"predicted"`
	Mean      float64 `json:"mean_confidence"`
}

type learnedFacts struct {
	Entries    int `json:"entries"`
	Components int `json:"components"`
	// Inside are the shares of the weight of edges between nodes of one
	// predicted class, in the original graph and in the learned one.
	InsideBefore float64 `json:"inside_share_original"`
	InsideAfter  float64 `json:"inside_share_learned"`

	Learned bool `json:"learned"` // else the graph of the result is the original

	original *csr.Matrix
}

// takePrior notes a class prior.
func (o *optionFacts) takePrior(prior []float64, classes []string) {
	if prior != nil {
		o.Prior = map[string]float64{}
	}
	for j, share := range prior {
		o.Prior[classes[j]] = share
	}
}

// reportSettings are the settings of a run, as its report tells them.
type reportSettings struct {
	Command, Source, Labels         string
	Method, Harden, Balance, Solver string
	Faint, Calibrate                string
	Multilabel                      bool
	Share                           float64 // with Multilabel
	Run                             adp.Options
	EstimatedBytes                  int64
}

// newReport begins the report of a run on a graph and its labels.
func newReport(s reportSettings, graph *graph, labels *labelfile.Labels, seeds *diffuse.Seeds) *runReport {
	of, sizes := csr.Components(graph.W, s.Run.Threads)
	opt, _ := s.Run.WithDefaults(graph.IDs.Len()) // adp.Run reports its errors
	solver, _ := diffuse.Options{Solver: opt.Solver, MaxIterations: opt.MaxIterations}.WithDefaults(0)
	hubs := "whole"
	if opt.Cut.Applies(graph.IDs.Len(), graph.W.NNZ()) {
		hubs = "cut"
	}
	faint := s.Faint
	if opt.Faint == adp.SolveFaint || opt.Start != nil {
		faint = "solve"
	}
	r := &runReport{
		Version: program.Version(), Command: streams.Clean(s.Command), Kernel: kernel.Name(),
		Graph: graphFacts{
			File: s.Source, Nodes: graph.IDs.Len(), Edges: graph.W.NNZ() / 2, Components: len(sizes),
			Isolated: countOnes(sizes), Seedless: len(sizes) - reachedComponents(of, seeds), Read: graph.Read, Built: graph.KNN,
		},
		Labels: labelFacts{File: s.Labels, Seeds: len(seeds.List()), Classes: seeds.Classes, Read: labels.Stats},
		Options: optionFacts{
			Method: s.Method, Alpha: opt.Alpha, GraphAlpha: opt.GraphAlpha, Zeta: max(opt.Zeta, 0), TopK: opt.TopK,
			Anchor: max(opt.Anchor, 0), Rounds: opt.Rounds, Harden: s.Harden, Hubs: hubs, Balance: s.Balance, Select: opt.Select.String(), Solver: s.Solver,
			Tolerance: opt.Tolerance, Iterations: solver.MaxIterations, Faint: faint,
			Calibrate: s.Calibrate, MinConfidence: opt.MinConfidence, Multilabel: s.Multilabel, Threads: cmp.Or(s.Run.Threads, runtime.GOMAXPROCS(0)),
		},
		EstimatedBytes: s.EstimatedBytes,
		runResults:     newRunResults(labels.Classes, seeds),
	}
	if s.Multilabel {
		r.Options.Share = s.Share
	}
	r.Warnings.addGiven(graph, labels, r.Graph.Seedless, r.Graph.Components)
	r.Learned.original = graph.W
	return r
}

// countOnes counts the components of one node.
func countOnes(sizes []int) int {
	ones := 0
	for _, size := range sizes {
		if size == 1 {
			ones++
		}
	}
	return ones
}

func reachedComponents(of []uint32, seeds *diffuse.Seeds) int {
	seen := map[uint32]bool{}
	for _, seed := range seeds.List() {
		seen[of[seed.Node]] = true
	}
	return len(seen)
}

// finish fills in what the run found.
func (r *runReport) finish(result *adp.Result) {
	r.take(result)
	r.Warm.finish(result.Rounds)
	r.Learned.Entries, r.Learned.Components = result.Graph.NNZ(), r.Graph.Components
	if result.Graph != r.Learned.original {
		_, sizes := csr.Components(result.Graph, r.Options.Threads)
		r.Learned.Components = len(sizes)
	}
	r.measureInside(result, sameLabel(result.Labels))
	r.Warnings.addCalibration(r.Calibration)
}

// sameLabel tells whether two nodes have the same label.
func sameLabel(labels []int32) func(i, j int) bool {
	return func(i, j int) bool { return labels[i] == labels[j] && labels[i] >= 0 }
}

// inCommon tells whether two of n nodes that may have several labels have one in
// common.
func inCommon(sets *multilabel.Sets, n int) func(i, j int) bool {
	classes := make([][]int32, n)
	for i := range classes {
		for _, label := range sets.Of(i) {
			classes[i] = append(classes[i], label.Class)
		}
	}
	return func(i, j int) bool {
		return slices.ContainsFunc(classes[i], func(class int32) bool { return slices.Contains(classes[j], class) })
	}
}

// measureInside takes the shares of the graphs' weight that join nodes with a label
// in common.
func (r *runReport) measureInside(result *adp.Result, common func(i, j int) bool) {
	r.Learned.InsideBefore = insideShare(r.Learned.original, common)
	r.Learned.Learned = result.Graph != r.Learned.original
	r.Learned.InsideAfter = insideShare(result.Graph, common)
}

// insideShare returns the share of the weight off the diagonal that joins
// nodes with a label in common.
func insideShare(m *csr.Matrix, common func(i, j int) bool) float64 {
	n, _ := m.Dims()
	inside, all := 0.0, 0.0
	for i := range n {
		cols, vals := m.Row(i)
		for k, j := range cols {
			if int(j) == i {
				continue
			}
			all += float64(vals[k])
			if common(i, int(j)) {
				inside += float64(vals[k])
			}
		}
	}
	if all == 0 {
		return 0
	}
	return inside / all
}

// summary writes the report for a reader at a terminal.
func (r *runReport) summary(w io.Writer) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	r.Graph.Built.print(t)
	fmt.Fprintf(t, "graph\t%s, %s, %s (%s without a seed)\n", figures.Counted(r.Graph.Nodes, "node"), figures.Counted(r.Graph.Edges, "edge"), figures.Counted(r.Graph.Components, "component"), figures.Count(r.Graph.Seedless))
	fmt.Fprintf(t, "seeds\t%s in %s\n", figures.Count(r.Labels.Seeds), figures.Counted(r.Labels.Classes, "class"))
	fmt.Fprintf(t, "memory\t%s estimated, %s peak\n", figures.Bytes(r.EstimatedBytes), figures.Bytes(r.PeakBytes))
	printTime(t, r.Seconds)
	t.Flush()
	fmt.Fprintln(w)
	r.tables(w)
	fmt.Fprintf(w, "edge weight inside the predicted classes: %.3f of the original graph", r.Learned.InsideBefore)
	if r.Learned.Learned {
		fmt.Fprintf(w, ", %.3f of the learned one", r.Learned.InsideAfter)
	}
	if r.Learned.Components > r.Graph.Components {
		fmt.Fprintf(w, ", which has %s", figures.Counted(r.Learned.Components, "component"))
	}
	fmt.Fprintln(w)
	r.Warm.print(w, r.Graph.Nodes)
	printPriorTrial(w, r.PriorTrial)
	printTrial(w, r.Trial)
	r.printUnlearned(w, r.Options.Method, r.Warm.kept())
	printCalibration(w, r.Calibration)
	printDiagnosis(w, r.Diagnosis)
	r.Warnings.print(w)
}

func printPriorTrial(w io.Writer, t *adp.PriorTrial) {
	if t == nil {
		return
	}
	fmt.Fprintf(w, "on %s left out, LGC with equal classes %.3f right, with sizes as the seeds have them %.3f (%d won, %d lost, lead %.1f); ", figures.Counted(t.LeftOut, "seed"), t.Equal, t.Seeds, t.Won, t.Lost, t.Lead)
	if t.Chosen {
		fmt.Fprintln(w, "those of the seeds are taken (--class-prior seeds)")
	} else {
		fmt.Fprintln(w, "classes are equal, as those of the seeds do not lead by 2 standard deviations")
	}
}

// printTime tells the phases; calibration and diagnosis, if they took any time.
func printTime(w io.Writer, seconds map[string]float64) {
	fmt.Fprintf(w, "time\t%.2f s: load %.2f, run %.2f", seconds["total"], seconds["load"], seconds["run"])
	const shown = 0.005 // as 0.01
	if examine := seconds["examine"]; examine >= shown {
		fmt.Fprintf(w, ", examine %.2f", examine)
	}
	fmt.Fprintf(w, ", write %.2f\n", seconds["write"])
}

// learned reports whether the result of a method is of a graph that is not the original
// one.
func (r *runResults) learned(method string) bool {
	return r.Rounds[r.Chosen].TopK != 0 || !hasTrait(method, adp.KeepsSparse) && r.Chosen > 0
}

// printUnlearned says that there is no learned graph, where the method could have given
// one: ADP, also if the choice of an earlier run was kept, which makes it LGC.
func (r *runResults) printUnlearned(w io.Writer, method string, kept bool) {
	if (hasTrait(method, adp.Tries) || kept) && !r.learned(method) {
		fmt.Fprintf(w, "the graph of the result, which is LGC, is the graph as given; %s\n", howToLearn(kept))
	}
}

// howToLearn says which flag gives a learned graph in any case.
func howToLearn(kept bool) string {
	if kept {
		return "--select none in place of --warm gives the learned graph of the last round"
	}
	return "--select none gives the learned graph of the last round"
}

func printTrial(w io.Writer, t *adp.Trial) {
	if t == nil {
		return
	}
	if t.Folds == 0 {
		fmt.Fprintln(w, "the result is LGC: no seed could be left out to see whether the learned graphs are better, and their cut does not tell, where LGC leaves almost no edge between classes, or they lose as much modularity or change most labels")
		return
	}
	if t.StandIns > 0 {
		fmt.Fprintf(w, "no seed could be left out; from other seeds among %s nodes on which LGC and the learned graphs agree, in %s, LGC labels %.3f of them so again, the learned graphs %.3f (%s won, %s lost, lead %.1f); ", figures.Count(t.StandIns), figures.Counted(t.Folds, "fold"), t.LGC, t.ADP, figures.Count(t.Won), figures.Count(t.Lost), t.Lead)
		if t.Accepted {
			fmt.Fprintln(w, "the result is of the learned graphs")
		} else {
			fmt.Fprintln(w, "the result is LGC: the learned graphs do not lead clearly, in all folds and by many nodes")
		}
		return
	}
	fmt.Fprintf(w, "on %s left out in %s: LGC %.3f right, learned graphs %.3f (%d won, %d lost, %s); ", figures.Counted(t.LeftOut, "seed"), figures.Counted(t.Folds, "fold"), t.LGC, t.ADP, t.Won, t.Lost, leadOf(t))
	switch {
	case t.Alpha > 0:
		fmt.Fprintf(w, "the result is LGC with α = %g, which leads by two standard deviations or more\n", t.Alpha)
	case t.Accepted && math.Round(10*t.Lead) <= 0:
		fmt.Fprintln(w, "the result is of the learned graphs, whose cut is better: the seeds do not speak clearly against them")
	case t.Accepted:
		fmt.Fprintln(w, "the result is of the learned graphs")
	case t.Doubt:
		fmt.Fprintf(w, "the result is LGC: its labels fit the graph better than they fit the left-out seeds, and the learned graphs do not lead by 1.5 standard deviations\n")
	default:
		fmt.Fprintln(w, "the result is LGC")
	}
}

// leadOf tells the lead of the learned graphs on left-out seeds. It counts the ranks of their
// classes, also of seeds that both get wrong: that is said where won and lost alone would
// say something else.
func leadOf(t *adp.Trial) string {
	lead := math.Round(10 * t.Lead)
	text := fmt.Sprintf("lead %.1f", lead/10+0) // no −0.0
	if cmp.Compare(lead, 0) != cmp.Compare(t.Won, t.Lost) {
		text += " by the ranks of the right classes"
	}
	return text
}

func printCalibration(w io.Writer, c *adp.Calibration) {
	if c != nil && c.Calibrated {
		fmt.Fprintf(w, "confidence is calibrated on %s seeds left out in %d folds: %.3f of them right; expected calibration error %.3f, raw %.3f; it holds on average over the nodes, not of those of the smallest margins\n",
			figures.Count(c.LeftOut), c.Folds, c.Accuracy, c.ECE, c.RawECE)
	}
}

func printDiagnosis(w io.Writer, d *adp.Diagnosis) {
	if d == nil {
		return
	}
	fmt.Fprintf(w, "‖(X − X*)v‖/‖X*v‖ on %d random vectors v (mean ± sd; in brackets, over all):\n", d.Vectors)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, line := range []struct {
		what   string
		spread adp.Spread
	}{
		{"one A-step, truncated against whole", d.Step},
		{"learned graph A against the fixed point A*", d.FixedPoint},
		{fmt.Sprintf("%.3g·A against A*", d.Scale), d.Scaled},
		{"both normalised by their degrees", d.Normalized},
	} {
		fmt.Fprintf(t, "  %s\t%.3g ± %.2g\t(%.3g)\n", line.what, line.spread.Mean, line.spread.SD, line.spread.Frobenius)
	}
	t.Flush()
}

func (r *runResults) roundTable(w io.Writer) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "round\ttop-k\tanchor\tα_A\tproducts\tresidual\tchanged\tΔF\tcut\tmodularity\tlargest\tweight\tseconds\t")
	for _, round := range r.Rounds {
		mark := ""
		if round.Index == r.Chosen {
			mark = " ← result"
		}
		fmt.Fprintf(t, "%d\t%d\t%.2g\t%.2g\t%d\t%.1e\t%d\t%.3f\t%.4f\t%.4f\t%.3f\t%.2f\t%.2f\t%s\n", round.Index, round.TopK, round.Anchor, round.GraphAlpha, round.Solve.Iterations, round.Solve.Residual,
			round.Changed, round.DeltaF, round.Cut, round.Modularity, round.Largest, round.Weight, round.Time.Seconds(), mark)
	}
	t.Flush()
}

// classTable shows at most 20 classes.
func (r *runResults) classTable(w io.Writer) {
	const most = 20
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "class\tseeds\tpredicted\tmean confidence")
	for _, c := range r.Predicted[:min(most, len(r.Predicted))] {
		mean := "–"
		if c.Predicted > 0 {
			mean = fmt.Sprintf("%.3f", c.Mean)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", brief(c.Label), figures.Count(c.Seeds), figures.Count(c.Predicted), mean)
	}
	t.Flush()
	if more := len(r.Predicted) - most; more > 0 {
		fmt.Fprintf(w, "… and %d more\n", more)
	}
}

// brief is a name for a line of a table: at most 60 bytes of it.
func brief(name string) string {
	const most = 60
	if len(name) > most {
		return shown(strings.ToValidUTF8(name[:most], "")) + "…"
	}
	return shown(name)
}

func statusLine(status map[string]int) string {
	var parts []string
	for _, s := range []adp.Status{adp.Seed, adp.Predicted, adp.Uncertain, adp.Unreached} {
		if n := status[s.String()]; n > 0 {
			parts = append(parts, figures.Count(n)+" "+s.String())
		}
	}
	return strings.Join(parts, ", ")
}
