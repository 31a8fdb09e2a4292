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
// The association cannot see every loss: where the labels are smoother on W than they
// are right, whole neighbourhoods have the wrong label, and a still better
// association only makes them larger. Left-out seeds can.
type Trial struct {
	Folds   int `json:"folds"`          // runs that were made
	LeftOut int `json:"left_out_seeds"` // labelled by a run that did not know them
	// LGC and ADP are the shares of LeftOut that got their class.
	LGC float64 `json:"lgc_accuracy"`
	ADP float64 `json:"adp_accuracy"`
	// Won and Lost are the seeds that ADP alone and that LGC alone got right.
	Won  int `json:"won"`
	Lost int `json:"lost"`
	// Lead is by how many standard deviations ADP is ahead of LGC in the
	// reciprocal ranks of the seeds' classes: Σd/√(Σd²) over the seeds, d =
	// 1/rank by ADP − 1/rank by LGC. With two classes, or ranks of 1 and the
	// last of many only, it is (Won − Lost)/√(Won + Lost).
	Lead float64 `json:"lead"`
	// Doubt says that the association of LGC's labels is larger than LGC's accuracy
	// by more than 0.1. ADP is then accepted if Lead is 1.5 or more; else, where
	// degrees are alike ([MaxDegreeVariation]), if Lead is above 0 or, where 50 seeds or more can
	// be left out and LGC's association is below 0.984, −1 or more, and on other graphs if Lost is
	// not above Won. Where no
	// seed could be left out, there is doubt if LGC's association is 0.984 or more, if ADP changes
	// more than half of LGC's labels of two classes, or if degrees are alike and the best round loses as
	// much of LGC's modularity as it gains in association: ADP is then not accepted, and no fold
	// made.
	Doubt    bool `json:"doubt"`
	Accepted bool `json:"accepted"`
	// PseudoLabels is, where no seed could be left out but there is no such doubt, the number
	// of nodes on whose label both agree and that were tried in the place of seeds: in
	// each fold one of each class was its seed. LGC, ADP, Won and Lost are then of them in
	// all folds, and Lead is Σd/√(Σd²) over the folds, d = the share that got their label
	// by ADP − that by LGC. ADP is accepted if, with four folds, Lead is 1.2 or more, of 2
	// that it can be, and Won − Lost is 6·√(Won+Lost) or more.
	PseudoLabels int `json:"stand_ins,omitempty"`
	// Alpha is the α at which LGC on W is ahead of what would else be the
	// result by a lead of 2 or more of 25 left-out seeds or more; 0 for none.
	Alpha float64 `json:"alpha,omitempty"`
}

const (
	// trialFolds is the number of folds that the seeds are dealt to. Fast
	// makes a run for the first of them only.
	trialFolds = 4
	trialSeed  = 2
	// sureAssociation is the association of LGC's labels from which on a better one says
	// nothing: it is of the last few edges of each class, or of few edges at all.
	sureAssociation = 0.984
	// doubtGap is the excess of the association over the accuracy that makes doubt.
	doubtGap = 0.1
	// doubtLead and alphaLead are what ADP in doubt and a lesser α need, leastLead
	// what ADP needs where there is no doubt and degrees are alike: there it mostly
	// gains, and one seed more or less says nothing. With fewer seeds than fewSeeds it
	// does not mostly gain, and has to be ahead; with fewer than alphaSeeds a lead of a
	// lesser α is one of four seeds or so, and says nothing.
	doubtLead  = 1.5
	alphaLead  = 2
	leastLead  = -1
	fewSeeds   = 50
	alphaSeeds = 25
	// pseudoLead is what ADP needs over pseudo-labels, of √folds, which a lead can be at
	// most, and pseudoErrors the excess of pseudo-labels that it has to win, in standard
	// errors √(won+lost), for each √folds: four times as many are tried in four folds.
	pseudoLead   = 0.6
	pseudoErrors = 3
)

