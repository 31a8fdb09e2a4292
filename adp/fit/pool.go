package fit

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/stack"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/exact"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// method is a way to score nodes that takes part in a pool.
type method int

const (
	lgc         method = iota // labels diffuse over a graph
	process                   // adp.Run
	alternate                 // labels, then the features diffused over a graph, by ridge on pseudo-labels
	smoothed                  // the same, diffused once more
	ridge                     // on the diffused features, from the seeds alone
	centred                   // ridge on TX and T²X side by side, without the mean of all rows
	summedHops                // the same of symmetric hops, whose rows know their degrees
	plain                     // ridge on X
	degrees                   // ridge on degrees, see [degreeColumns]
	links                     // ridge on T and T² themselves: on neighbours in common
	walks                     // ridge on where walks end
	unlike                    // labels spread with −α, see [diffuse.Repel]
	kernelRidge               // ridge by a kernel of distances
	logistic                  // logistic regression on X
	forest                    // randomised trees on X
	distilled                 // ridge on X from what the methods before it say
)

var methodNames = [...]string{"lgc", "adp", "al", "al-smoothed", "dr", "sign-centred", "sign-summed", "ridge", "degrees", "links", "walks", "unlike", "kernel-ridge", "logistic", "forest", "distilled"}

// methodTitles name them in reports.
var methodTitles = [...]string{
	"label spreading", "the learned graph", "diffused features from pseudo-labels", "diffused features from pseudo-labels, smoothed",
	"diffused features from the known labels", "centred features of neighbours", "sums of neighbours' features", "features alone", "degrees of a node and its neighbours", "neighbours in common", "where walks end", "labels of unlike neighbours", "kernel regression by distance", "logistic regression", "randomised trees", "features alone, from what the others say",
}

// The graphs of a pool.
const (
	onSum      = iota // edges and features together, or the features' where there are no edges
	onFeatures        // the features' alone
	onEdges           // the edges alone
	onRebuilt         // the sum, and neighbours by its diffused features ([rebuild])
	poolGraphs        // their number
)

// member is a method on a graph, and its share of the prior.
type member struct {
	method method
	graph  int
	prior  float64
}

// The pools (docs/decisions/0014-feature-step.md, 0029-two-views.md, 0030-features-of-neighbours.md, 0032-tables.md). Each says where it is
// used.
var (
	// homophilous: edges and features tell of the same classes.
	homophilous = []member{
		{smoothed, onSum, 1},
		{lgc, onRebuilt, 0.5},
		{lgc, onEdges, 0.2},
		{lgc, onFeatures, 0.2},
		{plain, onSum, 0.3},
		{forest, onEdges, 1},
	}
	// heterophilous: edges and features tell of other classes.
	heterophilous = []member{
		{smoothed, onFeatures, 1},
		{ridge, onFeatures, 1},
		{centred, onEdges, 1},
		{summedHops, onEdges, 1},
		{plain, onSum, 1},
		{links, onEdges, 0.5},
		{unlike, onEdges, 0.5},
		{degrees, onEdges, 0.25},
		{lgc, onEdges, 1},
		{lgc, onFeatures, 0.5},
		{forest, onEdges, 1},
	}
	// featuresOnEdges: the features' graph has no structure, and features of neighbours are worth something.
	featuresOnEdges = []member{
		{lgc, onEdges, 1},
		{smoothed, onEdges, 2},
		{centred, onEdges, 0.3},
		{ridge, onEdges, 0.3},
		{links, onEdges, 0.3},
		{unlike, onEdges, 0.3},
		{plain, onSum, 0.3},
		{forest, onEdges, 1},
	}
	// besideEdges: what features have beside a pool of edges alone where their graph has no structure and those of neighbours are
	// worth nothing.
	besideEdges = []member{
		{smoothed, onEdges, 0.3},
		{centred, onEdges, 0.2},
		{plain, onSum, 0.3},
		{forest, onEdges, 0.5},
	}
	// featuresAlone: features that are measurements, without edges.
	featuresAlone = []member{
		{process, onSum, 2},
		{alternate, onSum, 0.5},
		{plain, onSum, 0.5},
		{kernelRidge, onSum, 0.5},
		{logistic, onSum, 1},
		{forest, onSum, 1},
	}
	// wordsAlone: features that are words, without edges.
	wordsAlone = []member{
		{process, onSum, 1},
		{smoothed, onSum, 1},
		{alternate, onSum, 0.5},
		{ridge, onSum, 0.5},
		{plain, onSum, 0.5},
	}
)

