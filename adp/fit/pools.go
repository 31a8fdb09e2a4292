package fit

import (
	"slices"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/crossval"
	"github.com/adp-sparse/adp-sparse/adp/stack"
)

// The pools (docs/decisions/0014-feature-step.md, 0029-two-views.md, 0030-features-of-neighbours.md, 0032-tables.md). Each says where it is
// used.
var (
	// homophilous: edges and features tell of the same classes.
	homophilous = []member{
		{smoothed, onSum, 1},
		{lgc, onRebuilt, 0.5},
		{lgc, onEdges, 0.2},
		{lgc, onFeatures, 0.2},
		{plain, onSum, 0.3},
		{forest, onEdges, 1},
	}
	// heterophilous: edges and features tell of other classes.
	heterophilous = []member{
		{smoothed, onFeatures, 1},
		{ridge, onFeatures, 1},
		{centred, onEdges, 1},
		{summedHops, onEdges, 1},
		{plain, onSum, 1},
		{links, onEdges, 0.5},
		{unlike, onEdges, 0.5},
		{degrees, onEdges, 0.25},
		{lgc, onEdges, 1},
		{lgc, onFeatures, 0.5},
		{forest, onEdges, 1},
	}
	// featuresOnEdges: the features' graph has no structure, and features of neighbours are worth something.
	featuresOnEdges = []member{
		{lgc, onEdges, 1},
		{smoothed, onEdges, 2},
		{centred, onEdges, 0.3},
		{ridge, onEdges, 0.3},
		{links, onEdges, 0.3},
		{unlike, onEdges, 0.3},
		{plain, onSum, 0.3},
		{forest, onEdges, 1},
	}
	// besideEdges: what features have beside a pool of edges alone where their graph has no structure and those of neighbours are
	// worth nothing.
	besideEdges = []member{
		{smoothed, onEdges, 0.3},
		{centred, onEdges, 0.2},
		{plain, onSum, 0.3},
		{forest, onEdges, 0.5},
	}
	// featuresAlone: features that are measurements, without edges.
	featuresAlone = []member{
		{process, onSum, 2},
		{alternate, onSum, 0.5},
		{plain, onSum, 0.5},
		{kernelRidge, onSum, 0.5},
		{logistic, onSum, 1},
		{forest, onSum, 1},
	}
	// wordsAlone: features that are words, without edges.
	wordsAlone = []member{
		{process, onSum, 1},
		{smoothed, onSum, 1},
		{alternate, onSum, 0.5},
		{ridge, onSum, 0.5},
		{plain, onSum, 0.5},
	}
	// taughtAlone: what wordsAlone teach.
	taughtAlone = []member{
		{bayes, onSum, 6},
		{distilled, onSum, 2},
	}
)

// Beside edges naive Bayes has up to bayesBeside of the prior, the less features and edges tell of the same classes, and the ridge of what
// the others say up to distilledBeside, the more they do and the more known labels there are to be left out
// (docs/decisions/0052-distilled-with-edges.md, 0058-naive-bayes.md).
const (
	bayesBeside     = 0.15
	distilledBeside = 0.25
)

// teachable reports whether members may learn from the others: of words. The folds keep the scores of all teachers, so that a large graph has none.
func teachable(words bool, nodes int) bool { return words && nodes <= adp.FullNodes }

// linksAlone is the pool of edges alone (docs/decisions/0031-neighbours-in-common.md, 0034-where-walks-end.md, 0039-unlike-neighbours.md).
var linksAlone = []member{
	{process, onEdges, 3},
	{links, onEdges, 1},
	{walks, onEdges, 0.5},
	{degrees, onEdges, 0.25},
	{unlike, onEdges, 1},
}

// linksUntried is that pool where no seed can be left out: nothing tells then whether degrees do, or whether neighbours are unlike.
var linksUntried = linksAlone[:3]

// linkPool is the one of both that is due.
func (p *pool) linkPool() []member {
	if p.mostLeftOut() == 0 {
		return linksUntried
	}
	return linksAlone
}

