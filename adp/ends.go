package adp

import (
	"cmp"
	"slices"
)

// Rounds end as soon as those to come would hardly count.

const (
	// fadedWeight is the weight, beside the best round, below which a round hardly counts.
	fadedWeight = 1. / 16
	// stallRounds is the number of rounds of a setting that may end it.
	stallRounds = 2
	// slowGain is the share of the largest gain in association that a round of a fresh setting has to add
	// for another to follow, and stallRounds rounds of another setting (docs/decisions/0050-slow-rounds.md).
	slowGain = 1. / 10
	// saturated is the share by which the gain in association has to grow with k for a larger k to be
	// tried.
	saturated = 0.02
)

// fades reports whether the rounds to come of the setting hardly count. A fresh graph is of the labels
// alone, so rounds approach a fixed point: they end where association hardly grows. Else it has to stall, or to
// have fallen far behind.
func (r *run) fades() bool {
	last := len(r.Rounds) - 1
	round := r.Rounds[last]
	switch {
	case !r.opt.Method.Has(Tries) || r.opt.Select == None:
		return false
	case round.Fresh:
		return r.Step > 0 && round.Association-r.Rounds[last-1].Association < slowGain*r.Mix.Top
	}
	return r.stalls() || r.Step > 1 && round.Association < r.Rounds[last-1].Association && r.Mix.weight(round.Association-r.Rounds[0].Association) < fadedWeight
}

// stalls reports whether the last rounds of the setting have hardly come above what association was before them.
// What follows then circles round a fixed point.
func (r *run) stalls() bool {
	rounds := r.Rounds[len(r.Rounds)-r.Step:]
	before := len(rounds) - stallRounds
	return before >= 1 && highest(rounds[before:])-highest(rounds[:before]) <= slowGain*r.Mix.Top
}

// highest returns the largest association of rounds.
func highest(rounds []Round) float64 {
	return slices.MaxFunc(rounds, func(a, b Round) int { return cmp.Compare(a.Association, b.Association) }).Association
}

// saturates reports whether a setting and the two before it differ only in a growing k, and the step from the
// first to the second gained little.
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
