//go:build !linux

package scratch

import (
	"os"
	"runtime"
)

// reserve makes a file size bytes long that the disk has room for. Windows does so
// as it maps the file.
func reserve(f *os.File, size int64) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	return fill(f, size)
}
