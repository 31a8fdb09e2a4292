package adp

import (
	"context"
	"iter"
	"math"
	"time"

	"github.com/adp-sparse/adp-sparse/adp/score"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// run is the state of one call of [Run]: the current F, what is known of
// every round, and what the result is made of.
type run struct {
	opt  Options
	w    *csr.Matrix
	y    *diffuse.Seeds
	s    *diffuse.Graph
	work *diffuse.Workspace

	f, previous *csr.Dense
	labels      []int32
	rounds      []Round
	converged   bool // the rounds stopped by themselves
	solved      bool // every F-step converged

	f0        *csr.Dense // F of round 0
	mix       mixture    // of the rounds with a better cut
	best      int        // the round with the best cut; the last one for None
	bestGraph *csr.Matrix
	trial     *Trial
	folds     func(v int) iter.Seq2[*diffuse.Seeds, []diffuse.Seed] // of y

	clock time.Time
}

func newRun(w *csr.Matrix, y *diffuse.Seeds, opt Options) *run {
	r := &run{
		opt: opt, w: w, y: y, clock: time.Now(),
		s:      diffuse.Normalize(w, opt.Threads),
		solved: true,
		labels: make([]int32, y.Nodes),
		mix:    mixture{power: opt.MixPower},
	}
	r.folds = func(v int) iter.Seq2[*diffuse.Seeds, []diffuse.Seed] { return Folds(y, v, trialSeed) }
	r.f = csr.NewDense(y.Nodes, y.Classes)
	r.work = diffuse.NewWorkspace(y.Nodes, y.Classes, opt.Threads)
	return r
}

// start sets F⁰ = Y.
func (r *run) start() {
	for _, seed := range r.y.List() {
		r.f.Set(int(seed.Node), int(seed.Class), seed.Weight)
	}
}

// restart takes F back to round 0.
func (r *run) restart() {
	r.f.CopyFrom(r.f0)
	r.previous.CopyFrom(r.f0)
	r.relabel()
}

// record notes the round that ended with the current F, solved on the graph a
// (nil: a dense one) that was made with set, lets it take part in the result,
// and reports whether the process has converged.
func (r *run) record(stats diffuse.Stats, a *csr.Matrix, set Setting) (done bool) {
	first := len(r.rounds) == 0
	changed := r.relabel()
	if first {
		changed = 0
	}
	round := r.measure(stats, a, set)
	round.Changed = changed
	r.solved = r.solved && stats.Converged
	if !first {
		round.DeltaF = r.distance()
		still := r.opt.Method == ADP && float64(changed) < r.opt.MinChange*float64(r.y.Nodes)
		r.converged = still || round.DeltaF < r.opt.Beta
	}
	r.rounds = append(r.rounds, round)
	if first || r.opt.Select == None || round.Cut > r.rounds[r.best].Cut {
		r.best, r.bestGraph = round.Index, a
	}
	if r.opt.Method != LGC && r.opt.Method != GFHF { // else there is no other round to come
		keep(&r.previous, r.f)
		switch {
		case r.opt.Select == None:
		case first:
			keep(&r.f0, r.f)
		default:
			r.mix.add(r.f, round.Cut-r.rounds[0].Cut, r.opt.Threads)
		}
	}
	if r.opt.Observer != nil {
		r.opt.Observer(round)
	}
	r.rounds[round.Index].Labels = nil
	r.clock = time.Now()
	return r.converged
}

// measure returns the record of the current F and labels.
func (r *run) measure(stats diffuse.Stats, a *csr.Matrix, set Setting) Round {
	fit := score.OnGraph(r.w, r.labels, r.y.Classes)
	round := Round{
		Index: len(r.rounds), Setting: set, Alpha: r.opt.Alpha, Solve: stats,
		Cut: fit.Cut, Modularity: fit.Modularity, Largest: fit.Largest,
		Entries: r.y.Nodes * r.y.Nodes, Labels: r.labels, Time: time.Since(r.clock),
	}
	if a != nil {
		round.Entries = a.NNZ()
	}
	return round
}

// relabel sets the labels to the largest class of each row of F and returns
// how many differ from before.
func (r *run) relabel() (changed int) {
	for i := range r.labels {
		if label := diffuse.TopOf(r.f.Row(i)).Class; label != r.labels[i] {
			r.labels[i] = label
			changed++
		}
	}
	return changed
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
	difference, norm := 0.0, 0.0
	for k, v := range r.f.Data {
		d := float64(v) - float64(r.previous.Data[k])
		difference += d * d
		norm += float64(v) * float64(v)
	}
	if r.opt.Method == DenseADP || norm == 0 {
		return math.Sqrt(difference)
	}
	return math.Sqrt(difference / norm)
}

// progress passes on the share of an A-step that some rows are.
func (r *run) progress(rows int) {
	if r.opt.Progress != nil {
		r.opt.Progress(float64(rows) / float64(r.y.Nodes))
	}
}

// finish makes the result of the rounds and of the trial.
func (r *run) finish(ctx context.Context) (*Result, error) {
	result := &Result{Graph: r.bestGraph, Rounds: r.rounds, Chosen: r.best, Trial: r.trial}
	rejected := r.trial != nil && !r.trial.Accepted
	switch {
	case r.trial != nil && r.trial.Alpha > 0:
		clear(r.f.Data)
		stats, err := r.solveW(ctx, r.trial.Alpha)
		if err != nil {
			return nil, err
		}
		r.relabel()
		round := r.measure(stats, r.s.S, Setting{})
		round.Alpha = r.trial.Alpha
		if r.opt.Observer != nil {
			r.opt.Observer(round)
		}
		round.Labels = nil
		result.Rounds = append(result.Rounds, round)
		result.F, result.Graph, result.Chosen = r.f, r.s.S, round.Index
		r.solved = r.solved && stats.Converged
	case r.opt.Select == None || r.opt.Method == LGC || r.opt.Method == GFHF:
		result.F = r.f
	case r.best == 0 || rejected:
		result.F, result.Graph, result.Chosen = r.f0, r.s.S, 0
	default:
		for k := range r.rounds {
			r.rounds[k].Weight = r.mix.weight(r.rounds[k].Cut-r.rounds[0].Cut) / r.mix.total
		}
		result.F = r.mix.mean()
	}
	result.Converged = r.converged && r.solved
	result.judge(r.y, r.opt.MinConfidence)
	result.warn(r.y)
	if limit := r.opt.Method == ADP1 || r.opt.Method == DenseADP; !r.solved || limit && !r.converged {
		result.warnLimit()
	}
	return result, nil
}
