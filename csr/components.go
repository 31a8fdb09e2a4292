package csr

import (
	"github.com/adp-sparse/adp-sparse/internal/forest"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// Components returns the connected components of the graph with the symmetric matrix m. of[i] is
// the component of node i, numbered from 0 in the order of their smallest nodes; sizes[c] is the
// number of nodes in component c. It reads the rows once, in order, so a mapped matrix may be
// larger than the memory. O(rows + nnz), 4 bytes a node and 8 a component.
func Components(m *Matrix, threads int) (of []uint32, sizes []int) {
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
	of = sets
	for i := range of { // of[:i] are numbers of components, the rest parents
		if parent := sets[i]; int(parent) < i {
			of[i] = of[parent]
		} else {
			of[i] = uint32(len(sizes))
			sizes = append(sizes, 0)
		}
		sizes[of[i]]++
	}
	return of, sizes
}
