package fit

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/adp-sparse/adp-sparse/adp"
	"github.com/adp-sparse/adp-sparse/adp/explain"
	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/diffuse"
)

// Why says why the feature step gives a node its label: what each member says of the node, and by what.
//
//	Mixed = Σ_r w_r P_r,   F_i ∝ (Mixed_ij e^b_j (π_j/π⁰_j)^w)^η,
//
// with the bias b, the sizes π and the sharpness η of the [Combination].
type Why struct {
	Node int
	// Label is that of the result, RunnerUp the class of the largest probability of all others; -1 where
	// no member knows the node.
	Label, RunnerUp int
	Mixed           []float64
	Members         []Voice // in the order of [Combination.Members]
}

// Voice is what a member says of a node. Seeds, Columns and Nodes, or Degrees are its reasons, by what
// the member is:
//
//	label spreading          Seeds
//	ridge from known labels  Columns and Nodes
//	ridge from pseudo-labels Columns and Nodes, of G; where it is smoothed see Nodes
//	ridge from other methods Columns and Nodes
//	degrees                  Degrees
//	neighbours in common     Nodes: those the node is joined to, and theirs
//	where walks end          Nodes: those with a known label
//	unlike neighbours        Nodes: those with a known label
//	kernel regression        Nodes: those with a known label
//	logistic regression      Columns
//	randomised trees         Nodes: the known labels in the same leaves
type Voice struct {
	// Known says that the member knows something of the node. If not, its probabilities are equal.
	Known         bool
	Probabilities []float64 // P_r of the classes
	Scores        []float64 // centred, of which P_r is the softmax
	// Lead is w_r (P_r,Label − P_r,RunnerUp). The leads of all members sum to that of Mixed.
	Lead float64
	// Seeds explains shares of scores by known labels, and what would flip the label of this member alone.
	// OneRound says that they are of one round, and the scores a mean over rounds.
	Seeds    *explain.Explanation
	OneRound bool
	// Columns and Nodes are the score of Label less that of RunnerUp, as sums over the columns of the features,
	// and over the nodes whose features they are; Prior is what is the same for all nodes: what the class sizes add, and b of logistic regression.
	//
	// Where a guess G is smoothed, with K = (1−α)(I − αS)^-1 and the soft guess H, Nodes has the shares of the
	// last step, exactly, known labels among them:
	//
	//	Σ_l K_il (H_l,Label − H_l,RunnerUp) / Σ_lj K_il H_lj.
	//
	// Columns then says what the features put into it: the sum of the same weights, of nodes without a known label,
	// with G in the place of H.
	Columns, Nodes *Sum
	Prior          float64
	Smoothed       bool
	// Degrees are those of the node, of its neighbours and of theirs, where the mean weight of an edge is 1: geometric means of 1 + d, less 1.
	Degrees []float64
}

// Sum is a number as a sum. Parts that are 0 are left out; the largest come first.
type Sum struct {
	Total float64
	Parts []Amount
}

// Amount is a part of a sum: of a column of the features, or of a node.
type Amount struct {
	Index  int
	Amount float64
}

// sums are what the scores of members are sums over.
type sums struct {
	x     *prepared
	basis [poolGraphs]*csr.Dense // Q of the low rank of each graph, d×k; nil for I
}

// explainedPaths is the number of known labels of a member that are given a path.
const explainedPaths = 5

// ask prepares to explain nodes by the features x.
func (p *pool) ask(nodes []int, x *prepared) {
	p.sums.x = x
	for _, i := range nodes {
		p.asked = append(p.asked, &Why{Node: i, Label: -1, RunnerUp: -1})
	}
}

// hear takes what a member says of the nodes that are asked about, by its centred scores, n×c.
func (p *pool) hear(m *Member, scores *csr.Dense, size float64) {
	for _, why := range p.asked {
		z := scores.Row(why.Node)
		voice := Voice{Scores: widened(z), Probabilities: make([]float64, len(z))}
		voice.Known = slices.ContainsFunc(z, func(v float32) bool { return v != 0 })
		m.scale().Probabilities(voice.Probabilities, z, size)
		why.Members = append(why.Members, voice)
	}
}

func widened(row []float32) []float64 {
	out := make([]float64, len(row))
	for j, v := range row {
		out[j] = float64(v)
	}
	return out
}

