package diffuse

import (
	"context"
	"fmt"
	"math"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// starTolerance is the default tolerance of [AStar].
const starTolerance = 1e-7

// AStar returns A*·V for the fixed point of the untruncated graph diffusion,
//
//	A* = Σ_{i≥1} α^i S^i Z S^i + (1−α) Σ_{i≥0} α^i S^2i,  Z = ζ'HHᵀ
//
// (the paper's Eq. solution1 as a series; S symmetric n×n with spectrum in [−1,1], H n×c, 0 < α <
// 1). It uses sparse products alone, never forms A* or Z, and works for any n. V is n×m and is not
// changed. The two sums are computed separately,
//
//	P_1 = S H,  P_i+1 = S P_i,  L = ζ' Σ_i α^i P_i (P_iᵀ V)       labels
//	X_0 = (1−α) V,  X_i+1 = α S (S X_i) + (1−α) V                 identity
//
// and A*V = L + X. Both series only move forward, so no S^i V is kept. Z has the low rank, so the
// powers are taken of H, not of V. Both are truncated at T = ln(tolerance)/ln(α) terms. The
// remainder is at most tolerance·(‖V‖ + ζ'‖H‖²‖V‖/(1−α)) in 2-norms; a float32 result shows no more
// for a tolerance of 1e-7, which 0 stands for.
//
// Cost: T products of S with an n×c block and 2T with an n×m block, and 2T·n·c·m multiply-adds.
// Memory beside the result: two blocks of 4·n·c bytes, then two of 4·n·m; 8·c·m bytes for each 512
// rows.
//
// It returns an [ErrOptions] unless α and the tolerance are between 0 and 1 and ζ' is finite, and ctx.Err().
func AStar(ctx context.Context, s *csr.Matrix, h *Factor, zeta, alpha, tolerance float64, v *csr.Dense, threads int) (*csr.Dense, error) {
	if tolerance == 0 {
		tolerance = starTolerance
	}
	if !(alpha > 0 && alpha < 1) || !(tolerance > 0 && tolerance < 1) || !isFinite(zeta) {
		return nil, fmt.Errorf("%w: α %v, tolerance %v and ζ' %v, expected two between 0 and 1, and a finite number", ErrOptions, alpha, tolerance, zeta)
	}
	terms := int(math.Ceil(math.Log(tolerance) / math.Log(alpha)))
	labels, err := labelSeries(ctx, s, h, zeta, alpha, terms, v, threads)
	if err != nil {
		return nil, err
	}
	x, half, next := v.Clone(), csr.NewDense(v.Rows, v.Cols), csr.NewDense(v.Rows, v.Cols)
	axpby(x, 1-alpha, v, 0, threads)
	for range terms {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		csr.MulDense(half, s, x, threads)
		csr.MulDense(next, s, half, threads)
		axpby(next, alpha, v, 1-alpha, threads)
		x, next = next, x
	}
	axpby(labels, 1, x, 1, threads)
	return labels, nil
}

// labelSeries returns ζ' Σ_{i=1..terms} α^i S^i H Hᵀ S^i V.
func labelSeries(ctx context.Context, s *csr.Matrix, h *Factor, zeta, alpha float64, terms int, v *csr.Dense, threads int) (*csr.Dense, error) {
	sum := csr.NewDense(v.Rows, v.Cols)
	if zeta == 0 {
		return sum, nil
	}
	p := h.Times(s, threads)
	next := csr.NewDense(p.Rows, p.Cols)
	reduce := rows.NewReducer(p.Rows, p.Cols*v.Cols)
	weight := zeta
	for range terms {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		weight *= alpha
		addOuter(sum, weight, p, v, reduce, threads)
		csr.MulDense(next, s, p, threads)
		p, next = next, p
	}
	return sum, nil
}

// ExactStep returns α S (A + ζ'HHᵀ) S V + (1−α) V, one A-step without truncation applied to V
// (n×m), by sparse products alone. Cost: three sparse products with n×m blocks and 2·n·c·m
// multiply-adds. Memory beside the result: one block of 4·n·m bytes and one of 4·n·c.
func ExactStep(s, a *csr.Matrix, h *Factor, zeta, alpha float64, v *csr.Dense, threads int) *csr.Dense {
	x, y := csr.NewDense(v.Rows, v.Cols), csr.NewDense(v.Rows, v.Cols)
	csr.MulDense(x, s, v, threads)
	csr.MulDense(y, a, x, threads)
	csr.MulDense(x, s, y, threads)
	g := h.Times(s, threads)
	axpby(x, alpha, v, 1-alpha, threads)
	addOuter(x, alpha*zeta, g, v, rows.NewReducer(g.Rows, g.Cols*v.Cols), threads)
	return x
}

// addOuter computes dst += factor·P(PᵀV) for an n×c P and an n×m V. The c×m product is in float64;
// reduce has c·m sums over n rows.
func addOuter(dst *csr.Dense, factor float64, p, v *csr.Dense, reduce *rows.Reducer, threads int) {
	m := v.Cols
	product := reduce.Sum(threads, func(lo, hi int, sum []float64) {
		for i := lo; i < hi; i++ {
			vr := v.Row(i)
			for k, x := range p.Row(i) {
				if x == 0 {
					continue
				}
				for j, y := range vr {
					sum[k*m+j] += float64(x) * float64(y)
				}
			}
		}
	})
	rows.Each(dst.Rows, threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row, pr := dst.Row(i), p.Row(i)
			for j := range row {
				sum := 0.0
				for k, x := range pr {
					sum += float64(float64(x) * product[k*m+j])
				}
				row[j] += float32(factor * sum)
			}
		}
	})
}
