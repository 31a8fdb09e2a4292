package adp

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// ErrOptions is wrapped by every error about options.
var ErrOptions = diffuse.ErrOptions

// Select says how ADP chooses its result among rounds and settings, LGC (round 0) included. It
// needs no test labels: it looks at the association of the labels on W ([score.Fit]), and at seeds
// that are left out in turn.
type Select int

const (
	// Auto is Full for up to [FullNodes] nodes if TopK, Anchor and GraphAlpha have their defaults,
	// else Fast. (default)
	Auto Select = iota
	// Full tries several settings. Where degrees are alike (see [MaxDegreeVariation]) these are an
	// anchored graph of top-k 5, and free ones of 5 (at GraphAlpha 0.9 and 0.99), 10 and 40 (at
	// 0.99); elsewhere anchored ones of 5 and 10, fresh above 1,000 nodes ([Setting]). A k above n/c, the mean size of a class, is left
	// out, and without the anchor a k above n/4c: such a graph joins classes. F is the mean of the
	// F of all rounds, weighted by their gain in association ([Round.Weight]). Then LGC and the
	// leading setting run on up to four folds of the seeds, or of pseudo-labels where no seed can be
	// left out. A [Trial] decides between them and LGC with a smaller α. Settings and folds end where
	// more rounds would hardly count, and more folds hardly turn the verdict.
	//
	// Cost: up to 40 rounds of one A-step and one F-step, and 32 in the trial.
	Full
	// Fast tries the setting of TopK, Anchor and GraphAlpha alone. Its trial is one run, which
	// leaves out a quarter of the seeds. Cost: 16 rounds.
	Fast
	// None takes the last round of one setting. Cost: 8 rounds.
	None
)

var selectNames = [...]string{"auto", "full", "fast", "none"}

func (s Select) String() string {
	if s < Auto || s > None {
		return fmt.Sprintf("Select(%d)", int(s))
	}
	return selectNames[s]
}

// Underflow says how rows of F that underflow are solved: rows of nodes so far from all seeds, on W
// or on a learned graph, that F is below the tolerance of the F-step there.
type Underflow int

const (
	// AutoUnderflow is SolveUnderflow for up to [FullNodes] nodes. With more, it leaves the rows of
	// learned graphs.
	AutoUnderflow Underflow = iota
	// SolveUnderflow solves for these rows again, relative to their own size and not to that of F
	// as a whole: see [diffuse.Options]. Nodes that a learned graph cuts off from all seeds get the
	// rows of their neighbours on W.
	SolveUnderflow
	// LeaveUnderflow leaves these rows. They hold the error of the solver or, on learned graphs,
	// what its tolerance leaves of the round before.
	LeaveUnderflow
)

// FullNodes is the largest number of nodes for which [Auto] is [Full].
const FullNodes = 100_000

// MaxDegreeVariation is the largest ratio of standard deviation to mean of the degrees (numbers of
// neighbours) at which free settings are tried. kNN graphs have 0.2 to 0.7, citations and
// friendships 0.8 to 5: there two steps over a hub join everything.
const MaxDegreeVariation = 0.75

