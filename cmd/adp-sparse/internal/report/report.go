// Package report writes what a run did and found: as a summary, as JSON, and as a page.
package report

import (
	"cmp"
	"runtime"
	"slices"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/choice"
	"github.com/adp-sparse/adp-sparse/adp/diagnose"
	"github.com/adp-sparse/adp-sparse/adp/fit"
	"github.com/adp-sparse/adp-sparse/adp/labelfile"
	"github.com/adp-sparse/adp-sparse/adp/multilabel"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/methodflags"
	"github.com/adp-sparse/adp-sparse/cmd/adp-sparse/internal/opened"
	"github.com/adp-sparse/adp-sparse/cmd/internal/program"
	"github.com/adp-sparse/adp-sparse/cmd/internal/streams"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/csr/edgelist"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/figures"
	"github.com/adp-sparse/adp-sparse/internal/kernel"
	"github.com/adp-sparse/adp-sparse/internal/notes"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// Run is what --report writes and the summary shows.
type Run struct {
	Version string  `json:"version"`
	Command string  `json:"command"` // that repeats the run
	Kernel  string  `json:"kernel"`  // portable, avx2, avx512 or neon
	Graph   Graph   `json:"graph"`
	Labels  Labels  `json:"labels"`
	Options Options `json:"options"`

	EstimatedBytes int64              `json:"estimated_bytes"`
	PeakBytes      int64              `json:"peak_bytes"`
	Seconds        map[string]float64 `json:"seconds"`

	Results
	Learned Learned `json:"learned_graph"`

	Warm        *Warm              `json:"warm,omitempty"`
	PriorTrial  *choice.PriorTrial `json:"class_prior_trial,omitempty"`
	Combination *fit.Combination   `json:"combination,omitempty"`
	Calibration *adp.Calibration   `json:"calibration,omitempty"`
	Diagnosis   *diagnose.Report   `json:"diagnosis,omitempty"`

	hubs diffuse.HubRows
}

// Results are the parts of a report that all runs have, also on graphs in parts.
type Results struct {
	Rounds    []adp.Round    `json:"rounds"`
	Chosen    int            `json:"chosen_round"`
	Converged bool           `json:"converged"`
	Status    map[string]int `json:"status"`
	Predicted []Class        `json:"classes"`
	Warnings  Warnings       `json:"warnings"` // see docs/errors.md
	Trial     *adp.Trial     `json:"trial,omitempty"`
	// Accuracy is of the nodes without a known label; nil where no known label was left out.
	Accuracy *fit.Estimate `json:"accuracy,omitempty"`
}

func NewResults(classes []string, seeds *diffuse.Seeds) Results {
	r := Results{Status: map[string]int{}, Warnings: Warnings{}}
	for j, count := range seeds.PerClass() {
		r.Predicted = append(r.Predicted, Class{Label: classes[j], Seeds: count})
	}
	r.Warnings.addSeeds(classes, seeds)
	return r
}

// Take fills in what the run with the seeds found. It warns of predictions that the most frequent class for all nodes is as good as.
func (r *Results) Take(result *fit.Result, seeds *diffuse.Seeds) {
	r.Rounds, r.Chosen, r.Converged, r.Trial = result.Rounds, result.Chosen, result.Converged, result.Trial
	var count [adp.Uncertain + 1]int
	for _, status := range result.Status {
		count[status]++
	}
	for status, n := range count {
		if n > 0 {
			r.Status[adp.Status(status).String()] = n
		}
	}
	predicted, confidence := result.Predicted(len(r.Predicted))
	for j := range r.Predicted {
		r.Predicted[j].Predicted, r.Predicted[j].Mean = predicted[j], confidence[j]
	}
	r.Warnings = append(r.Warnings, result.Warnings...)
	if r.Accuracy = result.Estimate(seeds); r.Accuracy != nil && r.Accuracy.NoBetter {
		r.Warnings.add(WarnChance, 1, "the labels are no better than the most frequent class for all nodes (%.2f), by the estimated accuracy: the graph or the features do not tell these classes", r.Accuracy.Largest)
	}
}

// TakeSets counts all labels of nodes with several, in the place of the label with the largest
// share. The mean is over their shares.
func (r *Results) TakeSets(sets *multilabel.Sets, known *diffuse.Seeds, result *adp.Result) {
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
		return slices.Contains([]string{adp.WarnCollapse, adp.WarnEmptyClass, adp.WarnOutweighed, adp.WarnOverruled}, w.Code)
	})
	overruled := 0
	for _, seed := range known.List() {
		of := sets.Of(int(seed.Node))
		if len(of) > 0 && !slices.ContainsFunc(of, func(l multilabel.Label) bool { return int(l.Class) == int(seed.Class) }) {
			overruled++
		}
	}
	r.Warnings.add(adp.WarnOverruled, overruled, "%s, with a margin of at most 0", figures.Counted(overruled, "known label")+figures.Either(overruled, " is not among those that the diffusion gives its node: it stands", " are not among those that the diffusion gives their nodes: they stand"))
	r.Warnings = append(r.Warnings, adp.JudgeClasses(predicted, seeds)...)
}

