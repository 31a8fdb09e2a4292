//go:build (!amd64 && !arm64) || purego

package kernel

func (k *implementation) atLeast(mask []uint32, vals []float32, floor float32) {
	atLeastPortable(mask, vals, floor)
}
