package fit

import (
	"context"
	"slices"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/stack"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// distilledAlone is the prior of [distilled], the last of wordsAlone. Beside edges of the same classes it is up to distilledBeside of
// the prior of all, the more known labels there are to be left out (docs/decisions/0051-distilled.md, 0052-distilled-with-edges.md).
const (
	distilledAlone  = 2.0
	distilledBeside = 0.25
)

// distils reports whether [distilled] may be a member: of words, where a ridge on them takes less than all others.
func distils(words bool, nodes int) bool { return words && nodes <= adp.FullNodes }

// distilledRidge is λ of the ridge of a mixture on the features, saidHardness τ of what its methods say to it.
const (
	distilledRidge = 1.0
	saidHardness   = 2.0
)

// listen adds what a member says by its centred scores, n×c, to
//
//	P̄ = Σ_r prior_r ((1−ε) softmax(τ z_r/size_r) + ε/c),  ε = 0.02 ([stack.Scale]).
//
// The run and the walks are left out: on some folds they are known of the left-out seeds alone.
func (t *trainer) listen(m member, scores *csr.Dense) {
	if slices.Contains([]method{process, walks, distilled}, m.method) {
		return
	}
	if t.said == nil {
		t.said = csr.NewDense(scores.Rows, scores.Cols)
	}
	size := t.size(m, scores)
	rows.Each(scores.Rows, t.opt.Threads, func(lo, hi int) {
		one := make([]float64, scores.Cols)
		for i := lo; i < hi; i++ {
			z := scores.Row(i)
			if !slices.ContainsFunc(z, func(v float32) bool { return v != 0 }) {
				continue // nothing is known
			}
			stack.Scale{Temperature: saidHardness}.Probabilities(one, z, size)
			for j, v := range one {
				t.said.Row(i)[j] += float32(m.prior * v)
			}
		}
	})
}

// byOthers returns the scores X̂V, n×c, of the ridge that P̄ teaches, with the known labels in the rows of their nodes: what labels, graph
// and features say together goes back to the features.
func (t *trainer) byOthers(ctx context.Context) (*csr.Dense, error) {
	said := t.said
	if t.said = nil; said == nil { // no member comes before
		return csr.NewDense(t.y.Nodes, t.y.Classes), nil
	}
	tell(said, t.y)
	v, err := t.distil(ctx, said, nil)
	if err != nil {
		return nil, err
	}
	if t == t.whole && len(t.asked) > 0 {
		t.taught = v
	}
	return said, t.x.Apply(ctx, said, v)
}

// distilledReasons are those of the scores X̂V.
func (t *trainer) distilledReasons() reason {
	v := t.taught
	return func(ctx context.Context, why *Why, to *Voice) error {
		return to.sum(ctx, t.x, unitAt(t.y.Nodes, why.Node, 1), difference(v, why), t.dims())
	}
}

// distil returns the ridge of probabilities P, n×c, on X̂, the rows of X at unit length, or of edges alone those of T ([linkMap]),
//
//	V = argmin Σ_i ‖x̂_iV − (P_i/ΣP_i − 1/c)‖² + λ‖V‖²,  d×c,  λ = 1,
//
// over the nodes whose rows of P are not 0, and that are not held back. Cost: [diffuse.Ridge] on X.
func (p *pool) distil(ctx context.Context, probabilities *csr.Dense, held []int) (*csr.Dense, error) {
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
	v, _, err := diffuse.Ridge(ctx, p.x, targets, known, diffuse.RidgeOptions{Lambda: distilledRidge})
	return v, err
}
