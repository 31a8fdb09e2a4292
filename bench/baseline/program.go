package baseline

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/adp-sparse/adp-sparse/csr"
)

// byProgram labels as the ADP authors' program has ADP, with 10 steps of A a
// round, and ADP1, with one:
//
//	F    harmonic functions of the normalised Laplacian of A, ridge 1e-3 ([SettledOn])
//	Z    D^-1/2 FFᵀ D^-1/2 ∘ W
//	A    ← α S (A + Z) Sᵀ + (1−α) D̄, α = 0.99, some steps
//	A    ← D^-1/2 A D^-1/2 ∘ W
//
// for 10 rounds or until F changes by less than 1e-2; S = D^-1/2 W D^-1/2 / 2 ∘ W
// (the half for the degree that each point has as self-affinity), D̄ = D/max D. ∘
// is the product of entries: what the paper's text does not have. Z and A are kept
// to the edges of W and weighed by them, so that no round spreads labels beyond
// them. A step is 2n·nnz multiply-adds, a round n³/3 more.
//
// ADP.m and JDP.m in github.com/qilinli/Alternating_Diffusion_Process.
func byProgram(steps int) labeller {
	return func(ctx context.Context, p *Problem) ([]int32, error) {
		f, err := p.program(ctx, steps)
		if err != nil {
			return nil, err
		}
		return largestAbove(f), nil
	}
}

func (p *Problem) program(ctx context.Context, steps int) (*mat.Dense, error) {
	const (
		rounds    = 10
		tolerance = 1e-2
		ridge     = 1e-3
	)
	if err := checkSize(p.N()); err != nil {
		return nil, err
	}
	w := dense(p.W)
	a := dense(p.normalized().S)
	a.Scale(0.5, a)
	a.MulElem(a, w)
	s := entries(a)
	n := p.N()
	z, half := mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)
	f := p.oneHot()
	for range rounds {
		next, err := p.settle(ctx, a, ridge)
		if err != nil {
			return nil, err
		}
		var change mat.Dense
		change.Sub(next, f)
		f = next
		if norm(&change) < tolerance {
			break
		}
		mul(z, f, f.T())
		normalizeBoth(z)
		z.MulElem(z, w)
		for range steps {
			p.advance(a, half, z, s)
		}
		normalizeBoth(a)
		a.MulElem(a, w)
	}
	return f, nil
}

// advance is a step of A.
func (p *Problem) advance(a, half, z *mat.Dense, s *csr.Matrix) {
	a.Add(a, z)
	mulSparse(half, s, a)
	mulSparse(a, s, mat.DenseCopyOf(half.T()))
	a.Scale(Alpha, a)
	most := slices.Max(p.normalized().Degrees)
	for i, d := range p.normalized().Degrees {
		if most > 0 {
			a.Set(i, i, a.At(i, i)+float64((1-Alpha)*d/most))
		}
	}
}

// normalizeBoth computes A ← D^-1/2 A D^-1/2 with the sums of A's rows; rows of
// zeros stay.
func normalizeBoth(a *mat.Dense) {
	n, _ := a.Dims()
	sums := make([]float64, n)
	for i := range sums {
		for _, v := range a.RawRowView(i) {
			sums[i] += v
		}
	}
	scaleBoth(a, sums, -0.5)
}
