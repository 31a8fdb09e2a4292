package knn

import "slices"

// leaveOut takes the blank points out of the neighbours of all points, and gives them
// none, and returns how many there are. To [Cosine] and [InnerProduct] a point of zeros
// is as far from all others: which are its nearest is a matter of their numbers.
func (nb *Neighbors) leaveOut(blank func(i int) bool) (count int) {
	if nb.Metric == L2 {
		return 0
	}
	is := make([]bool, nb.N)
	for i := range is {
		if is[i] = blank(i); is[i] {
			count++
		}
	}
	if count == 0 {
		return 0
	}
	for i := range nb.N {
		if is[i] && nb.Of != nil {
			nb.Of[i] = uint32(i) // no copy of the others
		}
		ids, dist := nb.Row(i)
		kept := 0
		for p, id := range ids {
			if !is[i] && !is[id] {
				ids[kept], dist[kept] = id, dist[p]
				kept++
			}
		}
		clearPlaces(ids[kept:], dist[kept:])
	}
	return count
}

// isZero reports whether a point has no other coordinate.
func isZero(point []float32) bool {
	return !slices.ContainsFunc(point, func(v float32) bool { return v != 0 })
}
