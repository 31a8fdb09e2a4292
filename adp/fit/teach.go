package fit

import (
	"context"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/score"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/clock"
)

// teach returns the graph that labels teach: one A-step ([diffuse.AStep]) without an A and with Z =
// ζ'HHᵀ,
//
//	A' = topk(α_A (S + ζ'GGᵀ)) + (1−α_A) I on the edges of S, symmetric, + anchor·S,  G = SH.
//
// H is any classification, n×c of at least 0, such as one that knows features. S is symmetric, n×n.
//
// [adp.Run] begins with A⁰ = S, whose candidates are the entries of S³. Those of S are enough here
// (docs/decisions/0014-feature-step.md). Cost: nnz(S)·c multiply-adds.
func teach(ctx context.Context, s *csr.Matrix, h *csr.Dense, opt adp.Options) (*csr.Matrix, error) {
	defer clock.Part(ctx, clock.ASteps)()
	n, _ := s.Dims()
	opt, err := opt.WithDefaults(n)
	if err != nil {
		return nil, err
	}
	factor := diffuse.NewFactor(h, opt.Harden)
	return diffuse.AStep(ctx, s, nil, factor, diffuse.AffinityOptions{
		TopK: opt.TopK, Alpha: opt.GraphAlpha, Zeta: factor.Scale(opt.Zeta, nil), Anchor: max(opt.Anchor, 0),
		Threads: opt.Threads,
	})
}

// take puts the graph that the labels of r taught in the place of its graph, and adds the round that made
// it, whose labels and measures on W are those of r.
func (r *Result) take(taught *csr.Matrix, w *csr.Matrix, classes int, opt adp.Options) error {
	n, _ := w.Dims()
	opt, err := opt.WithDefaults(n)
	if err != nil {
		return err
	}
	measured := score.OnGraph(w, r.Labels, classes)
	last := r.Rounds[len(r.Rounds)-1]
	r.Rounds = append(r.Rounds, adp.Round{
		Index: len(r.Rounds), Setting: adp.Setting{TopK: opt.TopK, Anchor: max(opt.Anchor, 0), GraphAlpha: opt.GraphAlpha}, Alpha: last.Alpha,
		Solve:       diffuse.Stats{Converged: true},
		Association: measured.Association, Modularity: measured.Modularity, Largest: measured.Largest, Entries: taught.NNZ(),
	})
	r.Result.Graph, r.Chosen = taught, len(r.Rounds)-1
	return nil
}
