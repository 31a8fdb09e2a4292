//go:build (!amd64 && !arm64) || purego

package kernel

// Without assembly all loops are the portable ones: those that return a number have done none.

func vectorized() []implementation { return nil }

func (k *implementation) mulRows(dst []float32, dstStride int, x []float32, xStride, width int, bounds []int64, cols []uint32, vals []float32, _ int) {
	mulRowsPortable(dst, dstStride, x, xStride, width, bounds, cols, vals)
}

func (k *implementation) gather(v *[Width]float32, s Sparse, u []float32, b *Bound, from, to int) (row int, mask uint32) {
	return gatherPortable(v, s, u, b, from, to)
}

func (k *implementation) spread(u []float32, cols []uint32, vals []float32, factor *[Width]float32) {
	spreadPortable(u, cols, vals, factor)
}

func (k *implementation) atLeast(mask []uint32, vals []float32, floor float32) {
	atLeastPortable(mask, vals, floor)
}

func (k *implementation) minusDot(_, _ []float32, _ float32, _ []float64) int { return 0 }
func (k *implementation) descend(_, _, _ []float32, _ []float64) int          { return 0 }
func (k *implementation) advance(_, _, _, _, _ []float32) int                 { return 0 }

func (k *implementation) distance(x, y []float32) float32 { return distancePortable(x, y) }

func (k *implementation) sumSquares(s *[exactStep]float64, x, y []float32) {
	sumSquaresPortable(s, x, y)
}

func (k *implementation) sumProducts(s *[exactStep]float64, x, y []float32) {
	sumProductsPortable(s, x, y)
}

func (k *implementation) sumDifferences(s *[exactStep]float64, x, y []float32) {
	sumDifferencesPortable(s, x, y)
}

func (k *implementation) tile(dst []float64, stride int, a, b []float64, n int) {
	tilePortable(dst, stride, a, b, n)
}

func (k *implementation) rotate(_, _ []float64, _, _ float64) int { return 0 }
