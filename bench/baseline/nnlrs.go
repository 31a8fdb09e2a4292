package baseline

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/adp-sparse/adp-sparse/csr"
)

// The weights of NNLRS and where its iterations end.
const (
	nnlrsSparse    = 0.2 // β
	nnlrsError     = 10  // λ
	nnlrsTolerance = 1e-2
	nnlrsMost      = 50
	ssnnlrsMost    = 20
	nnlrsStep      = 30 // μ
	nnlrsRank      = 2  // of J, in multiples of X's
)

// NNLRS returns the non-negative low-rank and sparse graph: the n×n matrix
//
//	min_{Z,E} ‖Z‖_* + β‖Z‖₁ + λ‖E‖_{2,1}  with  X = XZ + E,  Z ≥ 0
//
// (nuclear norm, sum of entries, sum of the lengths of E's columns) for the
// points as columns of X, at unit length. Columns of Z are scaled to length 1
// and W = (Z + Zᵀ)/2 without its diagonal. β = 0.2, λ = 10.
//
// With copies J (low rank) and W (sparse) of Z the problem has two blocks, Z
// and (E, J, W), each solved exactly by the eigenbasis of XᵀX, made once:
// the alternating direction method of multipliers at a fixed step converges
// (the authors linearise instead). It stops when the constraints and the
// change of W are below 1e-2 of what they are measured against, or after
// 50 iterations. An iteration takes 2n²r multiply-adds and about 4n²k for the
// k singular values above the threshold, by subspace iteration from the last
// ones. Memory nine n×n matrices.
//
// Above 100 points k is bounded by 2r, twice the rank of X: a truncation, made
// for time. On ORL (n = 400, r = 77) the iterations kept up to 375 values
// without it, to no better accuracy, and 50 iterations left the constraints
// 2 to 3 % off.
//
// L. Zhuang et al.: Non-negative Low Rank and Sparse Graph for
// Semi-Supervised Learning. CVPR 2012; Constructing a Nonnegative Low-Rank
// and Sparse Graph With Data-Adaptive Features. IEEE TIP 24(11), 2015.
func NNLRS(ctx context.Context, p *Problem) (*csr.Matrix, error) {
	return once(p.Data, "NNLRS graph", func() (*csr.Matrix, error) {
		r, err := p.represented(ctx)
		if err != nil {
			return nil, err
		}
		return r.graph(p.Threads), nil
	})
}

// SSNNLRS is NNLRS with the labels as a hard constraint: Z_ij = 0 for
// labelled points i and j of different classes. Without labels it is NNLRS.
// The problem is convex, so that starting from the solution of NNLRS only
// saves iterations: at most 20 for each draw.
//
// L. Zhuang, Z. Zhou, S. Gao, J. Yin, Z. Lin, Y. Ma: Label Information Guided
// Graph Construction for Semi-Supervised Learning. IEEE TIP 26(9), 2017.
func SSNNLRS(ctx context.Context, p *Problem) (*csr.Matrix, error) {
	r, err := p.represented(ctx)
	if err != nil {
		return nil, err
	}
	r = r.clone()
	for _, s := range p.Seeds.List() {
		for _, t := range p.Seeds.List() {
			if s.Class != t.Class {
				r.forbidden = append(r.forbidden, [2]int{int(s.Node), int(t.Node)})
			}
		}
	}
	if len(r.forbidden) > 0 {
		if err := r.solve(ctx, ssnnlrsMost); err != nil {
			return nil, err
		}
	}
	return r.graph(p.Threads), nil
}

// represented returns the solved state of NNLRS, made once.
func (d *Data) represented(ctx context.Context) (*representation, error) {
	return once(d, "NNLRS", func() (*representation, error) {
		if err := checkSize(d.N()); err != nil {
			return nil, err
		}
		g, err := d.gram()
		if err != nil {
			return nil, err
		}
		r := newRepresentation(g, nnlrsSparse, nnlrsError)
		return r, r.solve(ctx, nnlrsMost)
	})
}

// representation is the state of the alternating direction method: X is
// turned to diag(√g) Vᵀ, r×n; u1, u2, u3 are the multipliers over μ of
// X = XZ + E, Z = J and Z = W.
type representation struct {
	gram         *gram
	beta, lambda float64
	mu           float64
	forbidden    [][2]int

	x, xz, e, u1    *mat.Dense // r×n
	z, j, w, u2, u3 *mat.Dense // n×n
	rest            *mat.Dense // n×n, scratch
	vt              *mat.Dense // r×n, scratch
	shrink          *shrinker
}

func newRepresentation(g *gram, beta, lambda float64) *representation {
	n, k := g.v.Dims()
	r := &representation{gram: g, beta: beta, lambda: lambda, mu: nnlrsStep, shrink: newShrinker(n, nnlrsRank*k)}
	r.x = mat.DenseCopyOf(g.points().T())
	for _, m := range []**mat.Dense{&r.xz, &r.e, &r.u1, &r.vt} {
		*m = mat.NewDense(k, n, nil)
	}
	for _, m := range []**mat.Dense{&r.z, &r.j, &r.w, &r.u2, &r.u3, &r.rest} {
		*m = mat.NewDense(n, n, nil)
	}
	return r
}

