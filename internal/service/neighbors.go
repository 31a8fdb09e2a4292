package service

import (
	"cmp"
	"slices"
)

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
