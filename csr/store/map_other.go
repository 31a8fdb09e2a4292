//go:build !unix

package store

import (
	"errors"
	"os"
)

// canMap is false where files are read into memory instead.
const canMap = false

func mapFile(*os.File, int64) ([]byte, error) { return nil, errors.ErrUnsupported }

func unmapFile([]byte) error { return errors.ErrUnsupported }