// graphCodes name the graphs of members in [Options.Pool].
var graphCodes = [poolGraphs]string{"sum", "features", "edges", "rebuilt"}

// name is that of a member in [Options.Pool].
func (m member) name() string { return methodNames[m.method] + ":" + graphCodes[m.graph] }

// PoolNames returns the names of all methods that can take part in the feature step.
func PoolNames() (names []string) {
	for k := range methodNames {
		for graph := range graphCodes {
			names = append(names, member{method: method(k), graph: graph}.name())
		}
	}
	return names
}

// parsePool returns the members of some names.
func parsePool(names []string) (members []member, err error) {
	for k, name := range names {
		if slices.Contains(names[:k], name) {
			return nil, fmt.Errorf("%w: method %q is twice in a pool", adp.ErrOptions, name)
		}
		at := slices.Index(PoolNames(), name)
		if at < 0 {
			return nil, fmt.Errorf("%w: method %q of a pool, expected some of %s", adp.ErrOptions, name, strings.Join(PoolNames(), ", "))
		}
		members = append(members, member{method(at / len(graphCodes)), at % len(graphCodes), 1})
	}
	return members, nil
}

// key is a member without what changes nothing in its scores: its prior, and the graph that it does not know.
func (m member) key() member {
	if m.graphless() {
		m.graph = 0
	}
	return member{method: m.method, graph: m.graph}
}

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
	asked    []*Why // of the nodes to explain
	sums     sums   // where there are some
	known    []bool // the nodes that get a label
	distils  bool   // a member is [distilled]
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
		case distilled:
			p.distils = true
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

// leftOut reports whether a member takes no part: it takes too long for what it is worth, with many seeds or many columns, as of
// pictures; it sees too few columns ([leastColumns]), or too many of which each says little ([mostDifferences]); or see [treesPay].
func (m member) leftOut(x *prepared, y *diffuse.Seeds) bool {
	if !slices.Contains([]method{kernelRidge, logistic, forest}, m.method) {
		return false
	}
	_, d := x.x.Dims()
	seeds := y.Labelled()
	switch m.method {
	case logistic:
		return seeds > diffuse.MostIterated || d < leastColumns || d > mostLogistic || seeds*d*y.Classes > mostRegressed
	case forest:
		return !treesPay(y.Nodes, d, y, m.graph == onEdges)
	}
	return seeds > diffuse.MostIterated || d > mostDifferences
}

// The most columns of a logistic regression, as of tables, and the largest product of seeds, columns and classes: more take longer than
// all other methods.
const (
	mostLogistic  = 100
	mostRegressed = 2_000_000
)

// forget lets go of the labels of the alternation on a graph, and of its diffused features where no member
// needs them.
func (p *pool) forget(graph int) {
	p.whole.guesses[graph] = nil
	if !p.rebuilds && !slices.ContainsFunc(p.members, func(m member) bool { return m.graph == graph && m.diffuses() }) {
		p.low[graph], p.columns[graph] = nil, nil
	}
}

