package fit

import (
	"context"
	"fmt"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/choice"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/clock"
)

// Options are the options of [Run]. The zero value is the recommendation, and what
// `adp-sparse run` does without flags.
//
// A mixture of methods ([Options.Combine]) is for a run that is left to the program. It is not made, and the
// result is that of one method, where Run says any of these:
//
//   - Alpha, TopK, Anchor, GraphAlpha or Zeta, their defaults too
//   - Method other than ADP, or Solver other than CG
//   - Select None, or TrialFolds below 0
//   - Start or Scratch
//
// Pool, Guess and Explain then have no effect. [Options.MayCombine] and [Input.Combines] say so before, and
// [Result.Combination] is nil after.
type Options struct {
	Graph GraphOptions // of features
	// Run are the options of the run. If Run.Prior is set, it is used and Options.Prior is ignored.
	Run       adp.Options
	Prior     Prior // of the classes, where Run has none
	Calibrate bool  // the confidence, by [adp.Calibrate]
	Combine   Combine
	// Several says that nodes may have several labels, a seed each: [Result.Sets] has those of the result. The seeds of a node are left out
	// together, and the run is of [Options.Method], as ADP learns its graph from one label a node.
	Several bool
	// Pool names the methods of the feature step, see [PoolNames], in the place of those that
	// it takes by itself; each has the same prior.
	Pool []string
	// Guess keeps in the result of the feature step what the features alone say of nodes to come: [Result.Guess] or
	// [Result.TreeShare].
	Guess bool
	// Explain are nodes whose labels the feature step explains, in [Result.Why].
	Explain []int
	// From is where a run goes on that was stopped ([adp.Resume]); nil for the start.
	From *adp.Snapshot
	// Stage is called where a part of the work begins.
	Stage func(Stage)
}

// check checks what stands in no options of another package.
func (o *Options) check() error {
	switch {
	case o.Prior < AutoPrior || o.Prior > SeedPrior:
		return fmt.Errorf("%w: unknown prior %d", adp.ErrOptions, int(o.Prior))
	case o.Combine < AutoCombine || o.Combine > NoCombine:
		return fmt.Errorf("%w: unknown way %d to combine", adp.ErrOptions, int(o.Combine))
	}
	return nil
}

// Method returns the method of a run without a mixture: Run.Method, or LGC in the place of ADP where nodes have several labels.
func (o Options) Method() adp.Method {
	if o.Several && o.Run.Method == adp.ADP {
		return adp.LGC
	}
	return o.Run.Method
}

// Stage is a part of the work of [Label].
type Stage int

// The stages, in their order. All but Running and Done come only where they are due. Done comes once, at the end, also where an error
// ends the work.
const (
	ChoosingPrior Stage = iota
	Running
	Calibrating
	Combining
	Done
)

// stage says that a stage begins.
func stage(opt Options, s Stage) {
	if opt.Stage != nil {
		opt.Stage(s)
	}
}

// Result is what [Run] and [Label] return.
type Result struct {
	*adp.Result
	Affinity *Graph // W, that labels started from
	// Prior are the class sizes that the run had, nil for equal ones; OfSeeds says that they
	// are [choice.SeedPrior], and PriorTrial what left-out seeds said of them.
	Prior       []float64
	OfSeeds     bool
	PriorTrial  *choice.PriorTrial
	Combination *Combination // nil where the result is of one method
	// Tolerance is that of the F-steps of the run before a mixture; 0 where the result is of one method.
	Tolerance float64
	// Calibration is what left-out seeds tell about the confidence: of a mixture wherever enough seeds
	// can be left out, of one method with Options.Calibrate alone. Nil else.
	Calibration *adp.Calibration
	Why         []*Why // of the nodes of Options.Explain; nil where the result is of one method
	// Guess is nil where none was asked for, and of features alone where randomised trees take part, or where neighbours foresee the labels
	// best ([adp.ShareOf]).
	Guess *adp.Guess
	// TreeShare is the share of an [adp.Surrogate] in the labels of new points ([adp.SurrogateShare]): 0 where no guess was asked for, there
	// are edges, or no randomised trees on dense features take part.
	TreeShare float64
	// Leaks are the columns of the features, from 0, that seem to hold the labels ([Input.Leaks]): leave them out and run again,
	// or do not trust the accuracy that left-out seeds tell. Nil for none, and from [Label], which has no features.
	Leaks []int
}

