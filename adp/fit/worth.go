package fit

import (
	"context"
	"math/rand/v2"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// What features have to be worth more than shuffled ones (docs/decisions/0041-features-that-say-nothing.md).
const leastWorth, mostWorth = 0.05, 0.2

// worthOnEdges says what the features of neighbours are worth, from 0 to 1. Let h be the homophily on the edges of the labels that the
// features diffused over the edges give, over that of the labels that spread over the edges. Diffused columns of any numbers follow
// the edges, so that h is large even for noise. The worth is how far h is above that of the same features with their rows shuffled among
// the nodes.
//
// Cost: two feature steps on the edges.
func (p *pool) worthOnEdges(ctx context.Context, x *prepared, ofEdges []int32) (float64, error) {
	fit := func(t *trainer) (float64, error) {
		guess, err := t.guessed(ctx, onEdges)
		if err != nil {
			return 0, err
		}
		return ratio(p.homophilyOf(onEdges, classesOf(guess)), p.homophilyOf(onEdges, ofEdges)), nil
	}
	other := *p
	z, err := shuffledColumns(ctx, x, p.graphs[onEdges], p.opt.Threads)
	if err != nil {
		return 0, err
	}
	if other.low[onEdges], err = denseMap(z, p.opt.Threads); err != nil {
		return 0, err
	}
	chance, err := fit(&trainer{pool: &other, y: p.whole.y, labels: p.whole.labels})
	if err != nil {
		return 0, err
	}
	other.low[onEdges] = nil // before those of the same size that stay
	if err := p.diffuseFeatures(ctx, x, onEdges); err != nil {
		return 0, err
	}
	own, err := fit(p.whole)
	return ramp(own-chance, leastWorth, mostWorth), err
}

// shuffledColumns returns Z, diffused features of low rank, of features whose rows are shuffled among the nodes. The graph is shuffled
// instead, and Z put back.
func shuffledColumns(ctx context.Context, x *prepared, g *diffuse.Graph, threads int) (*csr.Dense, error) {
	n := g.Dim()
	order := make([]uint32, n)
	for i, node := range rand.New(rand.NewPCG(uint64(n), 0x73687566)).Perm(n) {
		order[i] = uint32(node)
	}
	shuffled := &diffuse.Graph{S: csr.Permute(g.S, order, threads), Degrees: make([]float64, n), Threads: threads}
	for i, node := range order {
		shuffled.Degrees[i] = g.Degrees[node]
	}
	z, _, err := x.lowRank(ctx, shuffled, threads)
	if err != nil {
		return nil, err
	}
	back := csr.NewDense(z.Rows, z.Cols)
	for i, node := range order {
		copy(back.Row(int(node)), z.Row(i))
	}
	return back, nil
}