// diffuses reports whether a member takes the diffused features of its graph.
func (m member) diffuses() bool {
	return m.method == alternate || m.method == smoothed || m.method == ridge
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

// trainer fits the members of a pool to some seeds; they share what they have in common.
type trainer struct {
	*pool
	y       *diffuse.Seeds
	hidden  []diffuse.Seed         // the others
	told    map[member]*foldScores // by [member.key]: of the processes that their runs have tried on this fold, and see [pool.scoreEarly]
	labels  [poolGraphs]*csr.Dense // F of LGC on each graph, shares of rows
	guesses [poolGraphs]*csr.Dense // G of the alternation
	similar *csr.Dense             // scores of the kernel ridge, until they are used
	said    *csr.Dense             // P̄ of the members so far, until [distilled] uses it
	taught  *csr.Dense             // V of it, to explain
}

// scores calls take with the centred scores of each member, n×c, but those that are told.
// One block is held at a time, and at the end none of those that members share, unless nodes are to be
// explained by them.
func (t *trainer) scores(ctx context.Context, take func(k int, f *csr.Dense)) error {
	for k, m := range t.members {
		if t.told[m.key()] != nil {
			continue
		}
		f, err := t.score(ctx, m)
		if err != nil {
			return err
		}
		if t == t.whole {
			t.noteKnown(f)
		}
		stack.Centre(f, t.opt.Threads)
		if t.distils {
			t.listen(m, f)
		}
		take(k, f)
	}
	if t != t.whole || len(t.asked) == 0 {
		t.labels, t.guesses = [poolGraphs]*csr.Dense{}, [poolGraphs]*csr.Dense{}
	}
	return nil
}

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

func (t *trainer) score(ctx context.Context, m member) (*csr.Dense, error) {
	if f := t.early[m.key()]; t == t.whole && f != nil {
		delete(t.early, m.key())
		return f, nil
	}
	switch m.method {
	case lgc:
		f, err := t.diffused(ctx, m.graph)
		if err != nil {
			return nil, err
		}
		return f.Clone(), nil
	case process:
		run := t.processes[m.graph]
		if t == t.whole {
			f := run.result.F.Clone()
			stack.Shares(f, t.opt.Threads)
			return f, nil
		}
		if run.spreads(t.opt.Alpha) {
			return t.score(ctx, member{method: lgc, graph: m.graph})
		}
		r, err := adp.Run(ctx, run.w, t.y, run.chosen)
		if err != nil {
			return nil, err
		}
		stack.Shares(r.F, t.opt.Threads)
		return r.F, r.Close()
	case alternate:
		g, err := t.guessed(ctx, m.graph)
		if err != nil {
			return nil, err
		}
		return g.Clone(), nil
	case smoothed:
		g, err := t.guessed(ctx, m.graph)
		if err != nil {
			return nil, err
		}
		return t.smooth(ctx, m.graph, g)
	case ridge:
		return t.ridgeOf(ctx, t.unit[m.graph])
	case plain, centred, summedHops, links, walks:
		return t.ridgeBy(ctx, t.kernels[m.key()])
	case degrees:
		return t.ridgeOf(ctx, t.places[m.graph])
	case unlike:
		return t.byUnlike(ctx, m.graph)
	case kernelRidge:
		return t.byKernel(ctx, t.kernels[m.key()])
	case logistic:
		return t.byLogistic(ctx)
	case forest:
		return t.byForest(ctx, m.graph)
	case distilled:
		return t.byOthers(ctx)
	}
	return nil, fmt.Errorf("fit: no scores of method %q", methodNames[m.method])
}

// diffused returns F of LGC on a graph, as shares. It is solved side by side with those of the
// trainers that come next ([diffuse.Together]), but for one that the run has.
func (t *trainer) diffused(ctx context.Context, graph int) (*csr.Dense, error) {
	if t.graphs[graph] == t.graphs[onSum] && t.run.spreads(t.opt.Alpha) && t.whole.labels[graph] == nil {
		t.whole.labels[graph] = t.run.result.F.Clone()
		stack.Shares(t.whole.labels[graph], t.opt.Threads)
	}
	if t.labels[graph] != nil {
		return t.labels[graph], nil
	}
	g := t.graphs[graph]
	group := t.group(graph)
	starts := []*csr.Dense{csr.NewDense(t.y.Nodes, t.y.Classes)}
	if len(group) > 1 {
		var seeds []*diffuse.Seeds
		for _, other := range group {
			seeds = append(seeds, other.y)
		}
		var err error
		if starts, err = diffuse.Together(ctx, g, g.Degrees, seeds, t.labelOptions(), nil); err != nil {
			return nil, err
		}
	}
	work := diffuse.NewWorkspace(t.y.Nodes, t.y.Classes, t.opt.Threads)
	for k, other := range group {
		if _, err := work.LGC(ctx, starts[k], g, g.Degrees, other.y, other.labelOptions()); err != nil {
			return nil, err
		}
		stack.Shares(starts[k], t.opt.Threads)
		other.labels[graph] = starts[k]
	}
	return t.labels[graph], nil
}

// ran is a run of adp.Run on a graph, from all seeds.
type ran struct {
	w      *csr.Matrix
	chosen adp.Options // that repeat it on a fold
	result *adp.Result
}

func newRan(w *csr.Matrix, opt adp.Options, result *adp.Result) *ran {
	chosen := opt.Chosen(result).OnFold()
	if chosen.Method == adp.LGC {
		chosen.Alpha = result.Rounds[result.Chosen].Alpha
	}
	return &ran{w, chosen, result}
}

// spreads reports whether the run was label spreading as the pool has it.
func (r *ran) spreads(alpha float64) bool {
	return r.chosen.Method == adp.LGC && r.chosen.Alpha == alpha
}

// group returns the trainers whose labels on a graph are solved together with those of t: itself,
// and those after it that still need them.
func (t *trainer) group(graph int) []*trainer {
	group := t.after(func(other *trainer) bool { return other.labels[graph] != nil })
	return group[:diffuse.TogetherOf(t.y.Classes, len(group))]
}

// after returns a trainer, and those that come after it and still need what it needs: up to [seedSets].
func (t *trainer) after(has func(other *trainer) bool) []*trainer {
	group := []*trainer{t}
	if at := slices.Index(t.folds, t); at >= 0 {
		group = append(append(group, t.folds[at+1:]...), t.whole)
	}
	group = append(group[:1], slices.DeleteFunc(group[1:], has)...)
	return group[:min(len(group), int(seedSets(int64(t.y.Nodes))))]
}

// labelOptions are those of an F-step.
func (t *trainer) labelOptions() diffuse.Options {
	return diffuse.Options{Alpha: t.opt.Alpha, Balance: t.opt.Balance, Prior: t.opt.Prior, Tolerance: t.tolerance(), Threads: t.opt.Threads}
}

// tolerance is that of its F-steps. A residual of ε‖b‖ is an error of about ε√(m/cn) in an entry of F, for m seeds, and a mean entry is
// m/cn: in a fold the error may be a tenth of that.
func (t *trainer) tolerance() float64 {
	if t == t.whole {
		return poolTolerance
	}
	mean := float64(len(t.y.List())) / float64(t.y.Classes) / float64(t.y.Nodes)
	return min(foldTolerance, max(poolTolerance, 0.1*math.Sqrt(mean)))
}

// The constants of the alternation (docs/decisions/0014-feature-step.md).
const (
	seedsOwn   = 10.0 // the seeds have a weight of (m/c)/(m/c + seedsOwn) of 1
	guessRidge = 0.02 // λ, of the mean square of a row
	hardness   = 1.5  // of H, see soften
	lastAlpha  = 0.8  // of the last smoothing
	seedRidge  = 1.0  // λ of the ridges from the seeds alone
)

// guessed returns G of the labels that LGC gives on a graph, or on the one rebuilt from it.
func (t *trainer) guessed(ctx context.Context, graph int) (*csr.Dense, error) {
	if t.guesses[graph] != nil {
		return t.guesses[graph], nil
	}
	f, err := t.diffused(ctx, t.taughtOn(graph))
	if err == nil {
		t.guesses[graph], err = t.guess(ctx, graph, f)
	}
	return t.guesses[graph], err
}

// guess is the feature step: G = ZV, n×c, the ridge regression of the pseudo-labels of F, shares
// of rows, on the diffused features.
func (t *trainer) guess(ctx context.Context, graph int, f *csr.Dense) (*csr.Dense, error) {
	v, err := t.guessBy(ctx, graph, f)
	if err != nil {
		return nil, err
	}
	return applied(ctx, t.low[graph], v)
}

// guessBy returns V of a guess.
func (t *trainer) guessBy(ctx context.Context, graph int, f *csr.Dense) (*csr.Dense, error) {
	targets, weights := pseudoLabels(f, t.y)
	mean, err := t.low[graph].MeanSquare(ctx)
	if err != nil {
		return nil, err
	}
	return regress(ctx, t.low[graph], targets, weights, max(guessRidge*mean, math.SmallestNonzeroFloat32))
}

// regress returns V of a weighted ridge.
func regress(ctx context.Context, x *diffuse.Diffused, targets *csr.Dense, weights []float32, lambda float64) (*csr.Dense, error) {
	v, _, err := diffuse.Ridge(ctx, x, targets, weights, diffuse.RidgeOptions{Lambda: lambda})
	return v, err
}

// applied returns ZV.
func applied(ctx context.Context, x *diffuse.Diffused, v *csr.Dense) (*csr.Dense, error) {
	n, _ := x.Dims()
	out := csr.NewDense(n, v.Cols)
	return out, x.Apply(ctx, out, v)
}

// pseudoLabels returns the targets onehot(ŷ) − 1/c, n×c, and weights of the nodes by F, shares
// of rows: ŷ is the largest class, the weight √margin, made the same in sum for each predicted
// class. The seeds have their classes, and a weight of ρ = (m/c)/(m/c + 10) of 1 together, the
// same for each class.
func pseudoLabels(f *csr.Dense, y *diffuse.Seeds) (targets *csr.Dense, weights []float32) {
	n, c := f.Rows, f.Cols
	targets, weights = csr.NewDense(n, c), make([]float32, n)
	classes, total := make([]int32, n), make([]float64, c)
	list := y.List()
	seeded := make([]bool, n)
	for _, s := range list {
		seeded[s.Node] = true
	}
	for i := range n {
		top := diffuse.TopOf(f.Row(i))
		if classes[i] = top.Class; top.Class >= 0 && !seeded[i] {
			weights[i] = float32(math.Sqrt(float64(top.Margin)))
			total[top.Class] += float64(weights[i])
		}
	}
	predicted := 0.0
	for _, sum := range total {
		if sum > 0 {
			predicted++
		}
	}
	perClass := float64(len(list)) / float64(c)
	own := perClass / (perClass + seedsOwn)
	for i, class := range classes {
		if weights[i] > 0 {
			weights[i] = float32((1 - own) * float64(weights[i]) / float64(total[class]*predicted))
			target(targets.Row(i), int(class), 1)
		}
	}
	seeds, present := make([]float64, c), 0.0
	for _, s := range list {
		if seeds[s.Class] == 0 {
			present++
		}
		seeds[s.Class] += float64(s.Weight)
	}
	for k, s := range list { // of a node in several classes the first and heaviest counts, where these are not its labels
		if k > 0 && list[k-1].Node == s.Node {
			if y.Sets {
				target(targets.Row(int(s.Node)), int(s.Class), 1)
			}
			continue
		}
		weights[s.Node] = float32(own * float64(s.Weight) / (seeds[s.Class] * present))
		target(targets.Row(int(s.Node)), int(s.Class), 1)
	}
	return targets, weights
}

// target adds onehot(class) − 1/c.
func target(row []float32, class int, share float32) {
	for j := range row {
		row[j] -= share / float32(len(row))
	}
	row[class] += share
}

// smooth returns LGC of α = 0.8 on H = softmax(1.5 G/sd G), the seeds as they are, as shares.
func (t *trainer) smooth(ctx context.Context, graph int, g *csr.Dense) (*csr.Dense, error) {
	h := soften(g, t.y, t.opt.Threads)
	f, _, err := diffuse.Smooth(ctx, t.graphs[graph], h, diffuse.Options{Alpha: lastAlpha, Tolerance: t.tolerance(), Threads: t.opt.Threads})
	if err != nil {
		return nil, err
	}
	stack.Shares(f, t.opt.Threads)
	return f, nil
}

// soften returns H = softmax(1.5 G/sd G) of centred G, with the seeds' own classes; rows of zeros
// stay so.
func soften(g *csr.Dense, y *diffuse.Seeds, threads int) *csr.Dense {
	h := g.Clone()
	stack.Centre(h, threads)
	size := stack.Size(h, threads)
	rows.Each(h.Rows, threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row := h.Row(i)
			most, least, sum := row[0], row[0], 0.0
			for _, v := range row {
				most, least = max(most, v), min(least, v)
			}
			if most == least { // nothing is known
				clear(row)
				continue
			}
			for j, v := range row {
				e := exact.Exp(hardness * (float64(v) - float64(most)) / size)
				row[j] = float32(e)
				sum += e
			}
			for j, v := range row {
				row[j] = float32(float64(v) / sum)
			}
		}
	})
	list := y.List()
	for k, s := range list {
		if k == 0 || list[k-1].Node != s.Node {
			clear(h.Row(int(s.Node)))
		}
		h.Row(int(s.Node))[s.Class] += s.Weight
	}
	return h
}

