//go:build (amd64 || arm64) && !purego

package kernel

// tile is [Tile] of at least one row.
func (k *implementation) tile(dst []float64, stride int, a, b []float64, n int) {
	if k.vectors {
		tileVectors(&dst[0], stride, &a[0], &b[0], n)
		return
	}
	tilePortable(dst, stride, a, b, n)
}

// rotate is [Rotate] of whole steps; it returns how many numbers these are.
func (k *implementation) rotate(x, y []float64, c, s float64) int {
	const step = 4
	n := len(x) / step
	if !k.vectors || n == 0 {
		return 0
	}
	rotateVectors(&x[0], &y[0], c, s, n)
	return n * step
}
