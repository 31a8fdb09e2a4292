//go:build amd64 && !purego

package kernel

// atLeast is [AtLeast] for whole words, at least one. The calls are direct so
// that no argument escapes to the heap.
func (k *implementation) atLeast(mask []uint32, vals []float32, floor float32) {
	switch {
	case k.masked:
		atLeastAVX512(&mask[0], &vals[0], len(mask), floor)
	case k.vectors:
		atLeastAVX2(&mask[0], &vals[0], len(mask), floor)
	default:
		atLeastPortable(mask, vals, floor)
	}
}
