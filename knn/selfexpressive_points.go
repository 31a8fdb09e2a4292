package knn

import (
	"context"
	"fmt"
	"math"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/kernel"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// expressPoints holds the points of a self-expressive graph, scaled to unit length (n×d,
// row-major). Zero vectors stay zero.
type expressPoints struct {
	unit   *csr.Dense
	packed []float32 // unit as panels for the kernel
	zero   []bool
	// rounding bounds the error of a product of two points: that of the sum, and of the rounded
	// numbers of both.
	rounding float64
}

// newExpressPoints scales the rows of x. Lengths are taken in float64 after a
// division by the largest value, so that no legal row over- or underflows.
func newExpressPoints(x *csr.Dense, threads int) (*expressPoints, error) {
	if _, err := largestOf(x, threads); err != nil {
		return nil, err
	}
	if x.Rows > 0 && x.Cols == 0 {
		return nil, fmt.Errorf("%w: points of 0 dimensions, expected at least 1", ErrFeatures)
	}
	const u = 1.0 / (1 << 24)
	p := &expressPoints{unit: csr.NewDense(x.Rows, x.Cols), zero: make([]bool, x.Rows), rounding: kernel.ErrorFactor(x.Cols) + 3*u}
	rows.Each(x.Rows, threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			p.zero[i] = scaleToUnit(p.unit.Row(i), x.Row(i))
		}
	})
	p.pack(threads)
	return p, nil
}

// pack fills packed: blocks of rows are whole panels.
func (p *expressPoints) pack(threads int) {
	d := p.unit.Cols
	p.packed = make([]float32, panels(p.unit.Rows)*kernel.Rows*d)
	rows.Each(p.unit.Rows, threads, func(lo, hi int) {
		packRows(p.packed[lo*d:], hi-lo, d, make([]float32, 8*d), func(to []float32, r int) { copy(to, p.unit.Row(lo+r)) })
	})
}

func scaleToUnit(dst, src []float32) (zero bool) {
	largest := 0.0
	for _, v := range src {
		largest = max(largest, math.Abs(float64(v)))
	}
	if largest == 0 {
		return true
	}
	sum := 0.0
	for _, v := range src {
		a := float64(v) / largest
		sum += a * a
	}
	length := largest * math.Sqrt(sum)
	for j, v := range src {
		dst[j] = float32(float64(v) / length)
	}
	return false
}

// expressChunk is the number of points multiplied with a block of queries at a time.
const expressChunk = 8 * kernel.Rows

// products multiplies m packed queries with all points and calls visit for
// each query and run of points: dots[t] = ⟨query q, x_{from+t}⟩, in float32.
// dots is valid during the call.
func (p *expressPoints) products(ctx context.Context, queries []float32, m int, scratch []float32, visit func(q, from int, dots []float32)) error {
	d := p.unit.Cols
	for from := 0; from < p.unit.Rows; from += expressChunk {
		if err := ctx.Err(); err != nil {
			return err
		}
		count := min(expressChunk, p.unit.Rows-from)
		stride := multiply(scratch, queries, m, p.packed[from*d:], count, d)
		for q := range m {
			visit(q, from, scratch[q*stride:q*stride+count])
		}
	}
	return nil
}

// residual sets dst = x_i − Σ_k c_k x_{ids[k]}, summed in float64 in the order
// of ids, and returns its length. sum has d places.
func (p *expressPoints) residual(dst []float32, i int, ids []uint32, c, sum []float64) float64 {
	for j, v := range p.unit.Row(i) {
		sum[j] = float64(v)
	}
	for k, id := range ids {
		for j, v := range p.unit.Row(int(id)) {
			sum[j] -= c[k] * float64(v)
		}
	}
	squares := 0.0
	for j, v := range sum {
		squares += v * v
		dst[j] = float32(v)
	}
	return math.Sqrt(squares)
}
