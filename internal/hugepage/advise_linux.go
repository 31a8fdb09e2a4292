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
func Advise[T element](block []T) {
	if pages := whole(block); len(pages) > 0 {
		_ = unix.Madvise(pages, unix.MADV_HUGEPAGE)
		_ = unix.Madvise(pages, unix.MADV_COLLAPSE)
	}
}

// Fresh is [Advise] for a slice that may be written in part only: pages that
// are not written take no memory, and those in use stay as they are.
func Fresh[T element](block []T) {
	if pages := whole(block); len(pages) > 0 {
		_ = unix.Madvise(pages, unix.MADV_HUGEPAGE)
	}
}

// whole returns the huge pages that lie within a large slice.
func whole[T element](block []T) []byte {
	var one T
	bytes := int(unsafe.Sizeof(one)) * len(block)
	if bytes < smallest {
		return nil
	}
	start := unsafe.Pointer(unsafe.SliceData(block))
	skip := int(-uintptr(start) % size) // to the first whole page
	return unsafe.Slice((*byte)(unsafe.Add(start, skip)), (bytes-skip)/size*size)
}
