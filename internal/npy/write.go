package npy

import "fmt"

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
