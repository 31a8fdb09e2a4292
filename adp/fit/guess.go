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
	g, err := p.distilledGuess(ctx, mixture)
	if err != nil {
		return nil, err
	}
	g.Share = p.guessShare(c)
	if !p.edgesAlone {
		g.Near, err = p.guessNear(ctx, mixture)
	}
	return g, err
}

// guessNear returns what features of nodes and of their neighbours say of new nodes that have edges: a ridge as that of [pool.distil] on
// [diffuse.Around]. Nodes that are held back tell its parts ([adp.ShareOf]), and then teach, too.
func (p *pool) guessNear(ctx context.Context, mixture *csr.Dense) (*adp.Near, error) {
	g := p.graphs[onEdges]
	around := diffuse.NewAround(p.x, g)
	held, foreseen, err := p.foresee(ctx, mixture, p.x, around)
	if err != nil {
		return nil, err
	}
	held = linked(g, held, foreseen)
	n := &adp.Near{}
	n.Share, n.Blend = adp.ShareOf(held, foreseen[0], foreseen[1], mixture, p.w, p.opt.Threads)
	v, scores, err := p.distilOn(ctx, around, mixture, nil)
	if err != nil {
		return nil, err
	}
	own, mean := around.Halves(v)
	n.V, n.Size = own.Clone(), stack.Size(scores, p.opt.Threads)
	n.Bias = p.harden(scores, mixture, nil)
	n.Around, err = applied(ctx, p.x, mean)
	return n, err
}

// linked leaves out the nodes without edges, and their rows: t and u are of nodes with edges.
func linked(g *diffuse.Graph, nodes []int, rows []*csr.Dense) (left []int) {
	for k, i := range nodes {
		if g.Degrees[i] == 0 {
			continue
		}
		for _, x := range rows {
			copy(x.Row(len(left)), x.Row(k))
		}
		left = append(left, i)
	}
	for _, x := range rows {
		x.Rows, x.Data = len(left), x.Data[:len(left)*x.Cols]
	}
	return left
}

// guessAlone is guessNew of features alone. Nodes that are held back tell its share ([adp.ShareOf]), and then teach, too.
// It is nil where the share is 0.
func (p *pool) guessAlone(ctx context.Context, mixture *csr.Dense) (*adp.Guess, error) {
	held, foreseen, err := p.foresee(ctx, mixture, p.x)
	if err != nil {
		return nil, err
	}
	share, _ := adp.ShareOf(held, foreseen[0], nil, mixture, p.w, p.opt.Threads)
	if share == 0 {
		return nil, nil
	}
	g, err := p.distilledGuess(ctx, mixture)
	if err == nil {
		g.Share = share
	}
	return g, err
}

// foresee returns the nodes that are held back, in all turns, and their probabilities by the ridges on some maps that the others taught.
func (p *pool) foresee(ctx context.Context, mixture *csr.Dense, maps ...diffuse.Columns) (held []int, foreseen []*csr.Dense, err error) {
	foreseen = make([]*csr.Dense, len(maps))
	for turn := 0; ; turn++ {
		some, _ := adp.HoldBack(mixture.Rows, turn)
		if len(some) == 0 {
			return held, foreseen, nil
		}
		held = append(held, some...)
		for k, x := range maps {
			_, scores, err := p.distilOn(ctx, x, mixture, some)
			if err != nil {
				return nil, nil, err
			}
			if foreseen[k] == nil {
				foreseen[k] = &csr.Dense{Cols: scores.Cols}
			}
			bias := p.harden(scores, mixture, some)
			own := &csr.Dense{Rows: len(some), Cols: scores.Cols}
			for _, i := range some {
				own.Data = append(own.Data, scores.Row(i)...)
			}
			stack.AddBias(own, bias, p.opt.Threads)
			foreseen[k].Rows, foreseen[k].Data = len(held), append(foreseen[k].Data, own.Data...)
		}
	}
}

// distilledGuess returns the ridge that all nodes teach.
func (p *pool) distilledGuess(ctx context.Context, mixture *csr.Dense) (*adp.Guess, error) {
	v, scores, err := p.distilOn(ctx, p.x, mixture, nil)
	if err != nil {
		return nil, err
	}
	g := &adp.Guess{V: v, Standard: p.standard, Roots: p.roots, Size: stack.Size(scores, p.opt.Threads)}
	g.Bias = p.harden(scores, mixture, nil)
	return g, nil
}

// biasPower is the power of the probabilities that [pool.harden] compares: nearly all of a row's is then its largest.
const biasPower = 8

// harden makes probabilities of centred scores, n×c, in place, and returns the bias of each class with which about as many nodes get it
// as in the mixture, of those that are not held back. The ridge has no constant, and would take classes to be equal.
func (p *pool) harden(scores, mixture *csr.Dense, held []int) []float64 {
	adp.Harden(scores, stack.Size(scores, p.opt.Threads), p.opt.Threads)
	without := make([]bool, scores.Rows)
	for _, i := range held {
		without[i] = true
	}
	own, wanted := scores.Clone(), mixture.Clone()
	stack.Shares(wanted, p.opt.Threads)
	stack.Sharpen(own, biasPower, p.opt.Threads)
	stack.Sharpen(wanted, biasPower, p.opt.Threads)
	bias := stack.MatchBias(own, wanted, without, p.opt.Threads)
	for j := range bias {
		bias[j] /= biasPower
	}
	return bias
}

// distilOn returns the ridge on a map that all nodes teach but those held back, and its centred scores, n×c.
func (p *pool) distilOn(ctx context.Context, x diffuse.Columns, mixture *csr.Dense, held []int) (v, scores *csr.Dense, err error) {
	if v, err = p.distil(ctx, x, mixture, held); err != nil {
		return nil, nil, err
	}
	if scores, err = applied(ctx, x, v); err != nil {
		return nil, nil, err
	}
	stack.Centre(scores, p.opt.Threads)
	return v, scores, nil
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
