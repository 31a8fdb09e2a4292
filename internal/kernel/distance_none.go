//go:build !amd64 || purego

package kernel

func (k *implementation) distance(x, y []float32) float32 { return distancePortable(x, y) }
