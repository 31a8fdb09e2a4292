package knn

import (
	"math"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/exact"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// idf are the weights of the columns by [CosineIDF]: √idf_q, with
//
//	idf_q = ln((1 + n)/max(1, n_q))
//
// for n points that are not 0, and n_q with a value other than 0 in column q. They are divided by that of a column of one
// point, the largest, so that no value grows. Cosines stay the same.
//
// K. Spärck Jones: A statistical interpretation of term specificity and its application in retrieval, 1972.
type idf struct {
	columns []uint32 // of the weights, ascending; nil for all
	weights []float32
}

// newIDF returns the weights of n points by the number of values other than 0 in each column.
func newIDF(n int, counts []int, columns []uint32) *idf {
	most := exact.Log(float64(1 + max(1, n)))
	w := &idf{columns: columns, weights: make([]float32, len(counts))}
	for q, count := range counts {
		w.weights[q] = float32(math.Sqrt(exact.Log(float64(1+n)/float64(max(1, count))) / most))
	}
	return w
}

// idfOf returns the weights of the columns of x.
func idfOf(x *csr.Dense) *idf {
	n, counts := 0, make([]int, x.Cols)
	for i := range x.Rows {
		row := x.Row(i)
		if isZero(row) {
			continue
		}
		n++
		for q, v := range row {
			if v != 0 {
				counts[q]++
			}
		}
	}
	return newIDF(n, counts, nil)
}

// sparseIDFOf is idfOf for the rows of a sparse matrix. The cost depends on the entries, not on the number of columns.
func sparseIDFOf(x *csr.Matrix) *idf {
	n, d := x.Dims()
	_, indices, data := x.Arrays()
	used := csr.UsedColumns(x)
	_, width := used.Dims()
	_, places, _ := used.Arrays()
	counts := make([]int, width)
	var columns []uint32
	if width < d {
		columns = make([]uint32, width)
	}
	for k, at := range places {
		if columns != nil {
			columns[at] = indices[k]
		}
		if data[k] != 0 {
			counts[at]++
		}
	}
	points := 0
	for i := range n {
		if _, values := x.Row(i); !isZero(values) {
			points++
		}
	}
	return newIDF(points, counts, columns)
}

// place returns where the weight of a column is, -1 for a column of no point.
func (w *idf) place(q uint32) int {
	if w.columns == nil {
		return int(q)
	}
	if at, found := slices.BinarySearch(w.columns, q); found {
		return at
	}
	return -1
}

// dense returns x with weighted columns.
func (w *idf) dense(x *csr.Dense, threads int) *csr.Dense {
	out := csr.NewDense(x.Rows, x.Cols)
	rows.Each(x.Rows, threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			to := out.Row(i)
			for q, v := range x.Row(i) {
				to[q] = v * w.weights[q]
			}
		}
	})
	return out
}

// sparse returns x with weighted columns. It shares the pattern of x.
func (w *idf) sparse(x *csr.Matrix, threads int) *csr.Matrix {
	indptr, indices, data := x.Arrays()
	out := make([]float32, len(data))
	n, _ := x.Dims()
	rows.Each(n, threads, func(lo, hi int) {
		for k := indptr[lo]; k < indptr[hi]; k++ {
			out[k] = data[k]
			if at := w.place(indices[k]); at >= 0 {
				out[k] *= w.weights[at]
			}
		}
	})
	return x.WithData(out)
}
