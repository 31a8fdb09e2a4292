package fit

import (
	"context"
	"slices"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/choice"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/clock"
	"github.com/adp-sparse/adp-sparse/knn"
)

// chooses reports whether left-out seeds may choose the graph.
func (m *maker) chooses() bool {
	return m.in.Seeds != nil && m.in.Neighbors == nil && m.opt.Open() && !(m.opt.Mixed && m.in.Edges != nil)
}

// mixedDoubt is the share of the left-out seeds on which the first graph of a mixture must be wrong for others to be made. With
// fewer, what another graph gains the other methods of the mixture gain as well: docs/decisions/0006-starting-graph.md.
const mixedDoubt = 0.15

// doubt returns the share of the left-out seeds on which the first graph must be wrong.
func (m *maker) doubt() float64 {
	if m.opt.Mixed {
		return mixedDoubt
	}
	return 0
}

// starts returns the other graphs of the features that the seeds may choose.
func (m *maker) starts(first design) []knn.Start {
	rivals := first.start.Rivals(m.in.points(), m.in.dims(), m.in.Sparse != nil)
	return slices.DeleteFunc(rivals, func(s knn.Start) bool { return s.Scaled != first.start.Scaled && m.opt.Scale != AutoScale })
}

// candidates are the rivals of a first graph, by name: one that is not chosen is let go.
type candidates struct {
	rivals  []choice.Rival
	made    map[string]*Graph // without W
	untried []string
}

// take notes how a graph was made.
func (c *candidates) take(name string, g *Graph, joinable bool) {
	if g.Report.KNN != nil && !joinable {
		g.Report.KNN.Found = nil
	}
	c.made[name] = &Graph{Report: g.Report, Make: g.Make, Scaling: g.Scaling, Beta: g.Beta}
}

// add adds a rival.
func (c *candidates) add(name string, made func() (*csr.Matrix, error)) {
	c.rivals = append(c.rivals, choice.Rival{Name: name, Make: made})
}

// leave adds a rival that no new points could join: it is named and not tried.
func (c *candidates) leave(name string) {
	c.add(name, func() (*csr.Matrix, error) {
		c.untried = append(c.untried, name)
		return nil, nil
	})
}

// choose returns the graph that left-out seeds choose in the place of g.
func (m *maker) choose(ctx context.Context, g *Graph, first design) (*Graph, error) {
	defer clock.Part(ctx, clock.Rivals)()
	trial := m.trialBytes(g)
	if err := m.admit("choosing the graph", m.pointBytes(first)+trial); err != nil {
		return nil, err
	}
	m.took(m.pointBytes(first) + trial)
	c := &candidates{made: map[string]*Graph{}}
	prefix := ""
	if m.in.Edges != nil {
		prefix = "edges and "
	}
	name := prefix + first.start.String()
	c.take(name, g, m.opt.Joinable)
	for _, start := range m.starts(first) {
		m.addStart(ctx, c, prefix+start.String(), start, g, trial)
	}
	if m.in.Edges != nil && m.opt.Share == 0 {
		m.addAlone(c, first.start.String(), g)
	}
	w, trials, err := choice.Graph(ctx, g.W, name, c.rivals, m.doubt(), m.in.Seeds, adp.Options{Threads: m.opt.Threads})
	if err != nil {
		return nil, err
	}
	for _, t := range trials {
		if t.Chosen {
			name = t.Graph
		}
	}
	chosen := c.made[name]
	chosen.W, chosen.Report.Choice, chosen.Report.Untried = w, trials, c.untried
	return chosen, nil
}

// addStart adds the graph of a start beside the first graph g.
func (m *maker) addStart(ctx context.Context, c *candidates, name string, start knn.Start, g *Graph, trial int64) {
	if start.L1 && m.opt.Joinable {
		c.leave(name)
		return
	}
	c.add(name, func() (*csr.Matrix, error) {
		d := design{kind: KNN, start: start}
		other := &Graph{Report: g.Report}
		other.Report.Scaled, other.Report.Widest, other.Report.KNN = start.Scaled, nil, nil
		if start.L1 {
			d.kind, other.Report.Kind = L1, L1.String()
		}
		need := func() int64 {
			return max(2*g.W.Bytes()+m.bytes(d, knn.MaxL1Support, other.Report.KNN), m.pointBytes(d)+trial)
		}
		if err := m.admit("trying the graph "+start.String()+"", need()); err != nil {
			return nil, err
		}
		err := m.build(ctx, other, d)
		if m.took(need()); err != nil || other.W == nil {
			return nil, err
		}
		c.take(name, other, m.opt.Joinable)
		return other.W, nil
	})
}

// addAlone adds the features and the edges alone, beside the first graph g of both.
func (m *maker) addAlone(c *candidates, features string, g *Graph) {
	c.add(features, func() (*csr.Matrix, error) {
		alone := *g
		alone.Report.Share, alone.Beta = 0, 0
		c.take(features, &alone, m.opt.Joinable)
		return m.alone, nil
	})
	const edges = "edges"
	if m.opt.Joinable {
		c.leave(edges)
		return
	}
	c.add(edges, func() (*csr.Matrix, error) {
		alone := &Graph{Report: g.Report}
		alone.Report.Share, alone.Report.Kind, alone.Report.KNN = 0, edges, nil
		c.take(edges, alone, false)
		return m.in.Edges, nil
	})
}