type Graph struct {
	File       string         `json:"file"`
	Nodes      int            `json:"nodes"`
	Edges      int            `json:"edges"`
	Components int            `json:"components"`
	Isolated   int            `json:"isolated"`
	Seedless   int            `json:"components_without_seed"`
	Read       edgelist.Stats `json:"read"`
	Notes      notes.List     `json:"notes,omitempty"` // of the reader
	Built      *opened.Built  `json:"built,omitempty"`
}

type Labels struct {
	File    string          `json:"file"`
	Seeds   int             `json:"seeds"`
	Classes int             `json:"classes"`
	Read    labelfile.Stats `json:"read"`
	Notes   notes.List      `json:"notes,omitempty"` // of the reader
}

type Options struct {
	Method     string  `json:"method"`
	Alpha      float64 `json:"alpha"`
	GraphAlpha float64 `json:"graph_alpha"`
	Zeta       float64 `json:"zeta"`
	TopK       int     `json:"topk"`
	Anchor     float64 `json:"anchor"`
	Rounds     int     `json:"rounds"`
	Harden     string  `json:"harden"` // the default, which no flag changes
	Hubs       string  `json:"hubs"`   // whole where no row is cut
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
	Share         float64            `json:"label_share,omitempty"` // with Multilabel, but where left-out nodes say which labels a node has
	Threads       int                `json:"threads"`               // that were used
	// ClassColumns is the number of class columns of an F-step at a time, where all did not fit.
	ClassColumns int `json:"class_columns,omitempty"`
}

type Class struct {
	Label     string  `json:"label"`
	Seeds     int     `json:"seeds"`
	Predicted int     `json:"predicted"`
	Mean      float64 `json:"mean_confidence"`
}

type Learned struct {
	Entries    int `json:"entries"`
	Components int `json:"components"`
	// Inside are the shares of the weight of edges between nodes of one
	// predicted class, in the original graph and in the learned one.
	InsideBefore float64 `json:"inside_share_original"`
	InsideAfter  float64 `json:"inside_share_learned"`

	Learned bool `json:"learned"` // else the graph of the result is the original

	original *csr.Matrix
}

// TakePrior notes a class prior.
func (o *Options) TakePrior(prior []float64, classes []string) {
	if prior != nil {
		o.Prior = map[string]float64{}
	}
	for j, share := range prior {
		o.Prior[classes[j]] = share
	}
}

// Settings are the settings of a run.
type Settings struct {
	Command, Source, Labels string
	Method, Solver          string
	Faint, Calibrate        string
	Multilabel              bool
	Run                     adp.Options
	EstimatedBytes          int64
}

// New begins the report of a run on a graph and its labels.
func New(s Settings, graph *opened.Graph, labels *labelfile.Labels, seeds *diffuse.Seeds) *Run {
	of, sizes := csr.Components(graph.W, s.Run.Threads)
	opt, _ := s.Run.WithDefaults(graph.IDs.Len()) // adp.Run reports its errors
	solver, _ := diffuse.Options{Solver: opt.Solver, MaxIterations: opt.MaxIterations}.WithDefaults(0)
	faint := s.Faint
	if opt.Underflow == adp.SolveUnderflow || opt.Start != nil {
		faint = "solve"
	}
	r := &Run{
		Version: program.Version(), Command: streams.Clean(s.Command), Kernel: kernel.Name(),
		Graph: Graph{
			File: s.Source, Nodes: graph.IDs.Len(), Edges: graph.W.NNZ() / 2, Components: len(sizes),
			Isolated: CountOnes(sizes), Seedless: len(sizes) - ReachedComponents(of, seeds), Read: graph.Read, Notes: graph.Notes, Built: graph.Built,
		},
		Labels: Labels{File: s.Labels, Seeds: len(seeds.List()), Classes: seeds.Classes, Read: labels.Stats, Notes: labels.Notes},
		Options: Options{
			Method: s.Method, Alpha: opt.Alpha, GraphAlpha: opt.GraphAlpha, Zeta: max(opt.Zeta, 0), TopK: opt.TopK,
			Anchor: max(opt.Anchor, 0), Rounds: opt.Rounds, Harden: "sqrt-margin", Hubs: "whole", Balance: map[diffuse.Balance]string{diffuse.Balanced: "degree", diffuse.Unbalanced: "none"}[opt.Balance], Select: opt.Select.String(), Solver: s.Solver,
			Tolerance: opt.Tolerance, Iterations: solver.MaxIterations, Faint: faint,
			Calibrate: s.Calibrate, MinConfidence: opt.MinConfidence, Multilabel: s.Multilabel, Threads: cmp.Or(s.Run.Threads, runtime.GOMAXPROCS(0)),
		},
		EstimatedBytes: s.EstimatedBytes,
		Results:        NewResults(labels.Classes, seeds),
	}
	r.Warnings.AddGiven(graph, labels, r.Graph.Seedless, r.Graph.Components)
	r.Learned.original, r.hubs = graph.W, opt.Hubs
	return r
}

