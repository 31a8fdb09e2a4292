package adp

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/adp-sparse/adp-sparse/adp/crossval"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// ErrSnapshot is wrapped by errors about a snapshot that does not belong to the run, or to any run.
var ErrSnapshot = errors.New("adp: invalid snapshot")

// Snapshot is the state that [Resume] needs beside W, the seeds and the options. Package
// adp/checkpoint keeps one in a file.
//
// It shares its memory with the run. The run, and the fold of its trial that is in work, have up to three
// n×c blocks of 4 bytes an entry and two learned graphs each.
type Snapshot struct {
	snapshot
}

// At returns the last round of the run, the number of folds of its trial that are done, and the last round
// of the fold in work, −1 between two folds.
func (s *Snapshot) At() (round, folds, foldRound int) {
	round, folds, foldRound = len(s.Main.Rounds)-1, s.Contest.Folds, -1
	if s.Fold != nil {
		foldRound = len(s.Fold.Rounds) - 1
	}
	return round, folds, foldRound
}

// snapshot has the fields of a [Snapshot]. They are exported for package adp/checkpoint, whose files have
// their JSON. F, First and Mix.Sum are n×c blocks, A and BestGraph (often the same) learned graphs. In
// the trial Main has First, Mix.Sum and BestGraph, Fold has F, First, Mix.Sum and A. Rows are in the
// working order of the run, see [process].
type snapshot struct {
	Identity identity `json:"identity"`
	Main     process  `json:"main"`
	// Contest holds the results of the trial's folds so far. Fold is the state of the current fold,
	// nil between two.
	Contest contest  `json:"contest"`
	Fold    *process `json:"fold,omitempty"`
	// Scores are those of the folds so far that [Options.KeepFolds] asks for.
	Scores []FoldScores `json:"scores,omitempty"`
}

// Resume continues from a snapshot of a run with the same W, seeds and options. The result has the
// same bits as that of the run without a stop, but for the times. Threads, Observer, Progress and
// Checkpoint may differ; rounds of the snapshot are not observed again. The run takes over the
// snapshot's blocks. With from nil it is [Run], so a loop may begin with it.
//
// Beside the errors of [Run] it returns an [ErrSnapshot] that says which of the three differs.
func Resume(ctx context.Context, w *csr.Matrix, y *diffuse.Seeds, opt Options, from *Snapshot) (*Result, error) {
	return begin(ctx, w, y, opt, from)
}

// save passes on the state at the end of a round.
func (r *run) save() error {
	if r.main == nil {
		return r.checkpoint(nil)
	}
	fold := r.process
	fold.BestGraph = nil // no result is made of it
	return r.main.checkpoint(&fold)
}

func (r *run) checkpoint(fold *process) error {
	if r.opt.Checkpoint == nil {
		return nil
	}
	s := &Snapshot{snapshot{Identity: r.identity, Main: r.process, Contest: r.contest, Fold: fold, Scores: r.kept}}
	if s.inTrial() {
		s.Main.F = nil // try has used it up
	}
	return r.own.checkpoint(s, r.opt.Checkpoint)
}

func (s *Snapshot) inTrial() bool { return s.Fold != nil || s.Contest.Folds > 0 }

// restore takes over the state of a snapshot. Over ranks, rank 0 has it.
func (r *run) restore(s *Snapshot) error {
	var settings []Setting
	if r.alternates() {
		settings = r.settings()
	}
	s, err := r.own.receive(s, func() error {
		if err := r.identity.differs(s.Identity); err != nil {
			return err
		}
		return r.check(s, settings)
	})
	if err != nil {
		return err
	}
	if err := r.move(s); err != nil {
		return err
	}
	scratch := r.F
	r.process, r.contest, r.suspended, r.kept = s.Main, s.Contest, s.Fold, s.Scores
	if s.inTrial() {
		r.F = scratch
	}
	r.Mix.power = r.opt.mixPower()
	r.relabel()
	if r.alternates() {
		keep(&r.previous, r.F)
	}
	return nil
}

// move moves the graphs of a snapshot into the space of the run.
func (r *run) move(s *Snapshot) (err error) {
	same := s.Main.BestGraph == s.Main.A
	if s.Main.A, err = r.space.Move(s.Main.A); err != nil {
		return err
	}
	if same {
		s.Main.BestGraph = s.Main.A
	} else if s.Main.BestGraph, err = r.space.Move(s.Main.BestGraph); err != nil {
		return err
	}
	if s.Fold != nil {
		s.Fold.A, err = r.space.Move(s.Fold.A)
	}
	return err
}

// continueFold takes over the state of the fold that was running.
func (r *run) continueFold(p *process) {
	r.process = *p
	r.Mix.power = r.opt.mixPower()
	r.relabel()
	r.previous.CopyFrom(r.F)
}

