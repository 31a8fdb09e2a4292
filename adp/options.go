package adp

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/adp-sparse/adp-sparse/adp/crossval"
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
	// Auto is Full for up to [FullNodes] nodes if TopK, Anchor and GraphAlpha are 0, else Fast: their defaults
	// said aloud are one setting to try. (default)
	Auto Select = iota
	// Full tries several settings. Above 1,000 nodes, where degrees are unlike (numbers
	// of neighbours with a standard deviation above 0.75 of their mean) or neighbours are seldom neighbours of each other, there is one, a fresh
	// graph of top-k 5 ([Setting]). Else these are, where degrees are alike, an anchored graph of
	// top-k 5, and free ones of 5 (at GraphAlpha 0.9 and 0.99), 10 and 40 (at 0.99); where they are
	// not, anchored ones of 5 and 10. Left out are k > n/c and, for settings without an anchor, k > n/(4c): such a
	// graph joins classes. F is the mean of the
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

// maxDegreeVariation is the largest ratio of standard deviation to mean of the degrees (numbers of
// neighbours) at which free settings are tried. kNN graphs have 0.2 to 0.7, citations and
// friendships 0.8 to 5: there two steps over a hub join everything.
const maxDegreeVariation = 0.75

// Options are the options of [Run] on a graph W as it is. A zero field has the default that it names. Six fields are
// also left to the program while they are 0, and their defaults said aloud are not the same:
//
//   - TopK, Anchor and GraphAlpha: the settings that are tried (Select)
//   - Alpha: the trial of [Full] tries smaller ones too
//   - Rounds: a fresh setting ([Setting]) takes up to twice as many
//   - Zeta, as Alpha, TopK, Anchor and GraphAlpha: whether package adp/fit makes a mixture of methods
//
// The zero Options are the recommended run on a given graph. The recommended run as a whole is the zero
// value of fit.Options (package adp/fit), which makes or chooses W and the class prior, and knows
// features. The [Trait]s of a method say which fields it reads.
//
// The fields are in the order in which most people meet them:
//
//   - the method and its learned graph: Method, Alpha, Rounds, TopK, Anchor, GraphAlpha, Zeta
//   - classes and labels: Prior, Balance, MinConfidence
//   - the choice of the result: Select, TrialFolds
//   - memory and speed: Threads, Scratch, Tolerance, MaxIterations, ClassColumns, Order
//   - a run that goes on, or is watched: Start, KeepFirst, Observer, Progress, Checkpoint
//   - experiments: Settings, BestRound, MinChange, Beta, Solver, Underflow, Harden, Hubs
type Options struct {
	// Method is the algorithm. Default: [ADP].
	Method Method
	// Alpha is the diffusion weight α of the F-step, in (0,1): the weight of a node's neighbours against
	// its own seed. Default: 0.99.
	Alpha float64
	// Rounds is the largest number of A-steps of a setting. Default: [Method.Rounds], 8 for ADP, 50 for
	// ADP1 and DenseADP.
	Rounds int
	// TopK is the number of entries kept in each row of A before it is made symmetric; negative means all,
	// for n ≤ [MaxDense]. A TopK of n or more is an error. Default: 5, or n−1 where that is less.
	TopK int
	// Anchor is the multiple of S that is added to A after each A-step, so that the learned graph cannot
	// drift from W; negative means none. Default: 0.5.
	Anchor float64
	// GraphAlpha is the diffusion weight α_A of the A-step, in (0,1). DenseADP takes Alpha for both, as the
	// paper does. Default: 0.9.
	GraphAlpha float64
	// Zeta is the weight ζ of the label similarity Z in the A-step, the mean row sum of Z; negative means no
	// Z at all. Default: 0.5.
	Zeta float64

	// Prior is the class prior, c numbers above 0 (choice.Prior and choice.SeedPrior make one). Default: nil,
	// equal classes.
	Prior []float64
	// Balance says whether the classes get equal weight, or that of Prior, in each component. Default:
	// [diffuse.Balanced].
	Balance diffuse.Balance
	// MinConfidence is the confidence, 0 to 1, below which a predicted label gets the status [Uncertain].
	// Default: 0, by which only ties do.
	MinConfidence float64

	// Select says how the result is chosen among rounds and settings. Default: [Auto].
	Select Select
	// TrialFolds is the number of folds of the trial, at least 2; negative means no trial, so that association
	// decides alone. Default: as many as settle the verdict, at most four for [Full], and the first of four for
	// [Fast].
	TrialFolds int

	// Threads is the number of goroutines that compute. The result has the same bits for any number.
	// Default: GOMAXPROCS.
	Threads int
	// Scratch is a folder for temporary files, mapped, in which S and the learned graphs lie, so that only
	// class blocks and degrees have to fit the memory. [Result.Close] frees them; they have no names, and are
	// gone however the program ends. Not for DenseADP, not over ranks, and not on systems without mapped
	// files. Default: empty, all in memory.
	Scratch string
	// Tolerance ends the F-step, a relative residual ([diffuse.Options]); for DenseADP the steps of F and A in
	// turn (package adp/paper). Default: 1e-6.
	Tolerance float64
	// MaxIterations bounds the iterations that Tolerance ends. Default: 2000 for CG, 20000 for Power, 5000 for
	// DenseADP.
	MaxIterations int
	// ClassColumns is the largest number of class columns that an F-step by conjugate gradients works on at a
	// time, at least [diffuse.SliceColumns]. Fewer take less memory and more time, for the same result: a product reads S once
	// a slice, and a few more products are needed. A run with a Start does not read it. Default: all.
	ClassColumns int
	// Order is the order of the nodes while they are worked on. Default: [AutoOrder].
	Order Order

	// Start is where round 0 starts: F of other seeds or edges, n×c of at least 0 ([diffuse.Workspace.Combine]).
	// Round 0, and so the result of LGC, is the same to within Tolerance, after fewer products. The rounds of
	// ADP, and the choice among them, can depend on the last digits of round 0. For ADP and LGC, by CG, and
	// without Checkpoint; [Resume] does not read it. Default: nil, 0.
	Start *csr.Dense
	// KeepFirst asks for Result.First, 4·n·c bytes, from which another run can start. Default: false.
	KeepFirst bool
	// KeepFolds asks for Result.Folds, for a mixture that decides by more than the trial: a trial that is undecided ends after
	// [crossval.Plenty] left-out seeds. Default: false.
	KeepFolds bool

	// Observer is called at the end of each round, by the goroutine that called Run. Default: nil.
	Observer func(Round)
	// Progress is called now and then, by several goroutines, with the share of the current A-step's work
	// done since its last call. Default: nil.
	Progress func(share float64)
	// Checkpoint is called with the state at the end of each round, those of the trial included, by the
	// goroutine that called Run. Its error ends the run. The snapshot is valid while it runs, and must not be
	// changed. Not for DenseADP. Default: nil.
	Checkpoint func(*Snapshot) error

	// Settings replace the settings that [Full] tries. Those whose k is too large for the classes are left
	// out, as Full's own are. Default: nil, Full's own.
	Settings []Setting
	// BestRound takes the F of the round with the largest association in the place of the mean over rounds.
	// Default: false; ADP1 always does so.
	BestRound bool
	// MinChange ends the rounds of a setting of ADP when a round changes a smaller share of the labels;
	// negative never does. Default: 0.001.
	MinChange float64
	// Beta ends the rounds when ‖F − F_prev‖ is below Beta·‖F‖ (Frobenius norms); for DenseADP, as in the
	// paper, below Beta itself. Default: 0.01.
	Beta float64
	// Solver is that of the F-step. Default: [diffuse.CG].
	Solver diffuse.Solver
	// Underflow says whether F-steps by CG are made again for nodes so far from all seeds that F underflows. A
	// run with a Start always makes them: the start's values for such nodes would stay. Default:
	// [AutoUnderflow].
	Underflow Underflow
	// Harden says how H is made from F. Default: [diffuse.SqrtMargin].
	Harden diffuse.Harden
	// Hubs says which rows of an A-step, near the hubs of a large graph, are truncated to their largest terms.
	// Default: those of n·nnz above 2^35 ([diffuse.HubRows]).
	Hubs diffuse.HubRows

	freeAlpha  bool // Alpha was left to the program
	freeRounds bool // Rounds were
	freeStep   bool // TopK, Anchor and GraphAlpha were

	measured *measured // the graph of [Options.On]; nil for none
}

