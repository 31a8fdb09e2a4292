package machine

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

var (
	kernel32         = windows.NewLazySystemDLL("kernel32.dll")
	memoryStatus     = kernel32.NewProc("GlobalMemoryStatusEx")
	processMemoryNow = kernel32.NewProc("K32GetProcessMemoryInfo")
)

// installed returns the bytes of memory that the machine has, 0 if the system
// does not tell.
func installed() int64 {
	// MEMORYSTATUSEX
	s := struct {
		length, load uint32
		total        uint64
		others       [6]uint64
	}{}
	s.length = uint32(unsafe.Sizeof(s))
	if done, _, _ := memoryStatus.Call(uintptr(unsafe.Pointer(&s))); done == 0 {
		return 0
	}
	return int64(s.total)
}

// PeakResident returns the largest resident memory of this process in bytes, 0 if
// the system does not tell.
func PeakResident() int64 {
	// PROCESS_MEMORY_COUNTERS
	s := struct {
		length, faults uint32
		peak           uintptr
		others         [7]uintptr
	}{}
	s.length = uint32(unsafe.Sizeof(s))
	if done, _, _ := processMemoryNow.Call(uintptr(windows.CurrentProcess()), uintptr(unsafe.Pointer(&s)), uintptr(s.length)); done == 0 {
		return 0
	}
	return int64(s.peak)
}
