// Package filemap maps files into memory: the system reads and writes their pages
// as they are used, and keeps those that it has room for.
package filemap

import "errors"

// ErrNone says that the system has no files that are mapped.
var ErrNone = errors.New("this system has no mapped files")
