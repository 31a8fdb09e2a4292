package adp

import "context"

// On most graphs that people drew, no learned graph gains association over LGC on W, and the trial
// takes none. Two signs of that come before most of the work (docs/decisions/0018-fresh-steps.md).

const (
	// screenLoss is the share of the cut 1 − association by which the labels of a screen may be
	// worse than LGC's: it leaves out the candidates that gain most.
	screenLoss = 0.02
	// screenTolerance is the tolerance of its F-step.
	screenTolerance = 1e-3
)

// screen reports whether no fresh setting is worth a round. It makes the A-step of the first one on
// the edges of S alone, which needs no walks of two steps, and an F-step of a few products.
func (r *run) screen(ctx context.Context, settings []Setting) (fails bool, err error) {
	begun := r.main != nil || r.Setting > 0 || r.Step > 0
	if begun || len(settings) == 0 || !settings[0].Fresh || r.opt.Select == None {
		return false, nil
	}
	a, err := r.step(ctx, nil, settings[0])
	if err != nil {
		return false, err
	}
	sa, err := r.own.normalize(r.space, a, r.opt.Threads)
	if err != nil {
		return false, err
	}
	opt := r.solver()
	opt.Tolerance, opt.Underflow = max(opt.Tolerance, screenTolerance), nil
	_, err = r.work.LGC(ctx, r.F, sa.operator, sa.Degrees, r.y, opt)
	if err == nil {
		err = r.space.FreeValues(sa.S)
	}
	if err != nil {
		return false, err
	}
	r.drop(a)
	r.relabel()
	labels := r.own.fit(r.w, r.labels, r.y.Classes, r.opt.Threads)
	r.restart()
	of := r.Rounds[0].Association
	return of-labels.Association > screenLoss*(1-of), nil
}

const (
	// fadedWeight is the weight, beside the best round, below which a round hardly counts.
	fadedWeight = 1. / 16
	// freshChange is the share of the labels that a round of a fresh setting changes for another to
	// follow.
	freshChange = 1. / 40
	// saturated is the share by which the gain in association has to grow with k for a larger k to be
	// tried.
	saturated = 0.02
)

// fades reports whether the rounds to come of the setting hardly count. A fresh graph is of the labels
// alone, so a round that changes a small share of them makes the next one a copy. Else, association
// has to fall, and to have fallen far behind.
func (r *run) fades() bool {
	last := len(r.Rounds) - 1
	round := r.Rounds[last]
	switch {
	case !r.opt.Method.Has(Tries) || r.opt.Select == None:
		return false
	case round.Fresh:
		return float64(round.Changed) < freshChange*float64(r.y.Nodes)
	}
	return r.Step > 1 && round.Association < r.Rounds[last-1].Association && r.Mix.weight(round.Association-r.Rounds[0].Association) < fadedWeight
}

// saturates reports whether a setting only has a larger k than the two before it, of which the
// larger one gained hardly more.
func (r *run) saturates(settings []Setting, k int) bool {
	if k < 2 || r.opt.Select == None || !settings[k].grows(settings[k-1]) || !settings[k-1].grows(settings[k-2]) {
		return false
	}
	less, more := r.gainOf(settings[k-2]), r.gainOf(settings[k-1])
	return less > 0 && more > 0 && more <= (1+saturated)*less
}

// grows reports whether a setting is another but for a larger k.
func (s Setting) grows(from Setting) bool {
	k := s.TopK
	s.TopK = from.TopK
	return s == from && k > from.TopK
}

// gainOf returns the largest gain of a setting in association over LGC.
func (r *run) gainOf(set Setting) (most float64) {
	for _, round := range r.Rounds[1:] {
		if round.Setting == set {
			most = max(most, round.Association-r.Rounds[0].Association)
		}
	}
	return most
}

// loses reports whether the first A-step of the first setting, a fresh one, has not gained
// association over LGC. Then hardly any later one does.
func (r *run) loses(set Setting) bool {
	return set.Fresh && r.Setting == 0 && r.Step == 1 && r.opt.Select != None && r.Rounds[len(r.Rounds)-1].Association <= r.Rounds[0].Association
}
