//go:build (!amd64 && !arm64) || purego

package kernel

func vectorized() []implementation { return nil }
