package adp

import (
	"iter"
	"math"
	"time"

	"github.com/adp-sparse/adp-sparse/adp/score"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// run is the state of one call of [Run]: the current F, what is known of
// every round, and the best round so far.
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

	best      int
	bestF     *csr.Dense
	bestGraph *csr.Matrix

	clock time.Time
}

func newRun(w *csr.Matrix, y *diffuse.Seeds, opt Options) *run {
	r := &run{
		opt: opt, w: w, y: y, clock: time.Now(),
		s:      diffuse.Normalize(w, opt.Threads),
		solved: true,
		labels: make([]int32, y.Nodes),
	}
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

// settings yields the settings of A-steps in turn, and takes F back to round 0
// before each.
func (r *run) settings() iter.Seq[setting] {
	all := r.opt.settings(r.y.Nodes, r.y.Classes)
	var f0 *csr.Dense
	if len(all) > 1 {
		f0 = r.f.Clone()
	}
	return func(yield func(setting) bool) {
		for k, set := range all {
			if k > 0 {
				r.f.CopyFrom(f0)
				r.previous.CopyFrom(f0)
				r.relabel()
			}
			if !yield(set) {
				return
			}
		}
	}
}

// record notes the round that ended with the current F, solved on the graph
// a (nil: a dense one) that was made with set, keeps it if it is the best so far, and reports whether
// the process has converged.
func (r *run) record(stats diffuse.Stats, a *csr.Matrix, set setting) (done bool) {
	first := len(r.rounds) == 0
	changed := r.relabel()
	if first {
		changed = 0
	}
	fit := score.OnGraph(r.w, r.labels, r.y.Classes)
	round := Round{
		Index: len(r.rounds), TopK: max(set.topK, 0), Anchor: max(set.anchor, 0), Solve: stats, Changed: changed,
		Cut: fit.Cut, Modularity: fit.Modularity, Largest: fit.Largest,
		Entries: r.y.Nodes * r.y.Nodes, Labels: r.labels, Time: time.Since(r.clock),
	}
	if a != nil {
		round.Entries = a.NNZ()
	}
	r.solved = r.solved && stats.Converged
	if !first {
		round.DeltaF = r.distance()
		still := r.opt.Method == ADP && float64(changed) < r.opt.MinChange*float64(r.y.Nodes)
		r.converged = still || round.DeltaF < r.opt.Beta
	}
	r.rounds = append(r.rounds, round)
	if first || r.opt.Select == None || fit.Cut > r.rounds[r.best].Cut {
		r.best = round.Index
		r.keep(&r.bestF)
		r.bestGraph = a
	}
	r.keep(&r.previous)
	if r.opt.Observer != nil {
		r.opt.Observer(round)
	}
	r.rounds[round.Index].Labels = nil
	r.clock = time.Now()
	return r.converged
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

// keep copies F to *dst.
func (r *run) keep(dst **csr.Dense) {
	if r.opt.Method == LGC || r.opt.Method == GFHF {
		*dst = r.f // there is no other round to come
		return
	}
	if *dst == nil {
		*dst = r.f.Clone()
		return
	}
	(*dst).CopyFrom(r.f)
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

func (r *run) finish() *Result {
	result := &Result{F: r.bestF, Graph: r.bestGraph, Rounds: r.rounds, Chosen: r.best, Converged: r.converged && r.solved}
	result.judge(r.y, r.opt.MinConfidence)
	result.warn(r.y)
	if limit := r.opt.Method == ADP1 || r.opt.Method == DenseADP; !r.solved || limit && !r.converged {
		result.warnLimit()
	}
	return result
}
