package adp

import (
	"context"
	"iter"
	"math"

	"github.com/adp-sparse/adp-sparse/adp/crossval"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/clock"
)

// Trial compares the learned graphs with LGC (round 0) on left-out seeds, on the same folds, and
// decides between them.
//
// Association cannot see every loss: where the labels are smoother on W than they are right, whole
// neighbourhoods have the wrong label, and a still larger association only enlarges them. Left-out
// seeds can.
type Trial struct {
	Folds   int `json:"folds"`          // runs made
	LeftOut int `json:"left_out_seeds"` // labelled by a run that did not know them
	// LGC and ADP are the shares of LeftOut that got their class.
	LGC float64 `json:"lgc_accuracy"`
	ADP float64 `json:"adp_accuracy"`
	// Won and Lost count the seeds that ADP alone and that LGC alone got right.
	Won  int `json:"won"`
	Lost int `json:"lost"`
	// Lead is by how many standard deviations ADP leads LGC in the reciprocal class ranks of the
	// seeds: Σd/√(Σd²) over the seeds, d = 1/rank by ADP − 1/rank by LGC. With two classes, or if
	// ranks are only 1 or the last of many, it is (Won − Lost)/√(Won + Lost).
	Lead float64 `json:"lead"`
	// Doubt reports that the association of LGC's labels exceeds LGC's accuracy by more than 0.1.
	// The rule of acceptance is then:
	//
	//	doubt                                 Lead ≥ 1.5
	//	degrees alike (variation ≤ 0.75):
	//	  50 or more seeds can be left out,
	//	  and LGC's association is < 0.984    Lead ≥ −1
	//	  else                                Lead > 0
	//	other graphs                          Won ≥ Lost
	//
	// Where no seed can be left out, there is doubt if LGC's association is 0.984 or more; if ADP
	// changes more than half of LGC's labels of two classes; or if degrees are alike and the best
	// round loses as much modularity as it gains in association over LGC. ADP is then not accepted,
	// and no fold is made.
	Doubt    bool `json:"doubt"`
	Accepted bool `json:"accepted"`
	// Untried reports that no learned graph had more association than LGC, or that there was doubt
	// before the first round, where LGC's association is 0.984 or more and degrees are alike: none was
	// run on the folds. ADP is then LGC.
	Untried bool `json:"untried,omitempty"`
	// PseudoLabels counts the pseudo-labels of the trial if no seed could be left out and there is
	// no such doubt: nodes on whose label both agree. In each fold one of each class was its seed.
	// LGC, ADP, Won and Lost then count them in all folds, and Lead is Σd/√(Σd²) over the folds, d
	// = the share with its label by ADP − that by LGC. ADP is accepted if, with four folds, Lead is
	// at least 1.2, of at most 2, and Won − Lost is at least 6·√(Won+Lost).
	PseudoLabels int `json:"stand_ins,omitempty"`
	// Alpha is the α at which LGC on W leads the result so far by 2 or more, with 25 or more
	// left-out seeds; 0 for none. It is then the result.
	Alpha float64 `json:"alpha,omitempty"`
	// AlphaAccuracy is the share of the seeds of all folds that LGC at that α gives their class.
	AlphaAccuracy float64 `json:"alpha_accuracy,omitempty"`

	need    float64 // the lead that the rule asks for
	settled bool    // against ADP, by the first folds
}

const (
	// sureAssociation is the association of LGC's labels from which on a larger one tells nothing:
	// it comes from the last few edges of each class, or from few edges at all.
	sureAssociation = 0.984
	// doubtGap is the excess of association over accuracy that makes doubt.
	doubtGap = 0.1
	// ADP in doubt needs doubtLead, a smaller α needs alphaLead. Without doubt, where degrees are
	// alike, ADP needs leastLead: there it mostly gains, and one seed more or less tells nothing.
	// With fewer than fewSeeds seeds it does not mostly gain, and has to lead. With fewer than
	// alphaSeeds a lead of a smaller α comes from about four seeds, and tells nothing.
	doubtLead  = 1.5
	alphaLead  = 2
	leastLead  = -1
	fewSeeds   = 50
	alphaSeeds = 25
	// With pseudo-labels ADP needs the lead pseudoLead·√folds, of at most √folds. It also has to
	// win more than it loses, by pseudoErrors·√folds standard errors √(won+lost): four folds try
	// four times as many.
	pseudoLead   = 0.6
	pseudoErrors = 3
	// A verdict before all folds needs sureZ standard deviations and sureSeeds left-out seeds.
	sureZ     = 1.35
	sureSeeds = 10
)

