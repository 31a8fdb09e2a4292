//go:build !unix

package scratch

import "os"

type onDisk struct{ *os.File }

func (onDisk) Map(int64) ([]byte, error) { return nil, ErrNoMaps }

func unmap([]byte) error { return ErrNoMaps }
