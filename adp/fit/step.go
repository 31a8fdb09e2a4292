package fit

import (
	"context"
	"fmt"
	"slices"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/crossval"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/clock"
)

// Combine says whether the features take part beside their graph.
type Combine int

// The ways.
const (
	// AutoCombine is a mixture of methods where the method is one that chooses its settings
	// ([adp.Tries]), and these are left to it. (default)
	AutoCombine Combine = iota
	NoCombine           // labels and graph alone
)

// MayCombine reports whether the options leave the answer to the methods of a pool.
func (o *Options) MayCombine() bool {
	r := &o.Run
	open := r.Alpha == 0 && r.TopK == 0 && r.Anchor == 0 && r.GraphAlpha == 0 && r.Zeta == 0
	return o.Combine == AutoCombine && open && r.Method.Has(adp.Tries) && r.Select != adp.None && r.TrialFolds >= 0 &&
		r.Start == nil && r.Scratch == "" && r.Solver == diffuse.CG
}

// combines reports whether the feature step is due.
func (o *Options) combines(in *Input) bool {
	return o.MayCombine() && in.Combines()
}

// Combines reports whether the input has what a mixture of methods is of ([Input.MayCombine]), and seeds of two
// classes.
func (in *Input) Combines() bool {
	return in.MayCombine() && in.Seeds != nil && in.Seeds.Classes > 1
}

// MayCombine reports whether the input has what a mixture of methods is of, but for the seeds: features, or edges of
// at most [MostLinked] nodes.
func (in *Input) MayCombine() bool {
	return in.hasVectors() || in.Neighbors == nil && in.Nodes() <= MostLinked
}

// mixedTolerance is the tolerance of the F-steps of a run whose answer goes into a mixture, where the options leave it open.
const mixedTolerance = 1e-5

// LabelInput labels the nodes of an input on a graph that [NewGraph] made of it: [Label], and the
// feature step where it is due. [Run] makes the graph with [GraphOptions.Mixed] then.
//
// The feature step scores the nodes by the methods of a pool. Each method gives probabilities, and the answer is their mixture, with
// weights by four folds of the seeds (package stack), or by those of the run's trial where it learned a graph from features alone.
//
//   - With edges and features: LGC on the edges, on the graph of the features and on their sum, ridge regression of pseudo-labels on the
//     diffused features, ridge regression on the features without a graph, and from two seeds a class on randomised trees.
//     Where edges and features tell of the same classes, the methods on the sum have most of the prior, and words up to
//     [adp.FullNodes] nodes a ridge regression of what the other methods say; else those on the features have, and those on the edges where the
//     features' graph has no structure ([Combination]). Where the features seem to say nothing, or both to be independent of each other, what each
//     has alone takes part, with a run on it.
//   - Edges alone: the run, ridge regression on neighbours in common ([diffuse.NewLinkKernel]), on where walks end ([diffuse.Walks])
//     and on degrees, and labels spread with −α ([diffuse.Repel]). Nodes that no known label reaches stay without a label.
//   - Features alone: the run, the alternation and ridge regression. Words have a larger prior for ridge
//     regression, and up to [adp.FullNodes] nodes one from what the other methods say.
//     Other features have randomised trees from two seeds a class on, and few columns kernel ridge regression and logistic
//     regression ([diffuse.Logistic]).
//   - Then: a bias of each class ([stack.FitBias]), and the sizes that the classes seem to have among the nodes without a label
//     ([stack.ClassSizes], or [stack.ShiftedSizes] where the numbers of seeds differ by more than chance), where [AutoPrior] leaves them
//     open; the methods then take classes to be equal. A power of the probabilities makes the largest of a row the probability that its
//     label is right ([stack.FitSharpness]), so that a mixture needs no run more for Options.Calibrate.
//
// Nodes with several labels ([Options.Several]) have a mixture whose run is LGC. There are no bias, sizes and power: the left-out nodes tell
// how probable each label is by its share ([multilabel.FitOdds]).
//
// The graph of the result is that of the run where it learned one, or has edges alone, else one that the answer
// teaches on the edges of S.
//
// Edges and features may tell of the same classes while the known labels are of others. The left-out seeds can say so, as the methods for
// unlike nodes take part, too, with a share of the prior that grows with the seeds. On graphs of more than [adp.FullNodes] nodes whose edges
// join alike ones they do not, nor does LGC on one of both graphs. With more than [diffuse.MostIterated] seeds there is no kernel regression.
//
// Cost: 6 to 12 times LGC on the same graph, and two runs of ADP with their folds where edges and features are independent; of edges alone
// one to four times LGC beside the run. Memory: [PoolBytes].
func LabelInput(ctx context.Context, in Input, g *Graph, opt Options) (*Result, error) {
	if g == nil || g.W == nil {
		return nil, errNoGraph
	}
	if opt.combines(&in) { // else Label checks what it takes
		if err := in.check(); err != nil {
			return nil, err
		}
		if err := in.checkGraph(g); err != nil {
			return nil, asFault(err)
		}
	}
	return labelInput(ctx, in, g, opt)
}

