package hugepage

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// Advise asks for huge pages for the memory of a slice that was just made and
// not yet written. It is advice: where the system has no huge pages to give,
// nothing changes. The memory stays the Go heap's.
//
// Memory that the heap had in use before keeps the pages it has, so these are
// collapsed to huge ones at once (from Linux 6.1 on); others come huge.
func Advise[T float32 | uint32](block []T) {
	bytes := 4 * len(block)
	if bytes < smallest {
		return
	}
	start := unsafe.Pointer(unsafe.SliceData(block))
	skip := int(-uintptr(start) % size) // to the first whole page
	whole := (bytes - skip) / size * size
	pages := unsafe.Slice((*byte)(unsafe.Add(start, skip)), whole)
	_ = unix.Madvise(pages, unix.MADV_HUGEPAGE)
	_ = unix.Madvise(pages, unix.MADV_COLLAPSE)
}
