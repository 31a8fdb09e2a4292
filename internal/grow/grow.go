// Package grow makes room for as many elements as a file claims to hold,
// when nothing confirms the claim until they have arrived.
package grow

// first is the number of elements for which room is made at once.
const first = 1 << 14

// step is how many times as much room there may be as elements that have
// arrived. The last step goes to exactly the number that was claimed, so the
// peak for an honest file is 1 + 1/4 + 1/16 + … = 4/3 of its elements. The
// steps of append, of 1/4 each, leave several times the elements behind as
// garbage that may not have been collected when the last step is made.
const step = 4

// Slice returns s with room for at least one more element: s itself where it
// has room, or where it already has the n elements that were claimed; else a
// copy with the capacity n divided by a power of 4, at most 4 times the
// elements of s but at least min(n, first/4).
func Slice[T any](s []T, n int64) []T {
	if len(s) < cap(s) || int64(len(s)) >= n {
		return s
	}
	capacity := n
	for capacity > first && capacity/step > int64(len(s)) {
		capacity /= step
	}
	grown := make([]T, len(s), capacity)
	copy(grown, s)
	return grown
}
