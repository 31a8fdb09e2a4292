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

// loses reports whether the first A-step of the first setting, a fresh one, has not gained
// association over LGC. Then hardly any later one does.
func (r *run) loses(set Setting) bool {
	return set.Fresh && r.Setting == 0 && r.Step == 1 && r.opt.Select != None && r.Rounds[len(r.Rounds)-1].Association <= r.Rounds[0].Association
}
