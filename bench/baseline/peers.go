package baseline

import (
	"context"
	"fmt"
	"slices"

	"github.com/adp-sparse/adp-sparse/bench"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// Attributed methods label nodes by their features, alone or with the graph.
const Attributed Kind = "attributed"

// Peers returns the methods that a user with features, or with edges and features,
// compares with. They are not in the ADP paper, and not in its tables.
//
// Each takes its parameters from its publication, or from the program that it is known
// by where a publication tunes them; none is chosen by labels. A seed is a sample of its
// class, whatever its weight.
func Peers() []Method {
	const rows = "rows of counts at unit length, else columns standardised; "
	return []Method{
		{"1nn", Attributed, "Cover, Hart 1967", "", NearestSeed},
		{"logistic", Attributed, "Cox 1958", rows + "C = 1, scikit-learn's default", Logistic},
		{"ridge", Attributed, "Hoerl, Kennard 1970", rows + "λ = 1, scikit-learn's default", Ridge},
		{"sgc", Attributed, "Wu et al. 2019", "weight decay 5·10⁻⁶, the default of the authors' program, and the minimum in place of 100 steps of Adam", SGC},
		{"appnp", Attributed, "Klicpera et al. 2019", "logistic regression in place of the network", APPNP},
		{"correct-smooth", Attributed, "Huang et al. 2021", "the base is the linear one; α = 0.8 and 50 steps, which the text tunes", CorrectSmooth},
		{"sign", Attributed, "Frasca et al. 2020", "ridge regression in place of the network, λ = 1, blocks X, S̃X, S̃²X with rows at unit length", SIGN},
	}
}

// Comparison makes methods columns of [bench.Accuracy]. What methods make of a set,
// whatever the labels are, is made once for all of them and held until the next set. The
// zero value is ready; its columns belong to one goroutine.
type Comparison struct {
	graph *bench.Graph
	data  *Data
}

// Column returns a method as a column. It is given the features of a set, and its edges
// where it has any, else the graph of its features.
func (c *Comparison) Column(m Method) bench.Method {
	return bench.Method{Name: m.Name, Label: func(ctx context.Context, g *bench.Graph, y *diffuse.Seeds) ([]int32, error) {
		if g != c.graph {
			c.graph, c.data = g, &Data{X: g.X.Dense, Sparse: g.X.Sparse, W: g.W}
			if g.Edges != nil {
				c.data.W = g.Edges
			}
		}
		labels, err := m.Label(ctx, &Problem{Data: c.data, Seeds: y})
		if err != nil {
			return nil, fmt.Errorf("method %s: %w", m.Name, err)
		}
		return labels, nil
	}}
}

// samples returns the nodes and classes of the seeds.
func (p *Problem) samples() (nodes, class []uint32) {
	for _, s := range p.Seeds.List() {
		nodes, class = append(nodes, s.Node), append(class, s.Class)
	}
	return nodes, class
}

// PeerNames are the names of [Peers], sorted.
func PeerNames() (names []string) {
	for _, m := range Peers() {
		names = append(names, m.Name)
	}
	slices.Sort(names)
	return names
}