// lesserAlphas are tried on W, in this order, if α has its default: with many seeds a node's own
// neighbourhood tells more than diffusion from afar.
var lesserAlphas = [...]float64{0.8, 0.5}

// contest holds the class ranks of the left-out seeds of the folds so far, by each contender. With
// pseudo-labels every fold has all of them.
type contest struct {
	Folds  int                               `json:"folds"`
	LGC    crossval.Ranks                    `json:"lgc"`
	ADP    crossval.Ranks                    `json:"adp"`
	Alphas [len(lesserAlphas)]crossval.Ranks `json:"alphas"` // empty if α is the user's, and with pseudo-labels
}

// hopeless reports whether the first folds tell that a fresh graph will not lead, where degrees are
// unlike: it is behind LGC after one, or not ahead after two. LGC with no seed wrong tells nothing.
func (c *contest) hopeless(folds []foldSeeds) bool {
	leftOut := 0
	for k := range min(c.Folds, 2) {
		leftOut += len(folds[k].hidden)
		if c.LGC[:leftOut].Wrong() == 0 {
			continue
		}
		if _, _, lead := c.ADP[:leftOut].Against(c.LGC[:leftOut]); lead < 0 || k > 0 && lead == 0 {
			return true
		}
	}
	return false
}

// try runs LGC, the leading setting and the smaller alphas on folds of the seeds, or of
// pseudo-labels, and decides between them. It overwrites F and the labels of the run.
func (r *run) try(ctx context.Context) error {
	gained, alphas := r.Best > 0, r.opt.triesAlphas()
	if r.opt.TrialFolds < 0 || !gained && !alphas {
		return nil
	}
	limit := r.opt.trials()
	folds, ofSeeds := r.folds(max(limit, crossval.ChoiceFolds)), r.leavesOut()
	alike := r.shape().alike()
	if !ofSeeds {
		if !gained {
			return nil
		}
		if unsure(r.Rounds[0], r.Rounds[r.Best], alike) || r.y.Classes == 2 && 2*r.moved() > r.y.Nodes {
			r.trial = &Trial{Doubt: true}
			return nil
		}
		folds, alphas = r.pseudoFolds(limit), false
	}
	defer clock.Part(ctx, clock.Folds)()
	list := firstFolds(folds, limit)
	starts := &foldStarts{run: r, folds: list}
	mayEnd := gained && r.opt.TrialFolds == 0
	verdict := func() *Trial {
		t := &Trial{settled: mayEnd && !alike && r.Rounds[r.Best].Fresh && r.contest.hopeless(list)}
		if ofSeeds {
			t.judge(&r.contest, r.Rounds[0].Association, alike, gained, false)
		} else {
			t.judgePseudoLabels(&r.contest)
		}
		return t
	}
	r.trial = verdict()
	ends := func() bool {
		return r.trial.sure(alike, len(list)) || r.opt.KeepFolds && ofSeeds && r.trial.LeftOut >= crossval.Plenty(r.y.Classes)
	}
	for k := r.contest.Folds; k < len(list) && !(mayEnd && ends()); k++ {
		if err := r.fold(ctx, starts, k, gained); err != nil {
			return err
		}
		r.contest.Folds++
		r.trial = verdict()
		if err := r.save(); err != nil {
			return err
		}
	}
	if !alphas || !enoughForAlphas(list) {
		return nil
	}
	if err := r.tryAlphas(ctx, starts); err != nil {
		return err
	}
	r.trial.judge(&r.contest, r.Rounds[0].Association, alike, gained, true)
	return nil
}

// tryAlphas runs LGC with the smaller alphas on the folds of the winner so far, unless it gets too
// many seeds right for them to lead.
func (r *run) tryAlphas(ctx context.Context, starts *foldStarts) (err error) {
	c, folds := &r.contest, len(starts.folds)
	champion := &c.ADP
	if r.trial.Accepted {
		folds = c.Folds
	} else {
		champion = &c.LGC
		rest, err := starts.ranksBy(ctx, c.Folds, folds, r.opt.Alpha)
		if err != nil {
			return err
		}
		c.LGC = append(c.LGC, rest...)
	}
	for j, alpha := range lesserAlphas {
		c.Alphas[j] = nil
		if champion.Wrong() < alphaLead*alphaLead { // a lead is at most the root of the seeds that can be won
			continue
		}
		first, err := starts.ranksBy(ctx, 0, 1, alpha)
		if err != nil {
			return err
		}
		if _, _, lead := first.Against((*champion)[:len(first)]); lead <= 0 { // it would have to lead by 2.3 in the others
			break // and a still smaller one by as much
		}
		rest, err := starts.ranksBy(ctx, 1, folds, alpha)
		if err != nil {
			return err
		}
		c.Alphas[j] = append(first, rest...)
	}
	return nil
}

