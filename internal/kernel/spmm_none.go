//go:build (!amd64 && !arm64) || purego

package kernel

func (k *implementation) mulRows(dst []float32, dstStride int, x []float32, xStride, width int, bounds []int64, cols []uint32, vals []float32, _ int) {
	mulRowsPortable(dst, dstStride, x, xStride, width, bounds, cols, vals)
}