// check checks that a snapshot can be of the run, which has those settings.
func (r *run) check(s *Snapshot, settings []Setting) error {
	if !r.opt.Method.Has(KeepsSparse) {
		return fmt.Errorf("%w: the method %v has none", ErrSnapshot, r.opt.Method)
	}
	last := 0
	if s.inTrial() {
		if !r.opt.Method.Has(Tries) || r.opt.Select == None || s.Main.Setting != len(settings) || s.Main.Step != 0 {
			return fmt.Errorf("%w: a trial before all rounds are made", ErrSnapshot)
		}
		last = r.opt.trials()
	}
	if err := r.checkProcess(&s.Main, settings, !s.inTrial(), true); err != nil {
		return err
	}
	c, lesser, seeds := &s.Contest, 0, r.leavesOut()
	if r.opt.triesAlphas() && seeds && enoughForAlphas(firstFolds(r.folds(max(last, crossval.ChoiceFolds)), last)) {
		lesser = len(c.LGC)
	}
	wrong := c.Folds < 0 || c.Folds > last || (c.Folds > 0) != (len(c.LGC) > 0) || len(c.ADP) != len(c.LGC)
	wrong = wrong || !seeds && c.Folds > 0 && len(c.LGC)%c.Folds != 0 // all pseudo-labels in each
	for _, ranks := range c.Alphas {
		wrong = wrong || len(ranks) > 0 && len(ranks) != lesser
	}
	for _, ranks := range [...]crossval.Ranks{c.LGC, c.ADP, c.Alphas[0], c.Alphas[1]} {
		for _, place := range ranks {
			wrong = wrong || place < 1 || int(place) > r.y.Classes
		}
	}
	if wrong {
		return fmt.Errorf("%w: %d folds of the trial with %d, %d and %d, %d ranks, or one out of range", ErrSnapshot, c.Folds, len(c.LGC), len(c.ADP), len(c.Alphas[0]), len(c.Alphas[1]))
	}
	if s.Fold == nil {
		return nil
	}
	if s.Main.Best == 0 {
		return fmt.Errorf("%w: a fold, but no round to try gained", ErrSnapshot)
	}
	return r.checkProcess(s.Fold, []Setting{s.Main.Rounds[s.Main.Best].Setting}, true, false)
}

// checkProcess checks that p can be of a process with those settings. needsF and needsBest say
// whether it needs F and the best graph.
func (r *run) checkProcess(p *process, settings []Setting, needsF, needsBest bool) error {
	if p.Setting < 0 || p.Setting > len(settings) || p.Step < 0 || p.Step > r.opt.Rounds || p.Step > 0 && p.Setting == len(settings) {
		return fmt.Errorf("%w: A-step %d of setting %d, expected at most %d of %d", ErrSnapshot, p.Step, p.Setting, r.opt.Rounds, len(settings))
	}
	if p.Best < 0 || p.Best >= len(p.Rounds) || len(settings) == 0 && p.Best > 0 {
		return fmt.Errorf("%w: best round %d of %d", ErrSnapshot, p.Best, len(p.Rounds))
	}
	top := 0.0
	for k, round := range p.Rounds {
		if round.Index != k {
			return fmt.Errorf("%w: round %d in the place of %d", ErrSnapshot, round.Index, k)
		}
		if k == 0 && round.Setting != (Setting{}) || k > 0 && !slices.Contains(settings, round.Setting) || round.Alpha != r.opt.Alpha {
			return fmt.Errorf("%w: round %d of setting %+v and alpha %v, which is none of the run", ErrSnapshot, k, round.Setting, round.Alpha)
		}
		top = max(top, round.Association-p.Rounds[0].Association)
	}
	chooses := r.alternates() && r.opt.Select != None
	gained := chooses && p.Best > 0
	// The round with the largest gain weighs 1, the others less.
	if rounds := float64(len(p.Rounds)); gained && !(p.Mix.Top == top && top > 0 && p.Mix.Total >= 1 && p.Mix.Total <= rounds) {
		return fmt.Errorf("%w: weights up to %v of sum %v, expected %v and 1 to %v", ErrSnapshot, p.Mix.Top, p.Mix.Total, top, rounds)
	}
	for _, block := range []struct {
		name   string
		f      *csr.Dense
		wanted bool
	}{{"F", p.F, needsF}, {"F of round 0", p.First, chooses}, {"the mean of F", p.Mix.Sum, gained}} {
		if err := checkBlock(block.f, block.wanted, r.y); err != nil {
			return fmt.Errorf("%w: %s: %w", ErrSnapshot, block.name, err)
		}
	}
	for _, graph := range []struct {
		name   string
		a      *csr.Matrix
		wanted bool
	}{{"A", p.A, p.Step > 0}, {"the best A", p.BestGraph, needsBest && p.Best > 0}} {
		if err := checkLearned(graph.a, graph.wanted, r.y.Nodes, r.opt.Threads); err != nil {
			return fmt.Errorf("%w: %s: %w", ErrSnapshot, graph.name, err)
		}
	}
	return nil
}

var errPresence = errors.New("missing, or there without need")

func checkBlock(f *csr.Dense, wanted bool, y *diffuse.Seeds) error {
	switch {
	case (f != nil) != wanted:
		return errPresence
	case f == nil:
		return nil
	case f.Rows != y.Nodes || f.Cols != y.Classes || len(f.Data) != f.Rows*f.Cols:
		return fmt.Errorf("%d×%d, expected %d×%d", f.Rows, f.Cols, y.Nodes, y.Classes)
	}
	for k, v := range f.Data {
		if v-v != 0 {
			return fmt.Errorf("value %v in row %d, expected finite ones", v, k/f.Cols)
		}
	}
	return nil
}

func checkLearned(a *csr.Matrix, wanted bool, n, threads int) error {
	if (a != nil) != wanted {
		return errPresence
	}
	if a == nil {
		return nil
	}
	if rows, cols := a.Dims(); rows != n || cols != n {
		return fmt.Errorf("%d×%d, expected %d×%d", rows, cols, n, n)
	}
	_, _, data := a.Arrays()
	if k := slices.IndexFunc(data, func(v float32) bool { return !(v >= 0) || math.IsInf(float64(v), 0) }); k >= 0 {
		return fmt.Errorf("value %v, expected finite ones of at least 0", data[k])
	}
	return csr.CheckSymmetric(a, threads)
}
