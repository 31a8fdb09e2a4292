package fit

import (
	"cmp"

	"github.com/adp-sparse/adp-sparse/adp/multilabel"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// Several says which labels nodes with several labels have ([Options.Several]).
type Several struct {
	*multilabel.Odds
	// LeftOut are the labels of the left-out nodes beside the true ones, by the weights and odds that others fit.
	LeftOut multilabel.Score `json:"left_out"`
}

// Sets returns the labels of nodes with several ([Options.Several]): by the odds of the mixture where there is one and the threshold is 0,
// else by a threshold θ of the shares of F ([multilabel.New]), 0 for [multilabel.DefaultThreshold]. A θ that is not 0 to 1 is an
// error. The sets have their rule, for new nodes, and keep r.F. O(nc).
func (r *Result) Sets(threshold float64) (*multilabel.Sets, error) {
	if c := r.Combination; c != nil && c.Several != nil && threshold == 0 {
		return multilabel.ByOdds(r.F, c.Several.Odds), nil
	}
	return multilabel.New(r.F, cmp.Or(threshold, multilabel.DefaultThreshold))
}

// sets returns how labels are read off the probabilities f, n×c, by those of the left-out nodes.
func (p *pool) sets(f *csr.Dense, left *leftOut, by quarters) *Several {
	y := p.whole.y
	sizes, labels := sizesOfSets(y)
	fit := func(nodes *leftNodes) *multilabel.Odds {
		return multilabel.FitOdds(nodes.probabilities, nodes.classes, sizes, labels, p.opt.Threads)
	}
	all := left.byNode(p.crossed(left, by, y.Classes, nil))
	var got, truth [][]int32
	for q := range by { // node k is in quarter k mod 4, see [leftOut.quarters]
		own, others := all.part(func(k int) bool { return k%len(by) == q }), all.part(func(k int) bool { return k%len(by) != q })
		odds := fit(others)
		odds.Choose(others.probabilities, nil, p.opt.Threads)
		sets := multilabel.ByOdds(own.probabilities, odds)
		for i, classes := range own.classes {
			var of []int32
			for _, label := range sets.Of(i) {
				of = append(of, label.Class)
			}
			got, truth = append(got, of), append(truth, classes)
		}
	}
	out := &Several{Odds: fit(all), LeftOut: multilabel.Compare(got, truth, y.Classes)}
	out.Choose(f, y.Mask(), p.opt.Threads)
	return out
}

// sizesOfSets returns the shares of the classes in the seeds, with half a seed more of each, and the labels of a node.
func sizesOfSets(y *diffuse.Seeds) (sizes []float64, labels float64) {
	list := y.List()
	for _, count := range y.PerClass() {
		sizes = append(sizes, (float64(count)+0.5)/(float64(len(list))+float64(y.Classes)/2))
	}
	return sizes, float64(len(list)) / float64(y.Labelled())
}

// leftNodes are left-out nodes with all their classes.
type leftNodes struct {
	probabilities *csr.Dense
	classes       [][]int32
}

// byNode returns the nodes of the left-out seeds, by the probabilities of each seed.
func (l *leftOut) byNode(probabilities *csr.Dense) *leftNodes {
	out := &leftNodes{probabilities: &csr.Dense{Cols: probabilities.Cols}}
	for k, class := range l.classes {
		if k == 0 || l.nodes[k] != l.nodes[k-1] {
			out.add(probabilities.Row(k), nil)
		}
		last := &out.classes[len(out.classes)-1]
		*last = append(*last, int32(class))
	}
	return out
}

func (l *leftNodes) add(row []float32, classes []int32) {
	l.probabilities.Data = append(l.probabilities.Data, row...)
	l.probabilities.Rows++
	l.classes = append(l.classes, classes)
}

// part returns the nodes that are in.
func (l *leftNodes) part(in func(k int) bool) *leftNodes {
	out := &leftNodes{probabilities: &csr.Dense{Cols: l.probabilities.Cols}}
	for k, classes := range l.classes {
		if in(k) {
			out.add(l.probabilities.Row(k), classes)
		}
	}
	return out
}
