package htmlreport

import (
	"cmp"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// MostNodes is the largest number of nodes that are drawn.
const MostNodes = 2000

// sample returns at most `most` nodes of the graph, in increasing order: of each
// class its share, those that are reached first from its seeds along edges of the
// class, the heaviest edges of a node first. Neighbours stay together, which is
// what a drawing is for. Nodes without a label are a class too. Where a class
// does not hang together, it goes on from its first node that is left.
func sample(m *csr.Matrix, labels []int32, classes int, seeds []int, most int) []int {
	n := len(labels)
	if n <= most {
		return rows.InOrder[int](n)
	}
	members := byClass(labels, classes)
	sizes := make([]int, len(members))
	for j, nodes := range members {
		sizes[j] = len(nodes)
	}
	s := snowball{m: m, labels: labels, seen: make([]bool, n)}
	for j, quota := range shares(sizes, most) {
		var starts []int
		for _, i := range seeds {
			if classOf(labels, i, classes) == j {
				starts = append(starts, i)
			}
		}
		s.grow(starts, members[j], quota)
	}
	slices.Sort(s.taken)
	return s.taken
}

func classOf(labels []int32, i, classes int) int {
	if labels[i] < 0 {
		return classes
	}
	return int(labels[i])
}

// byClass returns the nodes of each class, and last those of none.
func byClass(labels []int32, classes int) [][]uint32 {
	members := make([][]uint32, classes+1)
	for i := range labels {
		j := classOf(labels, i, classes)
		members[j] = append(members[j], uint32(i))
	}
	return members
}

// shares deals out `total` in proportion to sizes, whose sum is more: whole
// numbers, at least 1 for each that is not empty where there are enough, none
// above its size.
func shares(sizes []int, total int) []int {
	sum, quotas := 0, make([]int, len(sizes))
	for _, size := range sizes {
		sum += size
	}
	for j, size := range sizes {
		quotas[j] = int(int64(size) * int64(total) / int64(sum))
		if size > 0 {
			quotas[j] = max(quotas[j], 1)
		}
	}
	given := 0
	for _, quota := range quotas {
		given += quota
	}
	for given > total { // classes of one node: take from the largest
		most := 0
		for j, quota := range quotas {
			if quota > quotas[most] {
				most = j
			}
		}
		quotas[most]--
		given--
	}
	return quotas
}

// snowball takes nodes of a class, breadth first.
type snowball struct {
	m      *csr.Matrix
	labels []int32
	seen   []bool
	taken  []int
}

func (s *snowball) grow(starts []int, members []uint32, quota int) {
	var queue []int
	add := func(i int) {
		if !s.seen[i] && quota > 0 {
			s.seen[i] = true
			s.taken = append(s.taken, i)
			queue = append(queue, i)
			quota--
		}
	}
	for _, i := range starts {
		add(i)
	}
	for next := 0; quota > 0; {
		if len(queue) == 0 {
			for s.seen[members[next]] {
				next++
			}
			add(int(members[next]))
			continue
		}
		i := queue[0]
		queue = queue[1:]
		for _, j := range heaviest(s.m, i) {
			if s.labels[j] == s.labels[i] {
				add(int(j))
			}
		}
	}
}

// heaviest returns the neighbours of a node by the weight of their edges,
// largest first.
func heaviest(m *csr.Matrix, i int) []uint32 {
	cols, vals := m.Row(i)
	order := make([]int, 0, len(cols))
	for k, j := range cols {
		if int(j) != i {
			order = append(order, k)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(vals[b], vals[a]) })
	neighbours := make([]uint32, len(order))
	for k, at := range order {
		neighbours[k] = cols[at]
	}
	return neighbours
}

// edge joins the a-th and the b-th node of a sample, a < b.
type edge struct {
	a, b   int
	weight float64
}

// mostEdges is the largest number of edges that are drawn.
const mostEdges = 6000

// edgesOf returns the edges of a graph between the nodes of a sample: where they
// are more than `most`, the heaviest edge of each node, then the second of each,
// and so on. all is their number.
func edgesOf(m *csr.Matrix, nodes []int, most int) (edges []edge, all int) {
	type ranked struct {
		edge
		rank int
	}
	var found []ranked
	best := map[[2]int]int{} // of the pair, the place in found
	for a, i := range nodes {
		rank := 0
		for _, j := range heaviest(m, i) {
			b, ok := slices.BinarySearch(nodes, int(j))
			if !ok {
				continue
			}
			pair := [2]int{min(a, b), max(a, b)}
			if at, seen := best[pair]; seen {
				found[at].rank = min(found[at].rank, rank)
			} else {
				best[pair] = len(found)
				found = append(found, ranked{edge{pair[0], pair[1], m.At(i, int(j))}, rank})
			}
			rank++
		}
	}
	slices.SortFunc(found, func(x, y ranked) int {
		return cmp.Or(cmp.Compare(x.rank, y.rank), cmp.Compare(y.weight, x.weight), cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
	})
	for _, f := range found[:min(most, len(found))] {
		edges = append(edges, f.edge)
	}
	return edges, len(found)
}
