package csr

// Components returns the connected components of the graph with the
// symmetric matrix m: of[i] is the component of node i, numbered from 0 in
// the order of their smallest nodes, and sizes[c] the nodes in component c.
// Breadth-first search, O(rows + nnz), 8 bytes a node.
func Components(m *Matrix) (of []uint32, sizes []int) {
	const unseen = ^uint32(0)
	of = make([]uint32, m.rows)
	for i := range of {
		of[i] = unseen
	}
	queue := make([]uint32, 0, m.rows)
	for start := range m.rows {
		if of[start] != unseen {
			continue
		}
		c := uint32(len(sizes))
		of[start] = c
		queue = append(queue[:0], uint32(start))
		for head := 0; head < len(queue); head++ {
			cols, _ := m.Row(int(queue[head]))
			for _, j := range cols {
				if of[j] == unseen {
					of[j] = c
					queue = append(queue, j)
				}
			}
		}
		sizes = append(sizes, len(queue))
	}
	return of, sizes
}
