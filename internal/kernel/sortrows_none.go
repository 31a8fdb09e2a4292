//go:build !amd64 || purego

package kernel

func (k *implementation) sortRows(cols []uint32, ends, counts []int) int {
	return sortRowsPortable(cols, ends, counts)
}
