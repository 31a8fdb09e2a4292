package oracle

import (
	"fmt"
	"math"
	"slices"
)

// Inverse returns a⁻¹ by Gauss-Jordan elimination of [a | I], each column with
// its largest remaining entry as the pivot. O(n³). It panics when a is not
// square or a pivot is 0.
func Inverse(a Mat) Mat {
	n, c := a.Dims()
	if n != c {
		panic(fmt.Sprintf("oracle: inverse of a %d×%d matrix", n, c))
	}
	left, right := clone(a), Identity(n)
	for col := range n {
		p := pivot(left, col)
		if left[p][col] == 0 {
			panic(fmt.Sprintf("oracle: singular matrix: no pivot in column %d", col))
		}
		left[col], left[p] = left[p], left[col]
		right[col], right[p] = right[p], right[col]
		scale(1/left[col][col], left[col], right[col])
		for i := range n {
			if i != col {
				f := left[i][col]
				subtract(left[i], f, left[col])
				subtract(right[i], f, right[col])
			}
		}
	}
	return right
}

// pivot returns the row at or below col with the largest entry in column col.
func pivot(m Mat, col int) int {
	best := col
	for i := col; i < len(m); i++ {
		if math.Abs(m[i][col]) > math.Abs(m[best][col]) {
			best = i
		}
	}
	return best
}

func clone(a Mat) Mat {
	m := make(Mat, len(a))
	for i := range m {
		m[i] = slices.Clone(a[i])
	}
	return m
}

func scale(f float64, rows ...[]float64) {
	for _, row := range rows {
		for j := range row {
			row[j] *= f
		}
	}
}

// subtract does dst ← dst − f·row.
func subtract(dst []float64, f float64, row []float64) {
	for j := range dst {
		dst[j] -= f * row[j]
	}
}
