//go:build (!amd64 && !arm64) || purego

package kernel

func (k *implementation) gather(v *[Width]float32, s Sparse, u []float32, b *Bound, from, to int) (row int, mask uint32) {
	return gatherPortable(v, s, u, b, from, to)
}

func (k *implementation) spread(u []float32, cols []uint32, vals []float32, factor *[Width]float32) {
	spreadPortable(u, cols, vals, factor)
}
