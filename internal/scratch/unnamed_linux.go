package scratch

import (
	"os"

	"golang.org/x/sys/unix"
)

// unnamed opens a file in a folder that never has a name, which not all file
// systems know.
func unnamed(dir string) (*os.File, error) {
	return os.OpenFile(dir, os.O_RDWR|unix.O_TMPFILE, 0o600)
}
