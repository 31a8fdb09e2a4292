package diffuse

import (
	"context"
	"fmt"
	"math"

	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// choleskyColumns is the number of columns that all rows take at a time, while they are in a cache.
const choleskyColumns = 32

// solveCholesky computes x ← (K+λI)^-1 x for each of some vectors, by the factor K+λI = LLᵀ of a symmetric K, m×m, of which the part up to
// the diagonal is read and overwritten. Sums are float64, each product rounded, in an order that neither blocks nor threads change.
//
// K may be singular. A λ below the rounding of K can leave a pivot that is not above 0: an [ErrOptions].
//
// Cost: m³/6 multiply-adds, and m² for each vector.
func solveCholesky(ctx context.Context, k []float64, m int, lambda float64, vectors [][]float64, threads int) error {
	for i := range m {
		for j, v := range k[i*m : i*m+i+1] {
			if !isFinite(v) {
				return fmt.Errorf("%w: product %v of rows %d and %d, expected a finite number", ErrFeatures, v, i, j)
			}
		}
		k[i*m+i] += lambda
	}
	// reduce makes columns lo to hi−1 of row i those of L, up to the diagonal.
	reduce := func(i, lo, hi int) {
		row := k[i*m : (i+1)*m]
		for j := lo; j < min(hi, i); j++ {
			row[j] = (row[j] - inner(row[:j], k[j*m:])) / k[j*m+j]
		}
	}
	for lo := 0; lo < m; lo += choleskyColumns {
		hi := min(lo+choleskyColumns, m)
		for i := lo; i < hi; i++ {
			reduce(i, lo, hi)
			row := k[i*m : i*m+i]
			pivot := k[i*m+i] - inner(row, row)
			if !(pivot > 0) || math.IsInf(pivot, 0) {
				return tooSmall(lambda)
			}
			k[i*m+i] = math.Sqrt(pivot)
		}
		if err := eachRow(ctx, m-hi, threads, func(i int) { reduce(hi+i, lo, hi) }); err != nil {
			return err
		}
	}
	for i := range m { // L, then Lᵀ
		for _, x := range vectors {
			x[i] = (x[i] - inner(x[:i], k[i*m:])) / k[i*m+i]
		}
	}
	for i := m - 1; i >= 0; i-- {
		row := k[i*m : i*m+i]
		for _, x := range vectors {
			x[i] /= k[i*m+i]
			f, x := x[i], x[:i]
			for j, v := range row {
				x[j] -= float64(f * v)
			}
		}
	}
	return ctx.Err()
}

// eachRow calls body for m rows, some at a time by one worker where they are long.
func eachRow(ctx context.Context, m, threads int, body func(i int)) error {
	const some = 64
	if m < 4*some {
		threads = 1
	}
	return rows.Tasks(ctx, (m+some-1)/some, threads, func(_, k int) error {
		for i := k * some; i < min((k+1)*some, m); i++ {
			body(i)
		}
		return nil
	})
}

// inner returns xᵀy, in four sums.
func inner(x, y []float64) float64 {
	y = y[:len(x)]
	var s0, s1, s2, s3 float64
	k := 0
	for ; k+4 <= len(x); k += 4 {
		a, b := (*[4]float64)(x[k:]), (*[4]float64)(y[k:])
		s0 += float64(a[0] * b[0])
		s1 += float64(a[1] * b[1])
		s2 += float64(a[2] * b[2])
		s3 += float64(a[3] * b[3])
	}
	for ; k < len(x); k++ {
		s0 += float64(x[k] * y[k])
	}
	return (s0 + s1) + (s2 + s3)
}
