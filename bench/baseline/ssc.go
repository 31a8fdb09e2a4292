package baseline

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/adp-sparse/adp-sparse/csr"
)

// The parameters of SSC and where its iterations end: those of the ADP
// authors' program.
const (
	sscAlpha = 20
	sscSteps = 150
	sscOff   = 2e-4
)

// SSC returns the graph that the ADP authors start from, W = |C| + |C|ᵀ of
// sparse subspace clustering with outlying entries. Columns y_i of Y (d×n) are
// the points as they are, not at unit length, and P = [Y, I/γ]:
//
//	min ‖c‖₁ + ‖e‖₁  with  y_i = Yc + e/γ,  c_i = 0
//
// with γ = α / max_i ‖y_i‖₁, α = 20. What a combination leaves is made of
// single dimensions, at a price that is one for all points, whatever their
// length. ([L1] leaves a rest of small length, with a penalty a point at unit
// length.)
//
// The alternating direction method with steps α for the copies of c and e and
// μ = α / min_i max_j |⟨p_j, y_i⟩| (j ≠ i) for the constraint, for 150
// iterations or until neither is off by more than 2e-4. On images it is off by
// some 1e-3 then, short of the minimum: the paper's figures are of this graph.
// An iteration is 2n²d + 2nd² multiply-adds, memory four n×n and ten d×n
// matrices, once for a set.
//
// E. Elhamifar, R. Vidal: Sparse Subspace Clustering: Algorithm, Theory, and
// Applications. IEEE TPAMI 35(11), 2013, Eq. 13 and Algorithm 1, by the
// program of its authors (2012) in github.com/qilinli/Alternating_Diffusion_Process,
// testCase_COIL20.m.
func SSC(ctx context.Context, p *Problem) (*csr.Matrix, error) {
	return once(p.Data, "SSC", func() (*csr.Matrix, error) {
		if err := checkSize(p.X.Rows); err != nil {
			return nil, err
		}
		s := newOutlying(columns(p.X), sscAlpha)
		for range sscSteps - 1 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if s.step() < sscOff {
				break
			}
		}
		return s.graph(p.Threads), nil
	})
}

// columns returns the points of x as columns, in float64.
func columns(x *csr.Dense) *mat.Dense {
	y := mat.NewDense(x.Cols, x.Rows, nil)
	for i := range x.Rows {
		for k, v := range x.Row(i) {
			y.Set(k, i, float64(v))
		}
	}
	return y
}

// outlying is the state of the method: c and e are the sparse copies of the
// coefficients and the outlying entries, u the multipliers.
type outlying struct {
	y            *mat.Dense // d×n
	unit         float64    // 1/γ
	mu, rho      float64    // μ and the step
	inverse, yyt *mat.Dense // (ρI + μPPᵀ)^-1 and YYᵀ, d×d

	c, uc *mat.Dense // n×n
	e, ue *mat.Dense // d×n
	fit   *mat.Dense // d×n, the multiplier of Y = PZ
}

func newOutlying(y *mat.Dense, alpha float64) *outlying {
	d, n := y.Dims()
	s := &outlying{y: y, rho: alpha, unit: mat.Norm(y, 1) / alpha}
	s.mu = alpha / s.largest()
	s.yyt = mat.NewDense(d, d, nil)
	mul(s.yyt, y, y.T())
	core := mat.NewSymDense(d, nil)
	for i := range d {
		for j := i; j < d; j++ {
			core.SetSym(i, j, s.mu*s.yyt.At(i, j))
		}
		core.SetSym(i, i, core.At(i, i)+s.rho+float64(s.mu*s.unit*s.unit))
	}
	var factor mat.Cholesky
	factor.Factorize(core) // positive: ρ > 0
	factor.InverseTo(core)
	s.inverse = mat.DenseCopyOf(core)
	s.c, s.uc = mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)
	s.e, s.ue, s.fit = mat.NewDense(d, n, nil), mat.NewDense(d, n, nil), mat.NewDense(d, n, nil)
	return s
}

// largest returns min_i max_j |⟨p_j, y_i⟩| over j ≠ i and the unit columns.
func (s *outlying) largest() float64 {
	d, n := s.y.Dims()
	yty := mat.NewDense(n, n, nil)
	mul(yty, s.y.T(), s.y)
	least := math.Inf(1)
	for i := range n {
		most := 0.0
		for j, v := range yty.RawRowView(i) {
			if j != i {
				most = max(most, math.Abs(v))
			}
		}
		for k := range d {
			most = max(most, s.unit*math.Abs(s.y.At(k, i)))
		}
		least = min(least, most)
	}
	return least
}

