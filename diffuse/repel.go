package diffuse

import (
	"context"
	"fmt"
	"math"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// Repel returns
//
//	F = Σ_{t=0..k} (−α T)^t B,  T = D^-1 W,
//
// n×c, k steps: what labels B, n×c, say where neighbours are of unlike classes. A node scores the opposite of the mean of its
// neighbours, and so what nodes two edges away score. As k grows F tends to (I + αT)^-1 B, label spreading with −α. Rows of B
// should be centred: onehot less the shares of the classes. Nodes without edges keep theirs.
//
// The error is of options (α outside [0,1), k < 0), or ctx.Err(). Cost: k products of W with an n×c block. Memory: two more blocks.
func Repel(ctx context.Context, g *Graph, b *csr.Dense, alpha float64, steps, threads int) (*csr.Dense, error) {
	if !(alpha >= 0 && alpha < 1) || steps < 0 {
		return nil, fmt.Errorf("%w: %d steps of α = %v, expected at least 0 of 0 to 1", ErrOptions, steps, alpha)
	}
	// T = D^-1/2 S D^1/2 for the S of g.
	roots := make([]float64, len(g.Degrees))
	for i, d := range g.Degrees {
		roots[i] = math.Sqrt(d)
	}
	f, scaled, next := b.Clone(), csr.NewDense(b.Rows, b.Cols), csr.NewDense(b.Rows, b.Cols)
	for range steps {
		rows.Each(b.Rows, threads, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				for j, v := range f.Row(i) {
					scaled.Row(i)[j] = float32(roots[i] * float64(v))
				}
			}
		})
		if err := rows.Do(ctx, b.Rows, threads, func(_, lo, hi int) error {
			g.ApplyRows(next, scaled, lo, hi)
			for i := lo; i < hi; i++ {
				if roots[i] == 0 {
					continue
				}
				for j, v := range next.Row(i) {
					f.Row(i)[j] = b.Row(i)[j] - float32(alpha/roots[i]*float64(v))
				}
			}
			return nil
		}); err != nil {
			return nil, err
		}
	}
	return f, nil
}
