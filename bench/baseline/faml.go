package baseline

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// The weights of FAML and where its rounds end.
const (
	famlRidge  = 1.0 // λ₁
	famlNear   = 1.0 // λ₂
	famlLabels = 0.1 // γ
	famlRounds = 10
)

// FAML returns a flexible affinity S: the minimum over Z, S and F of
//
//	‖X − XZ‖² + λ₁‖Z‖² + λ₂‖Z − S‖² + γ Σ_ij S_ij ‖F_i − F_j‖²
//	with  S ≥ 0,  S1 = 1,  S_ii = 0,  F_l = Y_l.
//
// Z is the structured matrix (self-expression with one of the norms that the
// authors allow, here the ridge), S the affinity that stays near it, and the
// last term, 2γ tr(FᵀL_S F), stands for their rank constraint on L_S, to which
// it leads as γ grows: S connects what has one label. From the abstract are
// the self-expression, the closeness of S and Z, the rank constraint and the
// labels; the ridge, λ₁ = λ₂ = 1, γ = 0.1 and the form of the semi-supervised
// problem are assumed.
//
// Each block has its exact minimum, so the objective never rises:
//
//	Z = (XᵀX + (λ₁+λ₂)I)^-1 (XᵀX + λ₂S), by the eigenbasis of XᵀX;
//	S_i = the projection of Z_i − γ/(2λ₂) ‖F_i − F_j‖² on the simplex;
//	F = the harmonic functions of (S + Sᵀ)/2.
//
// It starts from Z = (XᵀX + (λ₁+λ₂)I)^-1 XᵀX and ends after 10 rounds or a
// relative fall below 1e-4. n²r and about ten passes over
// n² numbers a round, two n×n matrices.
//
// X. Fang et al.: Flexible Affinity Matrix Learning for Unsupervised and
// Semisupervised Classification. IEEE TNNLS 30(4), 2019 (online 2018).
func FAML(ctx context.Context, p *Problem) (*csr.Matrix, error) {
	f, err := newFlexible(p)
	if err != nil {
		return nil, err
	}
	before := math.Inf(1)
	for range famlRounds {
		if err := f.round(ctx); err != nil {
			return nil, err
		}
		value := f.objective()
		if before-value < 1e-4*value {
			break
		}
		before = value
	}
	return sparse(f.s, 0, p.Threads), nil
}

// flexible is the state of FAML.
type flexible struct {
	p    *Problem
	gram *gram
	z, s *mat.Dense
	zv   *mat.Dense // n×r, ZᵀV
	low  *mat.Dense // n×r: Z = V·lowᵀ + λ₂/τ S
	f    *csr.Dense

	squares []float64 // ‖F_i‖²
}

func newFlexible(p *Problem) (*flexible, error) {
	if err := checkSize(p.N()); err != nil {
		return nil, err
	}
	g, err := p.gram()
	if err != nil {
		return nil, err
	}
	n, r := g.v.Dims()
	f := &flexible{p: p, gram: g, z: mat.NewDense(n, n, nil), s: mat.NewDense(n, n, nil), zv: mat.NewDense(n, r, nil), low: mat.NewDense(n, r, nil), f: csr.NewDense(n, p.Seeds.Classes), squares: make([]float64, n)}
	for _, s := range p.Seeds.List() {
		f.f.Set(int(s.Node), int(s.Class), s.Weight)
	}
	f.express()
	f.project(false)
	return f, nil
}

// round minimises over F, S and Z in turn.
func (f *flexible) round(ctx context.Context) error {
	w := sparse(f.s, 0, f.p.Threads)
	h, _, err := diffuse.Harmonic(ctx, diffuse.Normalize(w, f.p.Threads), f.p.Seeds, f.p.options())
	if err != nil {
		return err
	}
	f.f = h
	f.project(true)
	f.express()
	return nil
}

// express sets Z. With M = XᵀX + λ₂S and τ = λ₁ + λ₂,
// (XᵀX + τI)^-1 M = (M − V diag(g/(g+τ)) VᵀM)/τ; XᵀX's part is
// V diag(g/(g+τ)) Vᵀ.
func (f *flexible) express() {
	const tau, near = famlRidge + famlNear, famlNear / (famlRidge + famlNear)
	n, _ := f.gram.v.Dims()
	f.turnS()
	for i := range n {
		low, zv, v := f.low.RawRowView(i), f.zv.RawRowView(i), f.gram.v.RawRowView(i)
		for a, sv := range zv {
			low[a] = f.gram.g[a] / (f.gram.g[a] + tau) * (v[a] - near*sv)
			zv[a] = low[a] + near*sv
		}
	}
	mul(f.z, f.gram.v, f.low.T())
	for i := range n {
		z := f.z.RawRowView(i)
		for j, v := range f.s.RawRowView(i) {
			z[j] += near * v
		}
	}
}

// turnS sets zv to SᵀV, by the entries of S that are not 0: few are.
func (f *flexible) turnS() {
	f.zv.Zero()
	n, _ := f.s.Dims()
	for i := range n {
		v := f.gram.v.RawRowView(i)
		for j, s := range f.s.RawRowView(i) {
			if s != 0 {
				floats.AddScaled(f.zv.RawRowView(j), s, v)
			}
		}
	}
}

// project sets S from Z and, if told so, the labels.
func (f *flexible) project(byLabels bool) {
	if byLabels {
		f.compare()
	}
	n, _ := f.s.Dims()
	for i := range n {
		row := f.s.RawRowView(i)
		if byLabels {
			for j, z := range f.z.RawRowView(i) {
				row[j] = z - famlLabels/(2*famlNear)*f.apart(row[j], i, j)
			}
		} else {
			copy(row, f.z.RawRowView(i))
		}
		simplex(row, i)
	}
}

// compare sets S to FFᵀ and the squares of F's rows, for apart.
func (f *flexible) compare() {
	n, c := f.f.Rows, f.f.Cols
	wide := mat.NewDense(n, c, nil)
	for k, v := range f.f.Data {
		wide.RawMatrix().Data[k] = float64(v)
	}
	mul(f.s, wide, wide.T())
	for i := range n {
		f.squares[i] = f.s.At(i, i)
	}
}

// apart returns ‖F_i − F_j‖² for ⟨F_i, F_j⟩.
func (f *flexible) apart(dot float64, i, j int) float64 {
	return max(f.squares[i]+f.squares[j]-2*dot, 0)
}

// dot returns ⟨F_i, F_j⟩.
func (f *flexible) dot(i, j int) float64 {
	sum := 0.0
	other := f.f.Row(j)
	for k, v := range f.f.Row(i) {
		sum += float64(v) * float64(other[k])
	}
	return sum
}

func (f *flexible) objective() float64 {
	value := famlRidge * math.Pow(norm(f.z), 2)
	n, _ := f.s.Dims()
	for i := range n {
		v := f.gram.v.RawRowView(i)
		for a, zv := range f.zv.RawRowView(i) { // X − XZ = diag(√g) (V − ZᵀV)ᵀ
			value += f.gram.g[a] * (v[a] - zv) * (v[a] - zv)
		}
		z := f.z.RawRowView(i)
		for j, s := range f.s.RawRowView(i) {
			value += famlNear * (z[j] - s) * (z[j] - s)
			if s > 0 {
				value += famlLabels * s * f.apart(f.dot(i, j), i, j)
			}
		}
	}
	return value
}
