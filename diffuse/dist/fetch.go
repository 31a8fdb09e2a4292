package dist

import (
	"sort"

	"github.com/adp-sparse/adp-sparse/csr"
)

// fetchRows returns the rows of a matrix that are in list, which is sorted and has
// rows of other ranks alone; m has the own ones. All ranks call it together.
func fetchRows(w *World, m *csr.Matrix, list []uint32) *csr.Matrix {
	lo, _, n := w.Rows()
	size := w.Size()
	asked := make([][]byte, size)
	for q := range size {
		from := sort.Search(len(list), func(k int) bool { return int(list[k]) >= w.bounds[q] })
		to := sort.Search(len(list), func(k int) bool { return int(list[k]) >= w.bounds[q+1] })
		asked[q] = bytesOf(list[from:to])
	}
	requests := w.Exchange(asked)
	lengths, cols, vals := make([][]byte, size), make([][]byte, size), make([][]byte, size)
	for q, request := range requests {
		var l, j []uint32
		var v []float32
		for _, row := range itemsOf[uint32](request) {
			rowCols, rowVals := m.Row(int(row) - lo)
			l = append(l, uint32(len(rowCols)))
			j = append(j, rowCols...)
			v = append(v, rowVals...)
		}
		lengths[q], cols[q], vals[q] = bytesOf(l), bytesOf(j), bytesOf(v)
	}
	// Ranks answer in the order of their rows.
	indptr := make([]int64, 1, len(list)+1)
	for _, b := range w.Exchange(lengths) {
		for _, length := range itemsOf[uint32](b) {
			indptr = append(indptr, indptr[len(indptr)-1]+int64(length))
		}
	}
	entries := indptr[len(list)]
	indices, data := make([]uint32, 0, entries), make([]float32, 0, entries)
	for _, b := range w.Exchange(cols) {
		indices = append(indices, itemsOf[uint32](b)...)
	}
	for _, b := range w.Exchange(vals) {
		data = append(data, itemsOf[float32](b)...)
	}
	return trusted(len(list), n, indptr, indices, data)
}

// mirrored is an entry that goes to the rank of its column.
type mirrored struct {
	row, col uint32 // there: of the transpose
	value    float32
}

// transposed returns the own rows of the transpose of a square matrix whose own
// rows are m. All ranks call it together.
func transposed(w *World, m *csr.Matrix) *csr.Matrix {
	lo, hi, n := w.Rows()
	send := make([][]mirrored, w.Size())
	for i := range hi - lo {
		cols, vals := m.Row(i)
		q := 0
		for k, j := range cols { // which increase, and so do their ranks
			for int(j) >= w.bounds[q+1] {
				q++
			}
			send[q] = append(send[q], mirrored{j, uint32(lo + i), vals[k]})
		}
	}
	packed := make([][]byte, len(send))
	for q, entries := range send {
		packed[q] = bytesOf(entries)
	}
	received := w.Exchange(packed)
	indptr := make([]int64, hi-lo+1)
	for _, b := range received {
		for _, e := range itemsOf[mirrored](b) {
			indptr[int(e.row)-lo+1]++
		}
	}
	for i := range hi - lo {
		indptr[i+1] += indptr[i]
	}
	indices, data := make([]uint32, indptr[hi-lo]), make([]float32, indptr[hi-lo])
	next := append([]int64(nil), indptr[:hi-lo]...)
	for _, b := range received { // in the order of ranks, so columns increase
		for _, e := range itemsOf[mirrored](b) {
			at := &next[int(e.row)-lo]
			indices[*at], data[*at] = e.col, e.value
			*at++
		}
	}
	return trusted(hi-lo, n, indptr, indices, data)
}
