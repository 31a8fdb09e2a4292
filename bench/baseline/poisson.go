package baseline

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/adp-sparse/adp-sparse/csr"
)

// Poisson is Poisson learning: the solution U, n×c, of
//
//	L U = Σ_l δ_l (Y_l − ȳ),  Σ_i D_ii U_i = 0,  L = D − W,
//
// with ȳ the mean of the labels: sources and sinks at the labelled points
// instead of boundary values, which keeps its meaning with few labels. It is
// the minimum of ½ Σ_ij W_ij ‖U_i − U_j‖²/2 − Σ_l ⟨Y_l − ȳ, U_l⟩. The label
// is the largest of U_ij / ȳ_j (equal class priors). Sources and sums are
// taken by component: each must balance by itself; a component with
// labels of one class is of that class, one without has none. Conjugate
// gradients with D as preconditioner to a relative residual of 1e-8,
// O(nnz·c) an iteration, five n×c blocks.
//
// J. Calder, B. Cook, M. Thorpe, D. Slepčev: Poisson Learning: Graph Based
// Semi-Supervised Learning At Very Low Label Rates. ICML 2020.
func Poisson(ctx context.Context, p *Problem) ([]int32, error) {
	of, sizes := csr.Components(p.W, p.Threads)
	b, only := sources(p, of, len(sizes))
	u, err := poisson(ctx, p, b, of, len(sizes))
	if err != nil {
		return nil, err
	}
	share := make([]float64, p.Seeds.Classes)
	for _, s := range p.Seeds.List() {
		share[s.Class]++
	}
	y := make([]int32, p.N())
	for i := range y {
		if y[i] = only[of[i]]; y[i] != several {
			continue
		}
		best := math.Inf(-1)
		for j, v := range u.RawRowView(i) {
			if share[j] > 0 && v/share[j] > best {
				y[i], best = int32(j), v/share[j]
			}
		}
	}
	return y, nil
}

// several marks components with labels of more than one class.
const several = math.MaxInt32

// sources returns δ_l(Y_l − ȳ) with ȳ the mean over the labels of the point's
// component, and the only class of each component: -1 for none, or several.
func sources(p *Problem, of []uint32, components int) (*mat.Dense, []int32) {
	b := mat.NewDense(p.N(), p.Seeds.Classes, nil)
	mean := mat.NewDense(components, p.Seeds.Classes, nil)
	count := make([]float64, components)
	only := make([]int32, components)
	for k := range only {
		only[k] = -1
	}
	for _, s := range p.Seeds.List() {
		k := of[s.Node]
		count[k]++
		mean.Set(int(k), int(s.Class), mean.At(int(k), int(s.Class))+1)
		if only[k] == -1 {
			only[k] = int32(s.Class)
		} else if only[k] != int32(s.Class) {
			only[k] = several
		}
	}
	for _, s := range p.Seeds.List() {
		k := int(of[s.Node])
		row := b.RawRowView(int(s.Node))
		row[s.Class]++
		for j := range row {
			row[j] -= mean.At(k, j) / count[k]
		}
	}
	return b, only
}

// poisson solves L U = B by conjugate gradients on each column, and shifts
// each component to Σ D_ii U_i = 0.
func poisson(ctx context.Context, p *Problem, b *mat.Dense, of []uint32, components int) (*mat.Dense, error) {
	const (
		tolerance = 1e-8
		most      = 5000
	)
	degrees := p.normalized().Degrees
	n, c := b.Dims()
	u, lp := mat.NewDense(n, c, nil), mat.NewDense(n, c, nil)
	r := mat.DenseCopyOf(b)
	z := precondition(r, degrees)
	direction := mat.DenseCopyOf(z)
	rz, first := columnDots(r, z), columnDots(b, b)
	for range most {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		laplacian(lp, p.W, degrees, direction)
		curvature := columnDots(direction, lp)
		alpha := make([]float64, c)
		for j := range alpha {
			if curvature[j] > 0 {
				alpha[j] = rz[j] / curvature[j]
			}
		}
		for i := range n {
			urow, rrow, drow, lrow := u.RawRowView(i), r.RawRowView(i), direction.RawRowView(i), lp.RawRowView(i)
			for j := range urow {
				urow[j] += alpha[j] * drow[j]
				rrow[j] -= alpha[j] * lrow[j]
			}
		}
		done := true
		for j, rr := range columnDots(r, r) {
			done = done && rr <= tolerance*tolerance*first[j]
		}
		if done {
			break
		}
		z = precondition(r, degrees)
		next := columnDots(r, z)
		for i := range n {
			drow, zrow := direction.RawRowView(i), z.RawRowView(i)
			for j := range drow {
				if rz[j] > 0 {
					drow[j] = zrow[j] + next[j]/rz[j]*drow[j]
				}
			}
		}
		rz = next
	}
	centre(u, degrees, of, components)
	return u, nil
}

// laplacian computes dst ← (D − W) X.
func laplacian(dst *mat.Dense, w *csr.Matrix, degrees []float64, x *mat.Dense) {
	mulSparse(dst, w, x)
	for i, d := range degrees {
		row, xrow := dst.RawRowView(i), x.RawRowView(i)
		for j := range row {
			row[j] = d*xrow[j] - row[j]
		}
	}
}

func precondition(r *mat.Dense, degrees []float64) *mat.Dense {
	z := mat.DenseCopyOf(r)
	for i, d := range degrees {
		if d > 0 {
			scale(1/d, z.RawRowView(i))
		}
	}
	return z
}

func columnDots(a, b *mat.Dense) []float64 {
	n, c := a.Dims()
	sums := make([]float64, c)
	for i := range n {
		brow := b.RawRowView(i)
		for j, v := range a.RawRowView(i) {
			sums[j] += v * brow[j]
		}
	}
	return sums
}

// centre shifts the rows of each component so that Σ D_ii U_i = 0.
func centre(u *mat.Dense, degrees []float64, of []uint32, components int) {
	n, c := u.Dims()
	sums := mat.NewDense(components, c, nil)
	mass := make([]float64, components)
	for i := range n {
		k := of[i]
		mass[k] += degrees[i]
		for j, v := range u.RawRowView(i) {
			sums.Set(int(k), j, sums.At(int(k), j)+degrees[i]*v)
		}
	}
	for i := range n {
		if k := of[i]; mass[k] > 0 {
			row := u.RawRowView(i)
			for j := range row {
				row[j] -= sums.At(int(k), j) / mass[k]
			}
		}
	}
}