// foldSeeds are the seeds that a fold trains on, and those hidden from it.
type foldSeeds struct {
	train  *diffuse.Seeds
	hidden []diffuse.Seed
}

// firstFolds returns the first folds, at most limit.
func firstFolds(folds iter.Seq2[*diffuse.Seeds, []diffuse.Seed], limit int) (list []foldSeeds) {
	for train, hidden := range folds {
		if len(list) == limit {
			break
		}
		list = append(list, foldSeeds{train, hidden})
	}
	return list
}

// enoughForAlphas reports whether the folds leave out enough seeds to tell a smaller α.
func enoughForAlphas(folds []foldSeeds) bool {
	hidden := 0
	for _, f := range folds {
		hidden += len(f.hidden)
	}
	return !fewerSeeds(hidden, len(folds), alphaSeeds)
}

// fewerSeeds reports whether all folds of a trial leave out fewer seeds than that, by the number
// that some of the folds leave out.
func fewerSeeds(leftOut, folds, than int) bool { return leftOut*crossval.ChoiceFolds < than*folds }

// leavesOut reports whether a seed can be left out.
func (r *run) leavesOut() bool {
	for range r.folds(crossval.ChoiceFolds) {
		return true
	}
	return false
}

// fold runs the contenders on the seeds of fold k: LGC and, where a round gained, the leading setting.
func (r *run) fold(ctx context.Context, starts *foldStarts, k int, gained bool) error {
	train, hidden := starts.folds[k].train, starts.folds[k].hidden
	if err := starts.solve(ctx, k); err != nil {
		return err
	}
	c := &r.contest
	note := func(to *crossval.Ranks, ranks crossval.Ranks) { *to = append(*to, ranks...) }
	if !gained {
		ranks, err := starts.ranks(ctx, k)
		note(&c.LGC, ranks)
		note(&c.ADP, ranks)
		return err
	}
	sub := r.onSeeds(train)
	if start := starts.start(k); r.suspended != nil {
		sub.continueFold(r.suspended)
		r.F, r.suspended = sub.F, nil
	} else if start != nil {
		sub.F.CopyFrom(start)
	}
	if err := sub.alternate(ctx, sub.solve(ctx), []Setting{r.Rounds[r.Best].Setting}); err != nil {
		return err
	}
	best := sub.BestGraph
	sub.BestGraph = nil // no result is made of it
	sub.drop(best)
	f := sub.First
	note(&c.LGC, r.own.classRanks(f, hidden))
	if sub.Best > 0 {
		f = sub.Mix.mean()
	}
	note(&c.ADP, r.own.classRanks(f, hidden))
	r.keepFold(k, f, hidden)
	return nil
}

// judge decides by the contest. association is that of LGC's labels, for all seeds, on W; alike
// says whether the degrees of W are alike.
func (t *Trial) judge(c *contest, association float64, alike, gained, alphas bool) {
	lgc := c.LGC[:len(c.ADP)]
	t.Folds, t.LeftOut, t.LGC, t.ADP = c.Folds, len(lgc), lgc.Accuracy(), c.ADP.Accuracy()
	t.Won, t.Lost, t.Lead = c.ADP.Against(lgc)
	t.Doubt = association-t.LGC > doubtGap
	const rounding = 1e-9
	fewer := func(seeds int) bool { return fewerSeeds(t.LeftOut, t.Folds, seeds) }
	switch {
	case t.Doubt:
		t.need, t.Accepted = doubtLead, t.Lead >= doubtLead-rounding
	case alike && (fewer(fewSeeds) || association >= sureAssociation):
		t.need, t.Accepted = 0, t.Lead > rounding
	case alike:
		t.need, t.Accepted = leastLead, t.Lead >= leastLead-rounding
	default:
		t.need, t.Accepted = 0, t.Won >= t.Lost
	}
	t.Accepted, t.Untried = t.Accepted && gained && !t.settled, !gained
	champion := c.LGC
	if t.Accepted {
		champion = c.ADP
	}
	if !alphas || fewer(alphaSeeds) {
		return
	}
	for k, alpha := range lesserAlphas {
		if len(c.Alphas[k]) == 0 { // not tried: it could not lead
			continue
		}
		if _, _, lead := c.Alphas[k].Against(champion); lead >= alphaLead {
			t.Alpha, t.Accepted, champion = alpha, false, c.Alphas[k]
			t.AlphaAccuracy = champion.Accuracy()
		}
	}
}

// Accuracy returns the share of the left-out seeds, or pseudo-labels, that got their class by what the trial chose.
func (t *Trial) Accuracy() float64 {
	switch {
	case t.Alpha > 0:
		return t.AlphaAccuracy
	case t.Accepted:
		return t.ADP
	}
	return t.LGC
}

