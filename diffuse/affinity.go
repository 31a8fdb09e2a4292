package diffuse

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/adp-sparse/adp-sparse/csr"
	"github.com/adp-sparse/adp-sparse/internal/kernel"
	"github.com/adp-sparse/adp-sparse/internal/rows"
)

// AffinityOptions are the options of [AStep].
type AffinityOptions struct {
	// TopK is the number of entries kept in each row before symmetrising, the diagonal not counted.
	// A TopK of n-1 or more, or below 0, keeps whole rows of n columns: the paper's dense step, for
	// small n.
	TopK int
	// Alpha is α_A in (0,1], the weight of the diffusion against I.
	Alpha float64
	// Zeta is the factor ζ' of Z = ζ'HHᵀ, at least 0.
	Zeta    float64
	Anchor  float64 // multiple of S added to A' at the end; 0 for none
	Hubs    HubRows // rows that are truncated to their largest terms
	Threads int     // zero means GOMAXPROCS
	// Space holds the result and the arrays that it is made from; nil is the memory. [AStepRows]
	// ignores it, and Anchor.
	Space *csr.Space
	// Progress is called now and then, by any worker, with the rows done since its last call.
	Progress func(rows int)
}

// AStep returns one step of the graph's own diffusion,
//
//	A' = topk(α_A S (A + ζ'HHᵀ) Sᵀ) + (1−α_A) I, made symmetric: (A' + A'ᵀ)/2,
//
// plus the anchor's multiple of S. S and A are symmetric n×n matrices of values of at least 0, H
// has n rows (the paper's Eq. iteration, truncated). Row i is computed as
//
//	u = Σ_j S_ij A_j,  v = Σ_l u_l S_l,  G = S H,
//	a_ij = α_A (v_j + ζ'⟨G_i, G_j⟩)  for the j in the pattern of v,
//
// and only its TopK largest entries are ever stored; among equal ones the smaller columns stay. The
// diagonal entry a_ii + (1−α_A) always stays. Its a_ii includes the label term ζ'⟨G_i, G_i⟩ even if
// i is not in the pattern of v.
//
// Without an A (nil) labels alone teach: v = S_i, so that the candidates are the edges of S, at a
// cost of nnz(S)·c.
//
// Cost: Σ_i Σ_{j∈S_i} Σ_{l∈A_j} nnz(S_l) multiply-adds at most, and c for each candidate that an
// upper bound of ⟨G_i, G_j⟩ does not rule out. Rows whose sum exceeds an eighth of nnz(S), as in
// small graphs with hubs, are made 16 at a time by one pass over S, at about nnz(S)/8 each. In
// large graphs they are truncated ([HubRows]). Memory: G (4·n·c bytes), 8·n·(TopK+1) for the
// collected rows, the result twice while it is made symmetric, and at most 24·n a worker, with hubs
// [HubBytes] more. In a space of files, rows go to buckets of a [csr.Builder] as they are made, and
// from there to the files; [SpillBytes] of them are in memory.
func AStep(ctx context.Context, s, a *csr.Matrix, h *Factor, opt AffinityOptions) (*csr.Matrix, error) {
	n, _ := s.Dims()
	if a != nil {
		if an, am := a.Dims(); an != n || am != n {
			panic(fmt.Sprintf("diffuse: S is %d×%d, A %d×%d", n, n, an, am))
		}
	}
	if !(opt.Anchor >= 0 && opt.Anchor <= math.MaxFloat32) {
		return nil, fmt.Errorf("%w: an anchor of %v, expected a finite number of at least 0", ErrOptions, opt.Anchor)
	}
	return symmetricStep(ctx, AffinityRows{S: s, A: a, G: h.Times(s, opt.Threads), Own: n, Nodes: n, Entries: s.NNZ()}, opt)
}

// symmetricStep is an A-step with all rows here.
func symmetricStep(ctx context.Context, all AffinityRows, opt AffinityOptions) (*csr.Matrix, error) {
	if opt.Space != nil {
		return spilledStep(ctx, all, opt)
	}
	truncated, err := AStepRows(ctx, all, opt)
	if err != nil {
		return nil, err
	}
	return WithAnchor(csr.Symmetrize(truncated, csr.Mean, opt.Threads), all.S, opt), nil
}

// WithAnchor adds the anchor to the rows of A' that S has.
func WithAnchor(a, s *csr.Matrix, opt AffinityOptions) *csr.Matrix {
	if opt.Anchor == 0 {
		return a
	}
	return csr.Add(a, float32(opt.Anchor), s, opt.Threads)
}

