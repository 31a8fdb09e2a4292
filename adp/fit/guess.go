package fit

import (
	"context"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/stack"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// distilledRidge is λ of the ridge of a mixture on the features.
const distilledRidge = 1.0

// guessNew returns what features alone say of new nodes: the ridge of the mixture P, n×c, on X̂, the
// rows of X at unit length, or of edges alone those of T ([linkMap]),
//
//	V = argmin Σ_i ‖x̂_iV − (P_i − 1/c)‖² + λ‖V‖²,  d×c,  λ = 1,
//
// over the nodes whose rows of P are not 0. Its share of the answer is that of the methods that know
// the features alone, and half of those that know both.
//
// All n nodes teach V, the seeds alone would not: what they say has spread along the edges.
// Cost: [diffuse.Ridge] on X, and one product with it.
func (p *pool) guessNew(ctx context.Context, mixture *csr.Dense, c *Combination) (*adp.Guess, error) {
	n, classes := mixture.Rows, float32(mixture.Cols)
	targets, known := mixture.Clone(), make([]float32, n)
	stack.Shares(targets, p.opt.Threads)
	for i := range n {
		row := targets.Row(i)
		if diffuse.TopOf(row).Class < 0 {
			continue
		}
		known[i] = 1
		for j := range row {
			row[j] -= 1 / classes
		}
	}
	v, _, err := diffuse.Ridge(ctx, p.x, targets, known, diffuse.RidgeOptions{Lambda: distilledRidge})
	if err != nil {
		return nil, err
	}
	scores := targets // of no more use
	if err := p.x.Apply(ctx, scores, v); err != nil {
		return nil, err
	}
	stack.Centre(scores, p.opt.Threads)
	return &adp.Guess{V: v, Standard: p.standard, Size: stack.Size(scores, p.opt.Threads), Share: p.guessShare(c)}, nil
}

// guessShare is the part of the answer that V has for a new node. Of edges alone it is the weight of all methods but
// the run.
func (p *pool) guessShare(c *Combination) float64 {
	if p.edgesAlone {
		share := 0.0
		for k, m := range p.members {
			if m.method != process {
				share += c.Members[k].Weight
			}
		}
		return min(1, share)
	}
	_, features, both := c.Shares()
	return min(1, features+both/2)
}
