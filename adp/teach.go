package adp

import (
	"context"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// Teach returns the graph that labels teach, A of one A-step ([diffuse.AStep]) from A⁰ = S with
// Z = ζ'HHᵀ: the learned graph of any classification H, n×c of at least 0, such as one that
// knows features. S is symmetric, n×n. Of the options TopK, GraphAlpha, Zeta, Anchor,
// Harden, Hubs and Threads are looked at.
func Teach(ctx context.Context, s *csr.Matrix, h *csr.Dense, opt Options) (*csr.Matrix, error) {
	n, _ := s.Dims()
	opt, err := opt.WithDefaults(n)
	if err != nil {
		return nil, err
	}
	factor := diffuse.NewFactor(h, opt.Harden)
	return diffuse.AStep(ctx, s, s, factor, diffuse.AffinityOptions{
		TopK: opt.TopK, Alpha: opt.GraphAlpha, Zeta: opt.labelScale(factor, nil), Anchor: max(opt.Anchor, 0),
		Hubs: opt.Hubs, Threads: opt.Threads,
	})
}