// clone copies what the iterations change.
func (r *representation) clone() *representation {
	c := *r
	for _, m := range []**mat.Dense{&c.xz, &c.u1, &c.vt, &c.e, &c.z, &c.j, &c.w, &c.u2, &c.u3, &c.rest} {
		*m = mat.DenseCopyOf(*m)
	}
	c.shrink = r.shrink.clone()
	return &c
}

func (r *representation) solve(ctx context.Context, most int) error {
	for range most {
		if err := ctx.Err(); err != nil {
			return err
		}
		if r.step() < nnlrsTolerance {
			break
		}
	}
	return nil
}

// step makes one iteration and returns the largest of the relative distances
// from the constraints and the relative change of W.
func (r *representation) step() float64 {
	r.fit()
	r.separate()
	// J: singular values of Z − U2 are lowered by 1/μ.
	r.rest.Sub(r.z, r.u2)
	r.shrink.apply(r.j, r.rest, 1/r.mu)
	moved := r.sparsify()
	// The multipliers take the distances from the constraints.
	r.rest.Sub(r.j, r.z)
	r.u2.Add(r.u2, r.rest)
	low := norm(r.rest)
	r.rest.Sub(r.w, r.z)
	r.u3.Add(r.u3, r.rest)
	off := max(low, norm(r.rest), moved) / max(norm(r.z), 1)
	r.vt.Sub(r.x, r.xz)
	r.vt.Sub(r.vt, r.e)
	r.u1.Add(r.u1, r.vt)
	return max(off, norm(r.vt)/norm(r.x))
}

// fit solves (XᵀX + 2I) Z = Xᵀ(X − E + U1) + (J + U2) + (W + U3) = XᵀR + N.
// In the eigenbasis V of XᵀX,
//
//	Z = ½ (N + V(√g R − g/(g+2) (√g R + VᵀN))),  XZ = √g VᵀZ.
func (r *representation) fit() {
	r.rest.Add(r.j, r.u2)
	r.rest.Add(r.rest, r.w)
	r.rest.Add(r.rest, r.u3)
	r.vt.Mul(r.gram.v.T(), r.rest)
	n, k := r.gram.v.Dims()
	for a := range k {
		g, root := r.gram.g[a], r.gram.root[a]
		x, e, u, vn, xz := r.x.RawRowView(a), r.e.RawRowView(a), r.u1.RawRowView(a), r.vt.RawRowView(a), r.xz.RawRowView(a)
		for i := range n {
			target := root * (x[i] - e[i] + u[i])
			turned := target - g/(g+2)*(target+vn[i])
			xz[i] = root * (vn[i] + turned) / 2
			vn[i] = turned
		}
	}
	r.z.Mul(r.gram.v, r.vt)
	r.z.Add(r.z, r.rest)
	r.z.Scale(0.5, r.z)
}

// separate sets E: the columns of X − XZ + U1, shortened by λ/μ.
func (r *representation) separate() {
	r.e.Sub(r.x, r.xz)
	r.e.Add(r.e, r.u1)
	k, n := r.e.Dims()
	length := make([]float64, n)
	for a := range k {
		for i, v := range r.e.RawRowView(a) {
			length[i] += v * v
		}
	}
	for i, l := range length {
		length[i] = 0
		if l = math.Sqrt(l); l > r.lambda/r.mu {
			length[i] = 1 - r.lambda/r.mu/l
		}
	}
	for a := range k {
		for i, keep := range length {
			r.e.RawRowView(a)[i] *= keep
		}
	}
}

// sparsify sets W: Z − U3 lowered by β/μ, not below 0, 0 where labels forbid
// it. It returns ‖change‖_F.
func (r *representation) sparsify() float64 {
	r.rest.Copy(r.w)
	n, _ := r.w.Dims()
	for i := range n {
		w, z, u := r.w.RawRowView(i), r.z.RawRowView(i), r.u3.RawRowView(i)
		for j := range w {
			w[j] = max(z[j]-u[j]-r.beta/r.mu, 0)
		}
	}
	for _, at := range r.forbidden {
		r.w.Set(at[0], at[1], 0)
	}
	r.rest.Sub(r.w, r.rest)
	return norm(r.rest)
}

// graph returns W with columns at unit length, made symmetric.
func (r *representation) graph(threads int) *csr.Matrix {
	n, _ := r.w.Dims()
	length := make([]float64, n)
	for i := range n {
		for j, v := range r.w.RawRowView(i) {
			length[j] += v * v
		}
	}
	out := mat.DenseCopyOf(r.w)
	out.Apply(func(_, j int, v float64) float64 {
		if length[j] == 0 {
			return 0
		}
		return v / math.Sqrt(length[j])
	}, out)
	return sparse(out, 0, threads)
}

// objective returns ‖W‖_* + β‖W‖₁ + λ‖X − XW‖_{2,1}, for tests: n³.
func (r *representation) objective(w *mat.Dense) float64 {
	var svd mat.SVD
	if !svd.Factorize(w, mat.SVDNone) {
		return math.NaN()
	}
	value := 0.0
	for _, s := range svd.Values(nil) {
		value += s
	}
	value += r.beta * mat.Sum(w)
	var rest mat.Dense
	rest.Mul(r.x, w)
	rest.Sub(r.x, &rest)
	_, n := rest.Dims()
	for i := range n {
		value += r.lambda * mat.Norm(rest.ColView(i), 2)
	}
	return value
}

// norm is the Frobenius norm.
func norm(m *mat.Dense) float64 { return mat.Norm(m, 2) }
