package fit

import (
	"context"
	"slices"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/stack"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// guessNew returns what features alone say of new nodes: the ridge of the mixture, n×c ([pool.distil]). Its share of the answer is
// that of the methods that know the features alone, and half of those that know both.
//
// All n nodes teach V, the seeds alone would not: what they say has spread along the edges.
// Cost: [diffuse.Ridge] on X, and one product with it.
func (p *pool) guessNew(ctx context.Context, mixture *csr.Dense, c *Combination) (*adp.Guess, error) {
	g, _, err := p.distilledGuess(ctx, mixture, nil)
	if err == nil {
		g.Share = p.guessShare(c)
	}
	return g, err
}

// guessAlone is guessNew of features alone. Nodes that are held back tell its share ([adp.ShareOf]), and then teach, too.
// It is nil where the share is 0.
func (p *pool) guessAlone(ctx context.Context, mixture *csr.Dense) (*adp.Guess, error) {
	held, _ := adp.HoldBack(mixture.Rows)
	g, scores, err := p.distilledGuess(ctx, mixture, held)
	if err != nil {
		return nil, err
	}
	own := csr.NewDense(len(held), mixture.Cols)
	for k, i := range held {
		copy(own.Row(k), scores.Row(i))
	}
	g.Harden(own, p.opt.Threads)
	share := adp.ShareOf(held, own, mixture, p.w, p.opt.Threads)
	if share == 0 {
		return nil, nil
	}
	g, _, err = p.distilledGuess(ctx, mixture, nil)
	if err == nil {
		g.Share = share
	}
	return g, err
}

// distilledGuess returns the ridge that all nodes teach but those held back, and its centred scores, n×c.
func (p *pool) distilledGuess(ctx context.Context, mixture *csr.Dense, held []int) (*adp.Guess, *csr.Dense, error) {
	v, err := p.distil(ctx, mixture, held)
	if err != nil {
		return nil, nil, err
	}
	scores, err := applied(ctx, p.x, v)
	if err != nil {
		return nil, nil, err
	}
	stack.Centre(scores, p.opt.Threads)
	return &adp.Guess{V: v, Standard: p.standard, Roots: p.roots, Size: stack.Size(scores, p.opt.Threads)}, scores, nil
}

// Tell puts the shares of their own labels into the rows of known nodes, for new points ([adp.Predict]): these learn what is known, and
// not what a mixture makes of it. It does nothing to the F of one method, which is a solution with its seeds. back undoes it.
func (r *Result) Tell(y *diffuse.Seeds) (back func()) {
	if r.Combination == nil {
		return func() {}
	}
	return tell(r.F, y)
}

func tell(f *csr.Dense, y *diffuse.Seeds) (back func()) {
	list, before := y.List(), map[uint32][]float32{}
	total := map[uint32]float64{}
	for _, s := range list {
		if total[s.Node] += float64(s.Weight); before[s.Node] == nil {
			before[s.Node] = slices.Clone(f.Row(int(s.Node)))
			clear(f.Row(int(s.Node)))
		}
	}
	for _, s := range list {
		f.Row(int(s.Node))[s.Class] = float32(float64(s.Weight) / total[s.Node])
	}
	return func() {
		for node, row := range before {
			copy(f.Row(int(node)), row)
		}
	}
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
