package hugepage

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// Advise asks for huge pages for the memory of a slice that was just made and
// not yet written. It is advice: where the system has no huge pages to give,
// nothing changes. The memory stays the Go heap's.
func Advise[T float32 | uint32](block []T) {
	bytes := 4 * len(block)
	if bytes < smallest {
		return
	}
	start := unsafe.Pointer(unsafe.SliceData(block))
	skip := int(-uintptr(start) % size) // to the first whole page
	whole := (bytes - skip) / size * size
	_ = unix.Madvise(unsafe.Slice((*byte)(unsafe.Add(start, skip)), whole), unix.MADV_HUGEPAGE)
}