// Options are the options of [Run] on a graph W as it is. Zero fields have the defaults that
// they name. The recommended run as a whole is the zero value of fit.Options (package adp/fit),
// which makes or chooses W and the class prior, and knows features.
type Options struct {
	Method Method
	// Alpha is α of the F-step, in (0,1). Zero means 0.99.
	Alpha float64
	// GraphAlpha is α_A of the A-step, in (0,1). Zero means 0.9. DenseADP uses
	// Alpha for both, as the paper does.
	GraphAlpha float64
	// Zeta is the weight of the label similarity Z in the A-step: the mean row sum of Z is scaled
	// to Zeta. Zero means 0.5, negative means no Z at all.
	Zeta float64
	// TopK is the number of entries kept in each row of A before it is made symmetric. Zero means
	// 5, or n−1 where that is less; negative means all (n ≤ MaxDense). For ADP and ADP1 a TopK of n
	// or more is an error; other methods ignore it.
	TopK int
	// Anchor is the multiple of S that is added to A after each A-step, so that the learned graph
	// cannot drift from W. Zero means 0.5, negative means none.
	Anchor float64
	// Hubs says which rows of an A-step, near the hubs of a large graph, are truncated to their
	// largest terms.
	Hubs   diffuse.HubRows
	Harden diffuse.Harden // how H is made from F
	// Rounds is the largest number of A-steps. Zero means [Method.Rounds]: 8 for ADP,
	// 50 for ADP1 and DenseADP.
	Rounds int
	// MinChange stops ADP when a round changes a smaller share of the labels. Zero means 0.001;
	// negative never stops for it.
	MinChange float64
	// Beta stops the rounds when ‖F − F_prev‖ is below Beta·‖F‖ (Frobenius norms); for DenseADP, as
	// in the paper, below Beta itself. Zero means 0.01.
	Beta   float64
	Select Select // how the result is chosen
	// Settings replace Full's own settings, for any degrees. Those whose k is too large for the
	// classes are left out, as Full's own are.
	Settings []Setting
	// MixPower is the power of the gain in association by which Full and Fast weigh rounds; +Inf
	// takes the best round alone. Zero means 8, +Inf for ADP1.
	MixPower float64
	// TrialFolds is the number of folds of the trial. Zero means at most the number that Select
	// implies: the trial ends as soon as the folds to come would hardly turn its verdict. Negative
	// means no trial: association decides alone.
	TrialFolds int
	// MinConfidence is the confidence below which a predicted label gets the status Uncertain. Zero
	// means that only ties do.
	MinConfidence float64

	Balance diffuse.Balance // weighs the classes of the seeds
	Prior   []float64       // class prior, c numbers above 0; nil means equal classes ([ChoosePrior], [SeedPrior])
	Solver  diffuse.Solver  // of the F-step
	// Tolerance and MaxIterations bound the F-step, see [diffuse.Options]; for DenseADP they bound
	// F and A in turn, see [Dense]. Zero means 1e-6, and 2000 (CG), 20000 (Power) or 5000
	// (DenseADP).
	Tolerance     float64
	MaxIterations int
	Threads       int // zero means GOMAXPROCS
	// ClassColumns is the largest number of class columns that an F-step of ADP or LGC by conjugate
	// gradients works on at a time, at least [diffuse.SliceColumns]. Fewer columns give the same
	// result in less memory, at a few more products of S an F-step. Zero means all. Other methods
	// and solvers, and runs with a Start, ignore it.
	ClassColumns int
	// Underflow says whether ADP and LGC by CG solve again for the rows of nodes that are very far
	// from all seeds. A run with a Start always does: otherwise the start's values for such nodes
	// would stay.
	Underflow Underflow
	Order     Order // of the nodes while they are worked on
	// Scratch is a folder for temporary files. The run keeps S and its learned graphs there,
	// mapped, so that only class blocks and degrees have to fit the memory; the result is the same.
	// [Result.Close] frees the files. Empty keeps all in memory. Files have no names, and are gone
	// however the program ends. Not for DenseADP, not over ranks, and not on systems without mapped
	// files.
	Scratch string

	// Start (n×c, at least 0) is where round 0 starts: F of other seeds or edges, see
	// [diffuse.Workspace.Combine]. It is not changed. Round 0, and so the result of LGC, is the
	// same to within Tolerance, after fewer products. The rounds of ADP, and the choice among them,
	// can depend on the last digits of round 0. Nil starts from 0. For ADP and LGC, by CG, and
	// without Checkpoint; [Resume] ignores it.
	Start *csr.Dense
	// KeepFirst asks for Result.First: 4·n·c bytes.
	KeepFirst bool
	// KeepFolds asks for Result.Folds.
	KeepFolds bool

	// Observer is called at the end of each round, by the goroutine that called Run.
	Observer func(Round)
	// Progress is called now and then, by several goroutines, with the share of the current
	// A-step's work done since its last call.
	Progress func(share float64)
	// Checkpoint is called with the state at the end of each round, those of the trial included, by
	// the goroutine that called Run. Its error ends the run. The snapshot is valid while it runs,
	// and must not be changed. Not for DenseADP.
	Checkpoint func(*Snapshot) error

	freeAlpha bool // Alpha was left to the program
}

// MaxDense is the largest number of nodes for which dense n×n matrices are
// made: by DenseADP, and by a negative TopK.
const MaxDense = 5000

// mostFactor bounds Zeta and Anchor: far above any use of them, and small enough that their
// products stay in float32.
const mostFactor = 1e9