// Degrees returns the scales of the rows of F for [adp.Predict], as [adp.Result.Degrees] does: nil for
// the probabilities of a mixture, which are no solution on r.Graph.
func (r *Result) Degrees(w *csr.Matrix, method adp.Method, threads int) []float64 {
	if r.Combination != nil {
		return nil
	}
	return r.Result.Degrees(w, method, threads)
}

// Run labels n nodes from what there is of them: [NewGraph], then [Label], then, where there
// are features, the feature step ([Options.Combine]). Input.Seeds must be there. When ctx ends it returns ctx.Err().
func Run(ctx context.Context, in Input, opt Options) (*Result, error) {
	if in.Seeds == nil {
		return nil, errNoSeeds
	}
	if err := opt.check(); err != nil {
		return nil, err // before a graph is made
	}
	if opt.Graph.Threads == 0 {
		opt.Graph.Threads = opt.Run.Threads
	}
	opt.Graph.Mixed = opt.Graph.Mixed || opt.combines(&in)
	if err := in.dropZeros(opt.Graph.Threads); err != nil {
		return nil, err
	}
	g, err := NewGraph(ctx, in, opt.Graph)
	if err != nil {
		return nil, err
	}
	if g.Report.KNN != nil && !opt.Graph.Joinable {
		g.Report.KNN.Found = nil
	}
	return labelInput(ctx, in, g, opt)
}

// Label labels the nodes of a graph W (n×n, see [adp.Run]): it chooses the class prior, runs,
// and calibrates. Options.Graph is not looked at.
//
// Cost: that of [adp.Run], up to two F-steps a fold for the prior, and
// [adp.CalibrationFolds] runs for a calibration. Memory: [EstimateBytes].
func Label(ctx context.Context, w *csr.Matrix, seeds *diffuse.Seeds, opt Options) (*Result, error) {
	err := opt.check()
	if err != nil {
		return nil, err
	}
	defer stage(opt, Done)
	opt.Run.Method = opt.Method()
	r := &Result{Affinity: &Graph{W: w}}
	if opt.choosesPrior() {
		stage(opt, ChoosingPrior)
	}
	if r.Prior, r.PriorTrial, err = ChoosePrior(ctx, w, seeds, opt); err != nil {
		return nil, err
	}
	r.OfSeeds = opt.Prior == SeedPrior && opt.Run.Prior == nil || r.PriorTrial != nil && r.PriorTrial.Chosen
	opt.Run.Prior = r.Prior
	stage(opt, Running)
	if opt.From != nil {
		r.Result, err = adp.Resume(ctx, w, seeds, opt.Run, opt.From)
	} else {
		r.Result, err = adp.Run(ctx, w, seeds, opt.Run)
	}
	if err == nil && opt.Calibrate {
		stage(opt, Calibrating)
		err = r.calibrate(ctx, w, seeds, opt.Run)
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

// calibrate turns the confidence into the probability of being right.
func (r *Result) calibrate(ctx context.Context, w *csr.Matrix, seeds *diffuse.Seeds, opt adp.Options) (err error) {
	defer clock.Part(ctx, clock.Calibrate)()
	if r.Calibration, err = adp.Calibrate(ctx, w, seeds, opt.Chosen(r.Result), 0); err != nil {
		return err
	}
	r.Calibration.Apply(r.Result, opt.MinConfidence)
	return nil
}
