package knn

import (
	"fmt"
	"math"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// checkFeatures is largestOf for points to find neighbours among: at least two.
func checkFeatures(x *csr.Dense, threads int) (largest float32, err error) {
	switch {
	case x.Cols < 1:
		return 0, fmt.Errorf("%w: points of %d coordinates, expected at least 1", ErrFeatures, x.Cols)
	case x.Rows < 2:
		return 0, fmt.Errorf("%w: %d points, expected at least 2", ErrFeatures, x.Rows)
	case int64(x.Rows) >= Missing:
		return 0, fmt.Errorf("%w: %d points, expected fewer than %d", ErrFeatures, x.Rows, int64(Missing))
	}
	return largestOf(x, threads)
}

// largestOf returns the largest absolute value in x, or an error that names the
// first value that is not finite.
func largestOf(x *csr.Dense, threads int) (largest float32, err error) {
	if len(x.Data) != x.Rows*x.Cols {
		panic(fmt.Sprintf("knn: %d numbers for %d×%d features", len(x.Data), x.Rows, x.Cols))
	}
	blocks := (x.Rows + rows.BlockSize - 1) / rows.BlockSize
	tops, faults := make([]float32, blocks), make([]error, blocks)
	rows.Each(x.Rows, threads, func(lo, hi int) {
		b := lo / rows.BlockSize
		for i := lo; i < hi && faults[b] == nil; i++ {
			for p, v := range x.Row(i) {
				size := float32(math.Abs(float64(v)))
				if !(size <= math.MaxFloat32) { // a NaN is not
					faults[b] = fmt.Errorf("%w: row %d, column %d: value %v, expected a finite number", ErrFeatures, i, p, v)
					break
				}
				tops[b] = max(tops[b], size)
			}
		}
	})
	for b, fault := range faults {
		if fault != nil { // the first faulty row, whatever the workers did first
			return 0, fault
		}
		largest = max(largest, tops[b])
	}
	return largest, nil
}
