package fit

import (
	"context"
	"slices"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/crossval"
	"github.com/adp-sparse/adp-sparse/adp/stack"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
	"github.com/adp-sparse/adp-sparse/internal/clock"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// Member says what a method on a graph is worth, by left-out seeds.
type Member struct {
	Method string `json:"method"`
	Graph  string `json:"graph,omitempty"` // that it is on, beside edges
	// Uses says what it knows: edges, features or both.
	Uses string `json:"uses"`
	// Prior and Weight are its shares of the answer before and after the seeds spoke.
	Prior  float64 `json:"prior"`
	Weight float64 `json:"weight"`
	// Temperature and Even are τ and γ of its probabilities ([stack.Scale]).
	Temperature float64 `json:"temperature"`
	Even        float64 `json:"even,omitempty"`
	// Accuracy is the share of the left-out seeds that it gives their class; 0 where there are none.
	Accuracy float64 `json:"accuracy"`
}

// Combination says how the answer was made of the methods of a pool.
type Combination struct {
	Members []Member `json:"members"`
	// LeftOut is the number of seeds that were left out once, Accuracy the share of them that the
	// combination gives their class. With several labels a node each is a seed of its own.
	LeftOut  int     `json:"left_out_seeds"`
	Accuracy float64 `json:"accuracy"`
	// Foretold is the accuracy that the left-out seeds foretell for the nodes without a label, whose classes may be of other
	// sizes (docs/decisions/0036-unlike-numbers.md).
	Foretold float64 `json:"foretold_accuracy"`
	// Homophily is the relative homophily of the edges: that on S of the edges over that on S of the features' graph, of the
	// labels which spread over the latter. Nil without edges.
	Homophily *float64 `json:"homophily,omitempty"`
	// Joint is the joint homophily, looked at where Homophily is below 0.5: of the labels that edges and features give
	// together, the homophily of each graph over that of the labels which the graph itself gives; the
	// geometric mean of both. Above 1 both tell of the same classes.
	Joint *float64 `json:"joint_homophily,omitempty"`
	// Alike is the share of the prior that the methods for edges and features of the same classes have.
	Alike float64 `json:"alike"`
	// Formless says that the features' graph has no structure over which labels could spread.
	Formless bool `json:"formless_features,omitempty"`
	// Worth is what the features of neighbours are worth then, from 0 to 1: 0 where labels by them fit the edges no better than labels by
	// shuffled features do.
	Worth *float64 `json:"features_worth,omitempty"`
	// Independent says how far edges and features seem to be independent of each other, from 0 to 1: then at most one of them tells the
	// classes well. It is looked at where the features' graph has structure and Alike is 0.
	Independent float64 `json:"independent,omitempty"`
	// Idle says that the edges seem to say nothing then: labels spread over half of them foresee nothing of the other half.
	Idle bool `json:"idle_edges,omitempty"`
	// Lead says which graph has the stronger structure, from 0, the features', to 1, the edges: by how well labels from the seeds that spread over half of
	// its edges fit the other half, and those that spread over it. It is looked at where edges and features tell of different classes, both have
	// structure, and few seeds can be left out.
	Lead *float64 `json:"edges_lead,omitempty"`
	// Bias is the logarithm of what the probabilities of each class were multiplied by, so that they fit the left-out
	// seeds, and the sizes that the numbers of seeds tell ([stack.FitBias]); nil where nothing tells, or the sizes are given.
	Bias []float64 `json:"class_bias,omitempty"`
	// Sizes are those that the classes seem to have among the nodes without a label, of sum 1
	// ([stack.ClassSizes], [stack.ShiftedSizes]); nil where they are given or nothing tells.
	Sizes []float64 `json:"class_sizes,omitempty"`
	// Sharpness is the power of the probabilities that makes the largest one the probability of being right: what the
	// left-out seeds say ([stack.FitSharpness]), as far as the nodes are like them.
	Sharpness float64 `json:"sharpness"`
	// Several says which labels nodes with several have; nil where each has one.
	Several *Several `json:"several_labels,omitempty"`
}

// Corrected reports whether the answer is no longer the mixture of the methods itself.
func (c *Combination) Corrected() bool { return c.Bias != nil || c.Sizes != nil || c.Sharpness != 1 }

// Name is that of the method and its graph.
func (m Member) Name() string {
	if m.Graph == "" {
		return m.Method
	}
	return m.Method + " on " + m.Graph
}

// scale is that of its probabilities.
func (m Member) scale() stack.Scale { return stack.Scale{Temperature: m.Temperature, Even: m.Even} }

// Shares returns the weight of the methods that know the edges alone, the features alone, and
// both.
func (c *Combination) Shares() (edges, features, both float64) {
	of := map[string]float64{}
	for _, m := range c.Members {
		of[m.Uses] += m.Weight
	}
	return of[useEdges], of[useFeatures], of[useBoth]
}

// Homophilous reports whether edges and features seem to tell of the same classes.
func (c *Combination) Homophilous() bool { return c.Homophily != nil && c.Alike >= 0.5 }

// EdgesHelp reports whether edges seem to help: edges and features tell of the same classes, the features' graph has no structure, the
// edges have the stronger one, or the left-out seeds moved a tenth of the weight away from the methods that know the features alone.
func (c *Combination) EdgesHelp() bool {
	weight, prior := 0.0, 0.0
	for _, m := range c.Members {
		if m.Uses == useFeatures {
			weight, prior = weight+m.Weight, prior+m.Prior
		}
	}
	return c.Homophilous() || c.Formless || c.Lead != nil && *c.Lead >= 0.5 || weight <= 0.9*prior
}

// With more than cheapNodes nodes enoughLeftOut left-out seeds end the folds of a process that learns
// a graph: a fold of it costs more than all other methods. The prior counts for eight seeds
// ([stack.Strength]). With more than [adp.FullNodes] nodes [crossval.Plenty] end any folds.
const (
	enoughLeftOut = 24
	cheapNodes    = 1000
)

// leftOut collects what the members say of left-out seeds.
type leftOut struct {
	classes []uint32
	nodes   []uint32    // of one fold after the other; the seeds of a node follow each other
	sizes   [][]float64 // of each member: of its scores in the fold
	scores  [][]float32 // of each member, m×c
}

// part returns the seeds that are in.
func (l *leftOut) part(classes int, in func(k int) bool) *leftOut {
	out := &leftOut{sizes: make([][]float64, len(l.sizes)), scores: make([][]float32, len(l.scores))}
	for k, class := range l.classes {
		if !in(k) {
			continue
		}
		out.classes = append(out.classes, class)
		for member := range l.sizes {
			out.sizes[member] = append(out.sizes[member], l.sizes[member][k])
			out.scores[member] = append(out.scores[member], l.scores[member][k*classes:(k+1)*classes]...)
		}
	}
	return out
}

// fold makes the trainers of the folds.
func (p *pool) fold() {
	hides, large := 0, p.whole.y.Nodes > adp.FullNodes
	for train, hidden := range crossval.Folds(p.whole.y, crossval.ChoiceFolds, crossval.ChoiceSeed) {
		t := &trainer{pool: p, y: train, hidden: hidden, told: map[member]*foldScores{}}
		costly := t.recall(len(p.folds)) && p.whole.y.Nodes > cheapNodes
		if large && hides >= crossval.Plenty(p.whole.y.Classes) || costly && hides >= enoughLeftOut {
			break
		}
		p.folds = append(p.folds, t)
		hides += len(hidden)
	}
}

// leaveOut scores the left-out seeds.
func (p *pool) leaveOut(ctx context.Context) (*leftOut, error) {
	defer clock.Part(ctx, clock.PoolFolds)()
	out := &leftOut{sizes: make([][]float64, len(p.members)), scores: make([][]float32, len(p.members))}
	untaught := p.untaught()
	lessons := make([][]lesson, len(p.folds))
	for at, t := range p.folds {
		for _, s := range t.hidden {
			out.classes, out.nodes = append(out.classes, s.Class), append(out.nodes, s.Node)
		}
		for k, m := range p.members {
			if of := t.told[m.key()]; of != nil {
				out.take(k, of)
			}
		}
		var err error
		if untaught < len(p.members) {
			if lessons[at], err = t.standIns(ctx); err != nil {
				return nil, err
			}
		}
		if err := t.scores(ctx, 0, untaught, func(k int, f *csr.Dense) {
			of := t.hiddenScores(p.members[k], f)
			if out.take(k, of); untaught < len(p.members) && p.members[k].teaches() {
				lessons[at] = append(lessons[at], lesson{k, f, of.size})
			}
		}); err != nil {
			return nil, err
		}
	}
	return out, p.teachFolds(ctx, out, lessons)
}

// take adds what a member says of the seeds that a fold leaves out.
func (l *leftOut) take(member int, of *foldScores) {
	for _, row := range of.rows {
		l.sizes[member] = append(l.sizes[member], of.size)
		l.scores[member] = append(l.scores[member], row...)
	}
}

// foldScores are the centred scores of the seeds that a fold leaves out, and the size of all.
type foldScores struct {
	size float64
	rows [][]float32
}

// hiddenScores returns those of a member, by its centred scores.
func (t *trainer) hiddenScores(m member, f *csr.Dense) *foldScores {
	of := &foldScores{size: t.size(m, f)}
	for _, s := range t.hidden {
		of.rows = append(of.rows, slices.Clone(f.Row(int(s.Node))))
	}
	return of
}

// size is what the scores of a member are divided by before the softmax: their root mean square. On a large graph few nodes
// have neighbours in common with a seed, and the mean of all is noise: there it is that of the seeds.
func (t *trainer) size(m member, f *csr.Dense) float64 {
	if m.method != links {
		return stack.Size(f, t.opt.Threads)
	}
	list := t.y.List()
	own := csr.NewDense(len(list), f.Cols)
	for k, s := range list {
		copy(own.Row(k), f.Row(int(s.Node)))
	}
	return stack.Size(own, t.opt.Threads)
}

// recall takes the scores of the processes on fold k where the trials of their runs have tried their graphs there: folds of a trial are
// those of a pool. It reports whether one that learns a graph is to run.
func (t *trainer) recall(k int) (runs bool) {
	for _, m := range t.members {
		if m.method != process || t.processes[m.graph].chosen.Method == adp.LGC {
			continue
		}
		for _, f := range t.processes[m.graph].result.Folds {
			if f.Fold == k {
				t.told[m.key()] = &foldScores{size: f.Size, rows: f.Rows}
			}
		}
		runs = runs || t.told[m.key()] == nil
	}
	return runs
}

// of returns the scores of a member as a block.
func (l *leftOut) of(member, classes int) *csr.Dense {
	return &csr.Dense{Rows: len(l.classes), Cols: classes, Data: l.scores[member]}
}

// combine returns the probabilities of the classes of each node, n×c, what they were made of, and how well they hold.
func (p *pool) combine(ctx context.Context) (*csr.Dense, *Combination, *adp.Calibration, error) {
	left, err := p.leaveOut(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	defer clock.Part(ctx, clock.Pool)()
	y := p.whole.y
	report := p.weigh(left, len(p.members), y.Classes)
	quarters := p.quarters(left, y.Classes)
	report.Accuracy = accuracy(p.crossed(left, quarters, y.Classes, nil), left.classes)
	mixed := p.newMixture(report, y.Nodes, y.Classes)
	if p.teachers != nil {
		lessons, err := p.whole.standIns(ctx)
		if err != nil {
			return nil, nil, nil, err
		}
		for _, l := range lessons {
			p.whole.listen(l)
		}
	}
	if err := p.whole.scores(ctx, 0, len(p.members), func(k int, f *csr.Dense) {
		size := p.whole.size(p.members[k], f)
		if p.teachers != nil && p.members[k].teaches() {
			p.whole.listen(lesson{k, f, size})
		}
		mixed.add(k, f, func(int) float64 { return size }, p.opt.Threads)
		p.hear(&report.Members[k], f, size)
	}); err != nil {
		return nil, nil, nil, err
	}
	mixed.known, p.whole.said = p.known, nil
	f := mixed.block(p.opt.Threads)
	for _, why := range p.asked {
		why.Mixed = widened(f.Row(why.Node))
	}
	if y.Sets {
		report.Sharpness, report.Several = 1, p.sets(f, left, quarters)
		return f, report, nil, nil
	}
	shift := p.correct(f, report, left)
	return f, report, p.reliability(report, left, quarters, shift), nil
}

// mixture is Σ w_r P_r of rows, to which the members are added one after the other. A row of
// which no member that reaches knows anything stays 0.
type mixture struct {
	*Combination
	reaches func(k int) bool
	classes int
	sum     []float64 // n×c
	known   []bool
}

func (p *pool) newMixture(c *Combination, n, classes int) *mixture {
	return &mixture{c, p.reaches, classes, make([]float64, n*classes), make([]bool, n)}
}

// reaches reports whether a left-out seed that member k knows gets a label. Of edges alone the run decides: other methods
// say something of nodes that no known label reaches, by their degree for one, and that is a guess.
func (p *pool) reaches(k int) bool {
	return !p.edgesAlone || p.members[k].method == process
}

// add adds w_k P_k of the centred scores of a member, n×c, and their size in each row.
func (m *mixture) add(k int, scores *csr.Dense, size func(i int) float64, threads int) {
	scale, reaches := m.Members[k].scale(), m.reaches(k)
	rows.Each(scores.Rows, threads, func(lo, hi int) {
		one := make([]float64, m.classes)
		for i := lo; i < hi; i++ {
			z, sum := scores.Row(i), m.sum[i*m.classes:]
			m.known[i] = m.known[i] || reaches && slices.ContainsFunc(z, func(v float32) bool { return v != 0 })
			scale.Probabilities(one, z, size(i))
			for j, v := range one {
				sum[j] += float64(m.Members[k].Weight * v)
			}
		}
	})
}

// block returns the sums.
func (m *mixture) block(threads int) *csr.Dense {
	out := csr.NewDense(len(m.known), m.classes)
	rows.Each(out.Rows, threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			for j, v := range m.sum[i*m.classes : (i+1)*m.classes] {
				if m.known[i] {
					out.Row(i)[j] = float32(v)
				}
			}
		}
	})
	return out
}

