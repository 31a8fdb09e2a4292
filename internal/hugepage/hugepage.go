// Package hugepage asks the system for huge pages. A product with a sparse
// matrix reads rows of a dense block all over memory: with pages of 4 KiB most
// reads wait for an entry of the page table first.
package hugepage

// size is that of a huge page, smallest the length in bytes from which asking
// is worth the call.
const (
	size     = 2 << 20
	smallest = 4 * size
)

// element is what the slices hold.
type element interface {
	byte | float32 | uint32 | uint64
}
