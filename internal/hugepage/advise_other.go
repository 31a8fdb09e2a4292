//go:build !linux

package hugepage

// Advise does nothing: this system takes no such advice.
func Advise[T element](block []T) {}

// Fresh does nothing, either.
func Fresh[T element](block []T) {}