// WithDefaults returns the options with zero fields filled for a graph of n
// nodes, or an [ErrOptions] that names all faults.
func (o Options) WithDefaults(n int) (Options, error) {
	o = o.filled(n)
	var f faults
	o.checkMethod(n, &f)
	o.checkStartUse(&f)
	o.checkSettings(&f)
	o.checkUnderflow(&f)
	o.checkNumbers(&f)
	return o, errors.Join(f...)
}

// filled returns the options with zero fields filled for a graph of n nodes.
func (o Options) filled(n int) Options {
	o.freeAlpha = o.freeAlpha || o.Alpha == 0
	if o.Select == Auto {
		o.Select = Fast
		if o.Method.Has(Tries) && n <= FullNodes && o.TopK == 0 && o.Anchor == 0 && o.GraphAlpha == 0 {
			o.Select = Full
		}
	}
	if o.Method.Has(Repeats) && !o.Method.Has(LearnsSparse) {
		o.Select = None // the paper's form has no choice
	}
	if o.Underflow == AutoUnderflow && o.descends() && n <= FullNodes {
		o.Underflow = SolveUnderflow
	}
	of := methods[ADP]
	if o.Method.isKnown() {
		of = methods[o.Method]
	}
	fill(&o.Rounds, of.rounds)
	fill(&o.MixPower, of.mixPower)
	fill(&o.Alpha, 0.99)
	fill(&o.GraphAlpha, 0.9)
	fill(&o.Zeta, 0.5)
	fill(&o.TopK, max(1, min(5, n-1)))
	fill(&o.Anchor, 0.5)
	fill(&o.MinChange, 0.001)
	fill(&o.Beta, 0.01)
	fill(&o.Tolerance, 1e-6)
	return o
}

// faults collects the faults of options, each an [ErrOptions].
type faults []error

// expect adds a fault unless ok holds.
func (f *faults) expect(ok bool, format string, args ...any) {
	if !ok {
		*f = append(*f, fmt.Errorf("%w: "+format, append([]any{ErrOptions}, args...)...))
	}
}

// checkMethod checks the method, its F-step and its A-step, for a graph of n nodes.
func (o Options) checkMethod(n int, f *faults) {
	f.expect(o.Order >= 0 && o.Order < orderEnd, "unknown order %d", int(o.Order))
	f.expect(o.Method.isKnown(), "unknown method %d", int(o.Method))
	solver := o.solver()
	solver.Prior = nil // forSeeds checks it: the number of classes is unknown here
	if _, err := solver.WithDefaults(0); err != nil {
		*f = append(*f, err)
	}
	f.expect(o.Harden >= diffuse.SqrtMargin && o.Harden <= diffuse.Soft, "unknown way %d to harden", int(o.Harden))
	f.expect(isAlpha(o.GraphAlpha), "graph alpha %v, expected between 0 and 1, both excluded", o.GraphAlpha)
	f.expect(o.Rounds >= 1, "%d rounds, expected at least 1", o.Rounds)
	sparse := o.Method.Has(LearnsSparse)
	f.expect(!sparse || o.TopK < max(n, 2), "top-k of %d with %d nodes, expected fewer than nodes", o.TopK, n)
	makesDense := o.TopK < 0 && sparse || o.isDense()
	f.expect(n <= MaxDense || !makesDense, "%d nodes, dense matrices are made for at most %d", n, MaxDense)
	f.expect(!o.isDense() || o.Checkpoint == nil, "a checkpoint of the method %v, expected another method", o.Method)
}

// isDense reports whether the method makes dense n×n matrices.
func (o Options) isDense() bool { return o.Method.isKnown() && !o.Method.Has(KeepsSparse) }

// descends reports whether the method solves LGC by conjugate gradients.
func (o Options) descends() bool { return o.Method.Has(SolvesLGC) && o.Solver == diffuse.CG }

func isAlpha(v float64) bool { return v > 0 && v < 1 }

// checkStartUse checks that a start goes with the other options; checkStart checks its values.
func (o Options) checkStartUse(f *faults) {
	if o.Start == nil {
		return
	}
	f.expect(o.Method.Has(SolvesLGC), "a start with the method %v, expected %s", o.Method, SolvesLGC.Names("or"))
	f.expect(o.Solver == diffuse.CG, "a start with the solver %d, expected conjugate gradients", int(o.Solver))
	f.expect(o.Checkpoint == nil, "a start with a checkpoint, expected one of them")
}

