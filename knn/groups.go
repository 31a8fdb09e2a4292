package knn

import (
	"cmp"
	"math"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// groups are the sets of equal points. Search runs over one point of each and gives the result to
// all. So duplicates cost nothing, and fill neither a cell nor a list of candidates.
type groups struct {
	first  []uint32 // smallest point of each group, ascending
	indptr []int64  // members of group g: members[indptr[g]:indptr[g+1]]
	member []uint32 // ascending within a group
}

// findGroups compares points number by number (so that −0 equals 0), after sorting them by a hash.
// O(n·d + n log n), 24 bytes a point while it runs.
func findGroups(x *csr.Dense, threads int) *groups {
	hash := func(i int) uint64 { return hashRow(x.Row(i)) }
	compare := func(a, b uint32) int { return slices.Compare(x.Row(int(a)), x.Row(int(b))) }
	return groupByLeader(leaders(x.Rows, threads, hash, compare))
}

// findSparseGroups is findGroups for the rows of a sparse matrix. A stored zero equals a missing
// entry.
func findSparseGroups(x *csr.Matrix, threads int) *groups {
	n, _ := x.Dims()
	hash := func(i int) uint64 {
		cols, vals := x.Row(i)
		h := hashRow(nil)
		for k, v := range vals {
			if v != 0 {
				h = mix(mix(h, uint64(math.Float32bits(v))), uint64(cols[k]))
			}
		}
		return h
	}
	compare := func(a, b uint32) int {
		ac, av := x.Row(int(a))
		bc, bv := x.Row(int(b))
		for p, q := 0, 0; ; p, q = p+1, q+1 {
			for p < len(av) && av[p] == 0 {
				p++
			}
			for q < len(bv) && bv[q] == 0 {
				q++
			}
			if p == len(av) || q == len(bv) {
				return cmp.Compare(len(av)-p, len(bv)-q)
			}
			if order := cmp.Or(cmp.Compare(ac[p], bc[q]), cmp.Compare(av[p], bv[q])); order != 0 {
				return order
			}
		}
	}
	return groupByLeader(leaders(n, threads, hash, compare))
}

// leaders returns, for each of n points, the first point that compares equal to it.
func leaders(n, threads int, hash func(i int) uint64, compare func(a, b uint32) int) []uint32 {
	type keyed struct {
		hash uint64
		id   uint32
	}
	keys := make([]keyed, n)
	rows.Each(n, threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			keys[i] = keyed{hash(i), uint32(i)}
		}
	})
	slices.SortFunc(keys, func(a, b keyed) int {
		if a.hash != b.hash {
			return cmp.Compare(a.hash, b.hash)
		}
		return cmp.Or(compare(a.id, b.id), cmp.Compare(a.id, b.id))
	})
	leader := make([]uint32, n)
	for k, key := range keys {
		leader[key.id] = key.id
		if k > 0 && keys[k-1].hash == key.hash && compare(keys[k-1].id, key.id) == 0 {
			leader[key.id] = leader[keys[k-1].id]
		}
	}
	return leader
}

func hashRow(row []float32) uint64 {
	h := uint64(0x9e3779b97f4a7c15)
	for _, v := range row {
		h = mix(h, uint64(math.Float32bits(v+0))) // −0 + 0 = 0
	}
	return h
}

func mix(h, v uint64) uint64 {
	h = (h ^ v) * 0xff51afd7ed558ccd
	return h ^ h>>32
}

// groupByLeader numbers the groups by their leaders, the smallest members.
func groupByLeader(leader []uint32) *groups {
	g := &groups{}
	number := make([]uint32, len(leader))
	var sizes []int64
	for i, l := range leader {
		if l == uint32(i) {
			number[i] = uint32(len(g.first))
			g.first = append(g.first, l)
			sizes = append(sizes, 0)
		}
		number[i] = number[l]
		sizes[number[i]]++
	}
	g.indptr = make([]int64, len(g.first)+1)
	for k, size := range sizes {
		g.indptr[k+1] = g.indptr[k] + size
	}
	g.member = make([]uint32, len(leader))
	next := slices.Clone(g.indptr)
	for i, k := range number {
		g.member[next[k]] = uint32(i)
		next[k]++
	}
	return g
}

// firsts returns, for each of n points, the first point equal to it, or the point itself if it is
// in no group; nil if no two are equal.
func (g *groups) firsts(n int) []uint32 {
	if len(g.first) == len(g.member) {
		return nil
	}
	of := allPoints(n)
	for k, first := range g.first {
		for _, i := range g.of(uint32(k)) {
			of[i] = first
		}
	}
	return of
}

// writeFirst turns the nearest groups of group u into the nearest first points of its own first
// point, and writes its row and those of its copies. self is the rank of one member of u to
// another.
func (g *groups) writeFirst(nb *Neighbors, u uint32, near []candidate, self float64) {
	members := g.of(u)
	at := int(members[0]) * nb.K
	for p, c := range near {
		nb.IDs[at+p], nb.Dist[at+p] = g.first[c.id], nb.Metric.distance(c.rank)
	}
	for _, i := range members[1:] {
		at := int(i) * nb.K
		nb.IDs[at], nb.Dist[at] = members[0], nb.Metric.distance(self)
	}
}

// numbered replaces the numbers of distinct points in nb by those of their groups; it returns nb
// itself if each point is a group.
func (g *groups) numbered(nb *Neighbors) *Neighbors {
	if len(g.first) == nb.N {
		return nb
	}
	number := make([]uint32, nb.N)
	for k, first := range g.first {
		number[first] = uint32(k)
	}
	out := newNeighbors(len(g.first), nb.K, nb.Metric)
	for k, first := range g.first {
		ids, dist := nb.Row(int(first))
		copy(out.Dist[k*nb.K:], dist)
		for p, id := range ids {
			out.IDs[k*nb.K+p] = number[id]
		}
	}
	return out
}

// of returns the points of group k, ascending.
func (g *groups) of(k uint32) []uint32 { return g.member[g.indptr[k]:g.indptr[k+1]] }

// expand turns the nearest groups of group u into the nearest points of each of its members, and
// writes their rows. self is the rank of one member of u to another. Any point among the K nearest
// is in one of the K nearest groups, ranked by their smallest members: K nearer groups hold K
// nearer points. scratch is returned for the next call.
func (g *groups) expand(nb *Neighbors, u uint32, near []candidate, self float64, scratch []candidate) []candidate {
	members := g.of(u)
	all := scratch[:0]
	for _, id := range members[:min(nb.K+1, len(members))] {
		all = append(all, candidate{self, id})
	}
	for _, c := range near {
		others := g.of(c.id)
		for _, id := range others[:min(nb.K, len(others))] {
			all = append(all, candidate{c.rank, id})
		}
	}
	slices.SortFunc(all, candidate.compare)
	for _, i := range members {
		at, end := int(i)*nb.K, (int(i)+1)*nb.K
		for _, c := range all {
			if c.id != i && at < end {
				nb.IDs[at], nb.Dist[at] = c.id, nb.Metric.distance(c.rank)
				at++
			}
		}
	}
	return all
}