// explain fills in the reasons of the nodes that are asked about.
func (p *pool) explain(ctx context.Context, r *Result) error {
	for _, why := range p.asked {
		why.Label = int(r.Labels[why.Node])
		for j, v := range r.F.Row(why.Node) {
			if j != why.Label && why.Label >= 0 && (why.RunnerUp < 0 || v > r.F.Row(why.Node)[why.RunnerUp]) {
				why.RunnerUp = j
			}
		}
		for k := range why.Members {
			if v := &why.Members[k]; why.Label >= 0 {
				v.Lead = r.Combination.Members[k].Weight * (v.Probabilities[why.Label] - v.Probabilities[why.RunnerUp])
			}
		}
	}
	if len(p.asked) == 0 {
		return nil
	}
	for k, m := range p.members {
		say, err := p.whole.reasons(ctx, m)
		if err != nil {
			return err
		}
		for _, why := range p.asked {
			if v := &why.Members[k]; v.Known && why.Label >= 0 {
				if err := say(ctx, why, v); err != nil {
					return err
				}
			}
		}
	}
	r.Why = p.asked
	return nil
}

// reason fills in the reasons of a member for a node.
type reason func(ctx context.Context, why *Why, to *Voice) error

// reasons returns the reasons of a member, of which the trainer has the scores.
func (t *trainer) reasons(ctx context.Context, m member) (reason, error) {
	switch m.method {
	case lgc:
		return t.seedReasons(t.graphs[m.graph], t.labelOptions()), nil
	case process:
		run := t.processes[m.graph]
		if run.spreads(t.opt.Alpha) {
			return t.seedReasons(t.graphs[m.graph], t.labelOptions()), nil
		}
		last := t.seedReasons(diffuse.Normalize(run.result.Graph, t.opt.Threads), run.result.Diffusion(run.w, run.chosen))
		averaged := slices.ContainsFunc(run.result.Rounds, func(r adp.Round) bool { return r.Weight > 0 })
		return func(ctx context.Context, why *Why, to *Voice) error {
			to.OneRound = averaged
			return last(ctx, why, to)
		}, nil
	case alternate, smoothed:
		v, err := t.guessBy(ctx, m.graph, t.labels[t.taughtOn(m.graph)])
		if err != nil {
			return nil, err
		}
		if m.method == alternate {
			return t.featureReasons(m.graph, v, false)
		}
		return t.smoothReasons(m.graph, v, t.guesses[m.graph])
	case ridge:
		v, err := t.bySeeds(ctx, t.unit[m.graph])
		if err != nil {
			return nil, err
		}
		return t.featureReasons(m.graph, v, true)
	case plain, centred, summedHops:
		return t.kernelReasons(ctx, t.kernels[m.key()])
	case degrees:
		return t.degreeReasons(ctx, t.graphs[m.graph])
	case links:
		return t.linkReasons(ctx, t.kernels[m.key()])
	case walks:
		return t.walkReasons(ctx, m)
	case unlike:
		return t.unlikeReasons(m.graph), nil
	case kernelRidge:
		k := t.kernels[m.key()]
		v, err := k.Solve(ctx, t.y, kernelLambda)
		return t.nodeReasons(k, v), err
	case logistic:
		return t.logisticReasons(ctx)
	case forest:
		return t.forestReasons(ctx, m.graph)
	case bayes, distilled:
		return t.taughtReasons(m.method), nil
	}
	return nil, fmt.Errorf("fit: no reasons of method %q", methodNames[m.method])
}

// seedReasons are those of label spreading on a graph.
func (t *trainer) seedReasons(g *diffuse.Graph, opt diffuse.Options) reason {
	opt.Tolerance = 0 // the default: a pool needs fewer digits than a sum
	return func(ctx context.Context, why *Why, to *Voice) (err error) {
		to.Seeds, err = explain.Node(ctx, g, t.y, why.Node, explainedPaths, opt)
		return err
	}
}

// summed is a map of the features whose scores are sums.
type summed interface {
	Parts(ctx context.Context, r, v *csr.Dense) (columns, nodes []float64, err error)
}

// featureReasons are those of the scores ZV of the diffused features on a graph, with rows of Z of unit
// length where a ridge was from the seeds alone.
func (t *trainer) featureReasons(graph int, v *csr.Dense, unit bool) (reason, error) {
	x, err := diffuse.NewDiffused(t.sums.x.x, t.graphs[graph], diffuse.TenHops, t.opt.Threads)
	return func(ctx context.Context, why *Why, to *Voice) error {
		weight := 1.0
		if unit {
			z, err := t.low[graph].Rows(ctx, []uint32{uint32(why.Node)})
			if err != nil {
				return err
			}
			square := 0.0
			for _, value := range z.Data {
				square += float64(float64(value) * float64(value))
			}
			weight = 1 / math.Sqrt(square) // above 0: the member knows the node
			to.Prior = t.priorLead(why)
		}
		u := t.inColumns(graph, difference(v, why))
		return to.sum(ctx, x, unitAt(t.y.Nodes, why.Node, weight), u, t.dims())
	}, err
}

