package baseline

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// The weights of NNLRS and where its iterations end.
const (
	nnlrsSparse    = 0.2 // β
	nnlrsError     = 10  // λ
	nnlrsTolerance = 1e-2
	nnlrsMost      = 50
	ssnnlrsLeast   = 5
	ssnnlrsMost    = 20
	nnlrsStep      = 30 // μ
	nnlrsRank      = 2  // of J, in multiples of X's
	nnlrsSmall     = 0.1
)

// NNLRS returns the non-negative low-rank and sparse graph: the n×n matrix
//
//	min_{Z,E} ‖Z‖_* + β‖Z‖₁ + λ‖E‖_{2,1}  with  X = XZ + E,  Z ≥ 0
//
// (nuclear norm, sum of entries, sum of the lengths of E's columns) for the
// points as columns of X, at unit length. Columns of Z are scaled to length 1,
// entries below θ are dropped, and W = (Z + Zᵀ)/2 without its diagonal (the
// authors' Algorithm 2 as remembered: their text was not at hand). β = 0.2,
// λ = 10. θ is ours: at 0.1 an entry that is dropped has less than 1 % of the
// square of its column. It matters: adp-bench paper --methods NNLRS@0,NNLRS@0.01,NNLRS@0.05,NNLRS@0.2.
//
// With copies J (low rank) and W (sparse) of Z the problem has two blocks, Z
// and (E, J, W), each solved exactly by the eigenbasis of XᵀX, made once:
// the alternating direction method of multipliers at a fixed step converges
// (the authors linearise instead). It stops when the constraints and the
// change of W are below 1e-2 of what they are measured against, or after
// 50 iterations. An iteration takes 2n²r multiply-adds and about 3n²k for the
// k singular values above the threshold, by subspace iteration from the last
// ones. Memory six n×n matrices, and four more for [SSNNLRS].
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
	return nonNegativeLowRank(nnlrsSparse, nnlrsError, nnlrsSmall)(ctx, p)
}

func nonNegativeLowRank(beta, lambda, small float64) learner {
	return func(ctx context.Context, p *Problem) (*csr.Matrix, error) {
		return once(p.Data, fmt.Sprint("NNLRS graph ", beta, lambda, small), func() (*csr.Matrix, error) {
			r, err := p.represented(ctx, beta, lambda)
			if err != nil {
				return nil, err
			}
			return r.graph(small, p.Threads), nil
		})
	}
}

// SSNNLRS is NNLRS with the labels as a hard constraint: Z_ij = 0 for
// labelled points i and j of different classes. Without labels it is NNLRS.
// The problem is convex, so that starting from the solution of NNLRS only
// saves iterations: 5 to 20 for each draw, until the constraints and the change
// of W are no further off than NNLRS left them.
//
// L. Zhuang, Z. Zhou, S. Gao, J. Yin, Z. Lin, Y. Ma: Label Information Guided
// Graph Construction for Semi-Supervised Learning. IEEE TIP 26(9), 2017.
func SSNNLRS(ctx context.Context, p *Problem) (*csr.Matrix, error) {
	return constrainedLowRank(nnlrsError)(ctx, p)
}

func constrainedLowRank(lambda float64) learner {
	return func(ctx context.Context, p *Problem) (*csr.Matrix, error) {
		r, err := p.represented(ctx, nnlrsSparse, lambda)
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
			if err := r.solve(ctx, ssnnlrsLeast, ssnnlrsMost, max(r.off, nnlrsTolerance)); err != nil {
				return nil, err
			}
		}
		return r.graph(nnlrsSmall, p.Threads), nil
	}
}

