package knn

import (
	"cmp"
	"math"
	"slices"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// combination is the sparse combination of one point: coefficient coef[k] of
// point ids[k].
type combination struct {
	ids  []uint32
	coef []float64
}

// truncate keeps the coefficients of largest absolute value, the smaller id
// of equal ones, and reports whether there were more.
func (c *combination) truncate(keep int) bool {
	if keep < 0 || len(c.ids) <= keep {
		return false
	}
	order := rows.InOrder[int](len(c.ids))
	slices.SortFunc(order, func(p, q int) int {
		return cmp.Or(cmp.Compare(math.Abs(c.coef[q]), math.Abs(c.coef[p])), cmp.Compare(c.ids[p], c.ids[q]))
	})
	kept := combination{make([]uint32, keep), make([]float64, keep)}
	for k, from := range order[:keep] {
		kept.ids[k], kept.coef[k] = c.ids[from], c.coef[from]
	}
	*c = kept
	return true
}

// scale returns the factor of the absolute coefficients.
func (c *combination) scale(how SelfExpressiveScale) float64 {
	largest, squares := 0.0, 0.0
	for _, v := range c.coef {
		largest = max(largest, math.Abs(v))
		squares += v * v
	}
	switch {
	case largest == 0 || how == SelfExpressiveBounded && largest <= 1:
		return 1
	case how == SelfExpressiveByNorm:
		return 1 / math.Sqrt(squares)
	default:
		return 1 / largest
	}
}

// combinationMatrix returns the n×n matrix of the absolute coefficients,
// scaled a row.
func combinationMatrix(all []combination, how SelfExpressiveScale, threads int) *csr.Matrix {
	width := 0
	for _, c := range all {
		width = max(width, len(c.ids))
	}
	buffer := csr.NewRowBuffer(len(all), len(all), width)
	vals := make([]float32, width)
	for i, c := range all {
		factor := c.scale(how)
		for k, v := range c.coef {
			vals[k] = float32(math.Abs(v) * factor)
		}
		buffer.Set(i, c.ids, vals[:len(c.ids)])
	}
	return buffer.Matrix(threads)
}
