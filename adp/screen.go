package adp

import (
	"context"

	"github.com/adp-sparse/adp-sparse/adp/crossval"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/clock"
)

// On most graphs that people drew, no learned graph gains association over LGC on W, and the trial
// takes none. A screen before the first round tells most of them
// (docs/decisions/0018-fresh-steps.md).

const (
	// screenLoss is the share of the cut 1 − association by which the labels of a screen may be
	// worse than LGC's: it leaves out the candidates that gain most.
	screenLoss = 0.02
	// screenTolerance is the tolerance of its F-step.
	screenTolerance = 1e-3
)

// screenSetting is the setting of its A-step.
var screenSetting = Setting{TopK: 5, Anchor: 0.5, GraphAlpha: 0.9}

// doubted reports whether no setting is worth a round, where degrees are alike: the labels of LGC leave a
// learned graph less than 1 − sureAssociation to gain, and LGC gets so few left-out seeds right that it
// would have to lead by more than such rounds do.
func (r *run) doubted(ctx context.Context, settings []Setting) (bool, error) {
	begun := r.main != nil || r.Setting > 0 || r.Step > 0
	of := r.Rounds[0].Association
	if begun || len(settings) == 0 || !r.opt.Method.Has(Tries) || r.opt.Select == None || r.opt.TrialFolds != 0 || of < sureAssociation || !r.shape().alike() || !r.leavesOut() {
		return false, nil
	}
	defer clock.Part(ctx, clock.Folds)()
	folds := firstFolds(r.folds(crossval.ChoiceFolds), r.opt.trials())
	ranks, err := (&foldStarts{run: r, folds: folds}).ranksBy(ctx, 0, len(folds), r.opt.Alpha)
	if err != nil {
		return false, err
	}
	r.restart()
	return of-ranks.Accuracy() > doubtGap, nil
}

// screen reports whether no fresh setting is worth a round, where degrees are unlike. It makes an
// A-step on the edges of S alone, with the anchor that fresh graphs lack, and an F-step of a few
// products.
func (r *run) screen(ctx context.Context, settings []Setting) (fails bool, err error) {
	begun := r.main != nil || r.Setting > 0 || r.Step > 0
	if begun || len(settings) == 0 || !settings[0].Fresh || r.opt.Select == None || r.shape().alike() {
		return false, nil
	}
	end := clock.Part(ctx, clock.ASteps)
	h := diffuse.NewFactor(r.F, r.opt.Harden)
	a, err := r.own.aStep(ctx, r.s, nil, h, diffuse.AffinityOptions{
		TopK: screenSetting.TopK, Alpha: screenSetting.GraphAlpha, Anchor: screenSetting.Anchor,
		Zeta: h.Scale(r.opt.Zeta, r.own.partition()), Threads: r.opt.Threads, Space: r.space,
	})
	if end(); err != nil {
		return false, err
	}
	defer clock.Part(ctx, clock.FSteps)()
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
