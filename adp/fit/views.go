package fit

import (
	"context"
	"math"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// views says how the edges and the features of a set go together, by the labels that each of them gives from
// the seeds. Labels that were not given take no part.
type views struct {
	relative float64  // [Combination.Homophily]
	joint    *float64 // [Combination.Joint]
	alike    float64  // [Combination.Alike]
	formless bool     // [Combination.Formless]
	worth    float64  // of the features of neighbours where the features are formless, from 0 to 1
	// independent, idle and lead are those of [Combination].
	independent float64
	idle        bool
	lead        *float64
}

// The bounds of the views (docs/decisions/0029-two-views.md). Between the least and the most, alike grows from 0 to 1.
const (
	leastRelative, mostRelative = 0.2, 0.5
	leastJoint, mostJoint       = 0.9, 1.1
)

// look finds the views. With h(G, ŷ) the homophily of labels on S of a graph, and W_e, W_f, U and ŷ_e, ŷ_f, ŷ_u the
// graphs of the edges, of the features and of both, and the labels that these give,
//
//	relative  h(W_e, ŷ_f)/h(W_f, ŷ_f)
//	joint     √( h(W_e, ŷ_u)/h(W_e, ŷ_e) · h(W_f, ŷ_u)/h(W_f, ŷ_f) )
//
// ŷ_e and ŷ_f are of label spreading, ŷ_u of the alternation. Labels that one graph gives fit that graph best, whatever
// they mean. Where labels of both fit both as well, edges and features tell of the same thing.
//
// Cost: one F-step on the features' graph; where relative is below its upper bound, one on the edges, a feature step, and
// two F-steps on halves of the features' graph; then two feature steps on the edges, or [pool.independence] and, where that or few
// seeds ask for it, two F-steps on halves of the edges.
func (p *pool) look(ctx context.Context, x *prepared) (*views, error) {
	ofFeatures, err := p.spread(ctx, onFeatures)
	if err != nil {
		return nil, err
	}
	own := p.homophilyOf(onFeatures, ofFeatures)
	v := &views{relative: ratio(p.homophilyOf(onEdges, ofFeatures), own)}
	if v.alike = ramp(v.relative, leastRelative, mostRelative); v.alike == 1 {
		return v, nil
	}
	ofEdges, err := p.spread(ctx, onEdges)
	if err != nil {
		return nil, err
	}
	if err := p.diffuseFeatures(ctx, x, onSum); err != nil {
		return nil, err
	}
	guess, err := p.whole.guessed(ctx, onSum)
	if err != nil {
		return nil, err
	}
	ofBoth := classesOf(guess)
	edges := ratio(p.homophilyOf(onEdges, ofBoth), p.homophilyOf(onEdges, ofEdges))
	features := ratio(p.homophilyOf(onFeatures, ofBoth), own)
	joint := math.Sqrt(max(0, edges) * max(0, features))
	v.joint, v.alike = &joint, min(1, v.alike+ramp(joint, leastJoint, mostJoint))
	if v.alike > 0 {
		return v, nil
	}
	p.forget(onSum) // which no method is on then
	featuresForm, err := p.formOf(ctx, onFeatures)
	if err != nil {
		return nil, err
	}
	if v.formless = !featuresForm.structured() && own > featuresForm.least; v.formless {
		v.worth, err = p.worthOnEdges(ctx, x, ofEdges)
		return v, err
	}
	v.independent = p.independence(x, ofFeatures)
	fewSeeds := p.trust()*strongerShare >= leastShare
	if v.independent == 0 && !fewSeeds {
		return v, nil
	}
	edgesForm, err := p.formOf(ctx, onEdges)
	if err != nil {
		return nil, err
	}
	switch {
	case !edgesForm.structured(): // single edges may still tell
		v.idle = v.independent > 0
	case fewSeeds:
		v.lead = edgesForm.lead(featuresForm)
	}
	return v, nil
}

// tell writes the views to a report; nil ones are those of features alone.
func (v *views) tell(c *Combination) {
	if v != nil {
		c.Homophily, c.Joint, c.Alike, c.Formless = &v.relative, v.joint, v.alike, v.formless
		c.Independent, c.Idle, c.Lead = v.independent, v.idle, v.lead
		if v.formless {
			c.Worth = &v.worth
		}
	}
}

// ramp is 0 up to least, 1 from most on, and grows evenly between.
func ramp(v, least, most float64) float64 { return min(1, max(0, (v-least)/(most-least))) }

// ratio returns a/b, 0 where b is not above 0.
func ratio(a, b float64) float64 {
	if !(b > 0) {
		return 0
	}
	return a / b
}

// spread returns the labels that spread over a graph.
func (p *pool) spread(ctx context.Context, graph int) ([]int32, error) {
	f, err := p.whole.diffused(ctx, graph)
	if err != nil {
		return nil, err
	}
	return classesOf(f), nil
}

// classesOf returns the largest class of each row, −1 for none.
func classesOf(f *csr.Dense) []int32 {
	labels := make([]int32, f.Rows)
	for i := range labels {
		labels[i] = diffuse.TopOf(f.Row(i)).Class
	}
	return labels
}

func (p *pool) homophilyOf(graph int, labels []int32) float64 {
	return homophily(p.graphs[graph].S, labels, p.whole.y.Classes, p.opt.Threads)
}
