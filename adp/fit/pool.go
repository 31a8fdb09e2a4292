package fit

import (
	"context"
	"fmt"
	"slices"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/stack"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// check returns an error about a member that needs what the input lacks.
func (p *pool) check(m member) error {
	rebuilt := m.graph == onRebuilt && p.rebuilds && m.method != process // comes later
	switch {
	case p.graphs[m.graph] == nil && !rebuilt:
		return fmt.Errorf("%w: method %q of a pool, and there is no such graph", adp.ErrOptions, m.name())
	case p.edgesAlone && !slices.Contains(featureless, m.method):
		return fmt.Errorf("%w: method %q of a pool, and there are no features", adp.ErrOptions, m.name())
	}
	return nil
}

// pool scores nodes by its members, from any seeds.
type pool struct {
	members []member
	names   [poolGraphs]string // of the graphs
	graphs  [poolGraphs]*diffuse.Graph
	columns [poolGraphs]*csr.Dense        // Z, diffused features of low rank
	low     [poolGraphs]*diffuse.Diffused // the same as a map
	unit    [poolGraphs]*diffuse.Diffused // the same with rows of unit length
	places  [poolGraphs]*diffuse.Diffused // [degreeColumns]
	kernels map[member]*diffuse.Kernel    // of those that have one, by [member.key]
	early   map[member]*csr.Dense         // scores from all seeds, see [pool.scoreEarly]
	ends    [poolGraphs]*csr.Dense        // Ẑ of the walks
	x       *diffuse.Diffused             // X with rows of unit length, once needed
	// standard is the change of the columns of the features before that; nil for none.
	standard *diffuse.Standard
	roots    bool       // X is of the roots of words
	around   *csr.Dense // [surroundings], where there are edges
	features *prepared  // X, and as a map, for the logistic regression
	measured *diffuse.Diffused
	decay    *decay // of the kernel ridge
	opt      adp.Options
	w        *csr.Matrix // the sum
	run      *ran        // that the pool comes after
	// processes are those that are members, by their graph: the same run, or one on the edges or the features' graph beside the other.
	processes [poolGraphs]*ran
	prior     []float64 // of the classes, of sum 1; nil where they are equal
	// folds are fitted to some of the seeds each, whole to all of them.
	folds []*trainer
	whole *trainer
	// resizes says that no sizes of the classes are given, so that they are estimated.
	resizes bool
	// edgesAlone says that there are no features.
	edgesAlone bool
	// rebuilds says that the sum is rebuilt by its diffused features.
	rebuilds bool
	asked    []*Why       // of the nodes to explain
	sums     sums         // where there are some
	known    []bool       // the nodes that get a label
	teachers *Combination // the members that are not taught, weighed by themselves
	count    float64      // a of [diffuse.Bayes]
}

// prepare makes what the members need.
func (p *pool) prepare(ctx context.Context, x *prepared, y *diffuse.Seeds) (err error) {
	p.kernels, p.early = map[member]*diffuse.Kernel{}, map[member]*csr.Dense{}
	p.members = slices.DeleteFunc(slices.Clone(p.members), func(m member) bool { return m.leftOut(x, y) })
	if len(p.members) == 0 {
		return fmt.Errorf("%w: no method of the pool suits so many seeds and columns", adp.ErrOptions)
	}
	if p.rebuilds {
		if err := p.rebuildSum(ctx, x); err != nil {
			return err
		}
	}
	for _, m := range p.members {
		if m.diffuses() {
			if err := p.diffuseFeatures(ctx, x, m.graph); err != nil {
				return err
			}
		}
		switch m.method {
		case ridge:
			p.unit[m.graph], err = p.low[m.graph].Unit(ctx)
		case centred, summedHops:
			steps := diffuse.Hops{Weight: 1, Steps: mostHops, Symmetric: m.method == summedHops}
			p.kernels[m.key()], err = diffuse.NewCentredKernel(ctx, x.x, p.graphs[m.graph], steps, y, p.opt.Threads)
		case degrees:
			p.places[m.graph], err = degreeColumns(ctx, p.graphs[m.graph], p.opt.Threads)
		case bayes:
			if x.x.Sparse == nil {
				return fmt.Errorf("%w: method %q of a pool, and the features are no counts", adp.ErrOptions, m.name())
			}
			p.count = wordCount * meanWeight(x.x.Sparse)
			_, err = p.plainOf(ctx, x)
		case distilled:
			_, err = p.plainOf(ctx, x)
		case links:
			p.kernels[m.key()], err = diffuse.NewLinkKernel(ctx, p.graphs[m.graph], y, p.opt.Threads)
		case walks:
			if p.kernels[m.key()], p.ends[m.graph], err = newWalks(ctx, p.graphs[m.graph], y, p.opt.Threads); err == nil && len(p.asked) == 0 {
				err = p.scoreEarly(ctx, m)
			}
		case plain:
			if p.kernels[m.key()] == nil {
				p.kernels[m.key()], err = p.kernelOf(ctx, x, y)
			}
		case forest:
			if p.features = x; m.graph == onEdges && p.around == nil {
				p.around, err = surroundings(ctx, x, p.graphs[onEdges], p.opt.Threads)
			}
		case logistic:
			p.features = x
			p.measured, err = diffuse.NewDiffused(x.x, nil, diffuse.Hops{}, p.opt.Threads)
		case kernelRidge:
			p.decay = newDecay(x, y, p.opt.Threads)
			p.kernels[m.key()], err = diffuse.NewKernel(ctx, p.decay, y, p.opt.Threads)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// forget lets go of the labels of the alternation on a graph, and of its diffused features where no member
// needs them.
func (p *pool) forget(graph int) {
	p.whole.guesses[graph] = nil
	if !p.rebuilds && !slices.ContainsFunc(p.members, func(m member) bool { return m.graph == graph && m.diffuses() }) {
		p.low[graph], p.columns[graph] = nil, nil
	}
}

// diffuseFeatures makes the diffused features on a graph, unless they are there.
func (p *pool) diffuseFeatures(ctx context.Context, x *prepared, graph int) error {
	if p.low[graph] != nil {
		return nil
	}
	z, q, err := x.lowRank(ctx, p.graphs[graph], p.opt.Threads)
	if err != nil {
		return err
	}
	if len(p.asked) > 0 {
		p.sums.basis[graph] = q
	}
	p.columns[graph] = z
	p.low[graph], err = denseMap(z, p.opt.Threads)
	return err
}

// denseMap returns dense columns as a map, without a graph.
func denseMap(z *csr.Dense, threads int) (*diffuse.Diffused, error) {
	return diffuse.NewDiffused(diffuse.Features{Dense: z}, nil, diffuse.Hops{}, threads)
}

// rebuildSum makes the rebuilt graph.
func (p *pool) rebuildSum(ctx context.Context, x *prepared) (err error) {
	if err := p.diffuseFeatures(ctx, x, onSum); err != nil {
		return err
	}
	p.graphs[onRebuilt], err = rebuild(ctx, p.w, p.columns[onSum], x.metric(), p.opt.Threads)
	return err
}

// taughtOn returns the graph on which labels spread before the features take part: the rebuilt one
// in the place of the sum.
func (p *pool) taughtOn(graph int) int {
	if graph == onSum && p.rebuilds {
		return onRebuilt
	}
	return graph
}

// plainOf returns X with rows of unit length.
func (p *pool) plainOf(ctx context.Context, x *prepared) (*diffuse.Diffused, error) {
	if p.x != nil {
		return p.x, nil
	}
	d, err := diffuse.NewDiffused(x.x, nil, diffuse.Hops{}, p.opt.Threads)
	if err == nil {
		p.x, err = d.Unit(ctx)
	}
	return p.x, err
}

// kernelOf returns the kernel of X with rows of unit length.
func (p *pool) kernelOf(ctx context.Context, x *prepared, y *diffuse.Seeds) (*diffuse.Kernel, error) {
	unit, err := p.plainOf(ctx, x)
	if err != nil {
		return nil, err
	}
	return diffuse.NewKernel(ctx, unit, y, p.opt.Threads)
}

// mostHops is the number of the blocks of the features of neighbours.
const mostHops = 2

// noteKnown marks each node that has a score other than 0, before scores are centred. A tie counts.
// Of edges alone the run decides, see [pool.reaches].
func (p *pool) noteKnown(f *csr.Dense) {
	if p.known == nil {
		p.known = make([]bool, f.Rows)
		if p.edgesAlone {
			for i, label := range p.run.result.Labels {
				p.known[i] = label >= 0
			}
		}
	}
	if p.edgesAlone {
		return
	}
	rows.Each(f.Rows, p.opt.Threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			p.known[i] = p.known[i] || slices.ContainsFunc(f.Row(i), func(v float32) bool { return v != 0 })
		}
	})
}

// scoreEarly scores a member from all sets of seeds, and lets go of what it takes for that, which is more than its scores take.
func (p *pool) scoreEarly(ctx context.Context, m member) error {
	for _, t := range p.folds {
		f, err := t.score(ctx, m)
		if err != nil {
			return err
		}
		stack.Centre(f, t.opt.Threads)
		t.told[m.key()] = t.hiddenScores(m, f)
	}
	f, err := p.whole.score(ctx, m)
	if err != nil {
		return err
	}
	p.early[m.key()] = f
	p.kernels[m.key()], p.ends[m.graph] = nil, nil
	return nil
}