// AffinityRows holds the operands of rows First to First+Own−1 of an A-step. S and A have as many
// rows and columns as G has rows. These are all nodes, or some of them in their order. A needs its
// rows for the own nodes and for their neighbours. S needs its rows for the own nodes and for the
// columns in those rows of A. G needs the rows of all columns that S then has, and all others if
// whole rows are kept.
type AffinityRows struct {
	S, A       *csr.Matrix // A may be nil, see [AStep]
	G          *csr.Dense  // S H; overwritten
	Alike      bool        // without an A: G is of [Votes], and v = 0
	First, Own int
	Nodes      int // n
	Entries    int // of all rows of S
}

// AStepRows returns the own rows of an A-step before it is made symmetric, an Own×m matrix for S of
// m columns. Each has the bits that [AStep] gives it.
func AStepRows(ctx context.Context, own AffinityRows, opt AffinityOptions) (*csr.Matrix, error) {
	kept := &keptRows{first: own.First, out: csr.NewRowBuffer(own.Own, own.G.Rows, opt.width(own.Nodes))}
	if err := makeRows(ctx, own, kept, opt); err != nil {
		return nil, err
	}
	return kept.out.Matrix(opt.Threads), nil
}

// width returns the largest number of entries that a row of n columns keeps, its diagonal included.
func (opt AffinityOptions) width(n int) int {
	if opt.keepsAll(n) {
		return max(n, 1)
	}
	return opt.TopK + 1
}

func (opt AffinityOptions) keepsAll(n int) bool { return opt.TopK < 0 || opt.TopK >= n-1 }

// rowSink receives the rows of an A-step, each from one worker, the diagonal last. A worker calls
// end after a block of rows.
type rowSink interface {
	set(worker, i int, cols []uint32, vals []float32)
	end(worker int) error
}

// makeRows makes the own rows.
func makeRows(ctx context.Context, own AffinityRows, to rowSink, opt AffinityOptions) error {
	if !(opt.Alpha > 0 && opt.Alpha <= 1) || !(opt.Zeta >= 0 && opt.Zeta <= math.MaxFloat32) {
		return fmt.Errorf("%w: alpha %v and zeta %v of an A-step, expected above 0 and at most 1, and a finite number of at least 0", ErrOptions, opt.Alpha, opt.Zeta)
	}
	whole := own.A != nil && opt.keepsAll(own.Nodes)
	opt.TopK = opt.width(own.Nodes) - 1
	opt.Hubs = opt.Hubs.withDefaults()
	step := newAffinityStep(own, whole, to, opt)
	return rows.Do(ctx, own.Own, opt.Threads, func(worker, lo, hi int) error {
		step.block(worker, own.First+lo, own.First+hi)
		return to.end(worker)
	})
}

// keptRows is the sink in memory.
type keptRows struct {
	first int
	out   *csr.RowBuffer
}

func (k *keptRows) set(_, i int, cols []uint32, vals []float32) { k.out.Set(i-k.first, cols, vals) }
func (k *keptRows) end(int) error                               { return nil }

// affinityStep holds the data that all rows of one A-step share.
type affinityStep struct {
	s, a       *csr.Matrix
	columns    kernel.Sparse // S by columns, for heavy rows: S itself if all of it is here
	nodes      int           // of the whole graph
	entries    int           // of all rows of S
	alike      bool          // v = 0
	whole      bool          // rows keep all their entries
	truncating bool          // rows of much work are truncated
	g          *csr.Dense    // S H √ζ', so that ζ' is in the products
	norms      []float32     // ‖G_j‖, rounded up
	longest    float32       // the largest of them
	reach      []int64       // Σ_{l∈A_j} nnz(S_l); nil where walks are not taken, as near
	near       []int64       // the same where rows of A are truncated
	opt        AffinityOptions
	out        rowSink
	links      func() *links // of A, made when the first row is truncated
	hubs       func() *links // of S
	workers    []*affinityWorker
}

// slack keeps upper bounds above the rounding of float32 sums.
const slack = 1e-4