// weigh fits the temperatures and the weights of the members before end to left-out seeds.
func (p *pool) weigh(left *leftOut, end, classes int) *Combination {
	report := &Combination{LeftOut: len(left.classes)}
	likelihoods, prior := make([][]float64, end), make([]float64, end)
	total := 0.0
	for k, m := range p.members[:end] {
		block := left.of(k, classes)
		// Edges may have hubs, next to which scores are large; neighbour graphs have none.
		scale := stack.FitScale(block, left.sizes[k], left.classes, m.method == lgc && m.graph == onEdges, p.opt.Threads)
		likelihoods[k], prior[k] = scale.Likelihoods(block, left.sizes[k], left.classes, p.opt.Threads), m.prior
		total += m.prior
		report.Members = append(report.Members, Member{
			Method: p.title(m), Uses: m.uses(), Prior: m.prior, Temperature: scale.Temperature, Even: scale.Even, Accuracy: accuracy(block, left.classes),
		})
		if !m.graphless() {
			report.Members[k].Graph = p.names[m.graph]
		}
	}
	for k, weight := range stack.Weigh(likelihoods, prior) {
		report.Members[k].Weight = weight
		report.Members[k].Prior /= total
	}
	return report
}

// title names a member in reports. A run that keeps the given graph is label spreading.
func (p *pool) title(m member) string {
	if m.method == process && p.processes[m.graph].chosen.Method == adp.LGC {
		return methodTitles[lgc]
	}
	return methodTitles[m.method]
}

