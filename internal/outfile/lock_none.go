//go:build !windows && (!unix || aix || solaris)

package outfile

import (
	"errors"
	"io"
)

// Lock says that there are no locks.
func (OS) Lock(string) (io.Closer, error) { return nil, errors.ErrUnsupported }
