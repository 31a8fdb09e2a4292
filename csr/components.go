package csr

import (
	"slices"

	"github.com/adp-sparse/adp-sparse/internal/forest"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// components are those of a graph, as [Components] returns them; of is nil where there is only one.
type components struct {
	of    []uint32
	sizes []int
}

// Components returns the connected components of the graph with the symmetric matrix m. of[i] is
// the component of node i, numbered from 0 in the order of their smallest nodes; sizes[c] is the
// number of nodes in component c. The caller must not change of.
//
// The first call for m, or for a matrix whose pattern m shares ([Matrix.WithData]), reads the rows
// in order, at most twice, so a mapped matrix may be larger than the memory. O(rows + nnz), and mostly O(rows) where one
// component has most nodes. Where there is more than one component m keeps 4 bytes a node and 8 a component.
func Components(m *Matrix, threads int) (of []uint32, sizes []int) {
	m.finding.Lock()
	defer m.finding.Unlock()
	if m.parts == nil {
		m.parts = findComponents(m, threads)
	}
	if of = m.parts.of; of == nil {
		of = make([]uint32, m.rows)
	}
	return of, slices.Clone(m.parts.sizes)
}

func findComponents(m *Matrix, threads int) *components {
	sets := forest.New(m.rows)
	unite(sets, m, threads)
	found := &components{of: sets}
	for i, parent := range sets { // sets[:i] are numbers of components, the rest parents
		c := uint32(len(found.sizes))
		if int(parent) < i {
			c = sets[parent]
		} else {
			found.sizes = append(found.sizes, 0)
		}
		sets[i] = c
		found.sizes[c]++
	}
	if len(found.sizes) == 1 {
		found.of = nil
	}
	return found
}

// firstLinks is the number of entries of a row that are looked at before the largest component is guessed.
const firstLinks = 2

// unite joins the nodes of each edge. The first entries of each row make most of the largest component, as a rule. The rows of
// its nodes are not read any further: edges that leave it are entries of other rows, too.
//
// M. Sutton, T. Ben-Nun, A. Barak: Optimizing Parallel Graph Connectivity Computation via Subgraph Sampling, IPDPS 2018.
func unite(sets forest.Forest, m *Matrix, threads int) {
	rows.Each(m.rows, threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			cols, _ := m.Row(i)
			for _, j := range cols[:min(firstLinks, len(cols))] {
				sets.Unite(uint32(i), j)
			}
		}
	})
	largest := mostOften(sets)
	rows.Each(m.rows, threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if sets.Find(uint32(i)) == sets.Find(largest) {
				continue
			}
			cols, _ := m.Row(i)
			for _, j := range cols[min(firstLinks, len(cols)):] {
				sets.Unite(uint32(i), j)
			}
		}
	})
}

// mostOften returns what stands for the set that most of some 1,000 nodes, evenly spread, are in; 0 without nodes.
func mostOften(sets forest.Forest) (most uint32) {
	const sample = 1000
	count := map[uint32]int{}
	for i := 0; i < len(sets); i += max(1, len(sets)/sample) {
		root := sets.Find(uint32(i))
		if count[root]++; count[root] > count[most] {
			most = root
		}
	}
	return most
}
