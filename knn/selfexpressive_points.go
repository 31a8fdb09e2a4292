package knn

import (
	"fmt"
	"math"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// expressPoints are the points of a self-expressive graph, scaled to unit
// length (n×d, row-major). Rows of zeros stay zero.
type expressPoints struct {
	unit *csr.Dense
	zero []bool
}

// newExpressPoints scales the rows of x. Lengths are taken in float64 after a
// division by the largest value, so that no legal row over- or underflows.
func newExpressPoints(x *csr.Dense, threads int) (*expressPoints, error) {
	if x.Rows > 0 && x.Cols == 0 {
		return nil, fmt.Errorf("%w: points of 0 dimensions, expected at least 1", ErrSelfExpressive)
	}
	p := &expressPoints{unit: csr.NewDense(x.Rows, x.Cols), zero: make([]bool, x.Rows)}
	faults := make([]error, x.Rows)
	rows.Each(x.Rows, threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			p.zero[i], faults[i] = scaleToUnit(p.unit.Row(i), x.Row(i), i)
		}
	})
	for _, err := range faults {
		if err != nil { // the first faulty row, whatever the workers did first
			return nil, err
		}
	}
	return p, nil
}

func scaleToUnit(dst, src []float32, i int) (zero bool, err error) {
	largest := 0.0
	for j, v := range src {
		a := math.Abs(float64(v))
		if math.IsNaN(a) || math.IsInf(a, 0) {
			return false, fmt.Errorf("%w: point %d has value %v in column %d, expected a finite number", ErrSelfExpressive, i, v, j)
		}
		largest = max(largest, a)
	}
	if largest == 0 {
		return true, nil
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
	return false, nil
}

// expressChunk is how many points are multiplied with a block of queries at a
// time: at d = 1024 they fill a megabyte of cache.
const expressChunk = 256

// products multiplies the queries (m×d, row-major) with all points and calls
// visit for each query and run of points: dots[t] = ⟨query q, x_{from+t}⟩.
// dots is valid during the call.
func (p *expressPoints) products(queries []float32, m int, scratch []float32, visit func(q, from int, dots []float32)) {
	d := p.unit.Cols
	for from := 0; from < p.unit.Rows; from += expressChunk {
		count := min(expressChunk, p.unit.Rows-from)
		tile := scratch[:m*count]
		expressGram(tile, queries, p.unit.Data[from*d:(from+count)*d], d)
		for q := range m {
			visit(q, from, tile[q*count:(q+1)*count])
		}
	}
}

// gather copies the points ids to dst (len(ids)×d, row-major).
func (p *expressPoints) gather(dst []float32, ids []uint32) {
	d := p.unit.Cols
	for k, j := range ids {
		copy(dst[k*d:(k+1)*d], p.unit.Row(int(j)))
	}
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

// expressGram sets dst = A·Bᵀ for row-major blocks A and B of d columns:
// dst[p*nb+q] = ⟨a_p, b_q⟩, in float32. It is the one place where the time of
// a self-expressive graph is spent; its entries do not depend on the shape of
// the blocks.
func expressGram(dst, a, b []float32, d int) {
	na, nb := len(a)/d, len(b)/d
	p := 0
	for ; p+2 <= na; p += 2 {
		x, y := a[p*d:(p+1)*d], a[(p+1)*d:(p+2)*d]
		q := 0
		for ; q+4 <= nb; q += 4 {
			expressTile(dst[p*nb+q:], dst[(p+1)*nb+q:], x, y, b[q*d:(q+4)*d])
		}
		for ; q < nb; q++ {
			row := b[q*d : (q+1)*d]
			dst[p*nb+q], dst[(p+1)*nb+q] = expressDot(x, row), expressDot(y, row)
		}
	}
	if p < na {
		for q := range nb {
			dst[p*nb+q] = expressDot(a[p*d:(p+1)*d], b[q*d:(q+1)*d])
		}
	}
}

// expressTile is two rows against four: each value that is loaded is used
// twice or four times.
func expressTile(xs, ys, x, y, b []float32) {
	d := len(x)
	y = y[:d]
	b0, b1, b2, b3 := b[:d], b[d:][:d], b[2*d:][:d], b[3*d:][:d]
	var x0, x1, x2, x3, y0, y1, y2, y3 float32
	for j, u := range x {
		v := y[j]
		x0 += u * b0[j]
		y0 += v * b0[j]
		x1 += u * b1[j]
		y1 += v * b1[j]
		x2 += u * b2[j]
		y2 += v * b2[j]
		x3 += u * b3[j]
		y3 += v * b3[j]
	}
	xs[0], xs[1], xs[2], xs[3] = x0, x1, x2, x3
	ys[0], ys[1], ys[2], ys[3] = y0, y1, y2, y3
}

func expressDot(x, y []float32) float32 {
	y = y[:len(x)]
	var sum float32
	for j, u := range x {
		sum += u * y[j]
	}
	return sum
}