// sure reports whether the folds so far settle the verdict (stochastic curtailment). Seeds in a
// random order make √s·lead, at the share s of the folds, a Brownian motion whose drift is the mean
// lead of all folds. With a normal prior of variance 1 on the drift, around 0 or, where the rule lets
// a learned graph fall behind, as far above 0, the lead of all folds has a normal distribution. A
// verdict is settled where the lead that the rule asks for is sureZ standard deviations off. With
// pseudo-labels it is settled where two folds or more agree.
func (t *Trial) sure(alike bool, folds int) bool {
	switch {
	case t.Folds == 0 || t.Folds == folds:
		return false
	case t.settled:
		return true
	case t.PseudoLabels > 0:
		return t.Folds > 1 && (t.Accepted || t.Won <= t.Lost)
	}
	lead, share := t.Lead, float64(t.Folds)/float64(folds)
	if !alike && !t.Doubt { // the rule counts seeds
		lead = float64(t.Won-t.Lost) / math.Sqrt(float64(max(1, t.Won+t.Lost)))
	}
	at, left := float64(math.Sqrt(share)*lead), 1-share
	drift := (at + max(0, -t.need)) / (1 + share)
	deviation := math.Sqrt(left + float64(left*left/(1+share)))
	return t.LeftOut >= sureSeeds && math.Abs(at+float64(left*drift)-t.need) >= sureZ*deviation
}

// judgePseudoLabels decides by the contest of pseudo-labels.
func (t *Trial) judgePseudoLabels(c *contest) {
	t.Folds = c.Folds
	if t.Folds == 0 { // the contenders agree on no node
		return
	}
	t.PseudoLabels, t.LGC, t.ADP = len(c.LGC)/t.Folds, c.LGC.Accuracy(), c.ADP.Accuracy()
	t.Won, t.Lost, _ = c.ADP.Against(c.LGC)
	var sum, squares float64
	for f := range t.Folds {
		lo, hi := f*t.PseudoLabels, (f+1)*t.PseudoLabels
		d := c.ADP[lo:hi].Accuracy() - c.LGC[lo:hi].Accuracy()
		sum += d
		squares += float64(d * d)
	}
	t.Lead = crossval.LeadOf(sum, squares)
	const rounding = 1e-9
	root := math.Sqrt(float64(t.Folds))
	t.Accepted = !t.settled && t.Lead >= pseudoLead*root-rounding && float64(t.Won-t.Lost) >= pseudoErrors*root*math.Sqrt(float64(t.Won+t.Lost))
}

// unsure reports, where no seed can be left out, whether a larger association than LGC's tells
// nothing. Association is a mean over classes: it also grows where a class takes most of another.
// Modularity, which weighs classes by their size, then falls.
func unsure(lgc, best Round, alike bool) bool {
	return lgc.Association >= sureAssociation || alike && best.Association-lgc.Association <= lgc.Modularity-best.Modularity
}

// stepOf returns the number of A-steps that lead to a round of a setting.
func (r *run) stepOf(round int) (steps int) {
	for k := round; k > 0 && r.Rounds[k].Setting == r.Rounds[round].Setting; k-- {
		steps++
	}
	return steps
}

// moved counts the nodes to which the mixture of rounds gives another label than LGC. The mixture
// refines labels: if it changes most labels of two classes, one of the two contenders has swapped
// the classes, and nothing tells which, not even pseudo-labels.
func (r *run) moved() (nodes int) {
	for i := range r.labels {
		if diffuse.TopOf(r.First.Row(i)).Class != diffuse.TopOf(r.Mix.Sum.Row(i)).Class {
			nodes++
		}
	}
	return r.own.total(nodes)
}

// onSeeds returns the state of a run of other seeds on the same graph. It takes over the workspace
// and the blocks that r no longer needs.
func (r *run) onSeeds(y *diffuse.Seeds) *run {
	opt := r.opt
	opt.Observer, opt.Tolerance = nil, max(opt.Tolerance, choiceTolerance)
	if r.Best > 0 && r.Rounds[r.Best].Fresh { // other graphs remember, and their later rounds vote
		opt.Rounds, opt.freeRounds = r.stepOf(r.Best), false
	}
	sub := &run{
		opt: opt, main: r, w: r.w, y: y, s: r.s, own: r.own, space: r.space, work: r.work, clock: r.clock,
		process:  process{F: r.F, Solved: true, Mix: mixture{power: r.Mix.power}},
		previous: r.previous, labels: r.labels,
	}
	clear(sub.F.Data)
	clear(sub.labels)
	return sub
}