// ridgeOf returns the scores of the ridge from the seeds alone.
func (t *trainer) ridgeOf(ctx context.Context, x *diffuse.Diffused) (*csr.Dense, error) {
	v, err := t.bySeeds(ctx, x)
	if err != nil {
		return nil, err
	}
	out, err := applied(ctx, x, v)
	if err == nil {
		t.addPrior(out)
	}
	return out, err
}

// bySeeds returns V of the ridge from the seeds alone.
func (t *trainer) bySeeds(ctx context.Context, x *diffuse.Diffused) (*csr.Dense, error) {
	targets, weights := diffuse.SeedTargets(t.y)
	return regress(ctx, x, targets, weights, seedRidge)
}

// ridgeBy returns the scores of the ridge by a kernel.
func (t *trainer) ridgeBy(ctx context.Context, k *diffuse.Kernel) (*csr.Dense, error) {
	out, err := k.Scores(ctx, t.y, seedRidge)
	if err == nil {
		t.addPrior(out)
	}
	return out, err
}

// addPrior adds the class prior, which the targets are less, to rows that are not 0.
func (t *trainer) addPrior(scores *csr.Dense) {
	if t.prior == nil {
		return
	}
	for i := range scores.Rows {
		row := scores.Row(i)
		if !slices.ContainsFunc(row, func(v float32) bool { return v != 0 }) {
			continue // nothing is known of the node
		}
		for j, v := range t.prior {
			row[j] += float32(v)
		}
	}
}
