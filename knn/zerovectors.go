package knn

import "slices"

// leaveOut takes the group of the zero vectors, which are equal, out of the groups, and
// returns how many points it has. To [Cosine] and [InnerProduct] a point of zeros
// is as far from all others: which are its nearest is a matter of their numbers, and
// it would take the place of a neighbour that says something.
func (g *groups) leaveOut(metric Metric, isZero func(i int) bool) (count int) {
	if metric == L2 {
		return 0
	}
	u := slices.IndexFunc(g.first, func(i uint32) bool { return isZero(int(i)) })
	if u < 0 {
		return 0
	}
	lo, hi := g.indptr[u], g.indptr[u+1]
	g.first = slices.Delete(g.first, u, u+1)
	g.member = slices.Delete(g.member, int(lo), int(hi))
	g.indptr = slices.Delete(g.indptr, u, u+1)
	for k := u; k < len(g.indptr); k++ {
		g.indptr[k] -= hi - lo
	}
	return int(hi - lo)
}

// isZero reports whether a point has no other coordinate.
func isZero(point []float32) bool {
	return !slices.ContainsFunc(point, func(v float32) bool { return v != 0 })
}
