//go:build (!amd64 && !arm64) || purego

package kernel

func (k *implementation) minusDot(_, _ []float32, _ float32, _ []float64) int { return 0 }
func (k *implementation) descend(_, _, _ []float32, _ []float64) int          { return 0 }
func (k *implementation) advance(_, _, _, _, _ []float32) int                 { return 0 }
