package baseline

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// The parameters of DLSR.
const (
	dlsrRidge  = 0.1 // λ
	dlsrRounds = 50
)

// DLSR is adaptive semi-supervised learning with discriminative least squares
// regression: the minimum over W (d×c), b, the adjustments M ≥ 0 and the
// labels y of
//
//	Σ_i Σ_k y_ik^r ‖Wᵀx_i + b − t_k − t_k∘m_ik‖² + λ‖W‖²
//	with  y_i ≥ 0,  Σ_k y_ik = 1,  y_l = Y_l,
//
// where t_k is 1 for class k and −1 for the others, and m_ik moves the target
// outwards, so that a point far on the right side is not penalised; r > 1
// lowers the weight of points whose y_i is uncertain. From the abstract are
// the probabilities with an adaptive parameter, the adjustment of each label
// and the closed forms of all steps; r = 2, λ = 0.1 and that each point has
// its own adjustment are assumed. Each step is the exact minimum, so that the
// objective never rises:
//
//	m_ik = max(t_k∘(Wᵀx_i + b) − 1, 0);
//	y_ik ∝ e_ik^{−1/(r−1)} with e_ik the squared error for class k;
//	W, b: ridge regression with weights Σ_k y_ik^r.
//
// It starts from ridge regression on the given labels and stops at a relative
// fall below 1e-5 or after 50 rounds. The features are those of the points at
// unit length on their principal directions (99.5 % of the energy):
// nr² + r³/3 a round.
//
// M. Luo et al.: Adaptive Semi-Supervised Learning with Discriminative Least
// Squares Regression. IJCAI 2017.
func DLSR(ctx context.Context, p *Problem) ([]int32, error) {
	d, err := newDragging(p)
	if err != nil {
		return nil, err
	}
	before := math.Inf(1)
	for range dlsrRounds {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		d.adjust()
		if err := d.regress(); err != nil {
			return nil, err
		}
		value := d.objective()
		if before-value < 1e-5*value {
			break
		}
		before = value
	}
	return largest(p.N(), d.f.RawRowView), nil
}

// dragging is the state of DLSR.
type dragging struct {
	x     *mat.Dense // n×(r+1), the last column is 1
	y     *mat.Dense // n×c
	given []bool
	w     *mat.Dense // (r+1)×c, the last row is b
	f     *mat.Dense // n×c, XW
}

func newDragging(p *Problem) (*dragging, error) {
	g, err := p.gram()
	if err != nil {
		return nil, err
	}
	points := g.points()
	n, r := points.Dims()
	d := &dragging{x: mat.NewDense(n, r+1, nil), y: p.oneHot(), given: p.Seeds.Mask(), w: mat.NewDense(r+1, p.Seeds.Classes, nil), f: mat.NewDense(n, p.Seeds.Classes, nil)}
	for i := range n {
		row := d.x.RawRowView(i)
		copy(row, points.RawRowView(i))
		row[r] = 1
	}
	return d, d.regress() // points without a label have weight 0 so far
}

// With the adjustments at their best, t_kj (1 + m_ikj) is f = f_ij itself beyond
// the margin, and ±1 where it is missed: right is that for the point's own
// class, wrong for another.
func right(f float64) float64 { return max(f, 1) }
func wrong(f float64) float64 { return min(f, -1) }

// misfits sets e to e_ik, the squared errors of point i for each class k: those
// with all classes wrong, but for class k.
func (d *dragging) misfits(i int, e []float64) {
	all := 0.0
	for k, f := range d.f.RawRowView(i) {
		missed, kept := f-wrong(f), f-right(f)
		e[k] = kept*kept - missed*missed
		all += missed * missed
	}
	for k := range e {
		e[k] = max(e[k]+all, 0)
	}
}

// weight is y^r for r = 2.
func weight(y float64) float64 { return y * y }

// adjust sets the labels of points that have none.
func (d *dragging) adjust() {
	for i, given := range d.given {
		if given {
			continue
		}
		row := d.y.RawRowView(i)
		d.misfits(i, row)
		for k, e := range row {
			row[k] = 1 / max(e, 1e-12) // 1/(r−1) = 1
		}
		scale(1/floats.Sum(row), row)
	}
}

// regress sets W and b for the present labels and adjustments, then F.
func (d *dragging) regress() error {
	n, c := d.y.Dims()
	_, r := d.x.Dims()
	scaled, wanted := mat.NewDense(n, r, nil), mat.NewDense(n, c, nil)
	for i := range n {
		all := 0.0
		for _, y := range d.y.RawRowView(i) {
			all += weight(y)
		}
		row := wanted.RawRowView(i)
		for j, f := range d.f.RawRowView(i) {
			own := weight(d.y.At(i, j))
			row[j] = own*right(f) + (all-own)*wrong(f)
		}
		root := math.Sqrt(all)
		copy(scaled.RawRowView(i), d.x.RawRowView(i))
		scale(root, scaled.RawRowView(i))
	}
	normal := cross(scaled)
	for a := range r - 1 { // b is not penalised
		normal.SetSym(a, a, normal.At(a, a)+dlsrRidge)
	}
	target := mat.NewDense(r, c, nil)
	mul(target, d.x.T(), wanted)
	var factor mat.Cholesky
	if !factor.Factorize(normal) {
		return mat.Condition(math.Inf(1))
	}
	if err := factor.SolveTo(d.w, target); err != nil {
		return err
	}
	mul(d.f, d.x, d.w)
	return nil
}

// objective takes the adjustments at their minimum for the present F.
func (d *dragging) objective() float64 {
	n, c := d.y.Dims()
	value, e := 0.0, make([]float64, c)
	for i := range n {
		d.misfits(i, e)
		for k, y := range d.y.RawRowView(i) {
			value += weight(y) * e[k]
		}
	}
	r, _ := d.w.Dims()
	for a := range r - 1 {
		row := d.w.RawRowView(a)
		value += dlsrRidge * floats.Dot(row, row)
	}
	return value
}
