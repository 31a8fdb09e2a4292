//go:build !linux

package hugepage

// Advise does nothing: this system takes no such advice.
func Advise[T float32 | uint32](block []T) {}
