package baseline

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// famlRounds is where FAML's rounds end.
const famlRounds = 10

// flexibility holds the weights of FAML.
type flexibility struct {
	ridge, near, labels float64 // λ₁, λ₂, γ
	neighbours          int     // of a row of S; 0 for all
	// sparse has |C| of SSC in the place of the ridge's Z, which then stays.
	sparse bool
}

var flexibly = flexibility{ridge: 0.1, near: 0.1, labels: 0.01, neighbours: Neighbours}

// FAML returns a flexible affinity S: the minimum over Z, S and F of
//
//	‖X − XZ‖² + λ₁‖Z‖² + λ₂‖Z − S‖² + γ Σ_ij S_ij ‖F_i − F_j‖²
//	with  S ≥ 0,  S1 = 1,  S_ii = 0,  F_l = Y_l,  10 entries a row of S.
//
// Z is the structured matrix (self-expression with one of the norms that the
// authors allow, here the ridge), S the affinity that stays near it, and the
// last term, 2γ tr(FᵀL_S F), stands for their rank constraint on L_S, to which
// it leads as γ grows: S connects what has one label. From the abstract are
// the self-expression, the closeness of S and Z, the rank constraint and the
// labels; the ridge, the weights and the form of the semi-supervised problem are
// assumed. Entries of a row of S are those of the 10 largest of Z_i at the start,
// the paper's k: the authors of the rank constraint renew the similarities of
// neighbours only (Nie et al. 2014, below, as remembered). Without that a ridge S has some
// hundred entries a row.
//
// λ₁ = λ₂ = 0.1, so that Z is not flattened by the ridge. γ = 0.01: entries of S
// are near 1/10, and a pair of different labels loses γ/λ₂ ‖F_i − F_j‖²/2 = 0.1
// of them. What the figures depend on: adp-bench paper --methods
// FAML@all,FAML@0,FAML@1,FAML@0.1.
//
// Each block has its exact minimum, so the objective never rises:
//
//	Z = (XᵀX + (λ₁+λ₂)I)^-1 (XᵀX + λ₂S), by the eigenbasis of XᵀX;
//	S_i = the projection of Z_i − γ/(2λ₂) ‖F_i − F_j‖² on the simplex of its entries;
//	F = the harmonic functions of (S + Sᵀ)/2.
//
// It starts from Z = (XᵀX + (λ₁+λ₂)I)^-1 XᵀX and ends after 10 rounds or a
// relative fall below 1e-4. n²r and about ten passes over
// n² numbers a round, two n×n matrices.
//
// X. Fang et al.: Flexible Affinity Matrix Learning for Unsupervised and
// Semisupervised Classification. IEEE TNNLS 30(4), 2019 (online 2018).
// F. Nie, X. Wang, H. Huang: Clustering and Projected Clustering with Adaptive
// Neighbors. KDD 2014.
func FAML(ctx context.Context, p *Problem) (*csr.Matrix, error) {
	return flexibleGraph(flexibly)(ctx, p)
}

func flexibleGraph(weights flexibility) learner {
	return func(ctx context.Context, p *Problem) (*csr.Matrix, error) {
		f, err := newFlexible(ctx, p, weights)
		if err != nil {
			return nil, err
		}
		return f.learn(ctx)
	}
}

func (f *flexible) learn(ctx context.Context) (*csr.Matrix, error) {
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
	return sparse(f.s, 0, f.p.Threads), nil
}

// flexible is the state of FAML.
type flexible struct {
	flexibility
	p    *Problem
	gram *gram
	z, s *mat.Dense
	zv   *mat.Dense // n×r, ZᵀV
	low  *mat.Dense // n×r: Z = V·lowᵀ + λ₂/τ S
	f    *csr.Dense

	open   [][]int   // where a row of S may have entries
	values []float64 // of a row, in that order
}

func newFlexible(ctx context.Context, p *Problem, weights flexibility) (*flexible, error) {
	if err := checkSize(p.N()); err != nil {
		return nil, err
	}
	g, err := p.gram()
	if err != nil {
		return nil, err
	}
	n, r := g.v.Dims()
	f := &flexible{flexibility: weights, p: p, gram: g, z: mat.NewDense(n, n, nil), s: mat.NewDense(n, n, nil), zv: mat.NewDense(n, r, nil), low: mat.NewDense(n, r, nil), f: csr.NewDense(n, p.Seeds.Classes)}
	for _, s := range p.Seeds.List() {
		f.f.Set(int(s.Node), int(s.Class), s.Weight)
	}
	if f.sparse {
		w, err := SSC(ctx, p)
		if err != nil {
			return nil, err
		}
		f.z = dense(w)
	}
	f.express()
	f.choose()
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
	if f.sparse {
		return
	}
	tau := f.ridge + f.near
	near := f.near / tau
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

// choose opens each row of S where Z has its largest entries.
func (f *flexible) choose() {
	n, _ := f.z.Dims()
	f.open = make([][]int, n)
	for i := range f.open {
		row := f.z.RawRowView(i)
		for j := range row {
			if j != i {
				f.open[i] = append(f.open[i], j)
			}
		}
		if k := f.neighbours; k > 0 && k < n-1 {
			slices.SortStableFunc(f.open[i], func(a, b int) int { return cmp.Compare(row[b], row[a]) })
			f.open[i] = f.open[i][:k]
		}
	}
}

// project sets S from Z and, if told so, the labels.
func (f *flexible) project(byLabels bool) {
	for i, open := range f.open {
		f.values = f.values[:0]
		for _, j := range open {
			v := f.z.At(i, j)
			if byLabels {
				v -= f.labels / (2 * f.near) * f.apart(i, j)
			}
			f.values = append(f.values, v)
		}
		simplex(f.values, -1)
		row := f.s.RawRowView(i)
		clear(row)
		for k, j := range open {
			row[j] = f.values[k]
		}
	}
}

// apart returns ‖F_i − F_j‖².
func (f *flexible) apart(i, j int) float64 {
	sum := 0.0
	other := f.f.Row(j)
	for k, v := range f.f.Row(i) {
		d := float64(v) - float64(other[k])
		sum += float64(d * d)
	}
	return sum
}

func (f *flexible) objective() float64 {
	value := f.ridge * math.Pow(norm(f.z), 2)
	n, _ := f.s.Dims()
	for i := range n {
		v := f.gram.v.RawRowView(i)
		for a, zv := range f.zv.RawRowView(i) { // X − XZ = diag(√g) (V − ZᵀV)ᵀ
			value += f.gram.g[a] * (v[a] - zv) * (v[a] - zv)
		}
		z := f.z.RawRowView(i)
		for j, s := range f.s.RawRowView(i) {
			value += f.near * (z[j] - s) * (z[j] - s)
			if s > 0 {
				value += f.labels * s * f.apart(i, j)
			}
		}
	}
	return value
}
