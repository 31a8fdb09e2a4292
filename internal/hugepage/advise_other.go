//go:build !linux

package hugepage

// Advise does nothing: this system takes no such advice.
func Advise(block []float32) {}
