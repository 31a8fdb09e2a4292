//go:build !unix && !windows

package filemap

import "os"

const (
	// Has is false where files cannot be mapped.
	Has = false
	// Cuts is true where a file can be made shorter while it is mapped.
	Cuts = false
)

// Map returns [ErrNone].
func Map(*os.File, int64, bool) ([]byte, error) { return nil, ErrNone }

// Unmap returns [ErrNone].
func Unmap([]byte) error { return ErrNone }
