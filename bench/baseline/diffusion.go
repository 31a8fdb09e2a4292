package baseline

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/adp-sparse/adp-sparse/csr"
)

func diffusions() []Method {
	const topk = "the learned affinity keeps its 10 largest entries a row (the setup's k) before LGC"
	return []Method{
		{"RW", Diffusion, "random walk on the graph, in the paper's Eq. A ← AP", "10 steps from A = W (no number is stated); " + topk, diffused(RandomWalk)},
		{"PageRank", Diffusion, "Page et al. 1999", "the jump matrix is I; " + topk, diffused(PageRank)},
		{"TPG", Diffusion, "Yang, Prasad, Latecki 2013", "as the paper's Eq. tpg, with α = 0.99 and P = D⁻¹W; " + topk, diffused(TPG)},
		{"RDP", Diffusion, "Bai et al. 2017", "μ = 0.18, S of the 10 largest entries a row, and labels by SettledOn: the ADP authors' program", settled(func(_ context.Context, p *Problem) (*mat.Dense, error) { return RDP(p) })},
		{"SRD", Diffusion, "Li, Liu, Li 2019", "as RDP, by the program of its authors", settled(SRD)},
	}
}

// diffused labels by LGC on the learned affinity, truncated.
func diffused(learn func(p *Problem) (*mat.Dense, error)) labeller {
	return byLGC(func(_ context.Context, p *Problem) (*csr.Matrix, error) {
		a, err := learn(p)
		if err != nil {
			return nil, err
		}
		return sparse(a, Neighbours, p.Threads), nil
	})
}

// Steps is the number of steps of RandomWalk.
const Steps = 10

// RandomWalk returns A = W Pᵗ with P = D^-1 W after t = 10 steps of
//
//	A ← A P,  A = W at first
//
// (the paper's section on diffusion). A tends to the rank-one matrix of the
// degrees; the number of steps is the only parameter. A is symmetric:
// W Pᵗ = D^1/2 S^{t+1} D^1/2. O(t n nnz), two n×n matrices, once for a set.
func RandomWalk(p *Problem) (*mat.Dense, error) {
	return once(p.Data, "RW", func() (*mat.Dense, error) {
		if err := checkSize(p.N()); err != nil {
			return nil, err
		}
		s := p.normalized()
		a := dense(s.S)
		next := mat.NewDense(p.N(), p.N(), nil)
		for range Steps {
			mulSparse(next, s.S, a)
			a, next = next, a
		}
		scaleBoth(a, s.Degrees, 0.5)
		return a, nil
	})
}

// scaleBoth computes A ← D^e A D^e; rows and columns of isolated points,
// which are 0, stay.
func scaleBoth(a *mat.Dense, degrees []float64, exponent float64) {
	root := make([]float64, len(degrees))
	for i, d := range degrees {
		if d > 0 {
			root[i] = math.Pow(d, exponent)
		}
	}
	a.Apply(func(i, j int, v float64) float64 { return v * root[i] * root[j] }, a)
}

// PageRank returns the fixed point of the walk with jumps to Y = I,
//
//	A ← α A P + (1−α) I,  A* = (1−α)(I − αP)^-1,
//
// so that row i is the personalised PageRank of point i. With P = D^-1 W,
// A* = D^-1/2 (1−α)(I − αS)^-1 D^1/2. n³ by Cholesky, once for a set.
//
// L. Page, S. Brin, R. Motwani, T. Winograd: The PageRank citation ranking,
// 1999.
func PageRank(p *Problem) (*mat.Dense, error) {
	return once(p.Data, "PageRank", func() (*mat.Dense, error) {
		kernel, err := p.lgcKernel(Alpha)
		if err != nil {
			return nil, err
		}
		degrees := p.normalized().Degrees
		a := mat.DenseCopyOf(kernel)
		a.Apply(func(i, j int, v float64) float64 {
			if degrees[i] == 0 || degrees[j] == 0 {
				return v // isolated: only the diagonal is not 0
			}
			return v * math.Sqrt(degrees[j]/degrees[i])
		}, a)
		return a, nil
	})
}

// TPG returns the fixed point of diffusion on the tensor product graph,
//
//	A ← α P A Pᵀ + (1−α) I,  P = D^-1 W
//
// (the paper's Eq. tpg). With P = D^-1/2 S D^1/2 it is
//
//	A* = (1−α) D^-1/2 (Σ_i α^i S^i D S^i) D^-1/2,
//
// a division in the eigenbasis of S. About 6n³ for that and 3n³, once for a
// set.
//
// X. Yang, L. Prasad, L. Latecki: Affinity Learning with Diffusion on Tensor
// Product Graph. IEEE TPAMI 35(1), 2013.
func TPG(p *Problem) (*mat.Dense, error) {
	return once(p.Data, "TPG", func() (*mat.Dense, error) {
		s, err := p.spectrum()
		if err != nil {
			return nil, err
		}
		degrees := p.normalized().Degrees
		n := p.N()
		scaled, core := mat.NewDense(n, n, nil), mat.NewDense(n, n, nil)
		scaled.Apply(func(_, i int, v float64) float64 { return v * degrees[i] }, s.q)
		mul(core, scaled, s.q.T())
		a := s.tensor(core, Alpha)
		scaleBoth(a, degrees, -0.5)
		a.Scale(1-Alpha, a)
		return a, nil
	})
}

// reinforced is α of RDP and SRD: 1/(1+μ) with μ = 0.18.
const reinforced = 1 / 1.18

// RDP returns the fixed point of the regularised diffusion process,
//
//	A ← α S A Sᵀ + (1−α) I,  A* = (1−α)(I − αS²)^-1,
//
// where S keeps the 10 largest entries of each row of D^-1/2 W D^-1/2, made
// symmetric by the mean, and α = 1/(1+0.18). It minimises
// ½ Σ W_ij W_kl (A_ki/√(D_ii D_kk) − A_lj/√(D_jj D_ll))² + μ‖A − I‖²: the
// paper's objective without labels. As α → 1 it tends to the projector on
// D^1/2 in each component (and on its signed twin where that is bipartite). n³
// by Cholesky, once for a set.
//
// S. Bai, X. Bai, Q. Tian, L. Latecki: Regularized Diffusion Process for
// Visual Retrieval. AAAI 2017. k and μ are those of the ADP authors' program,
// RDP.m in github.com/qilinli/Alternating_Diffusion_Process, which iterates to
// a change of 1e-2.
func RDP(p *Problem) (*mat.Dense, error) {
	return once(p.Data, "RDP", func() (*mat.Dense, error) {
		if err := checkSize(p.N()); err != nil {
			return nil, err
		}
		return regularized(sparse(dense(p.normalized().S), Neighbours, p.Threads), reinforced)
	})
}

func regularized(s *csr.Matrix, alpha float64) (*mat.Dense, error) {
	n, _ := s.Dims()
	square := mat.NewDense(n, n, nil)
	mulSparse(square, s, dense(s))
	kernel, err := inverse(square, alpha)
	if err != nil {
		return nil, err
	}
	return mat.DenseCopyOf(kernel), nil
}