// lesserAlphas are tried on W, in this order, where α was left to the
// program: with many seeds a node's own neighbourhood says more than
// diffusion from afar.
var lesserAlphas = [...]float64{0.8, 0.5}

// ClassRanks are, of seeds that were left out, the ranks of their classes in the rows
// of F: 1 for those that got their class.
type ClassRanks []int32

// rank returns that of the class in a row of F: 1 if it is its [diffuse.TopOf].
func rank(row []float32, class int) int32 {
	if row[class] <= 0 {
		return int32(len(row))
	}
	place := int32(1)
	for j, v := range row {
		if v > row[class] || v == row[class] && j < class {
			place++
		}
	}
	return place
}

// accuracy returns the share of seeds that got their class.
func (a ClassRanks) accuracy() float64 {
	right := 0
	for _, r := range a {
		if r == 1 {
			right++
		}
	}
	return float64(right) / float64(len(a))
}

// against returns how many seeds a alone and b alone got right, and the lead of
// a (see [Trial]).
func (a ClassRanks) against(b ClassRanks) (won, lost int, lead float64) {
	var sum, squares float64
	for k := range a {
		if a[k] == 1 && b[k] > 1 {
			won++
		}
		if b[k] == 1 && a[k] > 1 {
			lost++
		}
		d := 1/float64(a[k]) - 1/float64(b[k])
		sum += d
		squares += float64(d * d)
	}
	return won, lost, leadOf(sum, squares)
}

// leadOf returns Σd/√(Σd²) of the two sums; 0 where all d are 0.
func leadOf(sum, squares float64) float64 {
	if squares == 0 {
		return 0
	}
	return sum / math.Sqrt(squares)
}

// Contest holds how the left-out seeds of the folds so far, or the pseudo-labels, of which
// all are in each fold, were labelled by each contender.
type Contest struct {
	Folds  int                           `json:"folds"`
	LGC    ClassRanks                    `json:"lgc"`
	ADP    ClassRanks                    `json:"adp"`
	Alphas [len(lesserAlphas)]ClassRanks `json:"alphas"` // empty where α is the user's, and of pseudo-labels
}

