package baseline

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"
)

// ggmcMu is the μ of the authors' experiments.
const ggmcMu = 0.01

// GGMC is greedy gradient max-cut: the minimum over F and a binary Y of
//
//	Q(F, Y) = ½ tr(Fᵀ L F + μ (F − VY)ᵀ(F − VY)),  L = I − S,
//
// with Y's given rows kept and V the diagonal of V_ii = D_ii / Σ_k Y_kj D_kk
// for the class j of i: the degree-normalised label matrix, every class of
// which has mass 1. For a given Y, F = P V Y with
// P = (L/μ + I)^-1 = (1−α)(I − αS)^-1, α = 1/(1+μ): LGC. What is left,
//
//	Q(Y) = ½ tr((VY)ᵀ A (VY)),  A = PᵀLP + μ(P−I)² = μ(I − P),
//
// is lowered greedily: the unlabelled point and class with the smallest
// gradient (A V Y)_ij, that is the largest (P V Y)_ij as VY has a row of 0
// there, is labelled, V is made anew, until all points are (smaller point,
// then class, of equal ones). A point that no label reaches stays without.
// μ = 0.01. n³ for P once for a set, O(n²c) a draw.
//
// J. Wang, T. Jebara, S.-F. Chang: Semi-Supervised Learning Using Greedy
// Max-Cut. JMLR 14, 2013.
func GGMC(ctx context.Context, p *Problem) ([]int32, error) {
	kernel, err := p.lgcKernel(1 / (1 + ggmcMu))
	if err != nil {
		return nil, err
	}
	g := newCut(p, kernel)
	for g.step() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return g.label, nil
}

// cut is the state of GGMC.
type cut struct {
	kernel  *mat.SymDense // P
	degrees []float64
	label   []int32
	mass    []float64   // Σ of the degrees of a class
	scores  [][]float64 // a class: P V Y's column
}

func newCut(p *Problem, kernel *mat.SymDense) *cut {
	n, c := p.N(), p.Seeds.Classes
	g := &cut{kernel: kernel, degrees: p.normalized().Degrees, label: make([]int32, n), mass: make([]float64, c), scores: make([][]float64, c)}
	for i := range g.label {
		g.label[i] = -1
	}
	for j := range g.scores {
		g.scores[j] = make([]float64, n)
	}
	for _, s := range p.Seeds.List() {
		g.add(int(s.Node), int(s.Class))
	}
	return g
}

// add labels point i as class j: the class column becomes
// (mass·column + D_ii P_i)/(mass + D_ii).
func (g *cut) add(i, j int) {
	g.label[i] = int32(j)
	d := g.degrees[i]
	if d == 0 {
		return // isolated: it says nothing about the others
	}
	total := g.mass[j] + d
	old, share := g.mass[j]/total, d/total
	for k := range g.scores[j] {
		g.scores[j][k] = old*g.scores[j][k] + share*g.kernel.At(k, i)
	}
	g.mass[j] = total
}

// step labels one more point, false when none is left that a label reaches.
func (g *cut) step() bool {
	const least = 1e-14 // what rounding of P leaves between components
	point, class, best := -1, 0, least
	for i, y := range g.label {
		if y >= 0 {
			continue
		}
		for j := range g.scores {
			if v := g.scores[j][i]; v > best {
				point, class, best = i, j, v
			}
		}
	}
	if point < 0 || math.IsNaN(best) {
		return false
	}
	g.add(point, class)
	return true
}
