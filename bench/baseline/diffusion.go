package baseline

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"
)

func diffusions() []Method {
	const topk = "the learned affinity keeps its 10 largest entries a row (the setup's k) before LGC"
	return []Method{
		{"RW", Diffusion, "random walk on the graph, in the paper's Eq. A ← AP", "10 steps from A = W (no number is stated); " + topk, diffused(RandomWalk)},
		{"PageRank", Diffusion, "Page et al. 1999", "the jump matrix is I; " + topk, diffused(PageRank)},
		{"TPG", Diffusion, "Yang, Prasad, Latecki 2013", "as the paper's Eq. tpg, with α = 0.99 and P = D⁻¹W; " + topk, diffused(TPG)},
		{"RDP", Diffusion, "Bai et al. 2017", topk, diffused(RDP)},
		{"SRD", Diffusion, "Li et al. 2018", "its text was not at hand: the paper's A-step with Z = YYᵀ of the given labels, and no others; " + topk, diffused(SRD)},
	}
}

// diffused labels by LGC on the learned affinity, truncated.
func diffused(learn func(p *Problem) (*mat.Dense, error)) func(context.Context, *Problem) ([]int32, error) {
	return func(ctx context.Context, p *Problem) ([]int32, error) {
		a, err := learn(p)
		if err != nil {
			return nil, err
		}
		return p.lgcOn(ctx, sparse(a, Neighbours, p.Threads))
	}
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

// RDP returns the fixed point of the regularised diffusion process,
//
//	A ← α S A Sᵀ + (1−α) I,  A* = (1−α)(I − αS²)^-1,
//
// which minimises ½ Σ W_ij W_kl (A_ki/√(D_ii D_kk) − A_lj/√(D_jj D_ll))²
// + μ‖A − I‖² with α = 1/(μ+1): the paper's objective without labels. As
// α → 1 it tends to the projector on D^1/2 in each component (and on its
// signed twin where that is bipartite). n³ by Cholesky, once for a set.
//
// S. Bai, X. Bai, Q. Tian, L. Latecki: Regularized Diffusion Process for
// Visual Retrieval. AAAI 2017.
func RDP(p *Problem) (*mat.Dense, error) {
	return once(p.Data, "RDP", func() (*mat.Dense, error) { return regularized(p, Alpha) })
}

func regularized(p *Problem, alpha float64) (*mat.Dense, error) {
	if err := checkSize(p.N()); err != nil {
		return nil, err
	}
	s := p.normalized().S
	square := mat.NewDense(p.N(), p.N(), nil)
	mulSparse(square, s, dense(s))
	kernel, err := inverse(square, alpha)
	if err != nil {
		return nil, err
	}
	return mat.DenseCopyOf(kernel), nil
}

// SRD returns the fixed point of diffusion with the similarity Z = YYᵀ of the
// given labels,
//
//	A ← α S (A + YYᵀ) Sᵀ + (1−α) I,
//	A* = RDP + Σ_{i≥1} α^i S^i YYᵀ S^i:
//
// RDP with labels, which never see the estimated ones. The published text
// was not at hand; the paper says that it "leverages labels to facilitate the
// affinity learning, but only with given labels", and the rest is assumed to
// be the paper's own step. 2n³ for each draw, beside the eigenbasis of S and
// RDP, once for a set.
//
// Q. Li et al., 2018: the paper's reference for SRD.
func SRD(p *Problem) (*mat.Dense, error) {
	rdp, err := RDP(p)
	if err != nil {
		return nil, err
	}
	s, err := p.spectrum()
	if err != nil {
		return nil, err
	}
	// The sum from i = 1 is that from 0 of S Y in the place of Y, times α.
	y := p.oneHot()
	n, c := y.Dims()
	sy, turned, core := mat.NewDense(n, c, nil), mat.NewDense(n, c, nil), mat.NewDense(n, n, nil)
	mulSparse(sy, p.normalized().S, y)
	mul(turned, s.q, sy)
	mul(core, turned, turned.T())
	a := s.tensor(core, Alpha)
	a.Scale(Alpha, a)
	a.Add(a, rdp)
	return a, nil
}
