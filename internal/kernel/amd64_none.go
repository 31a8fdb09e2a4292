//go:build !amd64 || purego

package kernel

// These loops have assembly for amd64 alone.

func askFor([]float32, int, int, []uint32) {}

func (k *implementation) sortRows(cols []uint32, ends, counts []int) int {
	return sortRowsPortable(cols, ends, counts)
}

func (k *implementation) addRows(s *Sum, rows []uint32, scale []float32, indptr []int64, cols []uint32, vals []float32) {
	addRowsPortable(s, rows, scale, indptr, cols, vals)
}
