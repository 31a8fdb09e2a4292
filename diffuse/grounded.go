package diffuse

import (
	"context"
	"math"

	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// exactEnough and exactRounding are the tolerances of [grounded.descend]: of the right side, and
// of the solution, where the rounding of float64 allows no smaller residual.
const (
	exactEnough   = 0x1p-46
	exactRounding = 0x1p-50
)

// descend makes b, n×c, the solution of the system by conjugate gradients in float64, one column
// after the other, from 0, preconditioned by the diagonal. Differences of x are multiplied by
// weights, so that the excess of a row is not rounded away beside them. It returns the largest
// number of iterations of a column; limit bounds it.
func (g *grounded) descend(ctx context.Context, b []float64, c, limit, threads int) (most int, err error) {
	n := len(g.has)
	diagonal := make([]float64, n)
	rows.Each(n, threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			diagonal[i] = g.diagonal(i)
		}
	})
	d := &descent{
		g: g, diagonal: diagonal, threads: threads, reduce: rows.NewReducer(n, 1),
		x: make([]float64, n), r: make([]float64, n), p: make([]float64, n), q: make([]float64, n),
	}
	for j := range c {
		for i := range n {
			d.x[i], d.r[i] = 0, b[i*c+j]
		}
		steps, err := d.solve(ctx, limit)
		if most = max(most, steps); err != nil {
			return most, err
		}
		for i, v := range d.x {
			if b[i*c+j] = 0; v > 0 && !math.IsInf(v, 0) {
				b[i*c+j] = v
			}
		}
	}
	return most, nil
}

// diagonal returns e_i + Σ_j w_ij, 0 for a node that is not in the system.
func (g *grounded) diagonal(i int) float64 {
	if !g.has[i] {
		return 0
	}
	sum := g.excess[i]
	cols, vals := g.s.Row(i)
	for k, j := range cols {
		if int(j) != i && g.has[j] {
			sum += g.weight(i, j, vals[k])
		}
	}
	return sum
}

// times returns row i of the system applied to p.
func (g *grounded) times(p []float64, i int) float64 {
	sum := float64(g.excess[i] * p[i])
	cols, vals := g.s.Row(i)
	for k, j := range cols {
		if g.has[j] {
			sum += float64(g.weight(i, j, vals[k]) * (p[i] - p[j]))
		}
	}
	return sum
}

// descent is the state of conjugate gradients for one column.
type descent struct {
	g          *grounded
	diagonal   []float64
	x, r, p, q []float64
	threads    int
	reduce     *rows.Reducer
}

// sum returns the sum of term over the nodes of the system.
func (d *descent) sum(term func(i int) float64) float64 {
	return d.reduce.Sum(d.threads, func(lo, hi int, sum []float64) {
		for i := lo; i < hi; i++ {
			if d.diagonal[i] > 0 {
				sum[0] += term(i)
			}
		}
	})[0]
}

// each calls use for the nodes of the system.
func (d *descent) each(use func(i int)) {
	rows.Each(len(d.x), d.threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if d.diagonal[i] > 0 {
				use(i)
			}
		}
	})
}

// solve iterates from x = 0 and r = b. z = r/diagonal is the preconditioned residual.
func (d *descent) solve(ctx context.Context, limit int) (steps int, err error) {
	size := func() float64 {
		return d.sum(func(i int) float64 { return float64(d.r[i] * (d.r[i] / d.diagonal[i])) })
	}
	rz := size()
	start := rz
	goal := exactEnough * exactEnough * rz
	d.each(func(i int) { d.p[i] = d.r[i] / d.diagonal[i] })
	for ; steps < limit && rz > goal; steps++ {
		if err := ctx.Err(); err != nil {
			return steps, err
		}
		d.each(func(i int) { d.q[i] = d.g.times(d.p, i) })
		pq := d.sum(func(i int) float64 { return float64(d.p[i] * d.q[i]) })
		if !(pq > 0) || math.IsInf(pq, 0) {
			break
		}
		a := rz / pq
		d.each(func(i int) {
			d.x[i] += float64(a * d.p[i])
			d.r[i] -= float64(a * d.q[i])
		})
		after := size()
		b := after / rz
		if rz = after; !(rz <= lost*lost*start) {
			break
		}
		d.each(func(i int) { d.p[i] = d.r[i]/d.diagonal[i] + float64(b*d.p[i]) })
		if steps%16 == 15 { // by rounding, no residual is below that of x
			xx := d.sum(func(i int) float64 { return float64(float64(d.x[i]*d.x[i]) * d.diagonal[i]) })
			goal = max(goal, float64(exactRounding*exactRounding)*xx)
		}
	}
	return steps, nil
}
