package npy

import (
	"archive/zip"
	"encoding/binary"
	"fmt"
	"math"
	"time"
)

// AppendHeader appends a version 1 header for a C-order array. The elements
// follow, little-endian where descr says so.
func AppendHeader(dst []byte, descr string, shape ...int64) []byte {
	dict := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }", descr, shapeText(shape))
	const before = len(magic) + 4
	length := (before+len(dict)+1+63)/64*64 - before // the elements start at a multiple of 64
	dst = append(dst, magic...)
	dst = append(dst, 1, 0, byte(length), byte(length>>8))
	return fmt.Appendf(dst, "%-*s\n", length-1, dict)
}

// WriteArray adds a C-order array to an archive, through a buffer of fixed size.
// element appends an element's bytes as descr says. Arrays are stored and not
// compressed, and times are fixed, so that the bytes depend on the values alone.
func WriteArray[T any](archive *zip.Writer, name, descr string, values []T, element func([]byte, T) []byte, shape ...int64) error {
	w, err := archive.CreateHeader(&zip.FileHeader{
		Name:     name + ".npy",
		Method:   zip.Store,
		Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC), // the first day that zip knows
	})
	if err != nil {
		return err
	}
	const most = 64 << 10
	buffer := AppendHeader(make([]byte, 0, most+8), descr, shape...)
	for _, v := range values {
		if buffer = element(buffer, v); len(buffer) >= most {
			if _, err := w.Write(buffer); err != nil {
				return err
			}
			buffer = buffer[:0]
		}
	}
	_, err = w.Write(buffer)
	return err
}

// WriteFloat32s adds an array of dtype <f4.
func WriteFloat32s(archive *zip.Writer, name string, values []float32, shape ...int64) error {
	return WriteArray(archive, name, "<f4", values, func(b []byte, v float32) []byte {
		return binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}, shape...)
}

// WriteBytes adds an array of dtype |u1 with one dimension.
func WriteBytes(archive *zip.Writer, name string, values []byte) error {
	return WriteArray(archive, name, "|u1", values, func(b []byte, v byte) []byte { return append(b, v) }, int64(len(values)))
}
