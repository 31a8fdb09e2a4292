package adp

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/adp-sparse/adp-sparse/adp/crossval"
	"github.com/adp-sparse/adp-sparse/adp/paper"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/clock"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// ErrGraph is wrapped by errors about the affinity W.
var ErrGraph = errors.New("adp: invalid graph")

// Run labels the nodes of the graph with affinity W (n×n, symmetric, values of at least 0, empty
// diagonal) from the seeds y, by Options.Method. It shares W and does not change it; it makes a
// copy where it works in another order of the nodes ([Options.Order]). Stored zeros are no edges, and are left out.
//
// It returns an error if W, the seeds or the options are not as described, and ctx.Err() when ctx
// ends. Reaching a limit on iterations or rounds is no error: a [Warning] says so.
//
// Memory beside W (nnz entries) for ADP: S takes 4·nnz; three graphs (the next, its normalised
// form, the best so far) take at most nnz + (2·TopK+1)·n entries of 8 bytes each; ten n×c blocks
// take 4 bytes an entry. See [EstimateBytes]. Time of a round: about 4(1−α)^-1/2 sparse products
// and one A-step (see [diffuse.AStep]). There are at most [Options.Steps] rounds.
func Run(ctx context.Context, w *csr.Matrix, y *diffuse.Seeds, opt Options) (*Result, error) {
	return begin(ctx, w, y, opt, nil)
}

// Check returns the error with which [Run] refuses the graph, the seeds or the options; nil where it
// takes them.
func Check(w *csr.Matrix, y *diffuse.Seeds, opt Options) error {
	if err := checkGraph(w, y, opt.Threads); err != nil {
		return err
	}
	_, err := opt.forSeeds(y)
	return err
}

// begin starts a run, or resumes it from a snapshot.
func begin(ctx context.Context, w *csr.Matrix, y *diffuse.Seeds, opt Options, from *Snapshot) (*Result, error) {
	end := clock.Part(ctx, clock.Prepare)
	err := checkGraph(w, y, opt.Threads)
	end()
	if err != nil {
		return nil, err
	}
	w, _ = csr.WithoutZeros(w) // they are no edges
	if opt, err = opt.forSeeds(y); err != nil {
		return nil, err
	}
	var id identity
	if from != nil || opt.Checkpoint != nil {
		id = identify(w, y, opt)
	}
	if opt.Scratch == "" {
		return runIn(ctx, nil, w, y, opt, id, from)
	}
	space := csr.NewSpace(opt.Scratch)
	var result *Result
	err = rows.Catch(func() error { // a disk may fail
		result, err = runIn(ctx, space, w, y, opt, id, from)
		if err == nil {
			err = space.Keep(result.Graph)
		}
		return err
	})
	if err != nil {
		err = closed(space, err)
		rows.Rethrow(err)
		return nil, err
	}
	result.space = space
	return result, nil
}

// closed closes the files of a run that failed, and returns its error: err itself where they close.
func closed(space *csr.Space, err error) error {
	if failed := space.Close(); failed != nil {
		return errors.Join(err, failed)
	}
	return err
}

// runIn runs with all graphs in one space.
func runIn(ctx context.Context, space *csr.Space, w *csr.Matrix, y *diffuse.Seeds, opt Options, id identity, from *Snapshot) (*Result, error) {
	run, there, err := prepare(ctx, space, w, y, opt)
	if err != nil {
		return nil, err
	}
	result, err := run.label(ctx, id, from)
	if err != nil || there == nil {
		return result, err
	}
	learned := result.Graph != run.w
	if !learned {
		result.Graph = nil
	}
	err = there.result(result, space, opt.Threads)
	if !learned {
		result.Graph = w
	}
	return result, err
}

// prepare begins a run in the order that the options ask for; the reordering is nil for the given one.
func prepare(ctx context.Context, space *csr.Space, w *csr.Matrix, y *diffuse.Seeds, opt Options) (*run, *reordering, error) {
	defer clock.Part(ctx, clock.Prepare)()
	order, err := opt.NodeOrder(ctx, w)
	if err != nil {
		return nil, nil, err
	}
	if order == nil {
		run, err := newRun(nil, space, w, y, opt)
		return run, nil, err
	}
	there := newReordering(order)
	opt.Observer = there.observe(opt.Observer)
	moved, err := space.Permute(w, order, opt.Threads)
	if err != nil {
		return nil, nil, err
	}
	run, err := newRun(nil, space, moved, there.seeds(y), opt)
	if err != nil {
		return nil, nil, err
	}
	run.nodes = func() []uint32 { return order }
	run.folds = func(v int) iter.Seq2[*diffuse.Seeds, []diffuse.Seed] {
		return there.folds(crossval.Folds(y, v, crossval.ChoiceSeed))
	}
	return run, there, nil
}

// label runs the method, from a snapshot if there is one.
func (r *run) label(ctx context.Context, id identity, from *Snapshot) (*Result, error) {
	r.identity = id
	if r.own.known(from != nil) {
		if err := r.restore(from); err != nil {
			return nil, err
		}
	}
	var err error
	if r.opt.Start != nil && from == nil { // not over ranks
		if err = r.startFrom(r.opt.Start); err != nil {
			return nil, err
		}
	}
	if err = methods[r.opt.Method].label(r, ctx); err != nil {
		return nil, err
	}
	return r.finish(ctx)
}