// checkSettings checks how the result is chosen, and among which settings.
func (o Options) checkSettings(f *faults) {
	f.expect(o.MixPower > 0, "mixing power %v, expected above 0", o.MixPower)
	f.expect(o.Select >= Auto && o.Select <= None, "unknown choice %d of the result", int(o.Select))
	f.expect(o.TrialFolds != 1, "1 fold of the trial, expected at least 2")
	for k, set := range o.Settings {
		f.expect(set.TopK >= 1, "setting %d: top-k of %d, expected at least 1", k, set.TopK)
		f.expect(set.Anchor >= 0 && set.Anchor <= mostFactor, "setting %d: anchor %v, expected 0 to %g", k, set.Anchor, mostFactor)
		f.expect(isAlpha(set.GraphAlpha), "setting %d: graph alpha %v, expected between 0 and 1, both excluded", k, set.GraphAlpha)
	}
	f.expect(o.Scratch == "" || !o.isDense(), "scratch files of the method %v, expected another method", o.Method)
}

// checkUnderflow checks that rows which underflow can be solved for, where that is asked.
func (o Options) checkUnderflow(f *faults) {
	switch solves := o.Underflow == SolveUnderflow; {
	case o.Underflow < AutoUnderflow || o.Underflow > LeaveUnderflow:
		f.expect(false, "faint rows %d, expected a known choice", int(o.Underflow))
	case solves && !o.Method.Has(SolvesLGC):
		f.expect(false, "faint rows solved for with the method %v, expected %s", o.Method, SolvesLGC.Names("or"))
	case solves:
		f.expect(o.descends(), "faint rows solved for with the solver %d, expected conjugate gradients", int(o.Solver))
	}
}

// checkNumbers checks the ranges of all other numbers.
func (o Options) checkNumbers(f *faults) {
	f.expect(o.Hubs.Work >= 0, "a cut of rows above %d multiply-adds, expected at least 0", o.Hubs.Work)
	f.expect(o.Hubs.Links >= 0, "a cut of rows to %d links, expected at least 0", o.Hubs.Links)
	f.expect(o.Hubs.Terms >= 0, "a cut of rows to %d terms, expected at least 0", o.Hubs.Terms)
	f.expect(o.ClassColumns >= 0, "%d class columns at a time, expected at least 1", o.ClassColumns)
	f.expect(math.Abs(o.Zeta) <= mostFactor, "zeta %v, expected at most %g", o.Zeta, mostFactor)
	f.expect(math.Abs(o.Anchor) <= mostFactor, "anchor %v, expected at most %g", o.Anchor, mostFactor)
	f.expect(!math.IsNaN(o.MinChange), "least change %v, expected a number", o.MinChange)
	f.expect(o.Beta > 0, "beta %v, expected above 0", o.Beta)
	f.expect(o.MinConfidence >= 0 && o.MinConfidence <= 1, "least confidence %v, expected 0 to 1", o.MinConfidence)
}

// forSeeds is WithDefaults for the nodes and classes of y. Its error names the faults of the prior
// and the start too.
func (o Options) forSeeds(y *diffuse.Seeds) (Options, error) {
	if y.Classes < 1 { // NewSeeds refuses this; nothing else checks Seeds
		return o, fmt.Errorf("%w: %d classes, expected at least 1", diffuse.ErrSeeds, y.Classes)
	}
	o, err := o.WithDefaults(y.Nodes)
	_, prior := diffuse.Options{Prior: o.Prior}.WithDefaults(y.Classes)
	return o, errors.Join(err, prior, o.checkStart(y))
}

func (o Options) checkStart(y *diffuse.Seeds) error {
	f := o.Start
	if f == nil {
		return nil
	}
	if f.Rows != y.Nodes || f.Cols != y.Classes || len(f.Data) != f.Rows*f.Cols {
		return fmt.Errorf("%w: a start of %d×%d in %d values, expected %d×%d", ErrOptions, f.Rows, f.Cols, len(f.Data), y.Nodes, y.Classes)
	}
	for k, v := range f.Data {
		if !(v >= 0 && v <= math.MaxFloat32) {
			return fmt.Errorf("%w: a start with %v for node %d in class %d, expected a finite number of at least 0", ErrOptions, v, k/y.Classes, k%y.Classes)
		}
	}
	return nil
}

func fill[T int | float64](field *T, value T) {
	if *field == 0 {
		*field = value
	}
}

