// Package forest joins numbers into sets, from any number of goroutines at a time.
package forest

import "sync/atomic"

// Forest is sets of the numbers 0 to n−1. Each number has a parent in its set, no
// larger than itself; the smallest of a set is its own, and stands for the set.
// Which sets there are, and what stands for them, does not depend on the order of
// calls.
type Forest []uint32

// New returns n sets of one number each: 4 bytes a number.
func New(n int) Forest {
	f := make(Forest, n)
	for i := range f {
		f[i] = uint32(i)
	}
	return f
}

// Find returns the smallest number known to be in the set of x.
func (f Forest) Find(x uint32) uint32 {
	for {
		parent := atomic.LoadUint32(&f[x])
		if parent == x {
			return x
		}
		above := atomic.LoadUint32(&f[parent])
		if above == parent {
			return parent
		}
		// Halve the path. Where another goroutine was faster, its parent is as good.
		atomic.CompareAndSwapUint32(&f[x], parent, above)
		x = above
	}
}

// Unite joins the sets of a and b: amortised, a few steps.
//
// S. V. Jayanti, R. E. Tarjan: A Randomized Concurrent Algorithm for Disjoint Set
// Union, PODC 2016; here linked by number, for the sake of a fixed result.
func (f Forest) Unite(a, b uint32) {
	for {
		a, b = f.Find(a), f.Find(b)
		if a == b {
			return
		}
		if a < b {
			a, b = b, a
		}
		if atomic.CompareAndSwapUint32(&f[a], a, b) {
			return
		}
	}
}
