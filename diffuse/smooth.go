package diffuse

import (
	"context"
	"fmt"
	"math"

	"github.com/adp-sparse/adp-sparse/csr"
)

// Smooth returns F, n×c, for any H of at least 0 in the place of seeds: the solution of
//
//	(I − αS) F = (1−α) H
//
// by conjugate gradients. Of the options Alpha, Tolerance, MaxIterations and Threads are
// looked at. No entry is negative. Cost and memory are those of [LGC].
func Smooth(ctx context.Context, s *Graph, h *csr.Dense, opt Options) (*csr.Dense, Stats, error) {
	opt, err := opt.WithDefaults(0)
	if err != nil {
		return nil, Stats{}, err
	}
	if s.Dim() != h.Rows {
		panic(fmt.Sprintf("diffuse: %d nodes, H %d×%d", s.Dim(), h.Rows, h.Cols))
	}
	w, f := NewWorkspace(h.Rows, h.Cols, opt.Threads), csr.NewDense(h.Rows, h.Cols)
	norms := make([]float64, h.Cols)
	for j, square := range w.dot(h, h) {
		norms[j] = (1 - opt.Alpha) * math.Sqrt(square)
	}
	stats, err := w.conjugateGradients(ctx, f, norms, opt, system{s: s, alpha: opt.Alpha}, func(f *csr.Dense, _ int) {
		w.image(s, f)
		axpby(w.r, opt.Alpha, f, -1, w.threads)
		axpby(w.r, 1, h, 1-opt.Alpha, w.threads)
	})
	clampNegative(f, w.threads)
	if err == nil {
		_, err = w.eliminate(ctx, f, system{s: s, alpha: opt.Alpha}, func(b []float64) {
			for k, v := range h.Data {
				b[k] = (1 - opt.Alpha) * float64(v)
			}
		}, !stats.Converged, &stats, opt)
	}
	return f, stats, err
}