// kernelReasons are those of the scores X̃V of a ridge from the seeds alone.
func (t *trainer) kernelReasons(ctx context.Context, k *diffuse.Kernel) (reason, error) {
	v, err := k.Solve(ctx, t.y, seedRidge)
	return func(ctx context.Context, why *Why, to *Voice) error {
		to.Prior = t.priorLead(why)
		return to.sum(ctx, k, unitAt(t.y.Nodes, why.Node, 1), difference(v, why), t.dims())
	}, err
}

// nodeReasons are those of the scores X̃V of a ridge from the seeds alone whose columns are nodes.
func (t *trainer) nodeReasons(x summed, v *csr.Dense) reason {
	return func(ctx context.Context, why *Why, to *Voice) error {
		to.Prior = t.priorLead(why)
		_, nodes, err := x.Parts(ctx, unitAt(t.y.Nodes, why.Node, 1), difference(v, why))
		if err == nil {
			to.Nodes = sumOf(nodes)
		}
		return err
	}
}

// smoothReasons are those of a guess G = ZV that was smoothed, see [trainer.smooth].
func (t *trainer) smoothReasons(graph int, v, g *csr.Dense) (reason, error) {
	x, err := diffuse.NewDiffused(t.sums.x.x, t.graphs[graph], diffuse.TenHops, t.opt.Threads)
	h, known := soften(g, t.y, t.opt.Threads), t.y.Mask()
	return func(ctx context.Context, why *Why, to *Voice) error {
		opt := diffuse.Options{Alpha: lastAlpha, Threads: t.opt.Threads}
		k, _, err := diffuse.Smooth(ctx, t.graphs[graph], unitAt(h.Rows, why.Node, 1), opt)
		if err != nil {
			return err
		}
		all := 0.0
		for l, weight := range k.Data {
			for _, share := range h.Row(l) {
				all += float64(float64(weight) * float64(share))
			}
		}
		amounts := make([]float64, h.Rows)
		for l, weight := range k.Data {
			row := h.Row(l)
			amounts[l] = float64(weight) * (float64(row[why.Label]) - float64(row[why.RunnerUp])) / all
			if k.Data[l] = float32(float64(weight) / all); known[l] {
				k.Data[l] = 0
			}
		}
		if err := to.sum(ctx, x, k, t.inColumns(graph, difference(v, why)), t.dims()); err != nil {
			return err
		}
		to.Nodes, to.Smoothed = sumOf(amounts), true
		return nil
	}, err
}

// dims returns the number of columns of the features.
func (t *trainer) dims() int {
	_, d := t.sums.x.x.Dims()
	return d
}

// priorLead is what [trainer.addPrior] adds to the lead of the label.
func (t *trainer) priorLead(why *Why) float64 {
	if t.prior == nil {
		return 0
	}
	return t.prior[why.Label] - t.prior[why.RunnerUp]
}

// difference returns V_label − V_runner-up, d×1.
func difference(v *csr.Dense, why *Why) *csr.Dense {
	out := csr.NewDense(v.Rows, 1)
	for j := range v.Rows {
		out.Set(j, 0, v.At(j, why.Label)-v.At(j, why.RunnerUp))
	}
	return out
}

// inColumns returns Qv, the coefficients of columns of X, of those of a low rank.
func (t *trainer) inColumns(graph int, v *csr.Dense) *csr.Dense {
	q := t.sums.basis[graph]
	if q == nil {
		return v
	}
	out := csr.NewDense(q.Rows, 1)
	for j := range q.Rows {
		sum := 0.0
		for k, value := range q.Row(j) {
			sum += float64(float64(value) * float64(v.Data[k]))
		}
		out.Set(j, 0, float32(sum))
	}
	return out
}

// unitAt returns w e_i, n×1.
func unitAt(n, i int, w float64) *csr.Dense {
	e := csr.NewDense(n, 1)
	e.Set(i, 0, float32(w))
	return e
}

// sum fills in the parts of rᵀX̃u. Columns of features that are there in several blocks are one.
func (v *Voice) sum(ctx context.Context, x summed, r, u *csr.Dense, dims int) error {
	columns, nodes, err := x.Parts(ctx, r, u)
	if err != nil {
		return err
	}
	for j := dims; j < len(columns); j++ {
		columns[j%dims] += columns[j]
	}
	v.Columns, v.Nodes = sumOf(columns[:dims]), sumOf(nodes)
	return nil
}

// sumOf returns the sum of some amounts.
func sumOf(amounts []float64) *Sum {
	sum := &Sum{}
	for i, v := range amounts {
		if sum.Total += v; v != 0 {
			sum.Parts = append(sum.Parts, Amount{i, v})
		}
	}
	slices.SortFunc(sum.Parts, func(a, b Amount) int {
		return cmp.Or(cmp.Compare(math.Abs(b.Amount), math.Abs(a.Amount)), cmp.Compare(a.Index, b.Index))
	})
	return sum
}
