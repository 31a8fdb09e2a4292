package adp

import (
	"context"
	"iter"
	"math"
	"sync/atomic"
	"time"

	"github.com/adp-sparse/adp-sparse/adp/crossval"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/clock"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// run is one call of [Run]: its arguments, the state of its process, and values derived from them.
type run struct {
	opt   Options
	w     *csr.Matrix
	y     *diffuse.Seeds
	nodes func() []uint32 // the caller's nodes of the rows w; nil for the same
	s     normalized
	work  *diffuse.Workspace
	own   *rankRows  // nil unless other processes have rows too
	space *csr.Space // where graphs lie

	process
	previous *csr.Dense // F of the round before
	labels   []int32    // of F
	contest  contest
	kept     []FoldScores // of the trial, where they are asked for
	trial    *Trial
	kind     *shape // of w, once known

	main      *run                                                  // the run that this one is a fold of; nil for none
	suspended *process                                              // of the fold that goes on from a snapshot
	identity  identity                                              // set where snapshots are taken or given
	folds     func(v int) iter.Seq2[*diffuse.Seeds, []diffuse.Seed] // of y

	clock time.Time
}

// newRun begins a run on the rows w of the graph. own holds them, or is nil where w has all rows.
func newRun(p *rankRows, space *csr.Space, w *csr.Matrix, y *diffuse.Seeds, opt Options) (*run, error) {
	n, _ := w.Dims()
	s, err := p.normalize(space, w, opt.Threads)
	if err != nil {
		return nil, err
	}
	r := &run{
		opt: opt, w: w, y: y, own: p, space: space, s: s, clock: time.Now(),
		process: process{Solved: true, Mix: mixture{power: opt.mixPower()}},
		labels:  make([]int32, n),
	}
	p.keep(r.s, w)
	r.folds = func(v int) iter.Seq2[*diffuse.Seeds, []diffuse.Seed] {
		return crossval.Folds(y, v, crossval.ChoiceSeed)
	}
	r.F = csr.NewDense(n, y.Classes)
	r.work = diffuse.NewSlicedWorkspace(n, y.Classes, opt.columns(y.Classes), opt.Threads).Across(p.partition())
	return r, nil
}

// callersNode returns a function from own rows to the caller's nodes.
func (r *run) callersNode() func(row int) uint32 {
	if r.nodes == nil {
		lo := r.own.first()
		return func(row int) uint32 { return uint32(lo + row) }
	}
	nodes := r.nodes()
	return func(row int) uint32 { return nodes[row] }
}

// columns returns the number of class columns, of c, that an F-step works on at a time.
func (o Options) columns(c int) int {
	if o.ClassColumns == 0 || o.Start != nil || o.Solver != diffuse.CG || !o.Method.Has(SolvesLGC) {
		return c
	}
	return diffuse.SliceColumns(c, o.ClassColumns)
}

// graph returns the graph that F is solved on: a, or S where a is nil.
func (r *run) graph(a *csr.Matrix) *csr.Matrix {
	if a == nil {
		return r.s.S
	}
	return a
}

// alternates reports whether the method runs [run.alternate].
func (r *run) alternates() bool { return r.opt.Method.Has(LearnsSparse) }

// start sets F⁰ = Y.
func (r *run) start() {
	lo := r.own.first()
	for _, seed := range r.y.Within(lo, lo+r.F.Rows) {
		r.F.Set(int(seed.Node)-lo, int(seed.Class), seed.Weight)
	}
}

// restart returns F to round 0.
func (r *run) restart() {
	r.F.CopyFrom(r.First)
	r.previous.CopyFrom(r.First)
	r.relabel()
}

// record records the round that ended with the current F, solved on the current A that was made
// with set, and adds it to the result.
func (r *run) record(stats diffuse.Stats, set Setting) {
	first := len(r.Rounds) == 0
	changed := r.relabel()
	if first {
		changed = 0
	}
	round := r.measure(stats, r.A, set)
	round.Changed = changed
	r.Solved = r.Solved && stats.Converged
	if !first {
		round.DeltaF = r.distance()
		still := r.opt.Method.Has(Tries) && float64(changed) < r.opt.MinChange*float64(r.y.Nodes)
		r.Converged = still || round.DeltaF < r.opt.Beta
	}
	r.Rounds = append(r.Rounds, round)
	if first || r.opt.Select == None || round.Association > r.Rounds[r.Best].Association {
		old := r.BestGraph
		r.Best, r.BestGraph = round.Index, r.A
		r.drop(old)
	}
	if r.opt.Method.Has(Repeats) { // else no other round follows
		keep(&r.previous, r.F)
		switch {
		case r.opt.Select == None:
		case first:
			keep(&r.First, r.F)
		default:
			r.Mix.add(r.F, round.Association-r.Rounds[0].Association, r.opt.Threads)
			r.Converged = r.Converged || r.fades()
		}
	}
	if r.opt.Observer != nil {
		r.opt.Observer(round)
	}
	r.Rounds[round.Index].Labels = nil
	r.clock = time.Now()
}

// drop frees a graph that is neither the current nor the best one.
func (r *run) drop(a *csr.Matrix) {
	if a != nil && a != r.A && a != r.BestGraph {
		r.space.Free(a) // the files have no names: what fails is gone with the process
	}
}

// measure returns the record of the current F and labels, solved on a.
func (r *run) measure(stats diffuse.Stats, a *csr.Matrix, set Setting) Round {
	fit := r.own.fit(r.w, r.labels, r.y.Classes, r.opt.Threads)
	round := Round{
		Index: len(r.Rounds), Setting: set, Alpha: r.opt.Alpha, Solve: stats,
		Association: fit.Association, Modularity: fit.Modularity, Largest: fit.Largest,
		Entries: r.own.total(r.graph(a).NNZ()), Labels: r.labels, Time: time.Since(r.clock),
	}
	if !r.opt.Method.Has(KeepsSparse) {
		round.Entries = r.y.Nodes * r.y.Nodes
	}
	return round
}

// relabel sets the labels to the largest class of each row of F, and counts the changes.
func (r *run) relabel() int {
	var changed atomic.Int64
	rows.Each(len(r.labels), r.opt.Threads, func(lo, hi int) {
		others := int64(0)
		for i := lo; i < hi; i++ {
			if label := diffuse.TopOf(r.F.Row(i)).Class; label != r.labels[i] {
				r.labels[i] = label
				others++
			}
		}
		changed.Add(others)
	})
	return r.own.total(int(changed.Load()))
}

// keep copies f to *dst.
func keep(dst **csr.Dense, f *csr.Dense) {
	if *dst == nil {
		*dst = f.Clone()
		return
	}
	(*dst).CopyFrom(f)
}

// distance returns ‖F − F_prev‖, divided by ‖F‖ except for DenseADP.
func (r *run) distance() float64 {
	c := r.F.Cols
	sums := rows.NewReducer(r.F.Rows, 2).Across(r.own.partition())
	both := sums.Sum(r.opt.Threads, func(lo, hi int, sum []float64) {
		before := r.previous.Data[lo*c : hi*c]
		for k, v := range r.F.Data[lo*c : hi*c] {
			d := float64(v) - float64(before[k])
			sum[0] += float64(d * d)
			sum[1] += float64(v) * float64(v)
		}
	})
	difference, norm := both[0], both[1]
	if !r.opt.Method.Has(KeepsSparse) || norm == 0 {
		return math.Sqrt(difference)
	}
	return math.Sqrt(difference / norm)
}

// progress reports the share that the given rows are of an A-step.
func (r *run) progress(rows int) {
	if r.opt.Progress != nil {
		r.opt.Progress(float64(rows) / float64(r.y.Nodes))
	}
}

// finish makes the result of the rounds and of the trial.
func (r *run) finish(ctx context.Context) (*Result, error) {
	result := &Result{Graph: r.BestGraph, Rounds: r.Rounds, Chosen: r.Best, Trial: r.trial}
	rejected := r.trial != nil && !r.trial.Accepted
	switch {
	case r.trial != nil && r.trial.Alpha > 0:
		clear(r.F.Data)
		end := clock.Part(ctx, clock.LGC)
		stats, err := r.solveW(ctx, r.trial.Alpha)
		end()
		if err != nil {
			return nil, err
		}
		r.relabel()
		round := r.measure(stats, nil, Setting{})
		round.Alpha = r.trial.Alpha
		if r.opt.Observer != nil {
			r.opt.Observer(round)
		}
		round.Labels = nil
		result.Rounds = append(result.Rounds, round)
		result.F, result.Graph, result.Chosen = r.F, nil, round.Index
		r.Solved = r.Solved && stats.Converged
	case r.opt.Select == None || !r.opt.Method.Has(Repeats):
		result.F = r.F
	case r.Best == 0 || rejected:
		result.F, result.Graph, result.Chosen = r.First, nil, 0
	default:
		for k := range r.Rounds {
			r.Rounds[k].Weight = r.Mix.weight(r.Rounds[k].Association-r.Rounds[0].Association) / r.Mix.Total
		}
		result.F = r.Mix.mean()
	}
	if r.opt.Method.Has(Repeats) {
		r.fillOnW(result.F)
	}
	if result.F == r.Mix.Sum {
		makeShares(result.F, r.opt.Threads)
	}
	if r.opt.KeepFirst {
		result.First = r.First
		if r.opt.Method.Has(SolvesLGC) && !r.opt.Method.Has(Repeats) {
			result.First = r.F
		}
	}
	if result.Graph == nil {
		result.Graph = r.w
	}
	result.Folds = r.kept
	result.Converged = r.Solved && r.settled()
	overruled, outweighed := result.judge(r.y, r.own.first(), r.opt.MinConfidence, r.opt.Threads)
	result.warn(r.y, r.own, overruled, outweighed)
	onW := result.Rounds[result.Chosen].TopK == 0
	result.warnUnderflow(r.opt.solvesUnderflow() || onW && r.opt.Underflow != LeaveUnderflow)
	if !result.Converged {
		result.warnLimit()
	}
	return result, nil
}

// settled reports whether more rounds would not change the result: the rounds stopped by
// themselves, there are none, or ADP chose among them.
func (r *run) settled() bool {
	return r.Converged || len(r.Rounds) == 1 || r.opt.Method.Has(Tries) && r.opt.Select != None
}