// Setting holds the options of an A-step.
type Setting struct {
	// TopK is the number of entries kept in a row of A, negative for all.
	TopK int `json:"topk"`
	// Anchor is the multiple of S that is added to A; 0 for none.
	Anchor float64 `json:"anchor"`
	// GraphAlpha is α_A.
	GraphAlpha float64 `json:"graph_alpha"`
	// Fresh starts each A-step from I: A' is of the labels of the last round alone, and its
	// candidates are the entries of S². Otherwise it starts from the A before, from A⁰ = S, as in the
	// paper.
	Fresh bool `json:"fresh,omitempty"`
}

// fewNodes is the number of nodes up to which no setting is fresh: A-steps cost nothing there.
const fewNodes = 1000

// fresh reports whether A-steps start from I: where degrees are unlike a long memory of A does not
// help (docs/decisions/0018-fresh-steps.md), and the entries of S A Sᵀ are many.
func (o Options) fresh(n int, variation float64) bool {
	return o.Method.Has(Tries) && n > fewNodes && variation > MaxDegreeVariation
}

// Alone returns the options of a run with one setting alone, whatever the number of classes. It
// chooses among the rounds, without a trial.
func (o Options) Alone(s Setting) Options {
	o.Select, o.TrialFolds, o.Settings = Fast, -1, nil
	o.TopK, o.Anchor, o.GraphAlpha = s.TopK, s.Anchor, s.GraphAlpha
	if s.Anchor == 0 {
		o.Anchor = -1 // zero is the default
	}
	return o
}

// settings returns the settings to choose among, for n nodes, c classes and the variation of the
// degrees.
func (o Options) settings(n, c int, variation float64) []Setting {
	if o.Select != Full {
		return []Setting{{o.TopK, max(o.Anchor, 0), o.GraphAlpha, o.fresh(n, variation)}}
	}
	tries := []Setting{{TopK: 5, Anchor: 0.5, GraphAlpha: 0.9}, {TopK: 5, GraphAlpha: 0.9}, {TopK: 5, GraphAlpha: 0.99}, {TopK: 10, GraphAlpha: 0.99}, {TopK: 40, GraphAlpha: 0.99}}
	switch {
	case len(o.Settings) > 0:
		tries = slices.Clone(o.Settings)
	case variation > MaxDegreeVariation:
		fresh := o.fresh(n, variation)
		tries = []Setting{{5, 0.5, 0.9, fresh}, {10, 0.5, 0.9, fresh}}
	}
	return slices.DeleteFunc(tries, func(s Setting) bool {
		return s.TopK >= n || s.TopK*c > n || s.Anchor == 0 && 4*s.TopK*c > n
	})
}

// Steps returns the largest number of A-steps of a run for n nodes and c classes.
func (o Options) Steps(n, c int) int {
	o, err := o.WithDefaults(n)
	if err != nil || !o.Method.Has(Repeats) {
		return 0
	}
	return o.Rounds * (len(o.settings(n, c, 0)) + o.folds())
}

// folds returns the number of folds of the method's trial, 0 without one.
func (o Options) folds() int {
	if !o.Method.Has(Tries) || o.Select == None {
		return 0
	}
	return o.trials()
}

// trials returns the number of folds for which the trial makes runs.
func (o Options) trials() int {
	switch {
	case o.TrialFolds != 0:
		return max(o.TrialFolds, 0)
	case o.Select == Fast:
		return 1
	}
	return trialFolds
}

// triesAlphas reports whether the trial tries smaller alphas too.
func (o Options) triesAlphas() bool { return o.Select == Full && o.freeAlpha }

// labelScale returns ζ', for which Z = ζ'HHᵀ has the mean row sum Zeta.
func (o Options) labelScale(h *diffuse.Factor, partition diffuse.Partition) float64 {
	sum := h.MeanRowSum(partition)
	if sum <= 0 {
		return 0
	}
	return max(o.Zeta, 0) / sum
}

// solvesUnderflow reports whether rows that underflow on learned graphs are solved for again.
func (o Options) solvesUnderflow() bool { return o.Underflow == SolveUnderflow || o.Start != nil }

// solver returns the options of the F-step.
func (o Options) solver() diffuse.Options {
	opt := diffuse.Options{
		Alpha: o.Alpha, Balance: o.Balance, Prior: o.Prior, Solver: o.Solver,
		Tolerance: o.Tolerance, MaxIterations: o.MaxIterations, Threads: o.Threads,
	}
	if o.solvesUnderflow() {
		opt.Underflow = diffuse.UnderflowAll
	}
	return opt
}