// mostBlock is the largest number of entries of F: a process can address 2^47 bytes.
const mostBlock = 1 << 45

// checkSeeds refuses what [diffuse.NewSeeds] does not make.
func checkSeeds(y *diffuse.Seeds) error {
	switch {
	case y == nil:
		return fmt.Errorf("%w: none, expected those of the nodes", diffuse.ErrSeeds)
	case y.Classes < 1:
		return fmt.Errorf("%w: %d classes, expected at least 1", diffuse.ErrSeeds, y.Classes)
	}
	return nil
}

func checkGraph(w *csr.Matrix, y *diffuse.Seeds, threads int) error {
	if err := checkSeeds(y); err != nil {
		return err
	}
	if w == nil {
		return fmt.Errorf("%w: none, expected an affinity", ErrGraph)
	}
	switch n, _ := w.Dims(); {
	case n != y.Nodes:
		return fmt.Errorf("%w: %d rows, but seeds of %d nodes", ErrGraph, n, y.Nodes)
	case n == 0:
		return fmt.Errorf("%w: 0 nodes, expected at least 1", ErrGraph)
	}
	if most := int64(mostBlock); int64(y.Nodes) > most/int64(max(1, y.Classes)) {
		return fmt.Errorf("%w: %d nodes in %d classes, expected a product of at most %d", ErrGraph, y.Nodes, y.Classes, most)
	}
	if err := y.Check(); err != nil {
		return err
	}
	if err := csr.CheckAffinity(w, threads); err != nil {
		return fmt.Errorf("%w: %w", ErrGraph, err)
	}
	return nil
}

// adp runs the rounds of ADP, then its trial.
func (r *run) adp(ctx context.Context) error {
	err := r.alternate(ctx, r.solve(ctx), r.settings())
	if err == nil && r.opt.Select != None {
		err = r.try(ctx)
	}
	return err
}

// adp1 runs the rounds of ADP1.
func (r *run) adp1(ctx context.Context) error {
	return r.alternate(ctx, r.joint(), r.settings())
}

// alternate is the alternating diffusion process: an F-step on the current graph, then an A-step,
// repeated. It starts from A⁰ = S: round 0 runs on W's own S, and each setting starts from round 0.
// A resumed run continues from its current state.
func (r *run) alternate(ctx context.Context, step labelStep, settings []Setting) error {
	if len(r.Rounds) == 0 {
		if err := r.first(ctx, step); err != nil {
			return err
		}
	}
	for _, screen := range []func(context.Context, []Setting) (bool, error){r.screen, r.doubted} {
		if fails, err := screen(ctx, settings); err != nil {
			return err
		} else if fails {
			r.Setting = len(settings)
			break
		}
	}
	for ; r.Setting < len(settings); r.Setting++ {
		set := settings[r.Setting]
		if r.Step == 0 && r.saturates(settings, r.Setting) {
			continue
		}
		if r.Setting > 0 && r.Step == 0 {
			r.restart()
		}
		for r.Step < r.opt.roundsOf(set) && !(r.Step > 0 && (r.Converged || r.loses(set))) {
			if err := r.learn(ctx, set); err != nil {
				return err
			}
			if err := r.next(ctx, step, set); err != nil {
				return err
			}
		}
		if r.loses(set) {
			r.Setting = len(settings) - 1
		}
		last := r.A
		r.A, r.Step = nil, 0
		r.drop(last)
	}
	return nil
}

// first is round 0: the F-step on W.
func (r *run) first(ctx context.Context, step labelStep) error {
	defer clock.Part(ctx, clock.LGC)()
	stats, err := step(r.s, Setting{})
	if err != nil {
		return err
	}
	r.record(stats, Setting{})
	return r.save()
}

// next is the F-step on the graph that a setting made, which ends a round.
func (r *run) next(ctx context.Context, step labelStep, set Setting) error {
	defer clock.Part(ctx, clock.FSteps)()
	sa, err := r.own.normalize(r.space, r.A, r.opt.Threads)
	if err != nil {
		return err
	}
	stats, err := step(sa, set)
	if err == nil {
		err = r.space.FreeValues(sa.S)
	}
	if err != nil {
		return err
	}
	r.Step++
	r.record(stats, set)
	return r.save()
}

// settings returns the settings to try.
func (r *run) settings() []Setting {
	return r.opt.settings(r.y.Nodes, r.y.Classes, r.shape())
}

// labelStep is the F-step on the graph that a setting made.
type labelStep func(sa normalized, set Setting) (diffuse.Stats, error)

// freshTolerance ends the F-step of a fresh graph, which needs labels and no digits behind them. It
// goes on from the F before.
const freshTolerance = 1e-2

