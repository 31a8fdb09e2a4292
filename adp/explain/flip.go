package explain

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sort"

	"github.com/adp-sparse/adp-sparse/diffuse"
)

// oneByOne is the number of seeds removed one after the other, before their number is sought by
// halving.
const oneByOne = 8

// flips finds the seeds that carry a label.
//
// With b_j = Σ K_is Y_s and m_j = Σ D_s^1/2 Y_s over the seeds of class j in the component, the
// score of class j is t_j b_j/m_j, see [diffuse.Graph.Scale]; t_j depends on the number of seeds,
// not on which. Let R be a rival's score. If removing some k seeds of a label can reduce its score
// below R, then removing the k seeds with the largest K_is Y_s − (R/t) D_s^1/2 Y_s does.
type flips struct {
	g      *diffuse.Graph
	y      *diffuse.Seeds
	opt    diffuse.Options
	kernel kernelRow
	own    []diffuse.Seed // of the label, those that reach the node, in the order of removal
	label  uint32
}

// flip fills in Flip and FlipTo.
func (e *Explanation) flip(ctx context.Context, g *diffuse.Graph, y *diffuse.Seeds, kernel kernelRow, opt diffuse.Options) error {
	if e.RunnerUp < 0 {
		return nil
	}
	f := flips{g: g, y: y, opt: opt, kernel: kernel, label: uint32(e.Label)}
	for _, p := range e.Parts {
		if p.Seed.Class == f.label {
			f.own = append(f.own, p.Seed)
		}
	}
	var err error
	enough := func(k int) bool {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return true
		}
		var to int
		to, err = f.without(e.Node, k)
		if to == e.Label || err != nil {
			return false
		}
		e.Flip, e.FlipTo = slices.Clone(f.own[:k]), to
		return true
	}
	for k := 1; k <= min(oneByOne, len(f.own)); k++ {
		if enough(k) || err != nil {
			return err
		}
	}
	// All of them suffice: no score is left then.
	k := oneByOne + 1 + sort.Search(len(f.own)-oneByOne-1, func(k int) bool { return enough(oneByOne + 1 + k) })
	enough(k)
	return err
}

// without orders the seeds by the effect of removing k of them, and returns the class of the
// largest score without the first k.
func (f *flips) without(node, k int) (int, error) {
	scores, unit, err := f.scores(k) // any k seeds give the same weights of the classes
	if err != nil {
		return 0, err
	}
	rival := 0.0
	for j, v := range scores {
		if j != int(f.label) {
			rival = max(rival, v)
		}
	}
	gain := func(s diffuse.Seed) float64 {
		amount := float64(s.Weight) * f.kernel.at(s.Node)
		if unit > 0 {
			amount -= rival / unit * f.mass(s)
		}
		return amount
	}
	slices.SortStableFunc(f.own, func(a, b diffuse.Seed) int { return cmp.Compare(gain(b), gain(a)) })
	if scores, _, err = f.scores(k); err != nil {
		return 0, err
	}
	to := int(f.label)
	for j, v := range scores {
		if v > scores[to] {
			to = j
		}
	}
	return to, nil
}

// scores returns the scores of the classes without the first k seeds, with the others balanced
// anew, and t of the label; t is 0 without balance, or if no seed is left.
func (f *flips) scores(k int) (scores []float64, unit float64, err error) {
	lost := map[uint32]bool{}
	for _, s := range f.own[:k] {
		lost[s.Node] = true
	}
	left := slices.DeleteFunc(slices.Clone(f.y.List()), func(s diffuse.Seed) bool { return s.Class == f.label && lost[s.Node] })
	y, err := diffuse.NewSeeds(f.y.Nodes, f.y.Classes, left)
	if err != nil {
		return nil, 0, err
	}
	within := f.opt.Within
	if within == nil {
		within = f.g
	}
	here := diffuse.ComponentOf(within, int(f.own[0].Node))
	scores = make([]float64, y.Classes)
	for at, v := range f.g.Scale(y, f.opt) {
		s := y.List()[at]
		scores[s.Class] += v * float64(s.Weight) * f.kernel.at(s.Node)
		if f.opt.Balance == diffuse.Balanced && s.Class == f.label && diffuse.ComponentOf(within, int(s.Node)) == here {
			unit += v * f.mass(s)
		}
	}
	return scores, unit, nil
}

// mass is the weight of a seed in the balance of its class.
func (f *flips) mass(s diffuse.Seed) float64 {
	return math.Sqrt(f.g.Degrees[s.Node]) * float64(s.Weight)
}