// labelInput is LabelInput of parts that fit each other.
func labelInput(ctx context.Context, in Input, g *Graph, opt Options) (*Result, error) {
	if n := in.Nodes(); slices.ContainsFunc(opt.Explain, func(i int) bool { return i < 0 || i >= n }) {
		return nil, fmt.Errorf("%w: nodes %v to explain, expected 0 to %d", adp.ErrOptions, opt.Explain, n-1)
	}
	leaks := in.Leaks()
	if !opt.combines(&in) {
		r, err := Label(ctx, g.W, in.Seeds, opt)
		if err == nil {
			r.Affinity, r.Leaks = g, leaks
		}
		return r, err
	}
	defer stage(opt, Done)
	if opt.Several {
		in.Seeds = in.Seeds.AsSets()
	}
	base := opt
	if opt.Stage != nil {
		base.Stage = func(s Stage) {
			if s != Done { // of the run alone
				opt.Stage(s)
			}
		}
	}
	base = in.beforeStep(base)
	if base.Run.Tolerance == 0 {
		base.Run.Tolerance = mixedTolerance
	}
	switch {
	case opt.Prior != AutoPrior:
	case opt.Several:
		base.Prior = SeedPrior
	default:
		base.Prior = EqualPrior // as the methods of the mixture have it, which is corrected in the end
	}
	if in.Edges == nil || !in.featured() {
		base.Run.KeepFolds = base.Run.TrialFolds <= crossval.ChoiceFolds // with more they are others
	}
	alone := base
	alone.Run.ClassColumns = in.runColumns(g, base)
	r, err := Label(ctx, g.W, in.Seeds, alone)
	if err != nil {
		return nil, err
	}
	base.Run.Prior, base.Run.KeepFolds, base.Prior, base.Calibrate = r.Prior, false, opt.Prior, opt.Calibrate
	r.Tolerance, r.Leaks = base.Run.Tolerance, leaks
	r, err = r.step(ctx, &in, g, base)
	return r, asFault(err)
}

// step puts the answer of a pool in the place of the one that a graph gave. It lets go of the
// features of the input once they are prepared.
func (r *Result) step(ctx context.Context, in *Input, g *Graph, opt Options) (*Result, error) {
	r.Affinity = g
	stage(opt, Combining)
	p, views, err := r.enter(ctx, in, g, opt)
	if err != nil {
		return nil, err
	}
	f, combination, calibration, err := p.combine(ctx)
	if err != nil {
		return nil, err
	}
	if calibration != nil && (calibration.Calibrated || opt.Calibrate) {
		r.Calibration = calibration
	}
	views.tell(combination)
	r.Combination = combination
	if opt.Guess {
		if err := r.takeGuess(ctx, in, g, p, f); err != nil {
			return nil, err
		}
	}
	r.Restate(f, in.Seeds, opt.Run.MinConfidence)
	if err := p.explain(ctx, r); err != nil {
		return nil, err
	}
	// A graph that the run learned is better than one that its labels teach on the edges of S. Of edges alone the graph
	// as given is, too, where the run found none better.
	if p.edgesAlone || r.Rounds[r.Chosen].TopK > 0 {
		return r, nil
	}
	sum, run := p.graphs[onSum], p.opt
	p = nil // what the methods took is free for the A-step
	if sum == nil {
		sum = diffuse.Normalize(g.W, run.Threads)
	}
	taught, err := teach(ctx, sum.S, f, run)
	if err != nil {
		return nil, err
	}
	if err := r.take(taught, g.W, in.Seeds.Classes, run); err != nil {
		return nil, err
	}
	return r, nil
}

