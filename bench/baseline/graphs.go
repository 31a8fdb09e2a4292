package baseline

import (
	"context"
	"fmt"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/knn"
)

func graphs() []Method {
	const (
		reduced = "points at unit length, on the principal directions with 99.5 % of their energy"
		cites   = "; labels by GFHF, as Fang et al. have it in their other works"
	)
	return []Method{
		{"KNN", Graph, "Zhuang et al. 2012", "k = 5 of their two settings as remembered, points at unit length, W ← (W+Wᵀ)/2" + cites, byGFHF(neighbourGraph(knnNeighbours))},
		{"LLE", Graph, "Roweis, Saul 2000", "weights are constrained to be ≥ 0, as in Wang, Zhang 2008; labels by LGC", byLGC(LLE)},
		{"L1", Graph, "Elhamifar, Vidal 2013", "λ a point, γ = 20" + cites, byGFHF(L1)},
		{"SPG", Graph, "He et al. 2011", "λ_i = max_j⟨x_j, x_i⟩/20; " + reduced + cites, byGFHF(SPG)},
		{"NNLRS", Graph, "Zhuang et al. 2012, 2015", "β = 0.2, λ = 10 from the authors' face experiments as remembered, and their threshold, whose value 0.1 is ours; two-block ADMM for LADMAP, 50 iterations and rank 2r at most, which ends some percent off the constraints; " + reduced + cites, byGFHF(NNLRS)},
		{"SSNNLRS", Graph, "Zhuang et al. 2017", "as NNLRS with the hard constraint that the paper describes, started from its solution, 5 to 20 iterations, until as near to the constraints" + cites, byGFHF(SSNNLRS)},
		{"FAML", Graph, "Fang et al. 2018", "of the text only the abstract was at hand: the ridge norm of the structured matrix, weights 0.1, 0.1 and 0.01, 10 neighbours, and harmonic labels in the place of the exact rank constraint are ours; " + reduced, byGFHF(FAML)},
	}
}

type learner = func(context.Context, *Problem) (*csr.Matrix, error)

// byLGC labels by LGC on the learned graph.
func byLGC(learn learner) labeller { return labelled(learn, (*Problem).lgcOn) }

// byGFHF labels by GFHF on the learned graph, as Fang et al. do, whose figures
// the paper cites: an objective of theirs holds the term of GFHF. That of 2018
// was not at hand.
//
// X. Fang, Y. Xu, X. Li, Z. Lai, W. Wong: Robust Semi-Supervised Subspace
// Clustering via Non-Negative Low-Rank Representation. IEEE Trans. Cybernetics
// 46(8), 2016, abstract.
func byGFHF(learn learner) labeller { return labelled(learn, (*Problem).gfhfOn) }

// knnNeighbours is k of the row KNN.
const knnNeighbours = 5

// neighbourGraph returns the graph of the k nearest neighbours of points at unit
// length, weights as those of [KNN]. The figures of the paper's row KNN are those
// of another k than the setup's.
//
// L. Zhuang et al., CVPR 2012, has graphs of 5 and of 8 neighbours among its
// peers, as remembered: the text was not at hand.
func neighbourGraph(k int) learner {
	return func(ctx context.Context, p *Problem) (*csr.Matrix, error) {
		return once(p.Data, fmt.Sprint("nearest ", k), func() (*csr.Matrix, error) {
			return p.adaptive(ctx, unitLength(p.X), k)
		})
	}
}

// rawNeighbours is neighbourGraph of points as they are.
func rawNeighbours(k int) learner {
	return func(ctx context.Context, p *Problem) (*csr.Matrix, error) {
		return once(p.Data, fmt.Sprint("raw nearest ", k), func() (*csr.Matrix, error) { return p.adaptive(ctx, p.X, k) })
	}
}

// unitLength returns x with rows at unit length; zero rows stay.
func unitLength(x *csr.Dense) *csr.Dense {
	u, out := unitRows(x), csr.NewDense(x.Rows, x.Cols)
	for k, v := range u.RawMatrix().Data {
		out.Data[k] = float32(v)
	}
	return out
}

// KNN returns the paper's default graph: of the 10 nearest neighbours of each
// point, W_ij = exp(−‖x_i − x_j‖²/2σ_i²) with σ_i the mean distance of the 27
// nearest, made symmetric by the mean (packages [knn] and [csr]). O(n²d), once
// for a set.
func KNN(ctx context.Context, p *Problem) (*csr.Matrix, error) {
	return once(p.Data, "KNN", func() (*csr.Matrix, error) { return p.adaptive(ctx, p.X, Neighbours) })
}

// LLE returns the graph of locally linear embedding over the 10 nearest
// neighbours: row i minimises
//
//	‖x_i − Σ_k w_ik x_k‖²  with  Σ_k w_ik = 1,  w ≥ 0
//
// ([knn.LLE]). O(n²d + nK³), once for a set.
//
// S. Roweis, L. Saul, Science 290, 2000.
func LLE(ctx context.Context, p *Problem) (*csr.Matrix, error) {
	return once(p.Data, "LLE", func() (*csr.Matrix, error) {
		nb, err := p.neighbours(ctx)
		if err != nil {
			return nil, err
		}
		return knn.LLE(ctx, p.X, nb.Nearest(min(Neighbours, nb.K)), knn.LLEOptions{Threads: p.Threads})
	})
}

// L1 returns the ℓ1 graph W = |C| + |C|ᵀ of sparse representation,
//
//	min_c λ_i ‖c‖₁ + ½‖x_i − Σ_{j≠i} c_j x_j‖²
//
// ([knn.SelfExpressive]). O(n²d) a round, once for a set.
//
// E. Elhamifar, R. Vidal, IEEE TPAMI 35(11), 2013.
func L1(ctx context.Context, p *Problem) (*csr.Matrix, error) {
	return lasso(0)(ctx, p)
}

// lasso returns L1 with the given γ, 0 for knn's default.
func lasso(gamma float64) learner {
	return func(ctx context.Context, p *Problem) (*csr.Matrix, error) {
		return once(p.Data, fmt.Sprint("L1 ", gamma), func() (*csr.Matrix, error) {
			w, _, err := knn.SelfExpressive(ctx, p.X, knn.SelfExpressiveOptions{Gamma: gamma, Threads: p.Threads})
			return w, err
		})
	}
}
