//go:build !unix

package scratch

import "os"

type onDisk struct {
	*os.File
	named bool
}

func (f onDisk) Named() bool { return f.named }

func (onDisk) Map(int64) ([]byte, error) { return nil, ErrNoMaps }

func unmap([]byte) error { return ErrNoMaps }