func newAffinityStep(own AffinityRows, whole bool, to rowSink, opt AffinityOptions) *affinityStep {
	n, s, a := own.G.Rows, own.S, own.A
	step := &affinityStep{
		s: s, a: a, g: own.G, norms: make([]float32, n), opt: opt,
		nodes: own.Nodes, entries: own.Entries, alike: own.Alike, whole: whole, truncating: !whole && opt.Hubs.Applies(own.Nodes, own.Entries), out: to, workers: make([]*affinityWorker, rows.Workers(opt.Threads)),
	}
	if a != nil {
		step.reach, step.near = make([]int64, n), make([]int64, n)
	}
	step.links = sync.OnceValue(func() *links { return newLinks(a, opt.Hubs.Links, opt.Hubs.Links) })
	step.hubs = sync.OnceValue(func() *links { return newLinks(s, max(opt.Hubs.Hub, opt.Hubs.Links), opt.Hubs.Links) })
	root := float32(math.Sqrt(opt.Zeta))
	rows.Each(n, opt.Threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			sum := 0.0
			row := step.g.Row(i)
			for j := range row {
				row[j] *= root
				sum += float64(row[j]) * float64(row[j])
			}
			step.norms[i] = float32(math.Sqrt(sum) * (1 + slack))
			step.count(i)
		}
	})
	for _, norm := range step.norms {
		step.longest = max(step.longest, norm)
	}
	across := s
	if own.Own < n && step.anyHeavy(own.First, own.First+own.Own) {
		// u has no entries in the columns of the rows of other processes.
		across = csr.Transpose(s, opt.Threads)
	}
	step.columns.Indptr, step.columns.Cols, step.columns.Vals = across.Arrays()
	return step
}

// count counts the entries of S that row i of A leads to.
func (step *affinityStep) count(i int) {
	if step.a == nil {
		return
	}
	cols, _ := step.a.Row(i)
	for _, l := range cols {
		sl, _ := step.s.Row(int(l))
		d := int64(len(sl))
		step.reach[i] += d
		step.near[i] += step.opt.Hubs.kept(d)
	}
}

// candidates collects the entries of one row of A'.
type candidates struct {
	i   int
	top *csr.TopK
	// class is the largest class of G_i, with its entry and the norm of the other entries, rounded
	// up.
	class int
	most  float32
	rest  float32
	self  float32 // v_i
}

// start begins row i and sets the terms of its bound. With a the largest class of G_i, ⟨G_i, G_j⟩ ≤
// G_ia G_ja + ‖G_i without a‖ ‖G_j‖.
func (step *affinityStep) start(c *candidates, i int) {
	c.i, c.class, c.most, c.self = i, 0, 0, 0
	c.top.Reset()
	sum := 0.0
	for k, v := range step.g.Row(i) {
		sum += float64(v) * float64(v)
		if v > c.most {
			c.class, c.most = k, v
		}
	}
	rest := sum - float64(c.most)*float64(c.most)
	c.rest = float32(math.Sqrt(max(rest, 0)) * (1 + slack))
}

// offer computes a_ij from v_j and offers it to the top k, unless its upper bound rules it out.
func (step *affinityStep) offer(c *candidates, j uint32, v float32) {
	if int(j) == c.i {
		c.self = v
		return
	}
	alpha := float32(step.opt.Alpha)
	if step.longest == 0 { // G = 0: v_j alone
		if a := alpha * v; a > 0 {
			c.top.Offer(j, a)
		}
		return
	}
	if least, full := c.top.Least(); full {
		bound := v + c.most*step.g.At(int(j), c.class) + c.rest*step.norms[j]
		if alpha*bound*(1+slack) < least {
			return
		}
	}
	if a := alpha * (v + step.dot(c.i, int(j))); a > 0 {
		c.top.Offer(j, a)
	}
}

// dot returns ζ'⟨G_i, G_j⟩.
func (step *affinityStep) dot(i, j int) float32 {
	gi := step.g.Row(i)
	gj := step.g.Row(j)[:len(gi)]
	var sum float32
	for k, v := range gi {
		sum += float32(v * gj[k])
	}
	return sum
}

// finish stores a row with its diagonal.
func (step *affinityStep) finish(w *affinityWorker, c *candidates) {
	cols, vals := c.top.Entries()
	alpha := float32(step.opt.Alpha)
	diagonal := float32(alpha*(c.self+step.dot(c.i, c.i))) + (1 - alpha)
	w.cols = append(append(w.cols[:0], cols...), uint32(c.i))
	w.vals = append(append(w.vals[:0], vals...), diagonal)
	step.out.set(w.id, c.i, w.cols, w.vals)
}
