//go:build !amd64 || purego

package kernel

func askFor([]float32, int, int, []uint32) {}
