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
// once, in order, so a mapped matrix may be larger than the memory. O(rows + nnz). Where there is
// more than one component m keeps 4 bytes a node and 8 a component.
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
	rows.Each(m.rows, threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			cols, _ := m.Row(i)
			for _, j := range cols {
				if int(j) >= i { // its row has it
					break
				}
				sets.Unite(uint32(i), j)
			}
		}
	})
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
