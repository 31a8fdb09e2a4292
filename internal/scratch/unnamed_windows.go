package scratch

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	"golang.org/x/sys/windows"
)

// unnamed makes a file in a folder that the system removes when it is closed, also
// by the end of the process.
func unnamed(dir string) (*os.File, error) {
	name := filepath.Join(dir, fmt.Sprintf(".adp-sparse.%016x", rand.Uint64()))
	return os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL|windows.O_FILE_FLAG_DELETE_ON_CLOSE, 0o600)
}