// enter returns the pool with what its members need, and how edges and features go together.
func (r *Result) enter(ctx context.Context, in *Input, g *Graph, opt Options) (*pool, *views, error) {
	defer clock.Part(ctx, clock.Pool)()
	var x *prepared // nil for edges alone
	if in.featured() {
		var err error
		if x, err = prepare(in, g.Scaling, opt.Run.Threads); err != nil {
			return nil, nil, err
		}
	}
	in.Dense, in.Sparse = nil, nil
	p := &pool{opt: opt.Run, w: g.W, run: newRan(g.W, opt.Run, r.Result)}
	if len(opt.Explain) > 0 {
		p.ask(opt.Explain, x)
	}
	p.whole = &trainer{pool: p, y: in.Seeds}
	p.resizes = opt.Prior == AutoPrior && opt.Run.Prior == nil
	p.opt.Alpha = 0.99
	total := 0.0
	for _, v := range p.opt.Prior {
		total += v
	}
	for _, v := range p.opt.Prior {
		p.prior = append(p.prior, v/total)
	}
	views, err := p.choose(ctx, in, g, x)
	if err != nil {
		return nil, nil, err
	}
	if len(opt.Pool) > 0 {
		if p.members, err = parsePool(opt.Pool); err != nil {
			return nil, nil, err
		}
	}
	if !p.rebuilds {
		p.members = withoutRebuilt(p.members)
	}
	for _, m := range p.members {
		if err := p.check(m); err != nil {
			return nil, nil, err
		}
	}
	if x != nil && in.Edges != nil && !p.needsSum() {
		p.graphs[onSum] = nil // step makes it again
	}
	if err := p.runProcesses(ctx, in, g, opt.Run); err != nil {
		return nil, nil, err
	}
	p.fold()
	switch {
	case !opt.Guess:
	case x == nil:
		if p.x, err = linkMap(ctx, p.graphs[onEdges], opt.Run.Threads); err != nil {
			return nil, nil, err
		}
	default:
		p.standard, p.roots = x.standard, x.words
		if _, err := p.plainOf(ctx, x); err != nil {
			return nil, nil, err
		}
	}
	return p, views, p.prepare(ctx, x, in.Seeds)
}

// takeGuess keeps what the features alone say of new points.
func (r *Result) takeGuess(ctx context.Context, in *Input, g *Graph, p *pool, f *csr.Dense) (err error) {
	defer tell(f, in.Seeds)()
	switch {
	case in.Edges != nil:
		r.Guess, err = p.guessNew(ctx, f, r.Combination)
	case p.imitable():
		r.TreeShare, err = adp.SurrogateShare(ctx, p.features.x.Dense, f, g.W, p.opt.Threads)
	default:
		r.Guess, err = p.guessAlone(ctx, f)
	}
	return err
}

// imitable reports whether an [adp.Surrogate] is of use for new points: features alone are of a kind that trees take.
func (p *pool) imitable() bool {
	return p.features != nil && p.features.x.Dense != nil && slices.ContainsFunc(p.members, func(m member) bool { return m.method == forest && m.graph == onSum })
}

