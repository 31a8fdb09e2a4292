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
// The error is of options (α outside [0,1), k < 0), or ctx.Err(). Cost: k products of W with an n×c block. Memory: three blocks, F among them.
func Repel(ctx context.Context, g *Graph, b *csr.Dense, alpha float64, steps, threads int) (*csr.Dense, error) {
	if !(alpha >= 0 && alpha < 1) || steps < 0 {
		return nil, fmt.Errorf("%w: %d steps of α = %v, expected at least 0 of 0 to 1", ErrOptions, steps, alpha)
	}
	// With T = D^-1/2 S D^1/2 and G = D^1/2 F the step is G ← D^1/2 B − αSG.
	start := b.Clone()
	scaleRows(start, threads, func(i int) float64 { return math.Sqrt(g.Degrees[i]) })
	f, next := start.Clone(), csr.NewDense(b.Rows, b.Cols)
	for range steps {
		if err := rows.Do(ctx, b.Rows, threads, func(_, lo, hi int) error {
			g.ApplyRows(next, f, lo, hi)
			from := block(start, lo, hi)
			for k, v := range block(next, lo, hi) {
				next.Data[lo*b.Cols+k] = from[k] - float32(alpha*float64(v))
			}
			return nil
		}); err != nil {
			return nil, err
		}
		f, next = next, f
	}
	scaleRows(f, threads, func(i int) float64 { return 1 / math.Sqrt(g.Degrees[i]) })
	for i, d := range g.Degrees {
		if d == 0 {
			copy(f.Row(i), b.Row(i))
		}
	}
	return f, nil
}

// scaleRows multiplies each row.
func scaleRows(x *csr.Dense, threads int, by func(i int) float64) {
	rows.Each(x.Rows, threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			times(x.Row(i), by(i))
		}
	})
}
