package parquet

import (
	"encoding/binary"
	"errors"
)

// A walker goes through a structure of Thrift's compact protocol, in which the
// footer and the headers of pages are written, without keeping any of it.
type walker struct {
	data  []byte
	at    int
	items int // of all lists that may still come
}

// The bounds of a structure.
const (
	maxNesting = 24
	maxItems   = 1 << 20
)

var (
	errCut    = errors.New("a structure that goes past its end")
	errItems  = errors.New("a list with more items than bytes follow")
	errNested = errors.New("structures nested too deeply")
	errType   = errors.New("a field of an unknown type")
)

// walk returns the bytes that the structure at the start of data takes.
func walk(data []byte) (int, error) {
	w := walker{data: data, items: maxItems}
	err := w.structure(0)
	return w.at, err
}

// The types of the compact protocol.
const (
	typeTrue, typeFalse, typeByte        = 1, 2, 3
	typeInt16, typeInt32, typeInt64      = 4, 5, 6
	typeDouble, typeBinary               = 7, 8
	typeList, typeSet, typeMap, typeData = 9, 10, 11, 12
)

func (w *walker) structure(depth int) error {
	if depth > maxNesting {
		return errNested
	}
	for {
		head, err := w.byte()
		if err != nil || head == 0 {
			return err
		}
		if head>>4 == 0 { // the number of the field follows
			if _, err := w.varint(); err != nil {
				return err
			}
		}
		if kind := head & 15; kind == typeTrue || kind == typeFalse { // the type is the value
			continue
		} else if err := w.value(kind, depth+1); err != nil {
			return err
		}
	}
}

func (w *walker) value(kind byte, depth int) error {
	switch kind {
	case typeTrue, typeFalse, typeByte:
		return w.skip(1)
	case typeInt16, typeInt32, typeInt64:
		_, err := w.varint()
		return err
	case typeDouble:
		return w.skip(8)
	case typeBinary:
		size, err := w.varint()
		if err != nil {
			return err
		}
		return w.skip(size)
	case typeList, typeSet:
		return w.list(depth)
	case typeData:
		return w.structure(depth)
	}
	return errType // maps too: Parquet has none
}

func (w *walker) list(depth int) error {
	head, err := w.byte()
	if err != nil {
		return err
	}
	size := uint64(head >> 4)
	if size == 15 {
		if size, err = w.varint(); err != nil {
			return err
		}
	}
	if size > uint64(len(w.data)-w.at) || size > uint64(w.items) {
		return errItems
	}
	if depth > maxNesting {
		return errNested
	}
	w.items -= int(size)
	for range size {
		if err := w.value(head&15, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) byte() (byte, error) {
	if w.at == len(w.data) {
		return 0, errCut
	}
	w.at++
	return w.data[w.at-1], nil
}

func (w *walker) varint() (uint64, error) {
	v, n := binary.Uvarint(w.data[w.at:])
	if n <= 0 {
		return 0, errCut
	}
	w.at += n
	return v, nil
}

func (w *walker) skip(n uint64) error {
	if n > uint64(len(w.data)-w.at) {
		return errCut
	}
	w.at += int(n)
	return nil
}