// besideFeatures returns the pool of features alone, on their graph. On large graphs it has no kernel regression, for its memory.
func besideFeatures(words, small bool) []member {
	members := slices.Clone(featuresAlone)
	if words {
		members = slices.Clone(wordsAlone)
	}
	if !small {
		members = slices.DeleteFunc(members, func(m member) bool { return m.method == kernelRidge })
	}
	for k := range members {
		if members[k].graph == onSum && !members[k].graphless() {
			members[k].graph = onFeatures
		}
	}
	return members
}

// membersBy returns the members for edges and features that go together as the views say (docs/decisions/0046-one-diffusion.md has the graphs
// that features are diffused over).
func (p *pool) membersBy(v *views, words bool) []member {
	apart, together := heterophilous, homophilous
	n := p.whole.y.Nodes
	small := n <= adp.FullNodes
	trust := p.trust()
	switch {
	case v.formless:
		none := slices.Concat(p.linkPool(), besideEdges)
		if n > hugeNodes { // for the memory
			apart = undiffused(apart)
		}
		apart = blend(blend(featuresOnEdges, none, v.worth), apart, trust)
	default:
		if edges, alone := v.alone(trust); alone > 0 {
			apart = blend(blend(p.linkPool(), besideFeatures(words, small), edges), heterophilous, alone)
		}
	}
	share := v.alike
	if small {
		share *= 1 - doubt(p.mostLeftOut())
	} else {
		together = withoutCostly(homophilous)
	}
	if v.alike > 0 { // features are diffused over the sum
		apart = undiffused(apart)
	}
	members := blend(together, apart, share)
	if teachable(words, n) {
		known := share * (1 - trust)
		members = blend(members, []member{{bayes, onSum, 1}}, 1-bayesBeside*(1-known))
		members = blend(members, []member{{distilled, onSum, 1}}, 1-distilledBeside*known)
	}
	return members
}

// doubtSeeds is the number of left-out seeds with which the methods for unlike nodes have a quarter of the prior although
// edges and features tell of the same classes (docs/decisions/0035-many-labels.md).
const doubtSeeds = 64

// doubt is the share of the prior that those methods have with m left-out seeds, which can tell whether they are better: from 0 to ½.
func doubt(m int) float64 { return 0.5 * float64(m) / float64(m+doubtSeeds) }

// trust is how far the views are trusted, from 1 where no seed can be left out: as the prior is, for as many left-out seeds.
func (p *pool) trust() float64 {
	return stack.Strength / float64(stack.Strength+p.mostLeftOut())
}

// mostLeftOut returns the number of seeds that all folds leave out.
func (p *pool) mostLeftOut() (m int) {
	for _, hidden := range crossval.Folds(p.whole.y, crossval.ChoiceFolds, crossval.ChoiceSeed) {
		m += len(hidden)
	}
	return m
}

// blend returns the members of two pools: those of the first have a share of the prior, those of the second
// the rest.
func blend(first, second []member, share float64) (members []member) {
	take := func(pool []member, share float64) {
		total := 0.0
		for _, m := range pool {
			total += m.prior
		}
		for _, m := range pool {
			if m.prior *= share / total; m.prior == 0 {
				continue
			}
			at := slices.IndexFunc(members, func(o member) bool { return o.method == m.method && o.graph == m.graph })
			if at < 0 {
				members = append(members, m)
			} else {
				members[at].prior += m.prior
			}
		}
	}
	take(first, share)
	take(second, 1-share)
	return members
}

// undiffused returns the members that need no diffused features of low rank.
func undiffused(members []member) []member {
	return slices.DeleteFunc(slices.Clone(members), member.diffuses)
}

// withoutRebuilt puts the sum in the place of the rebuilt graph.
func withoutRebuilt(members []member) []member {
	members = slices.Clone(members)
	for k := range members {
		if members[k].graph == onRebuilt {
			members[k].graph = onSum
		}
	}
	return members
}

// withoutCostly leaves out label spreading on the edges and on the features' graph alone, which cost as much as that on both.
func withoutCostly(members []member) []member {
	return slices.DeleteFunc(slices.Clone(members), func(m member) bool { return m.method == lgc && m.graph != onRebuilt })
}
