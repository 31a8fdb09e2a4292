package knn

import (
	"fmt"
	"math"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// checkFeatures is largestOf for a search for neighbours, which needs at least two points.
func checkFeatures(x *csr.Dense, threads int) (largest float32, err error) {
	if err := checkNumbers(x); err != nil {
		return 0, err
	}
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

// isWhole reports whether x has n·d numbers.
func isWhole(x *csr.Dense) bool { return x.Rows >= 0 && x.Cols >= 0 && len(x.Data) == x.Rows*x.Cols }

// checkNumbers returns the error of features that are nil or not n·d numbers.
func checkNumbers(x *csr.Dense) error {
	if x == nil {
		return fmt.Errorf("%w: none, expected points", ErrFeatures)
	}
	if !isWhole(x) {
		return fmt.Errorf("%w: %d numbers for %d points of %d coordinates, expected their product", ErrFeatures, len(x.Data), x.Rows, x.Cols)
	}
	return nil
}

// checkShape panics where x has not n·d numbers.
func checkShape(x *csr.Dense) {
	if !isWhole(x) {
		panic(fmt.Sprintf("knn: %d numbers for %d×%d features", len(x.Data), x.Rows, x.Cols))
	}
}

// largestOf returns the largest absolute value in x, or an error that names the
// first value that is not finite.
func largestOf(x *csr.Dense, threads int) (largest float32, err error) {
	if err := checkNumbers(x); err != nil {
		return 0, err
	}
	blocks := (x.Rows + rows.BlockSize - 1) / rows.BlockSize
	tops, faults := make([]float32, blocks), make([]error, blocks)
	rows.Each(x.Rows, threads, func(lo, hi int) {
		b := lo / rows.BlockSize
		for i := lo; i < hi && faults[b] == nil; i++ {
			row := x.Row(i)
			top := largestBits(row)
			if finite := math.Float32bits(math.MaxFloat32); top > finite {
				p := slices.IndexFunc(row, func(v float32) bool { return largestBits([]float32{v}) > finite })
				faults[b] = fmt.Errorf("%w: row %d, column %d: value %v, expected a finite number", ErrFeatures, i, p, row[p])
			}
			tops[b] = max(tops[b], math.Float32frombits(top))
		}
	})
	for b, fault := range faults {
		if fault != nil { // the first faulty row, whichever worker is first
			return 0, fault
		}
		largest = max(largest, tops[b])
	}
	return largest, nil
}

// largestBits returns the largest bits of an absolute value. Bits are ordered like the values, with
// infinity and then NaN above all numbers.
func largestBits(row []float32) uint32 {
	var m0, m1, m2, m3 uint32
	for len(row) >= 4 {
		m0 = max(m0, math.Float32bits(row[0])&^(1<<31))
		m1 = max(m1, math.Float32bits(row[1])&^(1<<31))
		m2 = max(m2, math.Float32bits(row[2])&^(1<<31))
		m3 = max(m3, math.Float32bits(row[3])&^(1<<31))
		row = row[4:]
	}
	for _, v := range row {
		m0 = max(m0, math.Float32bits(v)&^(1<<31))
	}
	return max(m0, m1, m2, m3)
}
