package csr

import (
	"context"
	"math"
	"slices"

	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// DegreeOrder returns the rows by decreasing number of entries; equal ones keep their order.
func DegreeOrder(m *Matrix) []uint32 {
	order := identity(m.rows)
	slices.SortStableFunc(order, func(a, b uint32) int { return m.rowLen(b) - m.rowLen(a) })
	return order
}

func (m *Matrix) rowLen(i uint32) int { return int(m.indptr[i+1] - m.indptr[i]) }

func identity(n int) []uint32 { return rows.InOrder[uint32](n) }

// ClusterOrder returns an order in which the rows of densely joined nodes are near each other at
// every scale. Products then find most of their operands in a cache. m is symmetric, with values of
// at least 0.
//
// Nodes, those of few neighbours first, join the neighbour whose cluster gains most modularity, ΔQ
// ∝ w_uv − s_u s_v/2m with strengths s, if one gains any; a joined cluster keeps one list of
// neighbours. The order is that of the tree of joins, depth first. One thread; about O(nnz log n).
// Memory: 40 bytes an entry at worst, and 40 a row. The only error is that of a context that ended.
//
// J. Arai, H. Shiokawa, T. Yamamuro, M. Onizuka, S. Iwamura: Rabbit Order, IPDPS 2016.
func ClusterOrder(ctx context.Context, m *Matrix) ([]uint32, error) {
	c, roots, err := join(ctx, m)
	if err != nil {
		return nil, err
	}
	return c.depthFirst(roots), nil
}

// join returns the forest of joins, and its roots.
func join(ctx context.Context, m *Matrix) (*clusters, []uint32, error) {
	n := m.rows
	c := &clusters{
		parent: identity(n), child: slices.Repeat([]uint32{math.MaxUint32}, n), next: slices.Repeat([]uint32{math.MaxUint32}, n),
		strength: Degrees(m, 1), cols: make([][]uint32, n), vals: make([][]float32, n), sum: NewAccumulator(n),
	}
	for _, s := range c.strength {
		c.total += s
	}
	rising := DegreeOrder(m)
	slices.Reverse(rising)
	var roots []uint32
	for k, u := range rising {
		if k%rows.BlockSize == 0 && ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if v, ok := c.best(m, u); ok {
			c.parent[u] = v
			c.next[u], c.child[v] = c.child[v], u
			c.strength[v] += c.strength[u]
			continue
		}
		roots = append(roots, u)
		c.cols[u], c.vals[u] = nil, nil
	}
	return c, roots, nil
}

// clusters is the forest of joins.
type clusters struct {
	parent      []uint32 // a root is its own
	child, next []uint32 // the last to join; who joined the same before
	strength    []float64
	total       float64
	cols        [][]uint32 // neighbours of a joined cluster, when it was joined
	vals        [][]float32
	sum         *Accumulator
}

// root returns the cluster of u, and shortens the path to it.
func (c *clusters) root(u uint32) uint32 {
	for c.parent[u] != u {
		c.parent[u] = c.parent[c.parent[u]]
		u = c.parent[u]
	}
	return u
}

// best collects the neighbours of cluster u and returns the one with the largest gain.
func (c *clusters) best(m *Matrix, u uint32) (best uint32, ok bool) {
	c.sum.Reset()
	add := func(cols []uint32, vals []float32) {
		for k, j := range cols {
			if j = c.root(j); j != u {
				c.sum.Add(j, vals[k])
			}
		}
	}
	add(m.Row(int(u)))
	for v := c.child[u]; v != math.MaxUint32; v = c.next[v] {
		add(c.cols[v], c.vals[v])
		c.cols[v], c.vals[v] = nil, nil
	}
	neighbours := c.sum.Columns()
	most := 0.0
	for _, j := range neighbours {
		gain := float64(c.sum.Value(j)) - c.strength[u]*c.strength[j]/c.total
		if gain > most || gain == most && ok && j < best {
			best, most, ok = j, gain, true
		}
	}
	if ok {
		c.cols[u] = slices.Clone(neighbours)
		c.vals[u] = make([]float32, len(neighbours))
		for k, j := range neighbours {
			c.vals[u][k] = c.sum.Value(j)
		}
	}
	return best, ok
}

func (c *clusters) depthFirst(roots []uint32) []uint32 {
	order := make([]uint32, 0, len(c.parent))
	var stack []uint32
	for _, r := range roots {
		stack = append(stack[:0], r)
		for len(stack) > 0 {
			u := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			order = append(order, u)
			for v := c.child[u]; v != math.MaxUint32; v = c.next[v] {
				stack = append(stack, v)
			}
		}
	}
	return order
}
