//go:build !amd64 || purego

package kernel

func (k *implementation) addRows(s *Sum, rows []uint32, scale []float32, indptr []int64, cols []uint32, vals []float32) {
	addRowsPortable(s, rows, scale, indptr, cols, vals)
}