// solve is the F-step of ADP: (I − α S_A) F = (1−α) Ỹ, solved to tolerance. In
// round 0 this is LGC.
func (r *run) solve(ctx context.Context) labelStep {
	return func(sa normalized, set Setting) (diffuse.Stats, error) {
		if r.A == nil {
			return r.solveW(ctx, r.opt.Alpha)
		}
		opt := r.solver()
		quick := set.Fresh && r.opt.Select != None // else this F is the result
		if quick {                                 // rows far from all seeds keep what round 0 solved for
			opt.Tolerance, opt.Underflow = max(opt.Tolerance, freshTolerance), nil
		}
		stats, err := r.work.LGC(ctx, r.F, sa.operator, sa.Degrees, r.y, opt)
		if quick {
			stats.Underflow = 0
		}
		if err == nil && r.opt.solvesUnderflow() {
			r.fillOnW(r.F)
		}
		return stats, err
	}
}

// solver returns the options of an F-step. Classes are balanced in the components of W, on whatever
// graph the step runs.
func (r *run) solver() diffuse.Options {
	opt := r.opt.solver()
	opt.Within, _ = r.s.operator.(diffuse.Parted)
	return opt
}

// fillOnW fills the rows of nodes that the learned graph cuts off from all seeds and W does not,
// see [diffuse.FillReached].
func (r *run) fillOnW(f *csr.Dense) {
	if s, ok := r.s.operator.(diffuse.Filler); ok {
		s.FillReached(f, r.opt.Alpha)
	}
}

// solveW solves LGC on W itself into F. It also solves for nodes far from all seeds, unless
// Options.Underflow leaves them.
func (r *run) solveW(ctx context.Context, alpha float64) (diffuse.Stats, error) {
	opt := r.solver()
	if opt.Alpha = alpha; r.opt.Underflow != LeaveUnderflow {
		opt.Underflow = diffuse.UnderflowAll
	}
	return r.work.LGC(ctx, r.F, r.s.operator, r.s.Degrees, r.y, opt)
}

// joint is the F-step of the paper's variant ADP1, F ← α S_A F + (1−α) Ỹ once,
// from F⁰ = Y.
func (r *run) joint() labelStep {
	if len(r.Rounds) == 0 {
		r.start()
	}
	return func(sa normalized, _ Setting) (diffuse.Stats, error) {
		err := r.work.Joint(r.F, sa.operator, sa.Degrees, r.y, r.solver())
		return diffuse.Stats{Iterations: 1, Converged: true}, err
	}
}

// learn computes A ← topk(α_A S (A + ζHHᵀ) Sᵀ) + (1−α_A) I + anchor·S for the
// current F; a fresh setting learns A from labels alone.
func (r *run) learn(ctx context.Context, set Setting) error {
	defer clock.Part(ctx, clock.ASteps)()
	a, err := r.step(ctx, set)
	if err != nil {
		return err
	}
	old := r.A
	r.A = a
	r.drop(old)
	return nil
}

// step returns the A-step of a setting for the current F.
func (r *run) step(ctx context.Context, set Setting) (*csr.Matrix, error) {
	opt := diffuse.AffinityOptions{
		TopK: set.TopK, Alpha: set.GraphAlpha, Anchor: set.Anchor, Hubs: r.opt.Hubs,
		Threads: r.opt.Threads, Space: r.space, Progress: r.progress,
	}
	if set.Fresh {
		return r.own.freshStep(ctx, r.s, diffuse.NewFactor(r.F, diffuse.Hard), opt)
	}
	h := diffuse.NewFactor(r.F, r.opt.Harden)
	opt.Zeta = h.Scale(r.opt.Zeta, r.own.partition())
	return r.own.aStep(ctx, r.s, r.graph(r.A), h, opt)
}

func (r *run) lgc(ctx context.Context) error {
	defer clock.Part(ctx, clock.LGC)()
	return r.once(func() (diffuse.Stats, error) { return r.solveW(ctx, r.opt.Alpha) })
}

// once runs round 0 alone, for methods that have no other, unless a snapshot already has it.
func (r *run) once(solve func() (diffuse.Stats, error)) error {
	if len(r.Rounds) > 0 {
		return nil
	}
	stats, err := solve()
	if err != nil {
		return err
	}
	r.record(stats, Setting{})
	r.Converged = true
	return r.save()
}

// literal is Algorithm 1 of the paper, see package adp/paper.
func (r *run) literal(ctx context.Context) error {
	defer clock.Part(ctx, clock.FSteps)()
	d := paper.New(r.s.S, r.y, r.opt.Alpha, r.opt.Threads)
	d.Tolerance = r.opt.Tolerance
	if r.opt.MaxIterations > 0 {
		d.MaxIterations = r.opt.MaxIterations
	}
	for round := 0; ; round++ {
		stats, err := d.LabelStep(ctx)
		if err != nil {
			return err
		}
		for i := range r.y.Nodes {
			for j, v := range d.F.RawRowView(i) {
				r.F.Set(i, j, float32(v))
			}
		}
		r.record(stats, Setting{})
		if r.Converged || round == r.opt.Rounds {
			r.BestGraph = d.Sparse()
			return nil
		}
		if _, err = d.GraphStep(ctx); err != nil {
			return err
		}
	}
}