// MaxDense is the largest number of nodes for which dense n×n matrices are
// made: by DenseADP, and by a negative TopK.
const MaxDense = 5000

// mostFactor bounds Zeta and Anchor: far above any use of them, and small enough that their
// products stay in float32.
const mostFactor = 1e9

// WithDefaults returns the options with zero fields filled for a graph of n
// nodes, or an [ErrOptions] that names all faults. Threads, MaxIterations, TrialFolds and ClassColumns stay 0:
// what they default to depends on the machine, the solver and the trial. The result remembers which
// fields were 0: [Run] does the same with it as with o. Package adp/fit takes its fields as said, and makes no mixture of methods.
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
	o.freeAlpha, o.freeRounds = o.freeAlpha || o.Alpha == 0, o.freeRounds || o.Rounds == 0
	o.freeStep = o.freeStep || o.TopK == 0 && o.Anchor == 0 && o.GraphAlpha == 0
	if o.Select == Auto {
		o.Select = Fast
		if o.Method.Has(Tries) && n <= FullNodes && o.freeStep {
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

// mixPower is the power of the gain in association by which rounds are weighed; +Inf takes the best round
// alone.
func (o Options) mixPower() float64 {
	if o.BestRound {
		return math.Inf(1)
	}
	return methods[o.Method].mixPower
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
	// Fresh learns each A from the labels of the last round alone, on the edges of S
	// ([diffuse.FreshStep]), and solves its F-step to labels, not to Tolerance, where there is a choice. Otherwise an A-step
	// starts from the A before, from A⁰ = S, as in the paper.
	Fresh bool `json:"fresh,omitempty"`
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

// freshSetting is the setting of fresh graphs where the options leave it to the program.
var freshSetting = Setting{TopK: 5, GraphAlpha: 0.99, Fresh: true}

// settings returns the settings to choose among, for n nodes in c classes on a graph.
func (o Options) settings(n, c int, g shape) []Setting {
	fresh := o.fresh(n, g)
	if fresh && o.freeStep && len(o.Settings) == 0 {
		return []Setting{freshSetting}
	}
	if o.Select != Full {
		return []Setting{{o.TopK, max(o.Anchor, 0), o.GraphAlpha, fresh}}
	}
	tries := []Setting{{TopK: 5, Anchor: 0.5, GraphAlpha: 0.9}, {TopK: 5, GraphAlpha: 0.9}, {TopK: 5, GraphAlpha: 0.99}, {TopK: 10, GraphAlpha: 0.99}, {TopK: 40, GraphAlpha: 0.99}}
	switch {
	case len(o.Settings) > 0:
		tries = slices.Clone(o.Settings)
	case !g.alike():
		tries = []Setting{{5, 0.5, 0.9, fresh}, {10, 0.5, 0.9, fresh}}
	}
	return slices.DeleteFunc(tries, func(s Setting) bool {
		return s.TopK >= n || s.TopK*c > n || s.Anchor == 0 && !s.Fresh && 4*s.TopK*c > n
	})
}

// Steps returns the largest number of A-steps of a run for n nodes and c classes.
func (o Options) Steps(n, c int) int {
	o, err := o.WithDefaults(n)
	if err != nil || !o.Method.Has(Repeats) {
		return 0
	}
	return o.Rounds * (len(o.settings(n, c, shape{closed: 1})) + o.folds())
}

// roundsOf returns the largest number of A-steps of a setting. With few labels a fresh one takes
// many cheap rounds to spread them.
func (o Options) roundsOf(s Setting) int {
	if s.Fresh && o.freeRounds {
		return 2 * o.Rounds
	}
	return o.Rounds
}

// folds returns the number of folds of the method's trial, 0 without one.
func (o Options) folds() int {
	if !o.Method.Has(Tries) || o.Select == None {
		return 0
	}
	return o.trials()
}

// TrialRuns returns the number of folds on which a choice by left-out seeds compares its contenders, for a
// run on n nodes: at most TrialFolds or what Select implies, 0 with [None] or a negative TrialFolds.
func (o Options) TrialRuns(n int) (int, error) {
	o, err := o.WithDefaults(n)
	if err != nil || o.Select == None {
		return 0, err
	}
	return o.trials(), nil
}

// trials returns the number of folds for which the trial makes runs.
func (o Options) trials() int {
	switch {
	case o.TrialFolds != 0:
		return max(o.TrialFolds, 0)
	case o.Select == Fast:
		return 1
	}
	return crossval.ChoiceFolds
}

// triesAlphas reports whether the trial tries smaller alphas too.
func (o Options) triesAlphas() bool { return o.Select == Full && o.freeAlpha }

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
