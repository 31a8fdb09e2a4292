//go:build (!amd64 && !arm64) || purego

package kernel

func (k *implementation) tile(dst []float64, stride int, a, b []float64, n int) {
	tilePortable(dst, stride, a, b, n)
}

func (k *implementation) rotate(_, _ []float64, _, _ float64) int { return 0 }