// step makes one iteration and returns the larger of |Z − C| and |Y − PZ| of
// any entry, the latter with columns of Y at unit length.
//
// Z solves (μPᵀP + ρI) Z = μPᵀB + ρR with B = Y + fit, R = [c − uc; e − ue].
// With Q = (ρI + μPPᵀ)^-1 P(μPᵀB + ρR) it is PZ = Q and Z = R + μPᵀ(B − Q)/ρ.
func (s *outlying) step() float64 {
	d, n := s.y.Dims()
	b, rc, re := mat.NewDense(d, n, nil), mat.NewDense(n, n, nil), mat.NewDense(d, n, nil)
	b.Add(s.y, s.fit)
	rc.Sub(s.c, s.uc)
	re.Sub(s.e, s.ue)
	// P(μPᵀB + ρR) = μ(YYᵀ + unit² I)B + ρ(Y rc + unit re)
	right, part := mat.NewDense(d, n, nil), mat.NewDense(d, n, nil)
	mul(right, s.yyt, b)
	mul(part, s.y, rc)
	combine(right, s.mu, right, s.mu*s.unit*s.unit, b)
	combine(right, 1, right, s.rho, part)
	combine(right, 1, right, s.rho*s.unit, re)
	q := part
	mul(q, s.inverse, right)
	combine(b, s.mu/s.rho, b, -s.mu/s.rho, q)
	z := mat.NewDense(n, n, nil)
	mul(z, s.y.T(), b)
	z.Add(z, rc)
	combine(re, 1, re, s.unit, b) // the part of Z for e
	// c_i = 0: PZ loses y_i z_ii.
	for i := range n {
		v := z.At(i, i)
		for k := range d {
			q.Set(k, i, q.At(k, i)-float64(v*s.y.At(k, i)))
		}
		z.Set(i, i, 0)
	}
	off := max(s.soften(s.c, z, s.uc), s.soften(s.e, re, s.ue))
	return max(off, s.unfit(q))
}

// combine computes dst ← a·x + b·y.
func combine(dst *mat.Dense, a float64, x *mat.Dense, b float64, y *mat.Dense) {
	n, _ := dst.Dims()
	for i := range n {
		out, xs, ys := dst.RawRowView(i), x.RawRowView(i), y.RawRowView(i)
		for k := range out {
			out[k] = float64(a*xs[k]) + float64(b*ys[k])
		}
	}
}

// soften sets c to Z + u, each entry 1/ρ nearer to 0, and u to u + Z − c. It
// returns the largest |Z − c|.
func (s *outlying) soften(c, z, u *mat.Dense) float64 {
	n, _ := c.Dims()
	off := 0.0
	for i := range n {
		cs, zs, us := c.RawRowView(i), z.RawRowView(i), u.RawRowView(i)
		for k, v := range zs {
			cs[k] = soft(v+us[k], 1/s.rho)
			us[k] += v - cs[k]
			off = max(off, math.Abs(v-cs[k]))
		}
	}
	return off
}

func soft(v, by float64) float64 { return math.Copysign(max(math.Abs(v)-by, 0), v) }

// unfit adds Y − PZ to its multiplier and returns the largest entry, columns
// scaled as those of Y to unit length.
func (s *outlying) unfit(pz *mat.Dense) float64 {
	d, n := s.y.Dims()
	off := 0.0
	for i := range n {
		length := mat.Norm(s.y.ColView(i), 2)
		for k := range d {
			rest := s.y.At(k, i) - pz.At(k, i)
			s.fit.Set(k, i, s.fit.At(k, i)+rest)
			if length > 0 {
				off = max(off, math.Abs(rest)/length)
			}
		}
	}
	return off
}

// graph returns |C| + |C|ᵀ.
func (s *outlying) graph(threads int) *csr.Matrix {
	n, _ := s.c.Dims()
	a := mat.NewDense(n, n, nil)
	a.Apply(func(i, j int, v float64) float64 { return 2 * math.Abs(v) }, s.c)
	return sparse(a, 0, threads)
}