// quarters are mixtures by the weights and temperatures that three quarters of the left-out seeds fit, for the fourth one: by its own a
// mixture seems better than it is. Quarter q has the seeds of the left-out nodes k with k mod 4 = q.
type quarters [4]*Combination

// quarters returns those of the left-out seeds.
func (p *pool) quarters(left *leftOut, classes int) (all quarters) {
	for q := range all {
		all[q] = p.weigh(left.quarter(q, classes, false), len(p.members), classes)
	}
	return all
}

// quarter returns the seeds of a quarter, or all others.
func (l *leftOut) quarter(q, classes int, own bool) *leftOut {
	in := l.quarters()
	return l.part(classes, func(k int) bool { return (in[k] == q) == own })
}

// quarters returns the quarter of each left-out seed.
func (l *leftOut) quarters() []int {
	in, turn := make([]int, len(l.nodes)), 0
	for k := range in {
		if k > 0 && l.nodes[k] != l.nodes[k-1] {
			turn++
		}
		in[k] = turn % len(quarters{})
	}
	return in
}

// crossed returns the probabilities of the left-out seeds, m×c, each quarter of them by the mixture of the others. With correct, it
// corrects those of a quarter by those of the others.
func (p *pool) crossed(left *leftOut, by quarters, classes int, correct func(some, others *csr.Dense, classes []uint32)) *csr.Dense {
	out, in := csr.NewDense(len(left.classes), classes), left.quarters()
	for q, mixture := range by {
		some := p.mix(left.quarter(q, classes, true), mixture, classes)
		if correct != nil {
			others := left.quarter(q, classes, false)
			correct(some, p.mix(others, mixture, classes), others.classes)
		}
		next := 0
		for k := range in {
			if in[k] == q {
				copy(out.Row(k), some.Row(next))
				next++
			}
		}
	}
	return out
}

// mix returns the mixture for left-out seeds, m×c.
func (p *pool) mix(left *leftOut, c *Combination, classes int) *csr.Dense {
	mixed := p.newMixture(c, len(left.classes), classes)
	for k := range c.Members {
		mixed.add(k, left.of(k, classes), func(i int) float64 { return left.sizes[k][i] }, p.opt.Threads)
	}
	return mixed.block(p.opt.Threads)
}

// accuracy returns the share of the rows that are right.
func accuracy(scores *csr.Dense, classes []uint32) float64 {
	if len(classes) == 0 {
		return 0
	}
	right := 0
	for i, class := range classes {
		if isRight(scores.Row(i), class) {
			right++
		}
	}
	return float64(right) / float64(len(classes))
}

// isRight reports whether the largest number of a row, the first of equal ones, is that of the class. Rows of zeros are wrong.
func isRight(row []float32, class uint32) bool { return diffuse.TopOf(row).Class == int32(class) }
