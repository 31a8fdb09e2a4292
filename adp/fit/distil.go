package fit

import (
	"context"

	"github.com/adp-sparse/adp-sparse/adp/stack"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// distilledRidge is λ of the ridge of a mixture on the features.
const distilledRidge = 1.0

// distil returns the ridge of probabilities P, n×c, on X̂, the rows of X at unit length, or of edges alone those of T ([linkMap]),
//
//	V = argmin Σ_i ‖x̂_iV − (P_i/ΣP_i − 1/c)‖² + λ‖V‖²,  d×c,  λ = 1,
//
// over the nodes whose rows of P are not 0, and that are not held back. Cost: [diffuse.Ridge] on X.
func (p *pool) distil(ctx context.Context, x diffuse.Columns, probabilities *csr.Dense, held []int) (*csr.Dense, error) {
	targets, known := probabilities.Clone(), make([]float32, probabilities.Rows)
	stack.Shares(targets, p.opt.Threads)
	for i := range known {
		row := targets.Row(i)
		if diffuse.TopOf(row).Class < 0 {
			continue
		}
		known[i] = 1
		for j := range row {
			row[j] -= 1 / float32(targets.Cols)
		}
	}
	for _, i := range held {
		known[i] = 0
	}
	v, _, err := diffuse.Ridge(ctx, x, targets, known, diffuse.RidgeOptions{Lambda: distilledRidge})
	return v, err
}