// runProcesses runs the process on each graph where it is a member and has not been run: on the edges alone, on the features' graph alone, or
// on both, where edges and features tell of different things. What the pool has on its graphs goes before, for the memory of the runs.
func (p *pool) runProcesses(ctx context.Context, in *Input, g *Graph, opt adp.Options) error {
	opt = opt.OnFold()
	if !in.Seeds.Sets {
		opt.Method = adp.ADP
	}
	opt.KeepFolds = opt.TrialFolds <= crossval.ChoiceFolds
	var due []int
	for _, m := range p.members {
		switch {
		case m.method != process:
		case p.graphs[m.graph] == p.graphs[onSum]:
			p.processes[m.graph] = p.run
		default:
			due = append(due, m.graph)
		}
	}
	if len(due) == 0 {
		return nil
	}
	p.graphs, p.low, p.columns = [poolGraphs]*diffuse.Graph{}, [poolGraphs]*diffuse.Diffused{}, [poolGraphs]*csr.Dense{}
	for _, graph := range due {
		w := in.Edges
		if graph == onFeatures {
			w = g.OfFeatures
		}
		r, err := adp.Run(ctx, w, in.Seeds, opt)
		if err != nil {
			return err
		}
		if len(p.asked) == 0 { // nothing else needs it
			r.Graph = nil
		}
		p.processes[graph] = newRan(w, opt, r)
	}
	p.normalize(in, g)
	return nil
}

// choose makes the graphs of the pool and takes its members, by how edges and features go together.
func (p *pool) choose(ctx context.Context, in *Input, g *Graph, x *prepared) (*views, error) {
	threads := p.opt.Threads
	if x == nil {
		sum := normalized(g.W, meanWeight(in.Edges), threads)
		p.graphs[onSum], p.graphs[onEdges] = sum, sum
		p.edgesAlone, p.members = true, p.linkPool()
		return nil, nil
	}
	if in.Edges == nil {
		sum := diffuse.Normalize(g.W, threads)
		p.graphs[onSum], p.graphs[onFeatures] = sum, sum
		if p.members = featuresAlone; x.words {
			if p.members = wordsAlone; teachable(x.words, in.Nodes()) {
				p.members = slices.Concat(wordsAlone, taughtAlone)
			}
		}
		return nil, nil
	}
	p.names = [poolGraphs]string{"edges and features", "features", "edges", "the rebuilt graph"}
	p.normalize(in, g)
	v, err := p.look(ctx, x)
	if err != nil {
		return nil, err
	}
	p.members = p.membersBy(v, x.words)
	p.rebuilds = in.Nodes() <= adp.FullNodes && v.alike > 0
	p.forget(onSum)
	return v, nil
}

// needsSum reports whether a member takes S of the sum, or all still may.
func (p *pool) needsSum() bool {
	return len(p.members) == 0 || p.rebuilds ||
		slices.ContainsFunc(p.members, func(m member) bool { return m.graph == onSum && !m.graphless() })
}

// normalize makes the graphs of edges and features, and of both where it is needed.
func (p *pool) normalize(in *Input, g *Graph) {
	unit, threads := meanWeight(in.Edges), p.opt.Threads
	if p.needsSum() {
		p.graphs[onSum] = normalized(g.W, unit, threads)
	}
	p.graphs[onFeatures], p.graphs[onEdges] = diffuse.Normalize(g.OfFeatures, threads), normalized(in.Edges, unit, threads)
}

// meanWeight returns the mean of the entries of W above 0, 1 of none.
func meanWeight(w *csr.Matrix) float64 {
	_, _, values := w.Arrays()
	sum, count := 0.0, 0
	for _, v := range values {
		if v > 0 {
			sum, count = sum+float64(v), count+1
		}
	}
	if count == 0 {
		return 1
	}
	return sum / float64(count)
}

// normalized is [diffuse.Normalize] with degrees in a unit of weight. Methods that add to a degree, such as a loop of ½ to each node, then
// say the same of a graph whose weights are all multiplied.
func normalized(w *csr.Matrix, unit float64, threads int) *diffuse.Graph {
	g := diffuse.Normalize(w, threads)
	if unit != 1 {
		for i := range g.Degrees {
			g.Degrees[i] /= unit
		}
	}
	return g
}
