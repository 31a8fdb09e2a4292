package fit

import (
	"context"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// The constants of labels of unlike neighbours (docs/decisions/0039-unlike-neighbours.md): α and the steps of [diffuse.Repel].
const (
	unlikeAlpha = 0.97
	unlikeSteps = 20
)

// byUnlike returns the scores of the seeds' labels, less the shares of the classes, spread with −α on a graph.
func (t *trainer) byUnlike(ctx context.Context, graph int) (*csr.Dense, error) {
	b, weights := diffuse.SeedTargets(t.y)
	for i, w := range weights {
		for j := range b.Row(i) {
			b.Row(i)[j] *= w
		}
	}
	out, err := diffuse.Repel(ctx, t.graphs[graph], b, unlikeAlpha, unlikeSteps, t.opt.Threads)
	if err == nil {
		t.addPrior(out)
	}
	return out, err
}

// unlikeReasons are those of labels of unlike neighbours: by the known nodes. Of the map P of [diffuse.Repel] row i is
// P_is = P_si d_s/d_i.
func (t *trainer) unlikeReasons(graph int) reason {
	return func(ctx context.Context, why *Why, to *Voice) error {
		g := t.graphs[graph]
		own, err := diffuse.Repel(ctx, g, unitAt(t.y.Nodes, why.Node, 1), unlikeAlpha, unlikeSteps, t.opt.Threads)
		if err != nil {
			return err
		}
		targets, weights := diffuse.SeedTargets(t.y)
		amounts := make([]float64, t.y.Nodes)
		for s, w := range weights {
			if w > 0 && g.Degrees[why.Node] > 0 {
				row := targets.Row(s)
				lead := float64(w) * (float64(row[why.Label]) - float64(row[why.RunnerUp]))
				amounts[s] = float64(own.Data[s]) * g.Degrees[s] / g.Degrees[why.Node] * lead
			}
		}
		to.Prior, to.Nodes = t.priorLead(why), sumOf(amounts)
		return nil
	}
}
