package knn

import (
	"math"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/exact"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// roots change the values that [Hellinger] and [HellingerIDF] take cosines of: √x_q, or √(idf_q x_q) with
//
//	idf_q = ln((1 + n)/max(1, n_q))
//
// for n points that are not 0, and n_q with a value other than 0 in column q. The idf are divided by that of a column of one
// point, the largest, so that none is above 1. Cosines stay the same. A value below 0 keeps its sign.
//
// K. Spärck Jones: A statistical interpretation of term specificity and its application in retrieval, 1972.
type roots struct {
	columns []uint32  // of the weights, ascending; nil for all
	weights []float32 // √idf_q; nil for 1
}

// weightedRoots returns the change of n points by the number of values other than 0 in each column.
func weightedRoots(n int, counts []int, columns []uint32) *roots {
	most := exact.Log(float64(1 + max(1, n)))
	r := &roots{columns: columns, weights: make([]float32, len(counts))}
	for q, count := range counts {
		r.weights[q] = float32(math.Sqrt(exact.Log(float64(1+n)/float64(max(1, count))) / most))
	}
	return r
}

// rootsOf returns the change of points by a metric, nil for none.
func rootsOf(x *csr.Dense, metric Metric) *roots {
	if metric != HellingerIDF {
		return plainRoots(metric)
	}
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
	return weightedRoots(n, counts, nil)
}

// plainRoots returns the change by [Hellinger], nil for other metrics.
func plainRoots(metric Metric) *roots {
	if metric == Hellinger {
		return &roots{}
	}
	return nil
}

// sparseRootsOf is rootsOf for the rows of a sparse matrix. The cost depends on the entries, not on the number of columns.
func sparseRootsOf(x *csr.Matrix, metric Metric) *roots {
	if metric != HellingerIDF {
		return plainRoots(metric)
	}
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
	return weightedRoots(points, counts, columns)
}

// weight returns √idf_q; 1 for a column of no point.
func (r *roots) weight(q uint32) float32 {
	if r.weights == nil {
		return 1
	}
	if r.columns == nil {
		return r.weights[q]
	}
	if at, found := slices.BinarySearch(r.columns, q); found {
		return r.weights[at]
	}
	return 1
}

// of returns the change of a value in column q.
func (r *roots) of(q uint32, v float32) float32 {
	root := float32(math.Sqrt(math.Abs(float64(v)))) * r.weight(q)
	if v < 0 {
		return -root
	}
	return root
}

// dense returns the change of x.
func (r *roots) dense(x *csr.Dense, threads int) *csr.Dense {
	out := csr.NewDense(x.Rows, x.Cols)
	rows.Each(x.Rows, threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			to := out.Row(i)
			for q, v := range x.Row(i) {
				to[q] = r.of(uint32(q), v)
			}
		}
	})
	return out
}

// sparse returns the change of x. It shares the pattern of x.
func (r *roots) sparse(x *csr.Matrix, threads int) *csr.Matrix {
	indptr, indices, data := x.Arrays()
	out := make([]float32, len(data))
	n, _ := x.Dims()
	rows.Each(n, threads, func(lo, hi int) {
		for k := indptr[lo]; k < indptr[hi]; k++ {
			out[k] = r.of(indices[k], data[k])
		}
	})
	return x.WithData(out)
}
