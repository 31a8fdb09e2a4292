package knn

import "slices"

// leaveOut removes the group of zero vectors, which are equal, from the groups, and returns its
// number of points. To [Cosine] and [InnerProduct] a zero vector is equally far from all others:
// its nearest would depend on their numbers alone, and it would take the place of an informative
// neighbour.
func (g *groups) leaveOut(metric Metric, isZero func(i int) bool) (count int) {
	if !metric.byAngle() {
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

// isZero reports whether all coordinates of a point are 0.
func isZero(point []float32) bool {
	return !slices.ContainsFunc(point, func(v float32) bool { return v != 0 })
}
