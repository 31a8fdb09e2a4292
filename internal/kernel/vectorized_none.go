//go:build !amd64 || purego

package kernel

func vectorized() []implementation { return nil }
