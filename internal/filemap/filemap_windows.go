package filemap

import (
	"os"
	"unsafe"

	"golang.org/x/sys/windows"
)

const (
	// Has is false where files cannot be mapped.
	Has = true
	// Cuts is true where a file can be made shorter while it is mapped.
	Cuts = false
)

// Map maps the first size bytes of a file, which must be more than none, for
// reading, or for reading and writing: then a shorter file is made that long
// first, with space of the disk. The file may be closed after it.
func Map(f *os.File, size int64, write bool) ([]byte, error) {
	protect, access := uint32(windows.PAGE_READONLY), uint32(windows.FILE_MAP_READ)
	if write {
		protect, access = windows.PAGE_READWRITE, windows.FILE_MAP_WRITE
	}
	mapping, err := windows.CreateFileMapping(windows.Handle(f.Fd()), nil, protect, uint32(size>>32), uint32(size), nil)
	if err != nil {
		return nil, os.NewSyscallError("CreateFileMapping", err)
	}
	address, err := windows.MapViewOfFile(mapping, access, 0, 0, uintptr(size))
	if err != nil {
		windows.CloseHandle(mapping)
		return nil, os.NewSyscallError("MapViewOfFile", err)
	}
	windows.CloseHandle(mapping) // the view keeps it
	// The address is no pointer of Go's: vet wants to see one made of another.
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&address)), size), nil
}

// Unmap ends a mapping.
func Unmap(b []byte) error {
	return os.NewSyscallError("UnmapViewOfFile", windows.UnmapViewOfFile(uintptr(unsafe.Pointer(unsafe.SliceData(b)))))
}
