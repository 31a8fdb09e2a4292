package service

import (
	"cmp"
	"context"
	"slices"

	"github.com/adp-sparse/adp-sparse/diffuse"
)

// Suggestion is a node whose label would help.
type Suggestion struct {
	Node int
	// Value is the product of the two, relative to the best one.
	Value float64
	// Uncertainty is 1 less the margin of the node's label, 1 without a label.
	Uncertainty float64
	// Coverage is how much uncertainty of all nodes reaches the node by
	// diffusion, and its label them; relative to the best covering one.
	Coverage float64
}

// coverageAlpha is α of the coverage: walks of about ten steps. With the α of
// labels, near 1, hubs would cover everything.
const coverageAlpha = 0.9

// Suggest returns the nodes without a known label of the largest products of
// uncertainty and coverage, the best first; none is a neighbour of one before,
// as the label of that will tell about it.
//
// With u the uncertainties and K = (1−α)(I − αS_A)^-1, coverage is K u: as K is
// symmetric, its entry i is what a label at node i sends to all nodes, weighed by
// how much they need it. Cost: one solve of one column.
func (m *Model) Suggest(ctx context.Context, count int) ([]Suggestion, error) {
	l := m.now.Load()
	n := len(l.labels)
	isSeed := l.seeds.Mask()
	unsure := make([]float32, n)
	var list []diffuse.Seed
	for i := range n {
		if isSeed[i] {
			continue
		}
		unsure[i] = 1
		if l.labels[i] >= 0 {
			unsure[i] = 1 - diffuse.TopOf(l.f.Row(i)).Margin
		}
		if unsure[i] > 0 {
			list = append(list, diffuse.Seed{Node: uint32(i), Weight: unsure[i]})
		}
	}
	if len(list) == 0 {
		return nil, nil
	}
	u, err := diffuse.NewSeeds(n, 1, list)
	if err != nil {
		return nil, err
	}
	opt := m.opt
	opt.Alpha, opt.Balance, opt.Prior, opt.Tolerance = coverageAlpha, diffuse.Unbalanced, nil, 1e-4
	coverage, _, err := diffuse.LGC(ctx, m.graph, u, opt)
	if err != nil {
		return nil, err
	}
	value := func(i uint32) float32 { return unsure[i] * coverage.Data[i] }
	candidates := make([]uint32, 0, len(list))
	for _, s := range u.List() {
		candidates = append(candidates, s.Node)
	}
	slices.SortStableFunc(candidates, func(a, b uint32) int { return cmp.Compare(value(b), value(a)) })
	return m.apart(candidates, count, func(i uint32) Suggestion {
		return Suggestion{
			Node: int(i), Uncertainty: float64(unsure[i]), Coverage: float64(coverage.Data[i]) / float64(slices.Max(coverage.Data)),
			Value: float64(value(i)) / float64(value(candidates[0])),
		}
	}), nil
}

// apart takes the first candidates of which none are neighbours.
func (m *Model) apart(candidates []uint32, count int, tell func(i uint32) Suggestion) (out []Suggestion) {
	near := map[uint32]bool{}
	for _, i := range candidates {
		if len(out) == count {
			break
		}
		if near[i] {
			continue
		}
		out = append(out, tell(i))
		cols, _ := m.learned.Row(int(i))
		for _, j := range cols {
			near[j] = true
		}
	}
	return out
}

// Neighbor is a node beside another.
type Neighbor struct {
	Node     int
	Weight   float64 // of their edge in the learned graph
	Original float64 // in the original one, 0 for none
}

// Link is an edge of the learned graph between two neighbours of a node.
type Link struct {
	A, B   int
	Weight float64
}

// Neighbors returns the neighbours of a node in the learned graph, the heaviest
// edge first, `count` at most, and the edges between them.
func (m *Model) Neighbors(node, count int) (list []Neighbor, links []Link) {
	cols, vals := m.learned.Row(node)
	for k, j := range cols {
		if int(j) != node && vals[k] > 0 {
			list = append(list, Neighbor{Node: int(j), Weight: float64(vals[k])})
		}
	}
	slices.SortStableFunc(list, func(a, b Neighbor) int { return cmp.Compare(b.Weight, a.Weight) })
	list = list[:min(count, len(list))]
	for k := range list {
		list[k].Original = m.original.At(node, list[k].Node)
		for _, other := range list[:k] {
			if v := m.learned.At(other.Node, list[k].Node); v > 0 {
				links = append(links, Link{other.Node, list[k].Node, v})
			}
		}
	}
	return list, links
}