// CountOnes counts the components of one node.
func CountOnes(sizes []int) int {
	ones := 0
	for _, size := range sizes {
		if size == 1 {
			ones++
		}
	}
	return ones
}

func ReachedComponents(of []uint32, seeds *diffuse.Seeds) int {
	seen := map[uint32]bool{}
	for _, seed := range seeds.List() {
		seen[of[seed.Node]] = true
	}
	return len(seen)
}

// Finish fills in what the run with the seeds found.
func (r *Run) Finish(fitted *fit.Result, seeds *diffuse.Seeds) {
	result := fitted.Result
	r.PriorTrial, r.Calibration, r.Combination = fitted.PriorTrial, fitted.Calibration, fitted.Combination
	r.Take(fitted, seeds)
	r.Warm.finish(result.Rounds)
	walks := func(round adp.Round) bool { return round.TopK != 0 && !round.Fresh }
	if slices.ContainsFunc(result.Rounds, walks) && r.hubs.Truncates(r.Learned.original) {
		r.Options.Hubs = "cut"
	}
	r.Learned.Entries, r.Learned.Components = result.Graph.NNZ(), r.Graph.Components
	if result.Graph != r.Learned.original {
		_, sizes := csr.Components(result.Graph, r.Options.Threads)
		r.Learned.Components = len(sizes)
	}
	r.MeasureInside(result, SameLabel(result.Labels))
	r.Warnings.AddCalibration(r.Calibration)
}

// SameLabel returns a test of two nodes: they have the same label.
func SameLabel(labels []int32) func(i, j int) bool {
	return func(i, j int) bool { return labels[i] == labels[j] && labels[i] >= 0 }
}

// InCommon returns a test of two of n nodes with several labels: they have one in common.
func InCommon(sets *multilabel.Sets, n int) func(i, j int) bool {
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

// MeasureInside takes the shares of the graphs' weight that join nodes with a label
// in common.
func (r *Run) MeasureInside(result *adp.Result, common func(i, j int) bool) {
	r.Learned.InsideBefore = InsideShare(r.Learned.original, common, r.Options.Threads)
	r.Learned.Learned, r.Learned.InsideAfter = result.Graph != r.Learned.original, r.Learned.InsideBefore
	if r.Learned.Learned {
		r.Learned.InsideAfter = InsideShare(result.Graph, common, r.Options.Threads)
	}
}

// InsideShare returns the share of the weight of a symmetric matrix, off the diagonal, that joins nodes
// with a label in common, by the entries below the diagonal.
func InsideShare(m *csr.Matrix, common func(i, j int) bool, threads int) float64 {
	n, _ := m.Dims()
	sums := rows.NewReducer(n, 2).Sum(threads, func(lo, hi int, partial []float64) {
		inside, all := 0.0, 0.0
		for i := lo; i < hi; i++ {
			cols, vals := m.Row(i)
			for k, j := range cols {
				if int(j) >= i {
					break
				}
				all += float64(vals[k])
				if common(i, int(j)) {
					inside += float64(vals[k])
				}
			}
		}
		partial[0], partial[1] = inside, all
	})
	if sums[1] == 0 {
		return 0
	}
	return sums[0] / sums[1]
}

// HasLearned reports whether the graph of a method's result is not the original graph.
func (r *Results) HasLearned(method string) bool {
	return r.Rounds[r.Chosen].TopK != 0 || !methodflags.Has(method, adp.KeepsSparse) && r.Chosen > 0
}
