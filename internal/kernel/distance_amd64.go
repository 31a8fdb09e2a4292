//go:build amd64 && !purego

package kernel

// distance is [SquaredDistance] of whole steps, at least one.
func (k *implementation) distance(x, y []float32) float32 {
	if k.vectors {
		return distanceAVX2(&x[0], &y[0], len(x)/distanceStep)
	}
	return distancePortable(x, y)
}