// represented returns the solved state of NNLRS, made once.
func (d *Data) represented(ctx context.Context, beta, lambda float64) (*representation, error) {
	return once(d, fmt.Sprint("NNLRS ", beta, lambda), func() (*representation, error) {
		if err := checkSize(d.N()); err != nil {
			return nil, err
		}
		g, err := d.gram()
		if err != nil {
			return nil, err
		}
		r := newRepresentation(g, beta, lambda)
		return r, r.solve(ctx, 1, nnlrsMost, nnlrsTolerance)
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
	off          float64 // of the last iteration

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

// clone copies what the iterations go on from; what they only work with is
// shared.
func (r *representation) clone() *representation {
	c := *r
	for _, m := range []**mat.Dense{&c.u1, &c.e, &c.j, &c.w, &c.u2, &c.u3} {
		*m = mat.DenseCopyOf(*m)
	}
	c.shrink = r.shrink.clone()
	return &c
}

// solve makes iterations until they are off by less than tolerance.
func (r *representation) solve(ctx context.Context, least, most int, tolerance float64) error {
	for k := range most {
		if err := ctx.Err(); err != nil {
			return err
		}
		if r.off = r.step(); r.off < tolerance && k+1 >= least {
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
	// J: singular values of Z − U2, which fit has left in rest, are lowered by 1/μ.
	r.shrink.apply(r.j, r.rest, 1/r.mu)
	off := r.sparsify()
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
	r.rows(func(_ int, rest, _, j, w, u2, u3 []float64) {
		for k := range rest {
			rest[k] = j[k] + u2[k] + w[k] + u3[k]
		}
	})
	mul(r.vt, r.gram.v.T(), r.rest)
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
	mul(r.z, r.gram.v, r.vt)
	r.rows(func(_ int, rest, z, _, _, u2, _ []float64) {
		for k, v := range rest {
			z[k] = (z[k] + v) / 2
			rest[k] = z[k] - u2[k]
		}
	})
}

// rows calls body for each row of the n×n matrices: one pass over memory, which
// is what these loops wait for.
func (r *representation) rows(body func(i int, rest, z, j, w, u2, u3 []float64)) {
	n, _ := r.z.Dims()
	rows.Each(n, 0, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			j, w, u2, u3 := r.j.RawRowView(i)[:n], r.w.RawRowView(i)[:n], r.u2.RawRowView(i)[:n], r.u3.RawRowView(i)[:n]
			body(i, r.rest.RawRowView(i)[:n], r.z.RawRowView(i)[:n], j, w, u2, u3)
		}
	})
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
// it. Then the multipliers take the distances from the constraints. It returns
// the largest of ‖J − Z‖, ‖W − Z‖ and ‖change of W‖ over ‖Z‖ (of 1 at least).
func (r *representation) sparsify() float64 {
	n, _ := r.w.Dims()
	banned := map[int][]int{}
	for _, at := range r.forbidden {
		banned[at[0]] = append(banned[at[0]], at[1])
	}
	sums := rows.NewReducer(n, 4).Sum(0, func(lo, hi int, sum []float64) {
		next := make([]float64, n)
		for i := lo; i < hi; i++ {
			z, j, w, u2, u3 := r.z.RawRowView(i)[:n], r.j.RawRowView(i)[:n], r.w.RawRowView(i)[:n], r.u2.RawRowView(i)[:n], r.u3.RawRowView(i)[:n]
			for k := range next {
				next[k] = max(z[k]-u3[k]-r.beta/r.mu, 0)
			}
			for _, k := range banned[i] {
				next[k] = 0
			}
			for k, v := range next {
				change, low, high := v-w[k], j[k]-z[k], v-z[k]
				sum[0] += change * change
				sum[1] += low * low
				sum[2] += high * high
				sum[3] += z[k] * z[k]
				w[k] = v
				u2[k] += low
				u3[k] += high
			}
		}
	})
	return math.Sqrt(max(sums[0], sums[1], sums[2])) / max(math.Sqrt(sums[3]), 1)
}

// graph returns W with columns at unit length, without entries below small, made
// symmetric.
func (r *representation) graph(small float64, threads int) *csr.Matrix {
	n, _ := r.w.Dims()
	length := make([]float64, n)
	for i := range n {
		for j, v := range r.w.RawRowView(i) {
			length[j] += v * v
		}
	}
	out := mat.DenseCopyOf(r.w)
	out.Apply(func(_, j int, v float64) float64 {
		if v == 0 || v < small*math.Sqrt(length[j]) {
			return 0
		}
		return v / math.Sqrt(length[j])
	}, out)
	return sparse(out, 0, threads)
}

// norm is the Frobenius norm.
func norm(m *mat.Dense) float64 { return mat.Norm(m, 2) }
