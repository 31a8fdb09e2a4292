package csr

import (
	"math"
	"slices"
)

// TopK keeps the k entries with the largest values of all offers. Among equal values the smaller
// column wins, so the choice does not depend on the order of offers. Entries are gathered until
// there are twice k, or a few more. Then the k best are selected, and the k-th best becomes the bar
// that offers have to pass. An offer costs O(1) on average, and most end at one comparison. It
// belongs to one goroutine.
type TopK struct {
	k    int
	bar  uint64   // entries not above it are refused
	keys []uint64 // gathered: see keyOf

	cols []uint32
	vals []float32
}

// leastSpare is the least number of entries gathered beside the k.
const leastSpare = 16

// NewTopK returns an empty selector of k entries. It takes 24 bytes for each.
func NewTopK(k int) *TopK {
	t := &TopK{k: k, keys: make([]uint64, 0, k+max(k, leastSpare)), cols: make([]uint32, 0, k), vals: make([]float32, 0, k)}
	t.Reset()
	return t
}

// keyOf maps larger values, and among equal values smaller columns, to larger keys. No key is 0.
func keyOf(col uint32, val float32) uint64 {
	b := math.Float32bits(val + 0) // −0 is 0
	b ^= uint32(int32(b)>>31) | 1<<31
	return uint64(b)<<32 | uint64(^col)
}

// entryOf is the inverse of keyOf.
func entryOf(key uint64) (col uint32, val float32) {
	b := uint32(key >> 32)
	b ^= ^uint32(int32(b)>>31) | 1<<31
	return ^uint32(key), math.Float32frombits(b)
}

// Reset empties the selector.
func (t *TopK) Reset() {
	t.keys = t.keys[:0]
	t.bar = 0
	if t.k == 0 {
		t.bar = math.MaxUint64
	}
}

// Offer considers the entry (col, val).
func (t *TopK) Offer(col uint32, val float32) {
	if key := keyOf(col, val); key > t.bar {
		t.keys = append(t.keys, key)
		if len(t.keys) == cap(t.keys) {
			t.prune()
		}
	}
}

// prune keeps the k best entries and raises the bar.
func (t *TopK) prune() {
	switch {
	case t.k == 0 || len(t.keys) < t.k:
		return
	case len(t.keys) > t.k:
		LargestFirst(t.keys, t.k)
		t.keys = t.keys[:t.k]
	}
	t.bar = slices.Min(t.keys)
}

// Entries returns the kept entries in no special order, valid until the next
// call of a method.
func (t *TopK) Entries() (cols []uint32, vals []float32) {
	t.prune()
	t.cols, t.vals = t.cols[:0], t.vals[:0]
	for _, key := range t.keys {
		col, val := entryOf(key)
		t.cols, t.vals = append(t.cols, col), append(t.vals, val)
	}
	return t.cols, t.vals
}

// Least returns a value below which no offer is accepted, and whether one is known; after Entries
// it is the k-th largest.
func (t *TopK) Least() (val float32, ok bool) {
	if t.bar == 0 || t.k == 0 {
		return 0, false
	}
	_, val = entryOf(t.bar)
	return val, true
}

// LargestFirst moves the k largest of different keys to the front, in no order, 1 ≤ k < len(keys),
// in O(len(keys)): Hoare's selection. The side of a key is unpredictable, so the loop that
// partitions them has no branch.
func LargestFirst(keys []uint64, k int) {
	for lo, hi := 0, len(keys)-1; lo < hi; {
		pivot := medianLast(keys[lo : hi+1])
		at := lo // keys before it are above the pivot
		for p := lo; p < hi; p++ {
			key := keys[p]
			keys[p] = keys[at]
			keys[at] = key
			above := 0
			if key > pivot {
				above = 1
			}
			at += above
		}
		keys[hi], keys[at] = keys[at], pivot
		switch {
		case at == k || at == k-1:
			return
		case at < k:
			lo = at + 1
		default:
			hi = at - 1
		}
	}
}

// medianLast moves the median of the first, the middle and the last key to the
// last place and returns it.
func medianLast(keys []uint64) uint64 {
	last, mid := len(keys)-1, len(keys)/2
	a, b, c := keys[0], keys[mid], keys[last]
	switch median := max(min(a, b), min(max(a, b), c)); median {
	case a:
		keys[0], keys[last] = c, a
	case b:
		keys[mid], keys[last] = c, b
	}
	return keys[last]
}
