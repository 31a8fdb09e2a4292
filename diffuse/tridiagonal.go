package diffuse

import (
	"context"
	"fmt"
	"math"

	"github.com/adp-sparse/adp-sparse/internal/exact"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// tridiagonal is K = QTQᵀ for a symmetric K, m×m, T tridiagonal and Q a product of
// reflections I − βvvᵀ (A. Householder, 1958). With it (K+λI)^-1 is applied in O(m²) and
// log det(K+λI) known in O(m), for any λ: all that eigenvalues would give, without them.
// Sums are float64, each product rounded, in fixed order.
type tridiagonal struct {
	m          int
	diag, side []float64 // of T
	beta       []float64
	reflectors []float64 // row k: v of step k in columns k+1 to m−1
	threads    int
}

// newTridiagonal overwrites k. Cost: 4m³/3 multiply-adds.
func newTridiagonal(ctx context.Context, k []float64, m, threads int) (*tridiagonal, error) {
	for at, v := range k {
		if !isFinite(v) {
			return nil, fmt.Errorf("%w: product %v of rows %d and %d, expected a finite number", ErrFeatures, v, at/m, at%m)
		}
	}
	t := &tridiagonal{m: m, diag: make([]float64, m), side: make([]float64, m), beta: make([]float64, m), reflectors: k, threads: threads}
	p := make([]float64, m)
	for step := range m {
		row := k[step*m : (step+1)*m]
		t.diag[step] = row[step]
		if step+1 == m {
			break
		}
		v := row[step+1:]
		t.side[step], t.beta[step] = reflector(v)
		if t.beta[step] == 0 {
			continue
		}
		if err := t.turn(ctx, v, p[step+1:], t.beta[step], step+1); err != nil {
			return nil, err
		}
	}
	return t, ctx.Err()
}

// reflector makes x the v of I − βvvᵀ, which maps x to (side, 0, …); β = 0 where it is
// there already. x is scaled first: its squares may leave float64.
func reflector(x []float64) (side, beta float64) {
	most, rest := 0.0, 0.0
	for k, v := range x {
		most = max(most, math.Abs(v))
		if k > 0 {
			rest = max(rest, math.Abs(v))
		}
	}
	if rest == 0 {
		return x[0], 0
	}
	for k := range x {
		x[k] /= most
	}
	size := math.Sqrt(inner(x, x))
	if x[0] > 0 {
		size = -size
	}
	x[0] -= size
	return size * most, 2 / inner(x, x)
}

// turn applies the reflection to both sides of the rows and columns from at on:
// K ← K − vwᵀ − wvᵀ, w = p − (β pᵀv/2) v, p = βKv.
func (t *tridiagonal) turn(ctx context.Context, v, p []float64, beta float64, at int) error {
	k, m := t.reflectors, t.m
	part := func(i int) []float64 { return k[(at+i)*m+at : (at+i+1)*m] }
	if err := eachRow(ctx, len(v), t.threads, func(i int) { p[i] = beta * inner(part(i), v) }); err != nil {
		return err
	}
	half := beta * inner(p, v) / 2
	for i := range p {
		p[i] -= float64(half * v[i])
	}
	return eachRow(ctx, len(v), t.threads, func(i int) {
		vi, wi := v[i], p[i]
		row := part(i)
		w, v := p[:len(row)], v[:len(row)]
		for j := range row { // the sum first: it commutes, so K stays symmetric to the bit
			row[j] -= float64(vi*w[j]) + float64(wi*v[j])
		}
	})
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

// reflect computes x ← Qᵀx for each of some vectors, or Qx. All meet a reflector while
// it is in the cache.
func (t *tridiagonal) reflect(vectors [][]float64, forward bool) {
	for n := range t.m {
		step := n
		if !forward {
			step = t.m - 1 - n
		}
		if t.beta[step] == 0 {
			continue
		}
		v := t.reflectors[step*t.m+step+1 : (step+1)*t.m]
		for _, x := range vectors {
			x := x[step+1:]
			f := t.beta[step] * inner(v, x)
			for j, r := range v {
				x[j] -= float64(f * r)
			}
		}
	}
}

// factor is T + λI = L D Lᵀ: pivots D, and the numbers beside the diagonal of L.
type factor struct{ pivots, beside []float64 }

func (t *tridiagonal) factor(lambda float64) (factor, error) {
	f := factor{make([]float64, t.m), make([]float64, t.m)}
	for k := range t.m {
		f.pivots[k] = t.diag[k] + lambda
		if k > 0 {
			f.pivots[k] -= float64(f.beside[k-1] * t.side[k-1])
		}
		if !(f.pivots[k] > 0) || math.IsInf(f.pivots[k], 0) {
			return f, tooSmall(lambda)
		}
		f.beside[k] = t.side[k] / f.pivots[k]
	}
	return f, nil
}

// down computes x ← L^-1 x.
func (f factor) down(x []float64) {
	for k := 1; k < len(x); k++ {
		x[k] -= float64(f.beside[k-1] * x[k-1])
	}
}

// solve computes x ← (T+λI)^-1 x.
func (f factor) solve(x []float64) {
	f.down(x)
	for k := len(x) - 1; k >= 0; k-- {
		x[k] /= f.pivots[k]
		if k+1 < len(x) {
			x[k] -= float64(f.beside[k] * x[k+1])
		}
	}
}

// size returns xᵀ(T+λI)^-1 x and overwrites x.
func (f factor) size(x []float64) float64 {
	f.down(x)
	sum := 0.0
	for k, v := range x {
		sum += float64(v*v) / f.pivots[k]
	}
	return sum
}

// logDet returns log det(K+λI).
func (f factor) logDet() float64 {
	sum := 0.0
	for _, v := range f.pivots {
		sum += exact.Log(v)
	}
	return sum
}

// solve computes x ← (K+λI)^-1 x for each of some vectors.
func (t *tridiagonal) solve(vectors [][]float64, lambda float64) error {
	f, err := t.factor(lambda)
	if err != nil {
		return err
	}
	t.reflect(vectors, true)
	for _, x := range vectors {
		f.solve(x)
	}
	t.reflect(vectors, false)
	return nil
}

// turnedUnits returns Qᵀe_i for all i: the rows of Q. m³ multiply-adds, 8m² bytes.
func (t *tridiagonal) turnedUnits(ctx context.Context) ([][]float64, error) {
	const some = 8 // vectors that stay in a cache while the reflectors go by
	q := make([][]float64, t.m)
	err := rows.Tasks(ctx, (t.m+some-1)/some, t.threads, func(_, k int) error {
		part := q[k*some : min((k+1)*some, t.m)]
		for r := range part {
			part[r] = make([]float64, t.m)
			part[r][k*some+r] = 1
		}
		t.reflect(part, true)
		return nil
	})
	return q, err
}