// try runs LGC, the leading setting and the lesser alphas on folds of the
// seeds, or of pseudo-labels, and decides between them. It uses up F and the labels of the run.
func (r *run) try(ctx context.Context) error {
	gained, alphas := r.Best > 0, r.opt.triesAlphas()
	if r.opt.TrialFolds < 0 || !gained && !alphas {
		return nil
	}
	limit, k := r.opt.trials(), 0
	folds, ofSeeds := r.folds(max(limit, trialFolds)), r.leavesOut()
	alike := r.own.degreeVariation(r.w) <= MaxDegreeVariation
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
	for train, hidden := range folds {
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
	r.trial = &Trial{}
	if ofSeeds {
		r.trial.judge(&r.contest, r.Rounds[0].Association, alike, gained, alphas)
	} else {
		r.trial.judgePseudoLabels(&r.contest)
	}
	return nil
}

// leavesOut reports whether a seed can be left out.
func (r *run) leavesOut() bool {
	for range r.folds(trialFolds) {
		return true
	}
	return false
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
	best := sub.BestGraph
	sub.BestGraph = nil // no result is made of it
	sub.drop(best)
	f := sub.First
	note := func(to *ClassRanks, f *csr.Dense) { *to = append(*to, r.own.classRanks(f, hidden)...) }
	note(&c.LGC, f)
	if sub.Best > 0 {
		note(&c.ADP, sub.Mix.mean())
	} else {
		note(&c.ADP, f)
	}
	if !alphas {
		return nil
	}
	for k, alpha := range lesserAlphas {
		if _, err := sub.solveW(ctx, alpha); err != nil {
			return err
		}
		note(&c.Alphas[k], sub.F)
	}
	return nil
}

// judge fills in what the contest tells. association is that of LGC's labels, for all
// seeds, on W, whose degrees are alike or not.
func (t *Trial) judge(c *Contest, association float64, alike, gained, alphas bool) {
	t.Folds, t.LeftOut, t.LGC, t.ADP = c.Folds, len(c.LGC), c.LGC.accuracy(), c.ADP.accuracy()
	t.Won, t.Lost, t.Lead = c.ADP.against(c.LGC)
	t.Doubt = association-t.LGC > doubtGap
	const rounding = 1e-9
	fewer := func(seeds int) bool { return t.LeftOut*trialFolds < seeds*t.Folds } // that all folds leave out
	switch {
	case t.Doubt:
		t.Accepted = t.Lead >= doubtLead-rounding
	case alike && (fewer(fewSeeds) || association >= sureAssociation):
		t.Accepted = t.Lead > rounding
	case alike:
		t.Accepted = t.Lead >= leastLead-rounding
	default:
		t.Accepted = t.Won >= t.Lost
	}
	t.Accepted = t.Accepted && gained
	champion := c.LGC
	if t.Accepted {
		champion = c.ADP
	}
	if !alphas || fewer(alphaSeeds) {
		return
	}
	for k, alpha := range lesserAlphas {
		if _, _, lead := c.Alphas[k].against(champion); lead >= alphaLead {
			t.Alpha, t.Accepted, champion = alpha, false, c.Alphas[k]
		}
	}
}

// judgePseudoLabels fills in what the contest of pseudo-labels tells.
func (t *Trial) judgePseudoLabels(c *Contest) {
	t.Folds = c.Folds
	if t.Folds == 0 { // the contenders agree on no node
		return
	}
	t.PseudoLabels, t.LGC, t.ADP = len(c.LGC)/t.Folds, c.LGC.accuracy(), c.ADP.accuracy()
	t.Won, t.Lost, _ = c.ADP.against(c.LGC)
	var sum, squares float64
	for f := range t.Folds {
		lo, hi := f*t.PseudoLabels, (f+1)*t.PseudoLabels
		d := c.ADP[lo:hi].accuracy() - c.LGC[lo:hi].accuracy()
		sum += d
		squares += float64(d * d)
	}
	t.Lead = leadOf(sum, squares)
	const rounding = 1e-9
	root := math.Sqrt(float64(t.Folds))
	t.Accepted = t.Lead >= pseudoLead*root-rounding && float64(t.Won-t.Lost) >= pseudoErrors*root*math.Sqrt(float64(t.Won+t.Lost))
}

// unsure reports, where no seed can be left out, whether a better association than LGC's
// says nothing. The association is a mean over classes: it also grows where a class takes
// most of another. Modularity, which weighs classes by their size, then falls.
func unsure(lgc, best Round, alike bool) bool {
	return lgc.Association >= sureAssociation || alike && best.Association-lgc.Association <= lgc.Modularity-best.Modularity
}

// moved returns how many nodes have another label by the mixture of rounds than by
// LGC. It refines labels: where it turns most of those of two classes over, one of the two
// has taken the classes for each other, and nothing says which, pseudo-labels neither.
func (r *run) moved() (nodes int) {
	for i := range r.labels {
		if diffuse.TopOf(r.First.Row(i)).Class != diffuse.TopOf(r.Mix.Sum.Row(i)).Class {
			nodes++
		}
	}
	return r.own.total(nodes)
}

// onSeeds returns the state of a run of other seeds on the same graph, with the
// workspace and the blocks of r that it does not need any more.
func (r *run) onSeeds(y *diffuse.Seeds) *run {
	opt := r.opt
	opt.Observer = nil
	sub := &run{
		opt: opt, main: r, w: r.w, y: y, s: r.s, own: r.own, space: r.space, work: r.work, clock: r.clock,
		Process:  Process{F: r.F, Solved: true, Mix: Mixture{power: r.Mix.power}},
		previous: r.previous, labels: r.labels,
	}
	clear(sub.F.Data)
	clear(sub.labels)
	return sub
}
