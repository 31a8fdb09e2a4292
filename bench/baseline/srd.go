package baseline

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/adp-sparse/adp-sparse/csr"
)

// SRD returns the affinity of self-reinforced diffusion: the fixed point of
//
//	A ← α S A Sᵀ + (1−α)(D̄ + B)
//
// for labels given as constraints on pairs. Each point is joined to itself by
// its degree, so that S = (I + T)/2, where T keeps the 9 largest entries of
// each row of D^-1/2 W D^-1/2, made symmetric by the mean. Labelled points of one
// class that T does not join are joined by their entry of D^-1/2 W D^-1/2, half
// of which is also B; those of different classes are parted in T and in A.
// D̄ = D/max D, α = 1/(1+0.18). 30 iterations at most, until A changes by less
// than 1e-2 in all. An iteration is 2n·nnz multiply-adds, three n×n matrices; 20
// to 25 iterations for each draw.
//
// Q. Li, W. Liu, L. Li: Self-reinforced diffusion for graph-based
// semi-supervised learning. Pattern Recognition Letters 125, 2019; SRD.m in
// github.com/qilinli/Alternating_Diffusion_Process.
func SRD(ctx context.Context, p *Problem) (*mat.Dense, error) { return reinforce(ctx, p, 30, 1e-2) }

func reinforce(ctx context.Context, p *Problem, most int, tolerance float64) (*mat.Dense, error) {
	if err := checkSize(p.N()); err != nil {
		return nil, err
	}
	t, given := p.constrained()
	a := dense(t)
	n, _ := a.Dims()
	for i := range n {
		row := a.RawRowView(i)
		scale(0.5, row)
		row[i] = 0.5
	}
	half, next := mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)
	for range most {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		spread(half, t, a)
		spread(next, t, mat.DenseCopyOf(half.T()))
		next.Scale(reinforced, next)
		inject(next, given)
		half.Sub(next, a)
		if norm(half) < tolerance {
			break // as its authors' program does, before A is replaced
		}
		a, next = next, a
	}
	p.part(func(i, j int) { a.Set(i, j, 0) })
	return a, nil
}

// constrained returns T, with the labels' constraints, and D̄ + B.
func (p *Problem) constrained() (t, given *csr.Matrix) {
	s := dense(p.normalized().S)
	kept := dense(sparse(s, Neighbours-1, p.Threads))
	n := p.N()
	extra := mat.NewDense(n, n, nil)
	most := slices.Max(p.normalized().Degrees)
	for i, d := range p.normalized().Degrees {
		if most > 0 {
			extra.Set(i, i, d/most)
		}
	}
	for _, x := range p.Seeds.List() {
		for _, y := range p.Seeds.List() {
			i, j := int(x.Node), int(y.Node)
			if x.Class == y.Class && i != j && kept.At(i, j) == 0 {
				kept.Set(i, j, s.At(i, j))
				extra.Set(i, j, s.At(i, j)/2)
			}
		}
	}
	p.part(func(i, j int) { kept.Set(i, j, 0) })
	return entries(kept), entries(extra)
}

// part calls do for the pairs of labelled points of different classes.
func (p *Problem) part(do func(i, j int)) {
	for _, x := range p.Seeds.List() {
		for _, y := range p.Seeds.List() {
			if x.Class != y.Class {
				do(int(x.Node), int(y.Node))
			}
		}
	}
}

// entries returns m without its zeros.
func entries(m *mat.Dense) *csr.Matrix {
	n, _ := m.Dims()
	buffer := csr.NewRowBuffer(n, n, n)
	var cols []uint32
	var vals []float32
	for i := range n {
		cols, vals = cols[:0], vals[:0]
		for j, v := range m.RawRowView(i) {
			if v != 0 {
				cols, vals = append(cols, uint32(j)), append(vals, float32(v))
			}
		}
		buffer.Set(i, cols, vals)
	}
	return buffer.Matrix(1)
}

// spread computes dst ← (A + TA)/2.
func spread(dst *mat.Dense, t *csr.Matrix, a *mat.Dense) {
	mulSparse(dst, t, a)
	dst.Add(dst, a)
	dst.Scale(0.5, dst)
}

// inject adds 1−α of the given entries.
func inject(a *mat.Dense, given *csr.Matrix) {
	n, _ := a.Dims()
	for i := range n {
		cols, vals := given.Row(i)
		row := a.RawRowView(i)
		for k, j := range cols {
			row[j] += float64((1 - reinforced) * float64(vals[k]))
		}
	}
}

// settledRidge is λ of SettledOn.
const settledRidge = 1e-4

// settled labels by the learned affinity as the ADP authors' program does.
func settled(learn func(context.Context, *Problem) (*mat.Dense, error)) labeller {
	return labelled(learn, func(p *Problem, ctx context.Context, a *mat.Dense) ([]int32, error) {
		f, err := SettledOn(ctx, p, a)
		if err != nil {
			return nil, err
		}
		return largestAbove(f), nil
	})
}

// SettledOn returns the classification that the ADP authors' program makes of
// a dense affinity A, its diagonal included: with L = I − D^-1/2 A D^-1/2,
//
//	F_l = Y_l,  F_u = −(L_uu + λI)^-1 L_ul Y_l,  λ = 1e-4,
//
// harmonic functions of the normalised Laplacian, where [GFHF] has D − W. n³/3
// by Cholesky for each draw.
//
// updateF.m in github.com/qilinli/Alternating_Diffusion_Process.
func SettledOn(ctx context.Context, p *Problem, a *mat.Dense) (*mat.Dense, error) {
	return p.settle(ctx, a, settledRidge)
}

func (p *Problem) settle(ctx context.Context, a *mat.Dense, ridge float64) (*mat.Dense, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	n, _ := a.Dims()
	root := make([]float64, n)
	for i := range root {
		sum := 0.0
		for _, v := range a.RawRowView(i) {
			sum += v
		}
		if sum > 0 {
			root[i] = 1 / math.Sqrt(sum)
		}
	}
	f := p.oneHot()
	var free []int
	mask := p.Seeds.Mask()
	for i := range n {
		if !mask[i] {
			free = append(free, i)
		}
	}
	if len(free) == 0 {
		return f, nil
	}
	return f, p.solve(f, a, root, free, ridge)
}

// solve sets the rows of f at the free points.
func (p *Problem) solve(f, a *mat.Dense, root []float64, free []int, ridge float64) error {
	_, c := f.Dims()
	m, right := mat.NewSymDense(len(free), nil), mat.NewDense(len(free), c, nil)
	for x, i := range free {
		for y := x; y < len(free); y++ {
			m.SetSym(x, y, -root[i]*a.At(i, free[y])*root[free[y]])
		}
		m.SetSym(x, x, m.At(x, x)+1+ridge)
		for _, s := range p.Seeds.List() {
			j := int(s.Node)
			right.Set(x, int(s.Class), right.At(x, int(s.Class))+float64(root[i]*a.At(i, j)*root[j]*float64(s.Weight)))
		}
	}
	var factor mat.Cholesky
	if !factor.Factorize(m) {
		return errNotPositive(len(free))
	}
	var found mat.Dense
	if err := factor.SolveTo(&found, right); err != nil {
		return err
	}
	for x, i := range free {
		f.SetRow(i, found.RawRowView(x))
	}
	return nil
}
