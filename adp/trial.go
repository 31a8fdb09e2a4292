package adp

import (
	"context"
	"math"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// Trial says how the learned graphs did on seeds that were left out, beside
// LGC (round 0) on the same folds, and what followed.
//
// The cut cannot see every loss: where the labels are smoother on W than they
// are right, whole neighbourhoods have the wrong label, and a still better
// cut only makes them larger. Left-out seeds can.
type Trial struct {
	Folds   int `json:"folds"`          // runs that were made
	LeftOut int `json:"left_out_seeds"` // labelled by a run that did not know them
	// LGC and ADP are the shares of LeftOut that got their class.
	LGC float64 `json:"lgc_accuracy"`
	ADP float64 `json:"adp_accuracy"`
	// Won and Lost are the seeds that ADP alone and that LGC alone got right.
	Won  int `json:"won"`
	Lost int `json:"lost"`
	// Doubt says that the cut of LGC's labels is larger than LGC's accuracy,
	// less its standard error, by more than 0.1. ADP is then accepted if
	// Won − Lost is above 0 and at least two of its standard deviations
	// √(Won + Lost), else if it is not below 0. Where no seed
	// could be left out, there is doubt if LGC's cut is 0.985 or more, and ADP is
	// then not accepted.
	Doubt    bool `json:"doubt"`
	Accepted bool `json:"accepted"`
	// Alpha is the α at which LGC on W did better than what would else be the
	// result by at least two standard deviations; 0 for none.
	Alpha float64 `json:"alpha,omitempty"`
}

const (
	// trialFolds is the number of folds that the seeds are dealt to. Fast
	// makes a run for the first of them only.
	trialFolds = 4
	trialSeed  = 2
	// sureCut is the cut of LGC's labels from which on a better one says
	// nothing: it is of the last few edges of each class.
	sureCut = 0.985
	// doubtGap is the excess of the cut over the accuracy that makes doubt.
	doubtGap = 0.1
)

// lesserAlphas are tried on W, in this order, where α was left to the
// program: with many seeds a node's own neighbourhood says more than
// diffusion from afar.
var lesserAlphas = [...]float64{0.8, 0.5}

// ballot counts, over left-out seeds, how a challenger did against another.
type ballot struct{ won, lost int }

func (b *ballot) count(challenger, other bool) {
	if challenger && !other {
		b.won++
	}
	if other && !challenger {
		b.lost++
	}
}

// ahead reports whether the challenger is ahead by two standard deviations of
// won − lost, √(won + lost).
func (b ballot) ahead() bool {
	return b.won > b.lost && float64(b.won-b.lost) >= 2*math.Sqrt(float64(b.won+b.lost))
}

// Contest holds how the left-out seeds of the folds so far were labelled by
// each contender: right or not.
type Contest struct {
	Folds  int                       `json:"folds"`
	LGC    []bool                    `json:"lgc"`
	ADP    []bool                    `json:"adp"`
	Alphas [len(lesserAlphas)][]bool `json:"alphas"` // empty where α is the user's
}

// try runs LGC, the leading setting and the lesser alphas on folds of the
// seeds, and decides between them. It uses up F and the labels of the run.
func (r *run) try(ctx context.Context) error {
	gained, alphas := r.Best > 0, r.opt.triesAlphas()
	if r.opt.TrialFolds < 0 || !gained && !alphas {
		return nil
	}
	limit, k := r.opt.trials(), 0
	for train, hidden := range r.folds(max(limit, trialFolds)) {
		if k == limit {
			break
		}
		if k++; k <= r.contest.Folds {
			continue
		}
		if err := r.fold(ctx, train, hidden, gained, alphas); err != nil {
			return err
		}
		r.contest.Folds++
		if err := r.save(); err != nil {
			return err
		}
	}
	if r.contest.Folds == 0 {
		r.trial = unjudged(r.Rounds[0].Cut, gained)
		return nil
	}
	r.trial = &Trial{}
	r.trial.judge(&r.contest, r.Rounds[0].Cut, gained, alphas)
	return nil
}

// fold runs the contenders on the seeds of one fold.
func (r *run) fold(ctx context.Context, train *diffuse.Seeds, hidden []diffuse.Seed, gained, alphas bool) error {
	sub, c := r.onSeeds(train), &r.contest
	if r.suspended != nil {
		sub.continueFold(r.suspended)
		r.F, r.suspended = sub.F, nil
	}
	var settings []Setting
	if gained {
		settings = []Setting{r.Rounds[r.Best].Setting}
	}
	if err := sub.alternate(ctx, sub.solve(ctx), settings); err != nil {
		return err
	}
	f := sub.First
	right := func(to *[]bool, f *csr.Dense) { *to = append(*to, r.part.right(f, hidden)...) }
	right(&c.LGC, f)
	if sub.Best > 0 {
		right(&c.ADP, sub.Mix.mean())
	} else {
		right(&c.ADP, f)
	}
	if !alphas {
		return nil
	}
	for k, alpha := range lesserAlphas {
		if _, err := sub.solveW(ctx, alpha); err != nil {
			return err
		}
		right(&c.Alphas[k], sub.F)
	}
	return nil
}

// judge fills in what the contest tells. cut is that of LGC's labels, for all
// seeds, on W.
func (t *Trial) judge(c *Contest, cut float64, gained, alphas bool) {
	share := func(right []bool) float64 {
		count := 0
		for _, ok := range right {
			if ok {
				count++
			}
		}
		return float64(count) / float64(len(right))
	}
	compare := func(a, b []bool) (v ballot) {
		for k := range a {
			v.count(a[k], b[k])
		}
		return v
	}
	t.Folds, t.LeftOut, t.LGC, t.ADP = c.Folds, len(c.LGC), share(c.LGC), share(c.ADP)
	votes := compare(c.ADP, c.LGC)
	t.Won, t.Lost = votes.won, votes.lost
	seeds := float64(t.LeftOut)
	// None right, or all, of few seeds is not sure either: one half of a seed.
	variance := max(t.LGC*(1-t.LGC), 0.25/seeds) / seeds
	t.Doubt = cut-(t.LGC-math.Sqrt(variance)) > doubtGap
	t.Accepted = gained && t.Won >= t.Lost
	if t.Doubt {
		t.Accepted = votes.ahead()
	}
	champion := c.LGC
	if t.Accepted {
		champion = c.ADP
	}
	if !alphas {
		return
	}
	for k, alpha := range lesserAlphas {
		if votes := compare(c.Alphas[k], champion); votes.ahead() {
			t.Alpha, t.Accepted, champion = alpha, false, c.Alphas[k]
		}
	}
}

// unjudged is the trial where no seed can be left out: none, as the cut decides
// alone, but where LGC's is so high that a better one says nothing.
func unjudged(cut float64, gained bool) *Trial {
	if gained && cut >= sureCut {
		return &Trial{Doubt: true}
	}
	return nil
}

// onSeeds returns the state of a run of other seeds on the same graph, with the
// workspace and the blocks of r that it does not need any more.
func (r *run) onSeeds(y *diffuse.Seeds) *run {
	opt := r.opt
	opt.Observer = nil
	sub := &run{
		opt: opt, main: r, w: r.w, y: y, s: r.s, part: r.part, work: r.work, clock: r.clock,
		Process:  Process{F: r.F, Solved: true, Mix: Mixture{power: r.Mix.power}},
		previous: r.previous, labels: r.labels,
	}
	clear(sub.F.Data)
	clear(sub.labels)
	return sub
}
