package adp

import (
	"context"

	"github.com/adp-sparse/adp-sparse/adp/score"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// Teach returns the graph that labels teach, A of one A-step ([diffuse.AStep]) from A⁰ = I with
// Z = ζ'HHᵀ: the learned graph of any classification H, n×c of at least 0, such as one that
// knows features. S is symmetric, n×n. Of the options TopK, GraphAlpha, Zeta, Anchor,
// Harden, Hubs and Threads are looked at.
//
// A⁰ = S, with which [Run] begins, has the entries of S³ as candidates; those of S² are enough
// here, and cost a degree less: Σ_i Σ_{j∈S_i} nnz(S_j) multiply-adds.
func Teach(ctx context.Context, s *csr.Matrix, h *csr.Dense, opt Options) (*csr.Matrix, error) {
	n, _ := s.Dims()
	opt, err := opt.WithDefaults(n)
	if err != nil {
		return nil, err
	}
	factor := diffuse.NewFactor(h, opt.Harden)
	return diffuse.AStep(ctx, s, csr.Identity(n), factor, diffuse.AffinityOptions{
		TopK: opt.TopK, Alpha: opt.GraphAlpha, Zeta: opt.labelScale(factor, nil), Anchor: max(opt.Anchor, 0),
		Hubs: opt.Hubs, Threads: opt.Threads,
	})
}

// Take puts a graph that the labels of r taught ([Teach]) in the place of its graph, and adds the
// round that made it, whose labels and measures on W are those of r.
func (r *Result) Take(a, w *csr.Matrix, classes int, opt Options) error {
	n, _ := w.Dims()
	opt, err := opt.WithDefaults(n)
	if err != nil {
		return err
	}
	fit := score.OnGraph(w, r.Labels, classes)
	last := r.Rounds[len(r.Rounds)-1]
	r.Rounds = append(r.Rounds, Round{
		Index: len(r.Rounds), Setting: Setting{TopK: opt.TopK, Anchor: max(opt.Anchor, 0), GraphAlpha: opt.GraphAlpha}, Alpha: last.Alpha,
		Solve: diffuse.Stats{Converged: true}, Association: fit.Association, Modularity: fit.Modularity, Largest: fit.Largest, Entries: a.NNZ(),
	})
	r.Graph, r.Chosen = a, len(r.Rounds)-1
	return nil
}
